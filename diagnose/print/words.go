package print

import (
	"fmt"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/vllmscope/vllmscope/diagnose"
)

// value prints what was looked at, or why there is none.
func value(e diagnose.Evidence) string {
	if !e.Known() {
		return diagnose.Absent + " (" + e.Absence.String() + ")"
	}
	return e.Reading()
}

// state says whether a target answers, and what failed where it does not.
func state(t diagnose.TargetState) string {
	switch {
	case t.Error != "":
		return t.Error
	case !t.Up:
		return "down"
	}
	return "up"
}

// age prints how old something is, unless it has never been seen.
func age(d time.Duration) string {
	if d == diagnose.NoAge {
		return diagnose.Absent
	}
	return diagnose.Duration(d)
}

// columns are the figures that are printed for each replica.
var columns = []struct{ id, title string }{
	{"running", "running"},
	{"waiting", "waiting"},
	{"kv_usage", "KV cache"},
	{"ttft_p95", "TTFT p95"},
	{"tpot_p95", "TPOT p95"},
	{"generation_tokens_per_second", "output"},
	{"preemptions_per_minute", "preemptions"},
	{"gpu_busy", "GPU busy"},
}

// figures is a table of the replicas, with its head.
func figures(r *diagnose.Report) [][]string {
	head := []string{"REPLICA"}
	for _, c := range columns {
		head = append(head, c.title)
	}
	rows := [][]string{head}
	for _, replica := range r.Replicas {
		row := []string{r.Where(replica)}
		for _, c := range columns {
			text := r.Figure(c.id, replica).Text()
			if age := r.Frozen(c.id, replica); age > 0 {
				text += " (" + diagnose.Duration(age) + " old)"
			}
			row = append(row, text)
		}
		rows = append(rows, row)
	}
	return rows
}

// trueIf prints what makes a comparison true.
func trueIf(e diagnose.Evidence) string {
	if e.Plain {
		return ""
	}
	text := "true if " + e.TrueIf(e.Is)
	if e.Origin == diagnose.YourThreshold {
		text += " (" + string(e.Origin) + ")"
	}
	return text
}

// aligned pads the cells of rows so that they stand below each other, and leaves no space at the end of a line.
func aligned(rows [][]string) []string {
	var widths []int
	for _, row := range rows {
		for i, cell := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], ansi.StringWidth(cell))
		}
	}
	lines := make([]string, len(rows))
	for k, row := range rows {
		var b strings.Builder
		for i, cell := range row {
			b.WriteString(cell + strings.Repeat(" ", widths[i]-ansi.StringWidth(cell)+2))
		}
		lines[k] = strings.TrimRight(b.String(), " ")
	}
	return lines
}

// hidden lists the findings that one explains.
func hidden(r *diagnose.Report, f *diagnose.Finding) []string {
	var all []string
	for _, ref := range f.Explains {
		text := ref.Code + " " + r.Book().Rule(ref.Code).Title
		if ref.Subject != f.Subject && ref.Subject.Level != diagnose.Model {
			text += " on " + r.Name(ref.Subject)
		}
		all = append(all, text)
	}
	return all
}

// ruledOut lists the neighbours that a finding is not, and why.
func ruledOut(r *diagnose.Report, f *diagnose.Finding) []string {
	var all []string
	for _, n := range f.RuledOut {
		all = append(all, fmt.Sprintf("%s %s (%s)", n.Code, r.Book().Rule(n.Code).Title, n.Because))
	}
	return all
}

// instruction is what to do and, where something shows whether it worked, the title of that signal.
func instruction(b *diagnose.Book, text, watch string) []string {
	if s := b.Signal(watch); s != nil {
		return []string{text, s.Title}
	}
	return []string{text}
}

// whereAll names the subjects of a group: all of them when they are few.
func whereAll(r *diagnose.Report, subjects []diagnose.Subject) string {
	if len(subjects) > 3 {
		return fmt.Sprintf("%s and %d others", r.Where(subjects[0]), len(subjects)-1)
	}
	return strings.Join(names(r, subjects), ", ")
}

// names lists what subjects are called.
func names(r *diagnose.Report, subjects []diagnose.Subject) []string {
	var names []string
	for _, s := range subjects {
		names = append(names, r.Where(s))
	}
	return names
}

// users says how bad it is for those who send requests; it is empty while nothing is known.
func users(r *diagnose.Report) string {
	var texts []string
	for _, remark := range r.Users().Remarks(false) {
		texts = append(texts, remark.Text)
	}
	return strings.Join(texts, " · ")
}
