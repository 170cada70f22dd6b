package diagnose

import (
	"fmt"
	"slices"
	"time"
)

// Book is the rules and the catalogue they are written in.
type Book struct {
	*Catalogue
	Rules []Rule
	// Shown lists the signals of the tables and small charts: they are computed at every tick, whatever rules need.
	Shown []string
}

// NewBook checks the rules against the catalogue.
func NewBook(cat *Catalogue, rules []Rule, shown []string) (*Book, error) {
	b := &Book{Catalogue: cat, Rules: rules, Shown: shown}
	codes := map[string]bool{"*": true}
	for _, r := range rules {
		if codes[r.Code] {
			return nil, fmt.Errorf("rule %s is listed twice", r.Code)
		}
		codes[r.Code] = true
	}
	for i := range rules {
		if err := b.checkRule(&rules[i], codes); err != nil {
			return nil, fmt.Errorf("rule %s: %w", rules[i].Code, err)
		}
	}
	return b, nil
}

func (b *Book) checkRule(r *Rule, codes map[string]bool) error {
	if r.When == nil || r.Sentence == "" || r.Confidence == 0 {
		return fmt.Errorf("lacks its conditions, its sentence or its confidence")
	}
	for _, id := range r.signals() {
		s := b.Signal(id)
		if s == nil {
			return fmt.Errorf("unknown signal %s", id)
		}
		if !reaches(r.Level, s.Level) {
			return fmt.Errorf("a %s has no %s signal %s", r.Level, s.Level, id)
		}
	}
	for _, explained := range r.Explains {
		for _, code := range explained {
			if !codes[code] {
				return fmt.Errorf("explains the unknown rule %s", code)
			}
		}
	}
	for _, n := range r.RuledOut {
		if !codes[n.Code] {
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
	i := slices.IndexFunc(b.Rules, func(r Rule) bool { return r.Code == code })
	if i < 0 {
		return nil
	}
	return &b.Rules[i]
}

// signals lists every signal that judging or telling the rule takes.
func (r *Rule) signals() []string {
	var ids []string
	for _, c := range r.comparisons() {
		ids = append(ids, c.Signal)
	}
	for _, c := range append(slices.Clone(r.Supports), r.Against...) {
		ids = append(ids, c.Signal)
	}
	ids = append(ids, r.Evidence...)
	for _, n := range r.RuledOut {
		ids = append(ids, n.Signal)
	}
	ids = append(ids, placeholders(r.Sentence)...)
	actions := slices.Clone(r.Actions)
	for _, c := range r.Cases {
		for _, is := range c.If.comparisons() {
			ids = append(ids, is.Signal)
		}
		ids = append(ids, placeholders(c.Sentence)...)
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

// quickHold is the longest hold of a rule that is judged at every tick; the others are judged in chunks of slowTicks, which costs
// little more than one tick and still gives each tick its verdict.
const (
	quickHold = 30 * time.Second
	slowTicks = 3
)

func (r *Rule) quick() bool { return r.Hold <= quickHold }

// tier is the part of the book that is judged together.
func (b *Book) tier(quick bool) *Book {
	part := &Book{Catalogue: b.Catalogue}
	if quick {
		part.Shown = b.Shown
	}
	for _, r := range b.Rules {
		if r.quick() == quick {
			part.Rules = append(part.Rules, r)
		}
	}
	return part
}

// ids lists the signals that the book's rules and tables need.
func (b *Book) ids() []string {
	ids := slices.Clone(b.Shown)
	if len(ids) > 0 {
		ids = append(ids, reportSignals...)
	}
	for i := range b.Rules {
		ids = append(ids, b.Rules[i].signals()...)
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}
