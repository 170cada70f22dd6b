package ui

import (
	"slices"
	"strings"
	"time"

	"github.com/vllmscope/vllmscope/diagnose"
)

// frozen tells whether a figure of one of the replicas looks new and is old.
func (s *scene) frozen(signal string, replicas []diagnose.Subject) bool {
	return slices.ContainsFunc(replicas, func(m diagnose.Subject) bool { return s.report.Frozen(signal, m) > 0 })
}

// lasting says how long a pane looks back, and before that whose figures of some signals are older than they look, and by how much
// at most: a cell has no room for it.
func (s *scene) lasting(replicas []diagnose.Subject, signals ...string) string {
	text := "last " + diagnose.Duration(s.span)
	var names []string
	var oldest time.Duration
	for _, m := range replicas {
		for _, id := range signals {
			age, name := s.report.Frozen(id, m), s.report.Name(m)
			if s.report.Book().Signal(id).Level == diagnose.GPU {
				name = "GPU of " + name
			}
			if age > 0 {
				oldest, names = max(oldest, age), append(names, name)
			}
		}
	}
	if len(names) == 0 {
		return text
	}
	few := min(len(names), mostNames)
	who := strings.Join(names[:few], ", ")
	if n := len(names) - few; n > 0 {
		who += " and " + diagnose.Plural(n, "other")
	}
	return who + " " + diagnose.Duration(oldest) + " old · " + text
}

// mostNames is how many a title has room for.
const mostNames = 2

// measuredStyle is that of a value that a rule looked at: what is old is faint.
func (s *scene) measuredStyle(f diagnose.Fact) style {
	if s.report.Frozen(f.Signal.ID, f.Subject) > 0 {
		return faint
	}
	return strong
}
