package simulate

import "slices"

// histogram is a Prometheus histogram: counts by bucket, not yet cumulative, the last one being +Inf.
type histogram struct {
	edges  []float64
	counts []uint64
	sum    float64
}

func newHistogram(edges []float64) *histogram {
	return &histogram{edges: edges, counts: make([]uint64, len(edges)+1)}
}

// observe counts n observations of v; an edge belongs to its own bucket.
func (h *histogram) observe(v float64, n int) {
	i, _ := slices.BinarySearch(h.edges, v)
	h.counts[i] += uint64(n)
	h.sum += v * float64(n)
}

func (h *histogram) count() (total uint64) {
	for _, n := range h.counts {
		total += n
	}
	return total
}

// Bucket edges of vLLM since 0.8.4, and of the HTTP instrumentation. All of them are fixed: no flag changes them.
var (
	requestEdges   = []float64{0.3, 0.5, 0.8, 1, 1.5, 2, 2.5, 5, 10, 15, 20, 30, 40, 50, 60, 120, 240, 480, 960, 1920, 7680}
	firstEdges     = []float64{0.001, 0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, 20, 40, 80, 160, 640, 2560}
	tokenEdges     = []float64{0.01, 0.025, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, 20, 40, 80}
	iterationEdges = []float64{1, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384}
	samplesEdges   = []float64{1, 2, 5, 10, 20}
	evictionEdges  = []float64{1, 2, 3, 4, 5, 10, 20}
	httpEdges      = []float64{0.1, 0.5, 1}
	httpFineEdges  = []float64{0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5, 7.5, 10, 30, 60}
)

// countEdges are the edges for token counts: 1, 2, 5, 10 ... up to the model's longest sequence.
func countEdges(longest int) []float64 {
	var edges []float64
	for decade := 1; ; decade *= 10 {
		for _, m := range []int{1, 2, 5} {
			if m*decade > longest {
				return edges
			}
			edges = append(edges, float64(m*decade))
		}
	}
}
