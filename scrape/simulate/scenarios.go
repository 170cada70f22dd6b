package simulate

import (
	"cmp"
	"time"
)

// Scenarios are all there are, each with ten minutes of history, a fault after 90 seconds, and an exporter that looks at
// its GPUs every 30 seconds, as dcgm-exporter does by default. Ten minutes after its onset a fault can be told, unless it says
// otherwise. These times can be changed before New.
func Scenarios() []Scenario {
	var all []Scenario
	for _, g := range groups {
		first := len(all)
		all = append(all, g.scenarios()...)
		for i := range all[first:] {
			all[first+i].Group = g.about
		}
	}
	for i := range all {
		s := &all[i]
		s.Warm, s.Onset, s.GPUInterval, s.Release = 10*time.Minute, 90*time.Second, 30*time.Second, "0.32.0"
		s.SLO, s.Shows = cmp.Or(s.SLO, "chat"), cmp.Or(s.Shows, 10*time.Minute)
	}
	return all
}

// groups are the scenarios by what they are about.
var groups = []struct {
	about     string
	scenarios func() []Scenario
}{
	{"requests wait for a place", admissionFaults},
	{"a phase of the request is slow", latencyFaults},
	{"requests end in another way", requestFaults},
	{"caches and speculation help less", cacheFaults},
	{"the load is spread badly", routingFaults},
	{"prefill and decode on different servers", disaggregationFaults},
	{"processes stop, restart or hang", processFaults},
	{"GPUs and hosts", hardwareFaults},
	{"metrics are missing or wrong", telemetryFaults},
	{"capacity runs out slowly", capacityFaults},
	{"two faults at once", pairs},
	{"nothing is wrong", healthyLoads},
}

// What people ask in a chat, and what they get.
var (
	question = lengths{500, 0.6, 20, 4000}
	answer   = lengths{260, 0.6, 5, 1200}
)

// chat is open-loop chat traffic, so many requests a second, over four system prompts.
func chat(rate float64) load {
	return load{name: "chat", rate: rate, maxTokens: 1024, prefixes: 4, prefixTokens: 1024, prompt: question, output: answer}
}

// small is an 8B model on one GPU.
func small(host string, l load) deployment {
	return deployment{
		name: host + ":8000", host: host,
		models: []model{llama8B}, accelerator: h100, tensor: 1, data: 1,
		flags: flags{maxSeqs: 256, batchedTokens: 8192, maxModelLen: 32768, blockSize: 16, memoryUtilization: 0.92},
		loads: []load{l},
	}
}

// bare is a small server that gets no traffic of its own.
func bare(host string) deployment {
	d := small(host, load{})
	d.loads = nil
	return d
}

// large is a 70B model on several GPUs.
func large(host string, gpus int, memory float64, l load) deployment {
	return deployment{
		name: host + ":8000", host: host,
		models: []model{llama70B}, accelerator: h100, tensor: gpus, data: 1,
		flags: flags{maxSeqs: 64, batchedTokens: 8192, maxModelLen: 16384, blockSize: 16, memoryUtilization: memory},
		loads: []load{l},
	}
}

// fleetOf is so many small servers that get no traffic of their own.
func fleetOf(n, maxSeqs int) []deployment {
	var all []deployment
	for i := range n {
		d := bare("gpu-" + string(rune('a'+i)))
		d.flags.maxSeqs = maxSeqs
		all = append(all, d)
	}
	return all
}

// first are the indices of the first so many servers.
func first(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}
