package simulate

import (
	"cmp"
	"slices"
)

// section is one family of a page, ready to be written.
type section struct {
	kind  string
	write func(*exposition)
}

// get is the answer to GET /metrics now.
func (s *server) get(now float64) Answer {
	if !s.listening {
		return Answer{Refused: true}
	}
	if s.proxy != nil {
		return Answer{Page: slices.Clone(s.proxy), After: duration(s.frontend.answerSeconds())}
	}
	return Answer{Page: s.page(now), After: duration(s.frontend.answerSeconds())}
}

// page is what the server's page says now.
func (s *server) page(now float64) []byte {
	e := &exposition{multi: len(s.frontend.processes) > 1}
	sections := slices.Concat(s.engineSections(), s.frontend.adapters.sections(s.epoch), s.configSections(), s.frontend.http.sections(s.epoch))
	if e.multi { // prometheus_client merges one file for each kind; the families of the process itself are lost
		order := []string{"histogram", "counter", "gauge", "summary"}
		slices.SortStableFunc(sections, func(a, b section) int {
			return cmp.Compare(slices.Index(order, a.kind), slices.Index(order, b.kind))
		})
	} else {
		s.process(e, now)
	}
	for _, section := range sections {
		section.write(e)
	}
	return e.text
}

// engineSections are the rows of the table that this release has.
func (s *server) engineSections() []section {
	var sections []section
	for _, row := range slices.Concat(featureFamilies(s.flags), engineFamilies()) {
		if s.version.within(row.from, row.until) && (row.needs == nil || row.needs(s.flags)) {
			sections = append(sections, section{row.kind(), func(e *exposition) { s.engineFamily(e, row) }})
		}
	}
	return sections
}

// engineFamily writes a row for all engines.
func (s *server) engineFamily(e *exposition, row family) {
	e.family(row.name, row.help, row.kind())
	var births []birth
	for _, c := range s.children(row) {
		births = append(births, birth{c.labels, s.ready()})
		switch {
		case row.shape != nil:
			e.histogram(row.name, c.labels, row.shape(c.metrics))
		case row.counter != nil:
			e.sample(row.name, c.labels, row.counter(c.metrics, c.value))
		default:
			e.sample(row.name, c.labels, row.gauge(c.metrics, c.value))
		}
	}
	if row.gauge == nil {
		e.created(row.name, row.help, row.kind(), births)
	}
}

// child is one labelled member of a family.
type child struct {
	labels  labels
	metrics *engineMetrics
	value   string // of the extra label
}

// children are a row's members: the extra label's values outside, the engines inside.
func (s *server) children(row family) []child {
	values := row.values
	if values == nil {
		values = []labelValue{{}}
	}
	var all []child
	for _, value := range values {
		if !s.version.within(value.from, 0) {
			continue
		}
		for _, engine := range s.frontend.engines {
			l := labels{"engine", engine.label, "model_name", s.models[engine.model].name}
			if row.byModel {
				if engine.label != "0" {
					continue
				}
				l = l[2:]
			}
			if row.label != "" {
				l = append(l, row.label, value.text)
			}
			all = append(all, child{l, engine.metrics, value.text})
		}
	}
	return all
}

func (s *server) configSections() []section {
	return []section{{"gauge", func(e *exposition) {
		e.family("vllm:cache_config_info", "The engine's cache configuration.", "gauge")
		for _, engine := range s.frontend.engines {
			e.sample("vllm:cache_config_info", s.cacheConfig(engine), 1)
		}
	}}}
}
