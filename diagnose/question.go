package diagnose

import (
	"context"
	"math"
	"slices"
)

// Most rules are false for most subjects by their first condition. So the signals are computed in turns: in each one the next that a
// rule still needs to be judged for some subject. One that nothing depends on any more is never computed.

// A question is a rule about a subject that is not answered at every tick yet.
type question struct {
	rule    *Rule
	subject view
	open    []int // ticks that are not answered
	outcome []Outcome
}

// judgeRules fills the rows of every subject.
func (t *Track) judgeRules(ctx context.Context, c *computation) error {
	open := t.questions(c)
	for len(open) > 0 {
		var wanted []string
		open = slices.DeleteFunc(open, func(q *question) bool {
			wanted = append(wanted, q.answer(c)...)
			return len(q.open) == 0
		})
		if err := c.extend(ctx, wanted); err != nil {
			return err
		}
	}
	return nil
}

// questions lists every rule with every subject that it can be about.
func (t *Track) questions(c *computation) []*question {
	var all []*question
	for n := range t.book.Rules {
		r := &t.book.Rules[n]
		for _, one := range c.byLevel[r.Level] {
			if one.present == nil {
				continue
			}
			q := &question{rule: r, subject: c.of(one.Subject), outcome: make([]Outcome, len(c.ticks))}
			for i, present := range one.present {
				if present {
					q.open = append(q.open, i)
				}
			}
			t.rows[rowKey{r.Code, one.Subject}] = q.outcome
			all = append(all, q)
		}
	}
	return all
}

// answer judges what can be judged by what is computed, and lists the signals that the other ticks wait for.
func (q *question) answer(c *computation) []string {
	var wanted []string
	tick := 0 // of the look: one function serves all
	look := func(id string) (float64, bool) {
		s := c.catalogue.index[id]
		if !c.isComputed(s) {
			return math.NaN(), false
		}
		return q.subject.read(s, tick), true
	}
	q.open = slices.DeleteFunc(q.open, func(i int) bool {
		tick = i
		outcome, missing := q.rule.outcome(look)
		if missing == "" {
			q.outcome[i] = outcome
			return true
		}
		if !slices.Contains(wanted, missing) {
			wanted = append(wanted, missing)
		}
		return false
	})
	return wanted
}

// outcome is what the rule comes to, before it is asked how bad it is; or, while that depends on a signal that is not computed yet, the
// first such signal.
func (r *Rule) outcome(look lookup) (o Outcome, missing string) {
	truth, missing := r.When.evaluate(look, false)
	switch {
	case missing != "":
		return CannotJudge, missing
	case truth == Unknown:
		return CannotJudge, ""
	case truth == True:
		return Yes, ""
	}
	truth, missing = r.When.evaluate(look, true)
	if truth == False {
		return No, missing
	}
	return Band, missing
}
