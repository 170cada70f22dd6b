package diagnose

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"
)

// A resolver turns expressions of the catalogue into those that find something on the present targets, and remembers them: the
// names change when a target does, the expressions never.
type resolver struct {
	rewriter
	mu       sync.Mutex
	resolved map[resolvedKey]resolvedExpr
}

// resolvedExpr is an expression over the present names. A futile one lacks some that it needs, and is not evaluated.
type resolvedExpr struct {
	expr   string
	futile bool
}

type resolvedKey struct {
	expr                string
	window              time.Duration
	lifetime, perSecond bool
}

// resolverCache keeps the resolver of the last set of names.
type resolverCache struct {
	mu       sync.Mutex
	names    []string
	resolver *resolver
}

// resolve returns the resolver for the names that have samples at a moment.
func (c *Catalogue) resolve(ctx context.Context, src Source, at time.Time) (*resolver, error) {
	names, err := src.Names(ctx, at)
	if err != nil {
		return nil, err
	}
	slices.Sort(names)
	old := map[string]bool{}
	for _, l := range labelSpellings {
		values, err := src.LabelValues(ctx, l.old, at)
		if err != nil {
			return nil, err
		}
		old[l.old] = len(values) > 0
	}
	c.cache.mu.Lock()
	defer c.cache.mu.Unlock()
	if last := c.cache.resolver; last != nil && slices.Equal(names, c.cache.names) && maps.Equal(old, last.labels) {
		return last, nil
	}
	r := &resolver{rewriter: rewriter{names: map[string]bool{}, labels: old}, resolved: map[resolvedKey]resolvedExpr{}}
	for _, n := range names {
		r.names[n] = true
	}
	c.cache.names, c.cache.resolver = names, r
	return r, nil
}

// resolve returns the expression with its placeholders filled and the present names put in. Of a single page, counters are read
// since the start of the process; perSecond says that the figure is a rate.
func (r *resolver) resolve(expr string, set Settings, window time.Duration, perSecond bool) (resolvedExpr, error) {
	key := resolvedKey{expr, set.window(window), set.lifetime, perSecond}
	r.mu.Lock()
	defer r.mu.Unlock()
	if known, ok := r.resolved[key]; ok {
		return known, nil
	}
	tree, err := r.rewrite(fill(expr, set, window))
	if err == nil && set.lifetime {
		tree, err = sinceStart(tree, perSecond)
	}
	if err != nil {
		return resolvedExpr{}, err
	}
	r.resolved[key] = resolvedExpr{tree.String(), !readable(tree, func(name string) bool { return r.names[name] })}
	return r.resolved[key], nil
}
