package diagnose

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// endedSilences says which silences are over: they silence nothing any more, and nobody sees that in the file.
func (r *Report) endedSilences() []string {
	var all []string
	for _, s := range r.Settings.Silences {
		if !r.Time.Before(s.Until) {
			all = append(all, fmt.Sprintf("the silence of %s ended at %s UTC: it silences nothing any more", s.Code, s.Until.UTC().Format("2006-01-02 15:04")))
		}
	}
	return all
}

// unserved says which models and instances the user's settings name that no target has: a misspelt name is a setting without effect.
// While a target has never answered, nobody knows what it serves.
func (r *Report) unserved() []string {
	var models, instances []string
	for _, t := range r.Targets {
		if !t.Up && t.LastAnswer.IsZero() {
			return nil
		}
		instances = append(instances, t.Instance)
	}
	for _, s := range r.Replicas {
		models = append(models, s.Model)
	}
	if len(models) == 0 {
		return nil
	}
	namedModels, namedInstances := r.Settings.names(r)
	return slices.Concat(
		strangers("no target serves %s; served: %s", namedModels, models),
		strangers("no target is %s; targets: %s", namedInstances, instances),
	)
}

// overrun says where more requests run at once than the cap that was told: it is another one, and rules trust it.
func (r *Report) overrun() []string {
	over := map[float64][]string{}
	for _, replica := range r.Replicas {
		told, running := r.Fact("told_sequence_cap", replica).Value, r.Fact("running", replica).Value
		if running > told {
			over[told] = append(over[told], fmt.Sprintf("%s on %s", Count.Format(running)+" run", r.Name(replica)))
		}
	}
	var all []string
	for _, told := range slices.Sorted(maps.Keys(over)) {
		all = append(all, fmt.Sprintf("--max-num-seqs %s: %s, so that is not the cap there", trimNumber(told), listed(over[told])))
	}
	return all
}

// names are the models and instances that settings are for, by name, with what is set. A server of the configuration that is not watched is
// no mistake: one file serves a whole team.
func (s Settings) names(r *Report) (models, instances map[string]string) {
	models, instances = map[string]string{}, map[string]string{}
	for name := range s.Shapes {
		models[name] = "its size is given"
	}
	for name := range s.SLOByModel {
		models[name] = "it has an objective"
	}
	for _, silence := range s.Silences {
		if !r.Time.Before(silence.Until) {
			continue
		}
		models[silence.Model], instances[silence.Instance] = "a silence of "+silence.Code, "a silence of "+silence.Code
	}
	delete(models, "")
	delete(instances, "")
	return models, instances
}

// mostListed is how many names a sentence lists.
const mostListed = 8

// strangers is a sentence about those of some names that are not among the known; nothing where all are.
func strangers(sentence string, named map[string]string, known []string) []string {
	var strange []string
	for _, name := range slices.Sorted(maps.Keys(named)) {
		if !slices.Contains(known, name) {
			strange = append(strange, Plain(name)+" ("+named[name]+")")
		}
	}
	if len(strange) == 0 {
		return nil
	}
	return []string{fmt.Sprintf(sentence, listed(strange), listed(slices.Compact(slices.Sorted(slices.Values(known)))))}
}

// listed joins the first of some names, and says how many more there are.
func listed(names []string) string {
	if more := len(names) - mostListed; more > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:mostListed], ", "), more)
	}
	return strings.Join(names, ", ")
}
