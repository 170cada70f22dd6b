package simulate

// turn is one of the batches that an engine has in flight: as many as it has pipeline stages, one without. While one is in the second
// stage, the next is in the first. A request stays in the turn that admitted it, since its next token needs the one before. vLLM forms
// batches anew each time; where they have settled, that comes to the same.
type turn struct {
	busy    bool    // a step is under way
	stepEnd float64 // end of the last step
}

// working says that a step is under way.
func (e *engine) working() bool {
	for _, t := range e.turns {
		if t.busy {
			return true
		}
	}
	return false
}

// pass is when a batch that takes so many seconds alone enters the first stage, and how long it then takes: in each stage it is behind
// the batch before it.
func (e *engine) pass(alone float64) (from, seconds float64) {
	stage := alone / float64(len(e.turns))
	from, seconds = max(e.agenda.now, e.entry), alone
	if e.exit+stage > from+seconds {
		seconds = e.exit + stage - from
	}
	e.entry, e.exit = from+stage, from+seconds
	return from, seconds
}

// stages is how many parts of the model stand behind each other; each is on as many devices as tensor parallelism takes.
func (d deployment) stages() int { return max(1, d.pipeline) }

// hop is how long it takes to hand a batch from one stage to the next.
func (h *hardware) hop(tokens float64) float64 {
	if h.stages == 1 {
		return 0
	}
	return h.interconnect.latency + tokens*float64(h.model.hidden)*h.model.bytes/h.interconnect.bandwidth
}

// mostStages is one where ranks share experts: they step together, which is modelled for one batch at a time.
func (d deployment) mostStages() float64 {
	for _, m := range d.models {
		if m.experts.count > 0 {
			return 1
		}
	}
	return 16
}
