// Package diagnose says what the numbers of a vLLM fleet mean.
//
// A Source answers PromQL over whatever holds the samples. The catalogue lists the signals, each one PromQL or a formula over
// others, written with the newest metric names; the alias table puts in the names that a target really has. Judge computes the
// signals of a chunk of ticks as Facts and holds every Rule of the book against them: the outcome of a rule for one subject at
// one tick is no, band, yes, critical or unknown. A Track keeps outcomes; At folds them into a Report: which findings hold,
// since when, which of them explains which other, and what could not be judged and why.
//
// A judgement is a function of the data, the settings and the tick. Nothing here reads a clock, and what is looked at never
// decides what is judged, so that a live screen, a replay and a check of the same moment agree.
//
// Read first: catalogue.go and rules.go, which list all signals and all rules; then judge.go and track.go.
package diagnose
