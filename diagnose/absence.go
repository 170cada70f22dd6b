package diagnose

import (
	"math"
	"slices"
	"strings"

	"github.com/prometheus/prometheus/promql/parser"
)

// absence finds out why a signal has no value, asking in this order: does the target answer, has the server a GPU, does the
// target export the metric, were there two scrapes, was anything observed.
func (f *Facts) absence(s *Signal, subject Subject, i int) Absence {
	if s.Setting != "" {
		return f.absenceOfSetting(s, subject, i)
	}
	if s.Info != "" {
		return Blank
	}
	if s.Formula != "" {
		return f.absenceOfPart(s, subject, i)
	}
	target, ok := f.targetOf(s, subject, i)
	switch {
	case !ok:
		return NoGPU
	case !s.Ungated && s.Level != Model && f.isDown(target, i):
		return Down
	case !f.exports(f.expression(s), s.Level, target, i):
		return NotExported
	case f.value("scrapes", target, i) < 2:
		return TooFew
	case s.Of != "" || strings.Contains(s.Expr, "rate("):
		return NoObservations
	}
	return Blank
}

// isDown tells whether the target did not answer, or was not asked, at the i-th tick.
func (f *Facts) isDown(target Subject, i int) bool {
	up := f.up[keyOf(target)]
	return up == nil || up[i] != 1
}

// findSilent lists, for each tick, the targets that are known to export GPU metrics and do not answer.
func (c *computation) findSilent() {
	c.silent = make([][]string, len(c.ticks))
	for _, target := range c.byLevel[Target] {
		for i, tick := range c.ticks {
			exporter := slices.Contains(c.settings.GPUTargets, target.Instance)
			for _, ls := range c.infos[targetInfo].at(target.Subject, tick) {
				exporter = exporter || ls.Get("kind") == "dcgm" || ls.Get("kind") == "nvidia-smi"
			}
			if exporter && target.isPresent(i) && c.isDown(target.Subject, i) {
				c.silent[i] = append(c.silent[i], target.Instance)
			}
		}
	}
	for _, instances := range c.silent {
		slices.Sort(instances)
	}
}

// absenceOfSetting is that of a figure of a data sheet where no GPU is known, else that nobody has given it.
func (f *Facts) absenceOfSetting(s *Signal, subject Subject, i int) Absence {
	if strings.HasPrefix(s.Setting, sheetPrefix) && len(f.topology[i].GPUs(subject.At(Server))) == 0 {
		return NoGPU
	}
	return NotGiven
}

// absenceOfPart is the reason of the first part that is absent, what was not given last; when none is, the quotient was 0 by 0.
func (f *Facts) absenceOfPart(s *Signal, subject Subject, i int) Absence {
	last := NoObservations
	for _, id := range f.catalogue.formulas[s.ID].operands {
		if math.IsNaN(f.value(id, subject, i)) {
			if why := f.absence(f.catalogue.index[id], subject, i); why != NotGiven {
				return why
			}
			last = NotGiven
		}
	}
	return last
}

// targetOf is the target that would export the signal. A server has no such target for GPU signals when no GPU is mapped to it.
func (f *Facts) targetOf(s *Signal, subject Subject, i int) (Subject, bool) {
	switch {
	case s.Level == GPU && subject.Level != GPU:
		gpus := f.topology[i].GPUs(subject.At(Server))
		if len(gpus) == 0 {
			return Subject{}, false
		}
		return gpus[0].At(Target), true
	case subject.Level == GPU && s.Level == Server:
		server, ok := f.topology[i].Server(subject)
		return server.At(Target), ok
	}
	return subject.At(Target), true
}

// expression is the PromQL that the signal is read from.
func (f *Facts) expression(s *Signal) string {
	if s.Of != "" {
		return f.catalogue.buckets[s.Of].Expr
	}
	return s.Expr
}

// exports tells whether the target has the families of an expression. Where it was not asked, it is taken to have them.
func (f *Facts) exports(expr string, level Level, target Subject, i int) bool {
	byTarget, asked := f.exported[expr]
	if !asked {
		return true
	}
	if level == Model {
		return len(byTarget) > 0
	}
	present := byTarget[keyOf(target)]
	return present != nil && present[i]
}

// familiesOf lists the metric names in an expression.
func familiesOf(expr string) []string {
	tree, err := promqlParser.ParseExpr(expr)
	if err != nil {
		return nil
	}
	var names []string
	parser.Inspect(tree, func(node parser.Node, _ []parser.Node) error {
		if selector, ok := node.(*parser.VectorSelector); ok {
			names = append(names, selector.Name)
		}
		return nil
	})
	return names
}
