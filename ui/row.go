package ui

import (
	"slices"
	"strconv"
	"strings"

	"github.com/vllmscope/vllmscope/diagnose"
)

// tableRow is a line of the table: a replica, a target that has something to say, or one figure of a folded model group.
type tableRow struct {
	key     rowKey
	members []diagnose.Subject // of the group; the replica alone otherwise
	down    bool               // values are the last that were known
	remark  string             // instead of values
}

// rowKey tells a row again in the next report.
type rowKey struct {
	subject diagnose.Subject
	fold    fold
}

// fold is which figure of a model group a row shows.
type fold uint8

const (
	unfolded fold = iota
	worstOf
	medianOf
	totalOf
)

var foldWords = [...]string{worstOf: "worst", medianOf: "median", totalOf: "total"}

// rows lists what the table shows, in the report's order: replicas, and a target without any that has a remark itself. Replicas of a target
// that is down say so in their own rows. Folded, replicas are summed up by model.
func (s *scene) rows(folded bool) []tableRow {
	r := s.report
	if r == nil {
		return nil
	}
	var rows []tableRow
	replicas := slices.DeleteFunc(slices.Clone(r.Replicas), func(x diagnose.Subject) bool { return !s.filter.matches(r.Name(x), x.Model) })
	if folded {
		rows = s.folded(replicas)
		replicas = nil
	}
	for _, t := range r.Targets {
		mine := slices.DeleteFunc(slices.Clone(replicas), func(x diagnose.Subject) bool { return !x.SameTarget(t.Subject) })
		for _, replica := range mine {
			rows = append(rows, tableRow{key: rowKey{subject: replica}, members: []diagnose.Subject{replica}, down: !t.Up})
		}
		if remark := s.remarkOn(t); remark != "" && len(mine) == 0 && s.filter.matches(t.Name(), remark) {
			rows = append(rows, tableRow{key: rowKey{subject: t.Subject}, down: !t.Up, remark: remark})
		}
	}
	return rows
}

// folded sums replicas up by model: the worst, the middle and all together.
func (s *scene) folded(replicas []diagnose.Subject) []tableRow {
	var rows []tableRow
	for _, model := range modelsOf(replicas) {
		subject := diagnose.Subject{Level: diagnose.Model, Model: model}
		members := slices.DeleteFunc(slices.Clone(replicas), func(x diagnose.Subject) bool { return x.Model != model })
		for _, f := range []fold{worstOf, medianOf, totalOf} {
			rows = append(rows, tableRow{key: rowKey{subject, f}, members: members})
		}
	}
	return rows
}

// remarkOn says what is wrong with a target itself; nothing when all is well, or when its replicas say it.
func (s *scene) remarkOn(t diagnose.TargetState) string {
	engine := slices.ContainsFunc(s.report.Replicas, func(x diagnose.Subject) bool { return x.SameTarget(t.Subject) })
	switch {
	case t.Up && t.Kind == "vllm" && !engine:
		return "answers, and shows no vLLM engine"
	case t.Up:
		return ""
	case t.LastAnswer.IsZero():
		return "no metrics yet: " + t.Error
	}
	return "no metrics for " + diagnose.Duration(s.now.Sub(t.LastAnswer)) + ": " + t.Error + " (last seen " + s.clock(t.LastAnswer) + ")"
}

// health is the mark of a row: its worst finding, or that all is well, which is said only of what was judged.
func (s *scene) health(w *tableRow) (style, string) {
	if w.key.fold > worstOf {
		return plain, ""
	}
	level, found, silenced := diagnose.Information, false, false
	for i := range s.report.Findings {
		f := &s.report.Findings[i]
		bad := slices.ContainsFunc(w.members, func(m diagnose.Subject) bool { return concerns(s.report, f.Subject, m) }) ||
			len(w.members) == 0 && f.Subject == w.key.subject
		switch {
		case !f.Active() || !bad:
		case f.Silenced != nil:
			silenced = true
		default:
			level, found = max(level, f.Severity), true
		}
	}
	switch {
	case found && level > diagnose.Information:
		return styleOf(level), s.sign.severity[level]
	case w.remark != "", w.down, slices.ContainsFunc(w.members, s.report.HardlyJudged):
		return plain, s.sign.unknown
	case s.report.Young(), silenced:
		return faint, s.sign.other
	}
	return healthy, s.sign.healthy
}

// name is the first cell of a row, and the model it serves.
func (s *scene) name(w *tableRow) (name, model string) {
	if w.key.fold == unfolded {
		return s.report.Name(w.key.subject), w.key.subject.Model
	}
	return foldWords[w.key.fold] + " of " + strconv.Itoa(len(w.members)), w.key.subject.Model
}

// shorter is the end of a model's name where the whole does not fit: what stands before a slash is who made it.
func (k *look) shorter(model string, width int) string {
	if k.fit(model, width) == model {
		return model
	}
	return model[strings.LastIndexByte(model, '/')+1:]
}
