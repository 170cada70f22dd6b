package diagnose

import (
	"math"
	"time"
)

// From so long on, and so many scrapes after the one that had a token, requests that are held without any are told of (judgement): what is
// said of the requests that were answered before is not true of them.
const (
	longTokenless   = 10 * time.Second
	leastStandstill = 2
)

// stalled is the number of requests of a replica that make no progress, and for how long they have made none, where that is known: 0 while
// any does, and while too little was seen to tell.
func (r *Report) stalled(s Subject) (requests float64, tokenless time.Duration) {
	tokenless = r.tokenless(s)
	still := r.Fact("moves", s).Value == 0 && r.Fact("scrapes", s).Value >= 4
	if r.blind(s) || tokenless == 0 && !still {
		return 0, 0
	}
	var inside sum
	for _, id := range []string{"running", "waiting", "hidden"} {
		inside.add(r.Fact(id, s).Value)
	}
	return inside.total, tokenless
}

// tokenless is for how long a replica has held requests while its server counted no token in or out; 0 below what is told of. A request
// that comes to an idle engine has not waited since the last token. Between two scrapes, which may be several ticks, nothing is known.
func (r *Report) tokenless(s Subject) time.Duration {
	first, counted := r.History("all_counters", s.At(Server))
	_, running := r.History("running", s)
	_, waiting := r.History("waiting", s)
	last, since := math.NaN(), -1
	for i := min(len(counted), len(running), len(waiting)) - 1; i >= 0; i-- {
		if math.IsNaN(counted[i]) {
			continue
		}
		var held sum
		held.add(running[i])
		held.add(waiting[i])
		if since >= 0 && counted[i] != last || !(held.total > 0) {
			break
		}
		last, since = counted[i], i
	}
	still := r.Time.Sub(first.Add(time.Duration(since) * r.Settings.Step))
	scrapes := still.Seconds() * r.Fact("scrapes", s).Value / min(r.Settings.Window, max(r.Observed, r.Settings.Step)).Seconds()
	if since < 0 || still < longTokenless || !(scrapes >= leastStandstill) {
		return 0
	}
	return still
}
