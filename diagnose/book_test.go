package diagnose

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

func TestEveryRuleSaysWhatItMust(t *testing.T) {
	for i := range Default().Rules {
		r := &Default().Rules[i]
		if r.Title == "" || r.Name == "" || r.Settle == "" || r.Source == "" || len(r.Actions) == 0 {
			t.Errorf("%s lacks a title, a name, what would settle it, a source or an action", r.Code)
		}
		for _, c := range everyComparison(r) {
			if c.Origin == "" {
				t.Errorf("%s: %s has no origin", r.Code, c)
			}
		}
		for _, a := range append(slices.Clone(r.Actions), actionsOf(r.Cases)...) {
			if a.Watch == "" {
				t.Errorf("%s: nothing shows whether %q worked", r.Code, a.Text)
			}
		}
		for _, c := range append(slices.Clone(r.Cases), Case{}) {
			if sentence := r.Complete(c).Sentence; strings.Contains(sentence, "!") || !strings.HasSuffix(sentence, ".") {
				t.Errorf("%s: %q is no plain sentence", r.Code, sentence)
			}
		}
	}
}

// everyComparison lists all that a rule compares, whatever for.
func everyComparison(r *Rule) []Is {
	all := slices.Concat(r.Supports, r.Against)
	tests := []Test{r.When, r.Critical, r.Mild}
	for _, c := range r.Cases {
		tests = append(tests, c.If)
	}
	for _, t := range tests {
		if t != nil {
			all = append(all, t.comparisons()...)
		}
	}
	return all
}

func actionsOf(cases []Case) []Action {
	var all []Action
	for _, c := range cases {
		all = append(all, c.Actions...)
	}
	return all
}

func TestEverySignalSaysWhatItIs(t *testing.T) {
	for _, s := range Default().Signals {
		if s.Title == "" || !strings.HasSuffix(s.Help, ".") {
			t.Errorf("%s: title %q, help %q", s.ID, s.Title, s.Help)
		}
	}
}

func TestEverySignalIsUsed(t *testing.T) {
	book := Default()
	ids := slices.Concat(scrapeSignals, workSignals, book.always())
	for i := range book.Rules {
		ids = append(ids, book.Rules[i].signals()...)
	}
	order, err := book.order(ids)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range book.Signals {
		if !slices.ContainsFunc(order, func(o *Signal) bool { return o.ID == s.ID }) {
			t.Errorf("%s is read by no rule, table or other signal", s.ID)
		}
	}
}

// Causes hang their consequences below themselves, so a circle would hide a finding below itself.
func TestCausesMakeNoCircle(t *testing.T) {
	book := Default()
	const open, done = 1, 2
	state := map[string]int{}
	var visit func(code string, trail []string)
	visit = func(code string, trail []string) {
		switch trail = append(slices.Clone(trail), code); state[code] {
		case open:
			t.Fatalf("%s explains itself: %s", code, strings.Join(trail, " → "))
		case done:
			return
		}
		state[code] = open
		for _, next := range book.Rule(code).Explained() {
			if next != "*" {
				visit(next, trail)
				continue
			}
			for i := range book.Rules {
				if book.place(book.Rules[i].Code) > book.place(code) {
					visit(book.Rules[i].Code, trail)
				}
			}
		}
		state[code] = done
	}
	for _, r := range book.Rules {
		visit(r.Code, nil)
	}
}

func TestNeighboursAreRuledOutByTheirOwnConditions(t *testing.T) {
	book := Default()
	for _, r := range book.Rules {
		for _, n := range r.RuledOut {
			neighbour := book.Rule(n.Code)
			if !slices.ContainsFunc(neighbour.comparisons(), func(c Is) bool { return c.Signal == n.Signal }) {
				t.Errorf("%s rules %s out by %s, which %s does not ask for", r.Code, n.Code, n.Signal, n.Code)
			}
		}
	}
}

// What a rule rests on can be looked up: it is no document that only we have.
func TestSourcesArePublic(t *testing.T) {
	private := regexp.MustCompile(`rule book|brief`)
	for i := range Default().Rules {
		r := &Default().Rules[i]
		texts := []string{r.Source}
		for _, c := range everyComparison(r) {
			texts = append(texts, string(c.Origin))
		}
		for _, text := range texts {
			if private.MatchString(text) {
				t.Errorf("%s rests on %q", r.Code, text)
			}
		}
	}
}

// Two signals of one subject have two titles: else two lines read the same.
func TestTitlesDiffer(t *testing.T) {
	type line struct {
		level Level
		title string
	}
	known := map[line]string{}
	for _, s := range Default().Signals {
		one := line{s.Level, s.Title}
		if other, twice := known[one]; twice {
			t.Errorf("%s and %s of a %s are both called %s", other, s.ID, s.Level, s.Title)
		}
		known[one] = s.ID
	}
}
