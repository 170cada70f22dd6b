package diagnose

import (
	"slices"
	"sync"
)

// allRules is the rule book in the order in which it is judged, listed and told: does the process come up and stay, is the telemetry
// true, does the process live, is the hardware well, do prefill and decode servers fit, is the load spread, has the work changed, what
// limits admission, does the prefix cache help, which phase is slow, what becomes of requests, what grows over hours, how much is needed.
// A cause stands before what it causes.
var allRules = slices.Concat(
	startRules,
	telemetryRules,
	processRules,
	hardwareRules,
	linkRules,
	peerRules,
	disaggregationRules,
	routingRules,
	communicationRules,
	workloadRules,
	admissionRules,
	refusalRules,
	cacheRules,
	bandwidthRules,
	latencyRules,
	requestRules,
	outputRules,
	trendRules,
	capacityRules,
)

// Default returns the rule book. Its rows are constants, so a row that does not fit is a mistake of the program.
var Default = sync.OnceValue(func() *Book {
	cat, err := newCatalogue(allSignals, slices.Concat(allDistributions, residency, []Distribution{transferTimes}))
	if err != nil {
		panic("BUG: " + err.Error())
	}
	book, err := NewBook(cat, allRules, shownSignals)
	if err != nil {
		panic("BUG: " + err.Error())
	}
	return book
})

// Sources that rules and thresholds rest on.
const (
	vllmGuide    = "vLLM optimisation guide"
	platforms    = "Gateway API inference extension, llm-d, production-stack"
	communitySet = "community rule sets"
	sreWorkbook  = "Google SRE workbook, chapter 5"
	dcgmGuide    = "NVIDIA DCGM feature overview"
)

// sendLess is what to do now about a queue that only less work or more replicas make shorter.
const sendLess = "send fewer requests here (to other replicas, or none while the queue is long), or add a replica"
