// Package simulate is a model of a vLLM fleet with its GPUs: what an engineer would see on /metrics if a known thing went
// wrong. It knows nothing of diagnosis.
//
// The story, in the order of a request's life: traffic (traffic.go) sends requests of a load (workload.go), perhaps through a
// router (router.go); the API processes of a server (server.go) render them and later hand tokens out (frontend.go); an engine
// takes them between two steps (engine.go), its scheduler decides who runs (scheduler.go) and who holds KV blocks (cache.go),
// and what the engine has of hardware (hardware.go) decides how long the step takes (step.go): accelerators (accelerator.go)
// and a model (model.go), which may be a mixture of experts (mixture.go) whose ranks step together (wave.go).
//
// What vLLM observes, and when, is in metrics.go and, over HTTP, in http.go; families.go is the table of what each release
// prints of it, page.go writes it down. Devices (device.go) live on their own; an exporter on their host (host.go) looks at
// them as GPUs (gpu.go) and prints that (exporter.go, dcgmpage.go).
//
// KV from elsewhere comes through a connector (connector.go): from another server of a disaggregated load (disaggregation.go,
// transfer.go, link.go) or from a store outside (external.go). A drafter may propose tokens (speculation.go). A process loads
// (loading.go), ends and is started again (supervisor.go); a request may meet with a mishap (mishap.go).
//
// A fleet (fleet.go) is built from a scenario (scenario.go) that may carry faults (fault.go). Both are by chapter: to add a
// fault, write a function in fault_<chapter>.go and a scenario that carries it in scenarios_<chapter>.go; to add a release, a
// constant in version.go and what its pages differ in as rows of families.go and cacheconfig.go.
//
// It is a discrete-event simulation: one agenda, virtual time, no goroutines, one random source for each server, so the
// same seed gives the same pages. Only serve.go, which answers HTTP, knows what time it really is.
package simulate
