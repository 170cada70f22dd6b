package diagnose

import (
	"math"
	"time"
)

// Users says how bad it is for those who send requests, over all that is watched. NaN is unknown.
type Users struct {
	// Late is the share of first tokens that came later than the objective: at least Low, at most High, of N requests. Where prompts are
	// computed apart, a request has a first token at two servers: what counts is the pool that is worse, here and for errors.
	LateLow, LateHigh, N float64
	// Apart is the share of finished requests whose tokens came farther apart than the objective.
	ApartLow, ApartHigh float64
	// Allowed is the share of requests that may be late, ApartAllowed of those with tokens too far apart, over all models; Objective says
	// what they are late by: "3 s", or that each model has its own, and Token the same of tokens, "" then; Profile is its name where all
	// have the same.
	Allowed, ApartAllowed     float64
	Objective, Token, Profile string
	// Errors is the share of HTTP requests that failed in the server or were turned away, Refused of those that it refused as wrong (4xx),
	// Left of those whose client left; unknown of fewer than fewLeft.
	Errors, Refused, Left float64
	// PerMinute is how many requests end a minute, however they do, at the servers that write answers: what the shares above are of.
	PerMinute float64
	// GoodPut is how many requests a second finish within the objectives for first tokens and for tokens: at least Low, at most High.
	GoodLow, GoodHigh float64
	// Silent of so many Servers do not answer, Blind ones do without figures that say anything: nothing is known of their users.
	Silent, Blind, Servers int
	// Pageless of the silent ones answer, with something else than their metrics: an error, a refusal, another page.
	Pageless int
	// Slow of the silent ones took the connection and gave no page within Patience, which a server that serves does too where the way to it or
	// its API process is busy; GPUBusy is the mean of their GPUs, of those that are known; NaN of none.
	Slow     int
	Patience time.Duration
	GPUBusy  float64
	// Stalled is how many requests get no token: those that engines without any progress hold, seen or not.
	Stalled float64
	// Tokenless is for how long the one that waits longest of those engines has given none; 0 where that is not known.
	Tokenless time.Duration
	// Queued is how many requests wait where one that comes now is late by the queue alone, and Queue for how long it waits at the worst: what
	// is late so far counts the answered only.
	Queued float64
	Queue  float64 // seconds
	// Idle says that no engine has a request, and none finished.
	Idle bool
	// Span is what the figures are over: the screen's window, or less while there is less.
	Span time.Duration
}

// errorBudget is the share of requests that may fail without a word (judgement).
const errorBudget = 0.01

// How many clients leave is the difference of two counters: what is below this share, or of fewer requests, cannot be told from nothing
// (judgement, as in F3).
const (
	manyLeft = 0.05
	fewLeft  = 20
)

// Users sums up the fleet at the report's tick.
func (r *Report) Users() Users {
	u := Users{Token: r.tokenObjective(), Span: min(r.Settings.Window, max(r.Observed, r.Settings.Step))}
	u.Profile, u.Objective = r.firstTokenObjective()
	var all pool
	var allowed, apartAllowed, good, goodHigh, held sum
	for _, c := range r.crowds() {
		late := worse(c.write.late, c.prefill.late)
		all.late.join(late)
		all.apart.join(c.write.apart)
		all.errors.join(worse(c.write.errors, c.prefill.errors))
		all.refused.join(worse(c.write.refused, c.prefill.refused))
		all.left.join(worse(c.write.left, c.prefill.left))
		all.came.add(c.write.came.value())
		allowed.add(c.objective.Allowed() * late.n.value())
		apartAllowed.add(c.objective.Allowed() * c.write.apart.n.value())
		low, high := c.goodPut()
		good.add(low)
		goodHigh.add(high)
	}
	for _, s := range r.Replicas {
		stalled, tokenless := r.stalled(s)
		u.Stalled += stalled
		u.Tokenless = max(u.Tokenless, tokenless)
		if stalled == 0 && r.Fact("queue_wait_of_slo", s).Value >= 1 {
			u.Queued += r.Fact("waiting", s).Value
			u.Queue = max(u.Queue, r.Fact("queue_wait_ahead", s).Value)
		}
		held.add(r.Fact("running", s).Value)
		held.add(r.Fact("waiting", s).Value)
	}
	u.LateLow, u.LateHigh = all.late.share()
	u.ApartLow, u.ApartHigh = all.apart.share()
	u.Errors, _ = all.errors.share()
	u.Refused, _ = all.refused.share()
	u.N, u.PerMinute = all.late.n.value(), 60*all.came.value()
	if u.Left, _ = all.left.share(); all.left.n.value()*u.Span.Seconds() < fewLeft {
		u.Left = math.NaN()
	}
	u.Allowed, u.ApartAllowed = allowed.value()/u.N, apartAllowed.value()/all.apart.n.value()
	u.GoodLow, u.GoodHigh = good.value(), goodHigh.value()
	u.Silent, u.Blind, u.Servers = r.untold()
	u.Pageless = r.pageless()
	r.addSlow(&u)
	u.Idle = held.value() == 0 && u.PerMinute == 0
	return u
}

// untold counts the servers that do not answer, those that do without figures that say anything, and all.
func (r *Report) untold() (silent, blind, servers int) {
	for _, t := range r.Servers() {
		switch {
		case !t.Up:
			silent++
		case r.blind(t.Subject):
			blind++
		}
		servers++
	}
	return silent, blind, servers
}

// pageless counts the servers that answer a scrape with something else than their metrics.
func (r *Report) pageless() int {
	n := 0
	for _, t := range r.Servers() {
		switch r.Fact("failure", t.Subject).Value {
		case failedDenied, failedMisplaced, failedStatus:
			n++
		}
	}
	return n
}

// givenUp is from which share of its time-out on a scrape that failed was given up, and did not fail by itself (our judgement).
const givenUp = 0.95

// addSlow counts the servers whose page does not come in time, and reads what their GPUs do meanwhile.
func (r *Report) addSlow(u *Users) {
	var busy []float64
	for _, t := range r.Servers() {
		timeout := r.Fact("scrape_timeout", t.Subject).Value
		if t.Up || !(r.Fact("scrape_seconds", t.Subject).Value >= givenUp*timeout) {
			continue
		}
		u.Slow++
		u.Patience = max(u.Patience, time.Duration(timeout*float64(time.Second)))
		if gpus := r.Fact("gpu_busy", t.At(Server)); gpus.Known() {
			busy = append(busy, gpus.Value)
		}
	}
	u.GPUBusy = Mean.of(busy)
}

// firstTokenObjective says within what the first tokens of all replicas are to come, and the name of that objective.
func (r *Report) firstTokenObjective() (profile, objective string) {
	for i, s := range r.Replicas {
		o := r.Settings.Objective(s.Model)
		within := Seconds.Format(o.TTFT.Seconds())
		switch {
		case i == 0:
			profile, objective = o.Name, within
		case within != objective:
			return "", "their model's objective"
		case o.Name != profile:
			profile = ""
		}
	}
	return profile, objective
}

// tokenObjective says how far apart the tokens of all replicas are to come at most; "" where their models differ.
func (r *Report) tokenObjective() string {
	var objective string
	for i, s := range r.Replicas {
		within := Seconds.Format(r.Settings.Objective(s.Model).TPOT.Seconds())
		if i > 0 && within != objective {
			return ""
		}
		objective = within
	}
	return objective
}

// blind tells whether the figures of a replica are found to be old or missing: then they say nothing of its users.
func (r *Report) blind(s Subject) bool { return r.finds(metricsBlind, s) || r.finds(stalePage, s) }

// finds tells whether a rule holds for the server of a subject.
func (r *Report) finds(code string, s Subject) bool { return r.active[Ref{code, s.At(Server)}] }

// addActive notes the findings that go on by what they are about: when a network is down, there are as many as there are servers to ask of.
func (r *Report) addActive() {
	r.active = map[Ref]bool{}
	for i := range r.Findings {
		if f := &r.Findings[i]; f.Active() {
			r.active[f.Ref()] = true
		}
	}
}
