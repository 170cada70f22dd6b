package simulate

import "slices"

// store is a KV cache outside the engines, such as an LMCache server with memory of the host. Each prompt that was computed
// goes in, beginning and rest; what was used longest ago goes out. It outlives the engine's process.
type store struct {
	tokens  int     // how many it holds
	entries []entry // the oldest first
	used    int
}

// entry is a shared beginning, or the rest of one prompt, which nobody asks for again.
type entry struct {
	traffic *traffic // nil for a rest
	group   int
	tokens  int
}

// Copies from the host's memory, by judgement after PCIe 5: 64 GB/s, of which small blocks reach a third; a look-up asks
// another process first.
const (
	storeBandwidth = 20e9
	storeSeconds   = 5e-3
)

// find is how many tokens there are of a request's beginning; it becomes the youngest.
func (s *store) find(r *request) int {
	if r.prefix == nil {
		return 0
	}
	for i, e := range s.entries {
		if e.traffic == r.traffic && e.group == r.group {
			s.entries = append(slices.Delete(s.entries, i, i+1), e)
			return e.tokens
		}
	}
	return 0
}

// put adds an entry and lets the oldest go until all fit.
func (s *store) put(e entry) {
	s.entries = append(s.entries, e)
	s.used += e.tokens
	s.fit()
}

func (s *store) fit() {
	for s.used > s.tokens && len(s.entries) > 0 {
		s.used -= s.entries[0].tokens
		s.entries = s.entries[1:]
	}
}

// external is the connector to a store. Like LMCache's for several processes, it loads while other requests run.
type external struct {
	engine *engine
	store  *store
}

// match leaves the last token to the engine, as LMCache does.
func (x *external) match(r *request, hit int) int {
	return max(0, min(x.store.find(r), r.prompt-1)-hit)
}

func (x *external) load(r *request, tokens int) {
	seconds := storeSeconds + float64(tokens)*x.engine.hardware.model.kvBytes()/storeBandwidth
	x.engine.agenda.after(seconds, func() { x.engine.loaded(r, true) })
}

func (x *external) computed(r *request) {
	rest := r.prompt
	if r.prefix != nil {
		rest -= r.prefix.tokens
		if x.store.find(r) == 0 {
			x.store.put(entry{r.traffic, r.group, r.prefix.tokens})
		}
	}
	x.store.put(entry{tokens: rest})
}

func (x *external) keeps(*request) bool { return false }
func (x *external) dropped(*request)    {}
