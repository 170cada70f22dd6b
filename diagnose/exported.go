package diagnose

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// askExported finds out which targets expose the families of a signal and of what it is made of.
func (c *computation) askExported(ctx context.Context, id string) error {
	s := c.catalogue.index[id]
	for _, part := range c.catalogue.needs(s) {
		if err := c.askExported(ctx, part); err != nil {
			return err
		}
	}
	expr := c.expression(s)
	if _, asked := c.exported[expr]; asked || expr == "" {
		return nil
	}
	byTarget := map[targetKey][]bool{}
	c.exported[expr] = byTarget
	families := c.presentFamilies(expr)
	if len(families) == 0 {
		return nil
	}
	series, err := c.query(ctx, "group by ($target) ("+strings.Join(families, " or ")+")", 0, false, 0)
	if err != nil {
		return fmt.Errorf("asking who exports %s: %w", strings.Join(families, ", "), err)
	}
	for _, one := range series {
		key := keyOf(subjectOf(Target, one.Labels))
		if byTarget[key] == nil {
			byTarget[key] = make([]bool, len(c.ticks))
		}
		for _, p := range one.Points {
			if i := c.index(p.Time); i >= 0 {
				byTarget[key][i] = true
			}
		}
	}
	return nil
}

// bornLate are families whose series appear with the first request, and the sibling that shows whether there could be any.
var bornLate = map[string]string{"http_requests_total": "http_request_duration_highr_seconds_count"}

// presentFamilies lists the metric names of an expression, or their siblings, that any target has in any spelling.
func (c *computation) presentFamilies(expr string) []string {
	families := familiesOf(fill(expr, c.settings, 0))
	for i, name := range families {
		if sibling := bornLate[name]; sibling != "" && !c.resolver.names[name] {
			families[i] = sibling
		}
	}
	slices.Sort(families)
	return slices.DeleteFunc(slices.Compact(families), func(name string) bool {
		spelled := c.resolver.present(name)
		return len(spelled) == 1 && !c.resolver.names[spelled[0].name]
	})
}
