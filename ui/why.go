package ui

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/vllmscope/vllmscope/diagnose"
)

// whyPane is the signal table: what each rule wants against what is measured now.
type whyPane struct {
	subject diagnose.Subject
	cursor  cursor[diagnose.Ref]
	rows    []reason
	all     bool
	top     int
	signals []string // that the rows compare
	left    int      // the first that is shown
	follow  bool     // the selection moved: its signals should be in sight
}

func (p *whyPane) place() place { return inWhy }

func (p *whyPane) settle(s *scene) {
	p.rows = nil
	if s.report != nil {
		p.subject = s.about()
		p.rows = reasons(s.report, p.subject, p.all)
	}
	p.signals = signalsOf(p.rows)
	p.cursor.settle(p.keys())
}

// about is the subject of the Why page: what is selected; else what is worst off; else the first replica, or the first target where
// no engine was seen yet.
func (s *scene) about() diagnose.Subject {
	active, _ := s.report.Causes()
	switch r := s.report; {
	case s.subject != diagnose.Subject{}:
		return s.subject
	case len(active) > 0 && active[0].Severity > diagnose.Information:
		return active[0].Subject
	case len(r.Replicas) > 0:
		return r.Replicas[0]
	case len(r.Targets) > 0:
		return r.Targets[0].Subject
	}
	return diagnose.Subject{}
}

func (p *whyPane) keys() []diagnose.Ref {
	keys := make([]diagnose.Ref, len(p.rows))
	for i := range p.rows {
		keys[i] = p.rows[i].key()
	}
	return keys
}

func (p *whyPane) move(to move, page int) {
	switch to {
	case moveLeft:
		p.left = max(0, p.left-1)
	case moveRight:
		p.left = min(p.left+1, max(0, len(p.signals)-1))
	default:
		p.cursor.move(p.keys(), to, page)
		p.follow = true
	}
}

func (p *whyPane) click(row, _ int) {
	if i := p.top + row - whyHead; row >= whyHead && i < len(p.rows) {
		p.cursor.choose(p.rows[i].key())
	}
}

// chosen is the selected row, nil when there is none.
func (p *whyPane) chosen() *reason {
	for i := range p.rows {
		if p.rows[i].key() == p.cursor.key {
			return &p.rows[i]
		}
	}
	return nil
}

// Widths of the table, and the lines above its rows: where time goes, titles, what is measured.
const (
	signalWidth = 10
	whyHead     = 3
)

func (p *whyPane) draw(s *scene, focused bool, width, height int) []string {
	if s.report == nil {
		return box([]string{s.rule(width, focus(focused), "why", "")}, height)
	}
	rule, verdict := indent+width/5, width/4+2
	fit := max(1, (width-rule-verdict)/(signalWidth+1))
	p.scroll(fit)
	p.top = scrolled(p.top, p.cursor.row, p.cursor.row+1, len(p.rows), height-1-whyHead)
	shown := p.signals[p.left:min(len(p.signals), p.left+fit)]
	lines := []string{
		s.rule(width, focus(focused), "why: "+s.report.Where(p.subject), p.remark(len(shown))),
		s.phases(width, p.subject),
		s.signalTitles(width, rule, shown),
		s.measured(width, rule, shown, p.rows),
	}
	for i := p.top; i < min(len(p.rows), p.top+max(0, height-1-whyHead)); i++ {
		row := &p.rows[i]
		l := s.pointer(width, focused, row.key() == p.cursor.key)
		s.drawReason(l, row, p.part(s.report, row), rule, shown)
		lines = append(lines, l.String())
	}
	if len(p.rows) == 0 {
		lines = append(lines, s.line(width).at(indent).put(plain, "no rule is near; a shows all").String())
	}
	return box(lines, height)
}

// scroll keeps the first signal where it is, unless none of those that the newly selected row compares would be in sight.
func (p *whyPane) scroll(fit int) {
	p.left = min(p.left, max(0, len(p.signals)-1))
	row := p.chosen()
	if !p.follow || row == nil {
		return
	}
	p.follow = false
	compared := func(id string) bool { return row.condition(id) != nil }
	if !slices.ContainsFunc(p.signals[p.left:min(len(p.signals), p.left+fit)], compared) {
		p.left = max(0, slices.IndexFunc(p.signals, compared))
	}
}

// remark says what the table leaves out.
func (p *whyPane) remark(shown int) string {
	text := "rules that are near"
	if p.all {
		text = "all rules"
	}
	if shown < len(p.signals) {
		text = fmt.Sprintf("signals %d–%d of %d · ", p.left+1, p.left+shown, len(p.signals)) + text
	}
	return text
}

// phases says where the time of finished requests goes.
func (s *scene) phases(width int, subject diagnose.Subject) string {
	l := s.line(width).at(indent)
	replicas := replicasOf(s.report, subject)
	switch len(replicas) {
	case 0:
		return l.put(faint, "no engine seen yet").String()
	case 1:
	default:
		return l.put(faint, diagnose.Plural(len(replicas), "replica")).String()
	}
	work := s.report.Workload(replicas[0])
	if parts := work.Parts(); parts != "" {
		l.put(faint, "where time goes: ").put(plain, parts)
		if n := s.report.Fact("finished", replicas[0]); n.Value > 0 {
			l.put(faint, "  mean of n="+diagnose.Count.Format(math.Ceil(n.Value)))
		}
	} else {
		l.put(faint, "where time goes is not known")
	}
	for _, text := range []string{work.Lengths(), work.Ends()} {
		if text = "  " + text; text != "  " && l.width+ansi.StringWidth(text) <= width {
			l.put(plain, text)
		}
	}
	return l.String()
}

// signalTitles draws the heads of the columns.
func (s *scene) signalTitles(width, rule int, signals []string) string {
	l := s.line(width).at(indent).put(faint, "rule").at(rule)
	for _, id := range signals {
		l.left(faint, signalWidth, s.shortTitle(id)).at(l.width + 1)
	}
	return l.put(faint, "verdict").String()
}

// measured draws what the signals are now. A signal may differ between a replica and its GPUs; the first row that asks it counts.
func (s *scene) measured(width, rule int, signals []string, rows []reason) string {
	l := s.line(width).at(indent).put(plain, "measured").at(rule)
	for _, id := range signals {
		for i := range rows {
			if c := rows[i].condition(id); c != nil {
				l.left(s.measuredStyle(c.Fact), signalWidth, squeeze(c.Text(), signalWidth)).at(l.width + 1)
				break
			}
		}
	}
	return l.String()
}

// part names what a row is about where that is not what the page is about, or where the rule has a row for each of several.
func (p *whyPane) part(r *diagnose.Report, row *reason) string {
	n, alone := 0, true // whether all of the rule's rows are about parts of one target
	for i := range p.rows {
		if p.rows[i].rule == row.rule {
			n++
			alone = alone && p.rows[i].subject.Instance == row.subject.Instance
		}
	}
	same := row.subject.Level == diagnose.Model || row.subject.Instance == p.subject.Instance
	switch {
	case n < 2 && same:
		return ""
	case row.subject.Level == diagnose.GPU:
		return " GPU " + row.subject.Index
	case row.subject.Level == diagnose.Replica && same && alone:
		return " engine " + row.subject.Engine
	}
	return " " + r.Name(row.subject)
}

// drawReason draws one rule: its mark and name, what it wants of each signal and whether it has it, what that comes to.
func (s *scene) drawReason(l *line, row *reason, part string, rule int, signals []string) {
	name := plain
	if f := row.finding; f != nil && f.Active() {
		l.put(s.mark(f), s.sign.severity[f.Severity])
		name = strong
	}
	l.at(indent).left(name, rule-indent-1, row.rule.Code+part+" "+row.rule.Title).at(rule)
	for _, id := range signals {
		end := l.width + signalWidth + 1
		if c := row.condition(id); c == nil {
			l.put(faint, s.sign.other)
		} else {
			s.drawCondition(l, c)
		}
		l.at(end)
	}
	l.put(s.verdict(row))
}

// drawCondition draws what is wanted, and a mark for whether it is so: a way that need not be open has none and is faint.
func (s *scene) drawCondition(l *line, c *diagnose.Evidence) {
	const mark = 2
	wants := wants(c, signalWidth-mark)
	switch {
	case c.Moot:
		l.put(faint, wants)
	case c.Outcome == diagnose.True:
		l.put(plain, wants+" ").put(healthy, s.sign.yes)
	case c.Outcome == diagnose.False:
		l.put(plain, wants+" ").put(strong, s.sign.no)
	default:
		l.put(plain, wants+" ").put(strong, s.sign.unknown)
	}
}

// wants is what a comparison asks in few cells: the unit goes first, since the measured value above has it.
func wants(c *diagnose.Evidence, width int) string {
	text := squeeze(c.Wants(c.Is), 0)
	if ansi.StringWidth(text) > width {
		text = strings.TrimRight(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ/°%")
	}
	return text
}
