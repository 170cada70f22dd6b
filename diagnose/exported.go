package diagnose

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/prometheus/common/model"
)

// askExported finds out which targets expose the families of signals and of what they are made of.
func (c *computation) askExported(ctx context.Context, ids []string) error {
	order, err := c.catalogue.order(ids)
	if err != nil {
		return err
	}
	families := map[string][]string{} // by the names that the targets have for them
	for _, s := range order {
		for _, family := range c.catalogue.families(s) {
			if c.exported[family] != nil {
				continue
			}
			c.exported[family] = map[targetKey][]bool{}
			for _, name := range c.resolver.namesOf(family) {
				families[name] = append(families[name], family)
			}
		}
	}
	if len(families) == 0 {
		return nil
	}
	names := strings.Join(slices.Sorted(maps.Keys(families)), "|")
	series, err := c.source.Range(ctx, fmt.Sprintf("group by (%s, __name__) ({__name__=~%q})", targetLabels, names), c.first(), c.last(), c.settings.Step)
	if err != nil {
		return fmt.Errorf("asking who exports %s: %w", names, err)
	}
	for _, one := range series {
		for _, family := range families[one.Labels.Get(model.MetricNameLabel)] {
			c.exports(family, keyOf(subjectOf(Target, one.Labels)), one.Points)
		}
	}
	return nil
}

// exports takes down when a target has a family.
func (c *computation) exports(family string, target targetKey, at []Point) {
	byTarget := c.exported[family]
	if byTarget[target] == nil {
		byTarget[target] = make([]bool, len(c.ticks))
	}
	for _, p := range at {
		if i := c.index(p.Time); i >= 0 {
			byTarget[target][i] = true
		}
	}
}

// bornLate are families whose series appear with the first request, and the sibling that shows whether there could be any.
var bornLate = map[string]string{"http_requests_total": "http_request_duration_highr_seconds_count"}

// namesOf lists the names under which targets have a family, or its sibling; none where no target has it.
func (r *resolver) namesOf(family string) []string {
	if sibling := bornLate[family]; sibling != "" && !r.names[family] {
		family = sibling
	}
	var names []string
	for _, s := range r.present(family) {
		if r.names[s.name] {
			names = append(names, s.name)
		}
	}
	return names
}
