package simulate

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// adapterInfo is what vllm:lora_requests_info tells. An adapter is listed from the first output of a request for it until
// its last request ends, so one that only waits for a slot is never named, and the list of those that wait repeats the
// list of those that run. Each list that there ever was stays on the page with the time when it was last true.
type adapterInfo struct {
	slots  int // --max-loras
	listed []listedAdapter
	lists  []adapterList
	places map[string]int // of the lists, by their names
}

type listedAdapter struct {
	number, requests int
}

type adapterList struct {
	names string
	time  float64 // on the fleet's clock
}

// follow takes in a report. It does nothing where LoRA is off.
func (a *adapterInfo) follow(o *report, now float64) {
	if a.slots == 0 {
		return
	}
	for _, r := range o.first {
		a.count(r, 1)
	}
	for _, r := range o.finished {
		a.count(r, -1)
	}
	names := a.names()
	i, known := a.places[names]
	if !known {
		if a.places == nil {
			a.places = map[string]int{}
		}
		i = len(a.lists)
		a.places[names] = i
		a.lists = append(a.lists, adapterList{names: names})
	}
	a.lists[i].time = now
}

// leave forgets a sequence whose client has left.
func (a *adapterInfo) leave(r *request) {
	if r.generated > 0 && !r.done() {
		a.count(r, -1)
	}
}

// count changes the number of a listed adapter's requests. The first lists it, the last takes it off.
func (a *adapterInfo) count(r *request, by int) {
	if r.adapter == 0 || a.slots == 0 {
		return
	}
	i := slices.IndexFunc(a.listed, func(l listedAdapter) bool { return l.number == r.adapter })
	if i < 0 {
		a.listed = append(a.listed, listedAdapter{number: r.adapter})
		i = len(a.listed) - 1
	}
	a.listed[i].requests += by
	if a.listed[i].requests == 0 {
		a.listed = slices.Delete(a.listed, i, i+1)
	}
}

func (a *adapterInfo) names() string {
	var names []string
	for _, l := range a.listed {
		names = append(names, fmt.Sprintf("adapter-%d", l.number))
	}
	return strings.Join(names, ",")
}

// sections is the family, where LoRA is on. It has neither a model nor an engine label.
func (a *adapterInfo) sections(epoch float64) []section {
	if a.slots == 0 {
		return nil
	}
	return []section{{"gauge", func(e *exposition) {
		const name = "vllm:lora_requests_info"
		e.family(name, "Running stats on lora requests.", "gauge")
		for _, list := range a.lists {
			l := labels{"max_lora", strconv.Itoa(a.slots), "running_lora_adapters", list.names, "waiting_lora_adapters", list.names}
			e.sample(name, l, epoch+list.time)
		}
	}}}
}
