package simulate

import "fmt"

// version is a vLLM release as a number that can be compared: 0.8.5 is 8005.
type version int

// The releases that the simulator speaks, and those in between that changed what a number means.
const (
	release0085 version = 8005
	release0092 version = 9002
	release0110 version = 11000
	release0190 version = 19000
	release0320 version = 32000

	prefixInTokens       version = 9000  // prefix cache counters count tokens, not blocks
	statsWithoutOutput   version = 10002 // a step without output reports how things stand
	wholePromptFits      version = 18000 // admission asks for room for all of a prompt, not its first chunk; by the date of vLLM #37307
	processesByRanks     version = 15000 // as many API processes as data-parallel ranks by default
	clockBeforeRendering version = 17000 // TTFT and E2E start before a request is rendered, not after
	iterationUncached    version = 22000 // iteration tokens leave out cached prompt tokens
	queueLimits          version = 29000 // --max-num-queued-reqs
	oneLookup            version = 26000 // one prefix look-up a request, not one for each attempt to admit it
	repetitionDetected   version = 17000 // finished_reason repetition
	schedulingAhead      version = 14000 // asynchronous scheduling by default
	expiredCounted       version = 15000 // NIXL counts requests whose KV nobody read
	leasesRenewed        version = 20000 // NIXL leases are short and renewed; between 0.11 and 0.32, by judgement
)

// parseVersion reads one of the releases that the simulator speaks.
func parseVersion(text string) (version, error) {
	switch text {
	case "0.8.5":
		return release0085, nil
	case "0.9.2":
		return release0092, nil
	case "0.11.0":
		return release0110, nil
	case "0.19.0":
		return release0190, nil
	case "0.32.0":
		return release0320, nil
	}
	return 0, fmt.Errorf("vLLM release %q is not simulated: take 0.8.5, 0.9.2, 0.11.0, 0.19.0 or 0.32.0", text)
}

// within says whether a release has what came with from and went with until; 0 leaves an end open.
func (v version) within(from, until version) bool { return v >= from && (until == 0 || v < until) }
