package diagnose

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"
)

// Users says how bad it is for those who send requests, over all that is watched. NaN is unknown.
type Users struct {
	// Late is the share of first tokens that came later than the objective: at least Low, at most High, of N requests.
	LateLow, LateHigh, N float64
	// Allowed is the share of requests that may be late, over all models; Objective says what they are late by: "3 s", or that each model
	// has its own; Profile is its name where all have the same.
	Allowed            float64
	Objective, Profile string
	// Errors is the share of HTTP requests that failed in the server, Refused of those that it refused as wrong (4xx).
	Errors, Refused float64
	// PerMinute is how many requests finish a minute.
	PerMinute float64
	// GoodPut is how many requests a second have their first token within the objective: at least Low, at most High.
	GoodLow, GoodHigh float64
	// Silent of so many Servers do not answer: nothing is known of their users.
	Silent, Servers int
	// Stalled is how many requests get no token: those that engines without any progress hold, seen or not.
	Stalled float64
	// Idle says that no engine has a request, and none finished.
	Idle bool
	// Span is what the figures are over: the screen's window, or less while there is less.
	Span time.Duration
}

// errorBudget is the share of requests that may fail without a word (judgement).
const errorBudget = 0.01

// A Remark is a piece of a sentence; Bad says that it should not be overlooked.
type Remark struct {
	Text string
	Bad  bool
}

// Remarks puts the figures into words, those that are known. Brief leaves out what a narrow screen has no room for.
func (u Users) Remarks(brief bool) []Remark {
	var all []Remark
	add := func(bad bool, text string) { all = append(all, Remark{text, bad}) }
	if u.Silent > 0 {
		text := fmt.Sprintf("%d of %d silent", u.Silent, u.Servers)
		if !brief {
			text = fmt.Sprintf("%d of %d servers silent", u.Silent, u.Servers)
		}
		add(true, text)
	}
	if u.Stalled > 0 {
		add(true, Count.Format(u.Stalled)+" requests get no token")
	}
	switch {
	case !math.IsNaN(u.LateLow):
		text := Share.Between(u.LateLow, u.LateHigh)
		if !brief {
			text += " of " + cmp.Or(u.Profile, "all") + " requests"
		}
		add(u.LateLow > u.Allowed, text+" over "+u.Objective)
	case u.Idle:
		add(false, "no requests in "+Duration(u.Span))
	case !math.IsNaN(u.PerMinute):
		add(false, "no first token in "+Duration(u.Span))
	}
	if !math.IsNaN(u.Errors) {
		add(u.Errors > errorBudget, Share.Format(u.Errors)+" errors")
	}
	if u.Refused > errorBudget {
		add(true, Share.Format(u.Refused)+" refused (4xx)")
	}
	if !math.IsNaN(u.PerMinute) {
		add(false, Count.Format(u.PerMinute)+" req/min")
	}
	if !math.IsNaN(u.GoodLow) {
		add(false, "good-put "+PerSecond.Between(u.GoodLow, u.GoodHigh))
	}
	return all
}

// Felt tells whether users feel something, by the figures above.
func (r *Report) Felt() bool {
	return slices.ContainsFunc(r.Users().Remarks(false), func(m Remark) bool { return m.Bad })
}

// Calm says in two words that there is no warning: nothing was found, or nothing that is worse than information.
func (r *Report) Calm() string {
	if slices.ContainsFunc(r.Findings, func(f Finding) bool { return f.Active() }) {
		return "no warning"
	}
	return "nothing found"
}

// Users sums up the fleet at the report's tick.
func (r *Report) Users() Users {
	var late, lateHigh, n, allowed, errors, refused, requests, good, goodHigh, perMinute sum
	for _, s := range r.Replicas {
		over := r.inWindow("ttft_over_slo", s)
		if r.Settings.Objective(s.Model).TTFT == 0 {
			over = noFact(over.Signal, s) // nothing is wanted of its first tokens
		}
		late.add(over.Low * over.N)
		lateHigh.add(over.High * over.N)
		n.add(over.N)
		allowed.add(r.Settings.Objective(s.Model).Allowed() * over.N)
		admissions := r.inWindow("admissions_per_second", s).Value
		good.add(admissions * (1 - over.High))
		goodHigh.add(admissions * (1 - over.Low))
		perMinute.add(r.inWindow("requests_per_minute", s).Value)
	}
	silent, servers, stalled := 0, 0, 0.0
	var held sum
	for _, s := range r.Replicas {
		stalled += r.stalled(s)
		held.add(r.Fact("running", s).Value)
		held.add(r.Fact("waiting", s).Value)
	}
	for _, t := range r.Targets {
		if t.Kind == "vllm" {
			servers++
			if !t.Up {
				silent++
			}
		}
		server := t.At(Server)
		refused.add(r.inWindow("http_client_errors", server).Value)
		errors.add(r.inWindow("http_server_errors", server).Value)
		requests.add(r.inWindow("http_all", server).Value)
	}
	profile, objective := r.firstTokenObjective()
	return Users{
		Allowed: allowed.value() / n.value(), Objective: objective, Profile: profile, LateLow: late.value() / n.value(), LateHigh: lateHigh.value() / n.value(), N: n.value(),
		Errors: errors.value() / requests.value(), Refused: refused.value() / requests.value(), PerMinute: perMinute.value(),
		GoodLow: good.value(), GoodHigh: goodHigh.value(), Stalled: stalled, Silent: silent, Servers: servers, Idle: held.value() == 0 && perMinute.value() == 0,
		Span: min(r.Settings.Window, max(r.Observed, r.Settings.Step)),
	}
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

// stalled is the number of requests of a replica that make no progress: 0 while any does, and while too little was seen to tell.
func (r *Report) stalled(s Subject) float64 {
	if r.Fact("moves", s).Value != 0 || r.Fact("scrapes", s).Value < 4 || r.blind(s) {
		return 0
	}
	var inside sum
	for _, id := range []string{"running", "waiting", "hidden"} {
		inside.add(r.Fact(id, s).Value)
	}
	return inside.total
}

// blind tells whether the figures of a replica are found to be old or missing (A2, A3): then they say nothing of its users.
func (r *Report) blind(s Subject) bool {
	return slices.ContainsFunc(r.Findings, func(f Finding) bool {
		return f.Active() && (f.Rule.Code == "A2" || f.Rule.Code == "A3") && f.Subject == s.At(Server)
	})
}

// A sum leaves out what is not known; of nothing but unknown values it is unknown itself.
type sum struct {
	total float64
	known bool
}

func (s *sum) add(v float64) {
	if !math.IsNaN(v) {
		s.total, s.known = s.total+v, true
	}
}

func (s sum) value() float64 {
	if !s.known {
		return math.NaN()
	}
	return s.total
}
