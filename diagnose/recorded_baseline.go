package diagnose

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// usual says what a signal came to in the baseline recording: of the replica of that name, else of the middle one of its model.
func (r *recorder) usual(s *Signal) (expr, why string) {
	keys := r.settings.Baseline.of(s.Setting)
	if len(keys) == 0 {
		return "", "is not given (--baseline)"
	}
	var terms []string
	for _, key := range keys {
		values := slices.Sorted(slices.Values(r.settings.Baseline.values[key]))
		term := fmt.Sprintf("%s * %s", r.present(s.Level)+key.selector(), trimNumber(values[len(values)/2]))
		if key.load != "" {
			term += fmt.Sprintf(" and on(%s) (%s == %s)", labelsOf(s.Level), r.load(), key.load)
		}
		terms = append(terms, "("+term+")")
	}
	return strings.Join(terms, " or on("+labelsOf(s.Level)+") "), ""
}

// load records how many requests a replica has running, in the steps of a baseline.
func (r *recorder) load() string {
	return r.helper(SeriesOf(Replica, "load"), func() string {
		running, _ := r.signal("running_mean", Replica)
		return fmt.Sprintf("round(ln(clamp_min(%s, 1)) / %v)", running, loadStep)
	})
}

// of are the keys under which a signal is known, in the order in which value asks for them.
func (b *Baseline) of(signal string) []baselineKey {
	if b.Empty() {
		return nil
	}
	var keys []baselineKey
	for key := range b.values {
		if key.signal == signal {
			keys = append(keys, key)
		}
	}
	slices.SortFunc(keys, func(x, y baselineKey) int {
		return cmp.Or(
			strings.Compare(x.load, y.load), -strings.Compare(x.instance, y.instance),
			strings.Compare(x.engine, y.engine), strings.Compare(x.model, y.model),
		)
	})
	return keys
}

// selector finds the subjects that a key is about.
func (k baselineKey) selector() string {
	var matchers []string
	add := func(label, value string) {
		if value != "" {
			matchers = append(matchers, fmt.Sprintf("%s=%q", label, value))
		}
	}
	add("instance", k.instance)
	add("model_name", k.model)
	if k.engine == "0" {
		matchers = append(matchers, `engine=~"0|"`)
	} else {
		add("engine", k.engine)
	}
	return "{" + strings.Join(matchers, ",") + "}"
}
