package print

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/vllmscope/vllmscope/diagnose"
)

// count prints a number of things: "1 target", "3 targets".
func count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// span prints a window the way Prometheus does: 30s, 1m, 1h.
func span(d time.Duration) string {
	text := d.String()
	for _, idle := range []string{"m0s", "h0m"} {
		if strings.HasSuffix(text, idle) {
			text = text[:len(text)-2]
		}
	}
	return text
}

// where names a subject with what it belongs to.
func where(r *diagnose.Report, s diagnose.Subject) string {
	switch s.Level {
	case diagnose.Model:
		return s.Name()
	case diagnose.Replica:
		if s.Model != "" {
			return s.Model + " on " + s.Name()
		}
	case diagnose.GPU:
		for _, g := range r.GPUs {
			if g.Subject == s && g.How != diagnose.Unmapped {
				return s.Name() + " (serves " + g.Server.Instance + ")"
			}
		}
	}
	return s.Name()
}

// value prints a fact, or why there is none.
func value(f diagnose.Fact) string {
	if !f.Known() {
		return diagnose.Absent + " (" + f.Absence.String() + ")"
	}
	return f.Text()
}

// columns are the figures that are printed for each replica.
var columns = []struct{ id, title string }{
	{"running", "running"}, {"waiting", "waiting"}, {"kv_usage", "KV cache"}, {"ttft_p95", "TTFT p95"}, {"tpot_p95", "TPOT p95"},
	{"generation_tokens_per_second", "output"}, {"preemptions_per_minute", "preemptions"}, {"gpu_busy", "GPU busy"},
}

// figures is a table of the replicas, with its head.
func figures(r *diagnose.Report) [][]string {
	head := []string{"REPLICA"}
	for _, c := range columns {
		head = append(head, c.title)
	}
	rows := [][]string{head}
	for _, replica := range r.Replicas {
		row := []string{where(r, replica)}
		for _, c := range columns {
			row = append(row, r.Figure(c.id, replica).Text())
		}
		rows = append(rows, row)
	}
	return rows
}

// wants prints what a comparison asks for.
func wants(e diagnose.Evidence) string {
	if e.Plain {
		return ""
	}
	return "wants " + e.Wants(e.Is)
}

// basis prints the window and the number of observations that a fact rests on.
func basis(r *diagnose.Report, f diagnose.Fact) string {
	var parts []string
	if d := r.Span(f.Signal.ID); d > 0 {
		parts = append(parts, span(d))
	}
	if !math.IsNaN(f.N) {
		parts = append(parts, fmt.Sprintf("n=%.0f", f.N))
	}
	return strings.Join(parts, ", ")
}

// aligned pads the cells of rows so that they stand below each other, and leaves no space at the end of a line.
func aligned(rows [][]string) []string {
	var widths []int
	for _, row := range rows {
		for i, cell := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	lines := make([]string, len(rows))
	for k, row := range rows {
		var b strings.Builder
		for i, cell := range row {
			b.WriteString(cell + strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell)+2))
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
			text += " on " + ref.Subject.Name()
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

// watched is the title of the signal that shows whether an action worked.
func watched(r *diagnose.Report, a diagnose.Advice) string { return r.Book().Signal(a.Watch).Title }

// A group is several rules that lack the same for the same subjects.
type group struct {
	subjects []diagnose.Subject
	codes    []string
	enable   string
}

// groups joins what is told alike: first the rules of one subject, then the subjects of the same rules.
func groups(unknown []diagnose.Unjudged) []group {
	var single []group
	for _, u := range unknown {
		for _, enable := range u.Enable {
			i := slices.IndexFunc(single, func(g group) bool { return g.subjects[0] == u.Subject && g.enable == enable })
			if i < 0 {
				single = append(single, group{subjects: []diagnose.Subject{u.Subject}, enable: enable})
				i = len(single) - 1
			}
			single[i].codes = append(single[i].codes, u.Code)
		}
	}
	var all []group
	for _, g := range single {
		i := slices.IndexFunc(all, func(o group) bool { return o.enable == g.enable && slices.Equal(o.codes, g.codes) })
		if i < 0 {
			all = append(all, g)
			continue
		}
		all[i].subjects = append(all[i].subjects, g.subjects...)
	}
	return all
}

// whereAll names the subjects of a group: all of them when they are few.
func whereAll(r *diagnose.Report, subjects []diagnose.Subject) string {
	if len(subjects) > 3 {
		return fmt.Sprintf("%s and %d others", where(r, subjects[0]), len(subjects)-1)
	}
	var names []string
	for _, s := range subjects {
		names = append(names, where(r, s))
	}
	return strings.Join(names, ", ")
}

// unjudged counts the rules that could not be judged for some subject.
func unjudged(r *diagnose.Report) int {
	codes := map[string]bool{}
	for _, u := range r.Unknown {
		codes[u.Code] = true
	}
	return len(codes)
}
