package simulate

import (
	"slices"
	"time"
)

// processFaults are servers and engines that do not live as they should.
func processFaults() []Scenario { return slices.Concat(endings(), stops()) }

// endings are processes that end.
func endings() []Scenario {
	shared := chat(8)
	shared.retries = 3
	again := chat(3)
	again.retries = 2
	seldom := chat(1)
	seldom.retries = 2
	loop := small("gpu-a", again)
	loop.supervised = true
	return []Scenario{
		{
			Name:        "restart",
			Description: "One of two servers behind a router restarts in the middle of traffic: it loads, and comes back with a cold cache.",
			Cause:       "B1",
			servers:     fleetOf(2, 256),
			routed:      []routed{{load: shared, policy: leastRequests, servers: first(2)}},
			faults:      []fault{restart(0)},
		},
		{
			Name:        "crash-loop",
			Description: "A kind of request kills the engine that computes it, and clients send it again: the server starts and dies.",
			Cause:       "B2",
			servers:     []deployment{loop},
			faults:      []fault{misfortune(0, lethal, 0.012)},
		},
		{
			Name:        "slow-load",
			Description: "A server restarts where no copy of its weights is: it reads 141 GB from a network disk, for twenty minutes.",
			Cause:       "B3",
			Shows:       20 * time.Minute,
			servers:     []deployment{large("gpu-a", 4, 0.92, seldom)},
			faults:      []fault{slowStart(0, 0.125e9)},
		},
		{
			Name:        "server-exits",
			Description: "The engine is killed, the API process exits after it, and nothing starts them again.",
			Cause:       "A1",
			servers:     []deployment{small("gpu-a", again)},
			faults:      []fault{kill(0)},
		},
	}
}

// stops are processes that live and do nothing.
func stops() []Scenario {
	patient := chat(2)
	patient.patience = 300
	again := chat(3)
	again.retries = 2
	lives := small("gpu-a", again)
	lives.keepAlive = true
	return []Scenario{
		{
			Name:        "stuck-engine",
			Description: "The ranks of an engine wait for each other for ever: no step ends, requests come in, /health says 200.",
			Cause:       "B4",
			servers:     []deployment{large("gpu-a", 4, 0.92, patient)},
			faults:      []fault{wedge(0)},
		},
		{
			Name:        "stuck-host",
			Description: "The engine waits for a lock on its host side: no step begins, the GPUs are idle, /health says 200.",
			Cause:       "B4",
			servers:     []deployment{small("gpu-a", patient)},
			faults:      []fault{hang(0)},
		},
		{
			Name:        "engine-dead",
			Description: "The engine is killed and the API process, told to live on, answers every request with 500 and /health with 503.",
			Cause:       "B5",
			servers:     []deployment{lives},
			faults:      []fault{kill(0)},
		},
		{
			Name:        "sleeping",
			Description: "The engine is put to sleep while clients still send: their requests are accepted, and nobody computes them.",
			Cause:       "B6",
			servers:     []deployment{small("gpu-a", patient)},
			faults:      []fault{sleep(0, offloaded)},
		},
	}
}
