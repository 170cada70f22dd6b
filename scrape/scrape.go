package scrape

import "time"

// Scrape is the outcome of one look at a target.
type Scrape struct {
	// At is when it began; its samples get this time, to the millisecond.
	At time.Time
	// Duration is how long it took, Timeout how long it might have; negative and 0 where nobody knows.
	Duration, Timeout time.Duration
	// Page is the body, unpacked. The writer may change it, and keeps nothing of it.
	Page []byte
	// ContentType is the header of that name, which may be missing or wrong.
	ContentType string
	// Err is why there is no page.
	Err *Failure

	notes []note
	facts facts
}

// facts is what side requests told of a target; empty where unknown.
type facts struct {
	version     string
	models      string // served model names, joined by commas
	maxModelLen string // tokens
	vllm        bool   // it says that it is vLLM, whatever its page shows
	health      health
}

// health is the answer of /health.
type health int

const (
	healthUnknown health = iota
	healthGood
	healthBad
)

// Outcome is what the writer made of a scrape.
type Outcome struct {
	// Up is whether the page could be read; an empty one can.
	Up bool
	// Err is why there are no samples, also for an empty page with Up true.
	Err *Failure
	// Kind is what the page comes from, or came from last.
	Kind Kind
	// Samples is the number of samples on the page.
	Samples int

	started float64 // process_start_time_seconds, 0 if the page lacks it
	http    bool    // the page counts HTTP requests, as vLLM's does with its own metrics turned off
}
