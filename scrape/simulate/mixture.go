package simulate

import "math"

// mixture is the part of a model that is experts, of which each token uses a few. Data-parallel ranks share the experts.
type mixture struct {
	parameters   float64 // of all experts
	count, taken int     // experts of a layer, and how many of them a token uses
}

// sharers is how many of so many data-parallel ranks share experts; 0 in a dense model, whose ranks have nothing in common.
func (m model) sharers(data int) int {
	if m.experts.count == 0 {
		return 0
	}
	return data
}

// resident is the size of the weights of one rank in bytes.
func (m model) resident(data int) float64 {
	return m.weights() - m.experts.parameters*m.bytes*(1-1/float64(max(1, m.sharers(data))))
}

// work is how many parameters a step reads, and how many products of a parameter and a token it computes. An expert that no
// token of any rank uses is not read.
func (h *hardware) work(b batch) (read, used float64) {
	mine, x := float64(b.tokens()), h.model.experts
	if x.count == 0 {
		return h.model.parameters, h.model.parameters * mine
	}
	share := float64(x.taken) / float64(x.count)
	here := x.parameters / float64(max(1, h.sharers))
	all, dense := mine+float64(b.others), h.model.parameters-x.parameters
	return dense + here*(1-math.Pow(1-share, all)), dense*mine + here*share*all
}

// scattered is how many bytes a step sends to the experts of other ranks, and they back.
func (h *hardware) scattered(b batch) float64 {
	away := 1 - 1/float64(h.sharers)
	return 2 * float64(h.model.layers*h.model.hidden*h.model.experts.taken*b.tokens()) * h.model.bytes * away
}
