package diagnose

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
)

// YourThreshold marks a threshold that the user has set.
const YourThreshold Origin = "your threshold"

// Override is what the user changes of a rule. What is left out stays as it is in the book.
type Override struct {
	// Severity is the one that a finding then always has.
	Severity *Severity
	Hold     time.Duration
	// Thresholds replace those of the rule's conditions by their signals, Critical those that make it critical. Where a rule compares a
	// signal twice, the sign stands behind the signal, "itl_over_slo <", and where the sign is the same, the threshold of the book behind that.
	Thresholds, Critical map[string]float64
	// Runbook is where the user's own notes on it are.
	Runbook string
}

// With is a copy of the book with the user's changes, by code.
func (b *Book) With(overrides map[string]Override) (*Book, error) {
	rules := slices.Clone(b.Rules)
	for code, o := range overrides {
		if b.Rule(code) == nil {
			return nil, fmt.Errorf("there is no rule %s", code)
		}
		if err := o.apply(&rules[b.place(code)]); err != nil {
			return nil, fmt.Errorf("rule %s: %w", code, err)
		}
	}
	changed := *b
	changed.Rules = rules
	return &changed, nil
}

func (o Override) apply(r *Rule) error {
	var err error
	if r.When, err = replaced(r.When, o.Thresholds); err != nil {
		return err
	}
	if r.Critical, err = replaced(r.Critical, o.Critical); err != nil {
		return fmt.Errorf("critical: %w", err)
	}
	if o.Hold > 0 {
		r.Hold, r.CriticalHold = o.Hold, 0
	}
	if o.Severity != nil {
		r.Severity, r.Settled, r.Critical, r.Mild = *o.Severity, true, nil, nil
	}
	if o.Runbook != "" {
		r.Runbook = o.Runbook
	}
	return nil
}

// replaced is a test with other thresholds. Each must be of exactly one comparison.
func replaced(t Test, thresholds map[string]float64) (Test, error) {
	var known []Is
	if t != nil {
		known = withoutRepeats(t.comparisons(), func(is Is) Is { return is })
	}
	keys := map[Is]string{} // by the comparison that each means
	for _, key := range slices.Sorted(maps.Keys(thresholds)) {
		var meant []Is
		for _, is := range known {
			if is.isMeantBy(key) {
				meant = append(meant, is)
			}
		}
		switch len(meant) {
		case 0:
			unknown := &UnknownSignalError{Signal: key}
			for _, is := range known {
				if !slices.Contains(unknown.Known, is.Signal) {
					unknown.Known = append(unknown.Known, is.Signal)
				}
			}
			return nil, unknown
		case 1:
			if other, twice := keys[meant[0]]; twice {
				return nil, fmt.Errorf("%q and %q are the same comparison", other, key)
			}
			keys[meant[0]] = key
		default:
			return nil, fmt.Errorf("it compares %s more than once: write %s", key, waysToMean(meant))
		}
	}
	if len(thresholds) == 0 {
		return t, nil
	}
	return changed(t, thresholds), nil
}

// UnknownSignalError says that a rule does not compare a signal.
type UnknownSignalError struct {
	Signal string
	Known  []string
}

// Error names the signals that the rule compares.
func (e *UnknownSignalError) Error() string {
	if len(e.Known) == 0 {
		return fmt.Sprintf("it compares no %s: it has no such conditions", e.Signal)
	}
	return fmt.Sprintf("it does not compare %q, but %s", e.Signal, strings.Join(e.Known, ", "))
}

// waysToMean lists keys that name one of several comparisons of a signal.
func waysToMean(several []Is) string {
	var ways []string
	for _, is := range several {
		way := is.Signal + " " + sign(is.Op)
		if slices.ContainsFunc(several, func(o Is) bool { return o != is && o.Op == is.Op }) {
			way += " " + trimNumber(is.Threshold)
		}
		ways = append(ways, strconv.Quote(way))
	}
	return strings.Join(ways, " or ")
}

// isMeantBy tells whether a key names this comparison: its signal, with or without the sign and the threshold.
func (c Is) isMeantBy(key string) bool {
	parts := strings.Fields(key)
	switch {
	case len(parts) == 0 || len(parts) > 3 || parts[0] != c.Signal:
		return false
	case len(parts) > 1 && parts[1] != sign(c.Op) && parts[1] != c.Op.String():
		return false
	}
	return len(parts) < 3 || parts[2] == trimNumber(c.Threshold)
}

// sign is a comparison in characters that every keyboard has.
func sign(o Op) string { return [...]string{">", ">=", "<", "<=", "=", "!="}[o] }

// changed rebuilds a test with the thresholds in place.
func changed(t Test, thresholds map[string]float64) Test {
	switch n := t.(type) {
	case Is:
		for key, threshold := range thresholds {
			if n.isMeantBy(key) {
				n.Threshold, n.Origin = threshold, YourThreshold
			}
		}
		return n
	case Also:
		return Also{changed(n.Is, thresholds).(Is)}
	case All:
		parts := make(All, len(n))
		for i := range n {
			parts[i] = changed(n[i], thresholds)
		}
		return parts
	case Any:
		parts := make(Any, len(n))
		for i := range n {
			parts[i] = changed(n[i], thresholds)
		}
		return parts
	}
	return t
}
