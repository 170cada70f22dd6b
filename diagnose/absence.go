package diagnose

import (
	"math"
	"slices"
	"strings"
)

// absence finds out why a signal has no value, asking in this order: does the target answer, has the server a GPU, does the
// target export the metric, were there two scrapes, was anything observed.
func (v view) absence(s *Signal, i int) Absence {
	if s.Setting != "" {
		return v.absenceOfSetting(s, i)
	}
	if s.isText() {
		return Blank
	}
	if s.Formula != "" {
		return v.absenceOfPart(s, i)
	}
	target, ok := v.targetOf(s, i)
	switch {
	case !ok:
		return NoGPU
	case !s.Ungated && s.Level != Model && v.isDown(target, i):
		return Down
	case !v.hasFamilies(s, target, i):
		return NotExported
	case v.intervals(keyOf(target), i) < 1:
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
func (v view) absenceOfSetting(s *Signal, i int) Absence {
	if strings.HasPrefix(s.Setting, sheetPrefix) && len(v.topology[i].GPUs(v.subject.At(Server))) == 0 {
		return NoGPU
	}
	return NotGiven
}

// absenceOfPart is the reason of the first part that is absent, what was not given last; when none is, the quotient was 0 by 0.
func (v view) absenceOfPart(s *Signal, i int) Absence {
	last := NoObservations
	for _, id := range v.catalogue.formulas[s.ID].operands {
		if math.IsNaN(v.value(id, i)) {
			if why := v.absence(v.catalogue.index[id], i); why != NotGiven {
				return why
			}
			last = NotGiven
		}
	}
	return last
}

// targetOf is the target that would export the signal. A server has no such target for GPU signals when no GPU is mapped to it.
func (v view) targetOf(s *Signal, i int) (Subject, bool) {
	switch {
	case s.Level == GPU && v.subject.Level != GPU:
		gpus := v.topology[i].GPUs(v.subject.At(Server))
		if len(gpus) == 0 {
			return Subject{}, false
		}
		return gpus[0].At(Target), true
	case v.subject.Level == GPU && s.Level == Server:
		server, ok := v.topology[i].Server(v.subject)
		return server.At(Target), ok
	}
	return v.subject.At(Target), true
}

// hasFamilies tells whether the target has the families without which the signal has no value.
func (f *Facts) hasFamilies(s *Signal, target Subject, i int) bool {
	return readable(f.catalogue.expression(s).tree, func(family string) bool { return f.hasFamily(family, s.Level, target, i) })
}

// missing lists the families of a signal that the target does not have.
func (f *Facts) missing(s *Signal, target Subject, i int) []string {
	return slices.DeleteFunc(slices.Clone(f.catalogue.families(s)), func(family string) bool { return f.hasFamily(family, s.Level, target, i) })
}

// hasFamily tells whether the target has a family, or any target where the signal is one of a model. Where it was not asked, it is taken
// to have it.
func (f *Facts) hasFamily(family string, level Level, target Subject, i int) bool {
	byTarget, asked := f.exported[family]
	if !asked || level == Model {
		return !asked || len(byTarget) > 0
	}
	present := byTarget[keyOf(target)]
	return present != nil && present[i]
}
