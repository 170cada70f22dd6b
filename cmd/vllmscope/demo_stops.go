package main

import "github.com/vllmscope/vllmscope/scrape/simulate"

// tourName is what demo takes for the tour.
const tourName = "tour"

// places are the stops of the tour: a scenario, what happened there and where to look. They begin with queues, which are what people
// see first and which four causes make; then come waits that no queue shows, and at last what a single server does not show.
var places = []struct{ scenario, text string }{
	{"sequence-cap", "Forty clients more for a server that runs 16 requests at once. Look: waiting grows, running stays at 16, the KV cache has room."},
	{"seed-case", "Long answers fill a small KV cache: requests are thrown out and computed again. Look: the queue grows while the GPUs idle by half."},
	{"kv-bound", "Contexts so long that few fit into the KV cache at a time. Look: full as before, but nobody is evicted; so it needs another cure."},
	{"compute-bound", "More long prompts than the GPU can compute. Look: a queue again, with KV cache and places free; press 3 for what tells them apart."},
	{"tokenizer-bound", "Templates that take 120 ms of CPU each. Look: nobody waits and the GPU idles, yet the first token is late: the API process is busy."},
	{"prefill-interference", "Long documents among chats: each of their chunks holds up everybody's next token. Look: a few tokens in a hundred are late, no first one is."},
	{"template-change", "A time stamp at the start of the system prompt: nothing is shared any more. Look: every latency is still fine; the prefix hits are gone."},
	{"impatient-clients", "Half of the clients hang up in the middle of their answers. Look: no vLLM counter has them; HTTP answers and finished ones differ."},
	{"router-skew", "Connections stick to one of three replicas. Look: one row is full and two wait for work; more servers would not help."},
	{"stuck-engine", "The ranks of an engine wait for each other for ever. Look: /health says 200 and the GPUs 100 %, but no token comes and nothing waits."},
}

// tourStops are the stops of the tour.
func tourStops() ([]stop, error) {
	var stops []stop
	for _, p := range places {
		s, err := simulate.Find(p.scenario)
		if err != nil {
			return nil, err
		}
		stops = append(stops, stop{scenario: s, title: s.Name, text: p.text})
	}
	return stops, nil
}
