package diagnose

import (
	"fmt"
	"math"
	"slices"
	"time"
)

// Book is the rules and the catalogue they are written in.
type Book struct {
	*Catalogue
	Rules []Rule
	// Own are the user's alerting rules, which are judged beside those of the book; nil when there are none.
	Own *OwnRules
	// Shown lists the signals of the tables and small charts: they are computed at every tick, whatever rules need.
	Shown []string

	places map[string]int // of the rules, by code
}

// NewBook checks the rules against the catalogue.
func NewBook(cat *Catalogue, rules []Rule, shown []string) (*Book, error) {
	b := &Book{Catalogue: cat, Rules: rules, Shown: shown, places: map[string]int{}}
	for i, r := range rules {
		if _, twice := b.places[r.Code]; twice {
			return nil, fmt.Errorf("rule %s is listed twice", r.Code)
		}
		b.places[r.Code] = i
	}
	for i := range rules {
		if err := b.checkRule(&rules[i]); err != nil {
			return nil, fmt.Errorf("rule %s: %w", rules[i].Code, err)
		}
	}
	return b, nil
}

func (b *Book) checkRule(r *Rule) error {
	if r.When == nil || r.Sentence == "" || r.Confidence == 0 {
		return fmt.Errorf("lacks its conditions, its sentence or its confidence")
	}
	for _, id := range r.signals() {
		s := b.Signal(id)
		if s == nil {
			return fmt.Errorf("unknown signal %s", id)
		}
		if !reaches(r.Level, s.Level) && !slices.Contains(gpuLineSignals, id) {
			return fmt.Errorf("a %s has no %s signal %s", r.Level, s.Level, id)
		}
	}
	return b.checkNeighbours(r)
}

// checkNeighbours checks the codes that a rule names.
func (b *Book) checkNeighbours(r *Rule) error {
	for _, code := range r.Explained() {
		if code != "*" && b.Rule(code) == nil {
			return fmt.Errorf("explains the unknown rule %s", code)
		}
	}
	for _, n := range r.RuledOut {
		if b.Rule(n.Code) == nil {
			return fmt.Errorf("rules out the unknown rule %s", n.Code)
		}
	}
	return nil
}

// reaches tells whether a subject of one level has signals of another: its own, those of what it is part of, and a server those
// of its GPUs.
func reaches(subject, signal Level) bool {
	switch subject {
	case Replica:
		return true
	case Server:
		return signal != Replica && signal != Model
	case GPU:
		return signal == GPU || signal == Target || signal == Server
	}
	return signal == subject
}

// Rule returns the rule with this code, or nil.
func (b *Book) Rule(code string) *Rule {
	i, ok := b.places[code]
	switch {
	case !ok:
		return nil
	case i >= len(b.Rules):
		return &b.Own.Rules[i-len(b.Rules)].Rule
	}
	return &b.Rules[i]
}

// KVFull is the share of the KV cache from which on it counts as full, as charts draw it: that of the rule of KV thrash, which the user may
// have changed; NaN where the book does not have that rule.
func (b *Book) KVFull() float64 {
	if r := b.Rule(kvThrash); r != nil {
		for _, is := range Comparisons(r.When) {
			if is.Signal == "kv_highest" {
				return is.Threshold
			}
		}
	}
	return math.NaN()
}

// place is a rule's place in the book, which lists causes before what they cause.
func (b *Book) place(code string) int { return b.places[code] }

// signals lists every signal that judging or telling the rule takes.
func (r *Rule) signals() []string {
	return slices.Concat(r.judged(), r.graded(), r.details())
}

// judged lists the signals that judging takes, before it is asked how bad a finding is.
func (r *Rule) judged() []string { return signalsOf(r.When) }

// graded lists the signals that tell how bad a finding is.
func (r *Rule) graded() []string {
	var ids []string
	for _, t := range []Test{r.Critical, r.Mild} {
		if t != nil {
			ids = append(ids, signalsOf(t)...)
		}
	}
	return ids
}

// details lists the signals that only telling a finding takes.
func (r *Rule) details() []string {
	ids := slices.Concat(r.Evidence, placeholders(r.Sentence), gpuLineSignals)
	for _, c := range slices.Concat(r.Supports, r.Against) {
		ids = append(ids, c.Signal)
	}
	for _, n := range r.RuledOut {
		ids = append(ids, n.Signal)
	}
	actions := slices.Clone(r.Actions)
	for _, c := range r.Cases {
		ids = append(ids, signalsOf(c.If)...)
		ids = slices.Concat(ids, placeholders(c.Sentence), c.Evidence)
		actions = append(actions, c.Actions...)
	}
	for _, a := range actions {
		ids = append(ids, placeholders(a.Text)...)
		if a.Watch != "" {
			ids = append(ids, a.Watch)
		}
	}
	return ids
}

// comparisons lists the comparisons of both tests, each signal once.
func (r *Rule) comparisons() []Is {
	all := r.When.comparisons()
	if r.Critical != nil {
		for _, c := range r.Critical.comparisons() {
			if !slices.ContainsFunc(all, func(o Is) bool { return o.Signal == c.Signal }) {
				all = append(all, c)
			}
		}
	}
	return all
}

// signalsOf lists the signals that a test compares.
func signalsOf(t Test) []string {
	var ids []string
	for _, c := range t.comparisons() {
		ids = append(ids, c.Signal)
	}
	return ids
}

// quickHold is the longest hold of a rule that is judged at every tick; the others are judged in chunks of slowTicks, which costs
// little more than one tick and still gives each tick its verdict.
const (
	quickHold = 30 * time.Second
	slowTicks = 3
)

func (r *Rule) quick() bool { return r.Hold <= quickHold }

// quick is the part of the book that is judged at every tick: the quick rules and some others.
func (b *Book) quick(others map[string]bool) *Book {
	part := &Book{Catalogue: b.Catalogue, Shown: b.Shown, places: map[string]int{}}
	for _, r := range b.Rules {
		if r.quick() || others[r.Code] {
			part.places[r.Code] = len(part.Rules)
			part.Rules = append(part.Rules, r)
		}
	}
	return part
}

// always lists the signals that the tables and the report itself take, whatever rules need.
func (b *Book) always() []string { return slices.Concat(b.Shown, reportSignals) }
