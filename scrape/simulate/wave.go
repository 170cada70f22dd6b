package simulate

// wave is the data-parallel ranks of a mixture of experts. They step together, since each layer exchanges tokens with the
// experts of all ranks: a rank without requests computes a dummy batch while another has some, and every step takes as long
// as the slowest rank's. Every 32 steps the ranks agree whether anything is left to do (vLLM's DPEngineCoreProc).
type wave struct {
	engines []*engine
	running bool
	steps   int
}

// stepsToAgree is how often the ranks ask each other for work.
const stepsToAgree = 32

// dummy is what a rank without requests computes.
var dummy = batch{decodes: 1, context: 1}

func joinWave(engines []*engine) {
	w := &wave{engines: engines}
	for _, e := range engines {
		e.wave = w
	}
}

func (w *wave) wake() {
	if !w.running && !w.stopped() {
		w.begin()
	}
}

// stopped says that a rank of the wave steps no more: then all wait for it.
func (w *wave) stopped() bool {
	for _, e := range w.engines {
		if e.stopped() {
			return true
		}
	}
	return false
}

// begin starts a step of all ranks if one of them has anything to compute, or until they agree that none has.
func (w *wave) begin() {
	batches, tokens := make([]batch, len(w.engines)), 0
	for i, e := range w.engines {
		batches[i] = e.next(0)
		e.turns[0].busy = batches[i].tokens() > 0
		tokens += batches[i].tokens()
	}
	w.running = tokens > 0 || w.steps%stepsToAgree > 0
	if !w.running {
		return
	}
	w.steps++
	seconds, done := w.step(batches)
	first := w.engines[0]
	seconds *= first.jitter()
	for i, e := range w.engines {
		e.hardware.begin(0, first.agenda.now, seconds, done[i])
	}
	first.agenda.after(seconds, w.finish)
}

// step is how long the slowest rank takes, and what each of them does meanwhile.
func (w *wave) step(batches []batch) (seconds float64, done []activity) {
	tokens := 0
	for i := range batches {
		if batches[i].tokens() == 0 {
			batches[i] = dummy
		}
		tokens += batches[i].tokens()
	}
	busy := 0.0
	for i, e := range w.engines {
		batches[i].others = tokens - batches[i].tokens()
		own, did := e.hardware.step(batches[i])
		done = append(done, did)
		seconds, busy = max(seconds, own), max(busy, did.busy)
	}
	for i := range done {
		done[i].add(spinning, busy-done[i].busy)
	}
	return seconds, done
}

// finish ends a step. A rank that computed nothing of its own has nothing to report.
func (w *wave) finish() {
	if w.stopped() {
		return
	}
	for _, e := range w.engines {
		if e.turns[0].busy {
			e.finish(0)
		} else {
			e.hardware.finish(0)
		}
	}
	w.begin()
}
