// Package simulate is a model of a vLLM fleet with its GPUs: what an engineer would see on /metrics if a known thing went
// wrong. It knows nothing of diagnosis.
//
// The story, in the order of a request's life: traffic sends requests (workload.go); the API processes render them and
// later hand tokens out (frontend.go); an engine takes them between two steps (engine.go), its scheduler decides who runs
// (scheduler.go) and who holds KV blocks (cache.go), and the hardware decides how long the step takes (step.go, gpu.go).
// What vLLM observes, and when, is in metrics.go; families.go is the table of what each release prints of it, page.go and
// dcgmpage.go write it down. A fleet (fleet.go) is built from a scenario (scenario.go) that may carry faults (fault.go).
//
// KV from elsewhere comes through a connector (connector.go): from another server of a disaggregated load (disaggregation.go,
// transfer.go) or from a store outside (external.go). A drafter may propose tokens (speculation.go).
//
// To add a fault, write a function in fault.go and a scenario that carries it; to add a release, a constant in version.go
// and what its pages differ in as rows of families.go and cacheconfig.go.
//
// It is a discrete-event simulation: one agenda, virtual time, no goroutines, one random source for each server, so the
// same seed gives the same pages. Only serve.go, which answers HTTP, knows what time it really is.
package simulate
