package diagnose

import (
	"cmp"
	"slices"
	"time"
)

// Severity says how much a finding matters to users.
type Severity uint8

// The severities, mildest first.
const (
	Information Severity = iota
	Warning
	Critical
)

// String is the severity's word.
func (s Severity) String() string { return [...]string{"information", "warning", "critical"}[s] }

// Rule is one diagnosis as data: what must hold for how long, what it explains, and what to do.
type Rule struct {
	Code  string // "D1", stable for ever
	Name  string // "KV_THRASH"
	Title string // "KV thrash"
	Level Level
	// Severity is what the finding has when When holds, critical when Critical holds too.
	Severity Severity
	// Settled says that Severity is the user's word: neither Critical, Mild nor what the finding explains changes it.
	Settled bool
	// Hold is how long the conditions must last; CriticalHold the same for Critical, Hold when it is 0.
	Hold         time.Duration
	CriticalHold time.Duration
	When         Test
	Critical     Test
	// Mild says that users feel nothing of it: while it holds too, the finding is information.
	Mild Test
	// Symptom marks a rule that says what users feel, or in which phase, and not why: a cause may stand before it as soon as it is
	// suspected.
	Symptom bool
	// Confidence is the base; each Supports that is true adds 0.10, each that cannot be known takes 0.15 away, each Against that
	// is true takes 0.30 away (judgement).
	Confidence float64
	Supports   []Is
	Against    []Is
	// Plain says that the finding is no more than what was read: while it holds, it is no less sure for being pending.
	Plain Test
	// Explains lists the codes of the findings that this one is the cause of, by how their subjects belong together. The code "*"
	// stands for every rule that the book lists later.
	Explains map[Match][]string
	// RuledOut lists neighbours that look alike, and the signal that tells them apart.
	RuledOut []Because
	// Freezes is the signal, of those of the sentence, that says for how long all that is read from its page has been the same; "" where
	// it is read anew.
	Freezes string
	// Cases split a rule whose conditions have several forms: the first whose test is true gives the sentence and the actions.
	Cases []Case
	// Sentence says what is wrong in one sentence; {signal} stands for a value.
	Sentence string
	// Evidence lists further signals to show beside those of the conditions.
	Evidence []string
	Actions  []Action
	// Caused is what to do instead while a cause stands above the finding, for which {cause} stands.
	Caused string
	// Settle is the one thing that would prove or disprove it, if possible as a command to paste: in it and in the actions a command stands
	// between backticks, and words in braces in it for what the finding is about (command.go).
	Settle string
	// Source names what the rule rests on.
	Source string
	// Expr is the PromQL of a rule of the user's own; those of the book have conditions.
	Expr string
	// Runbook is where the user's own notes on it are.
	Runbook string
}

// HoldForCritical is how long Critical must last.
func (r *Rule) HoldForCritical() time.Duration { return cmp.Or(r.CriticalHold, r.Hold) }

// Explained lists the codes that the rule explains, in order.
func (r *Rule) Explained() []string {
	all := []string{}
	for _, codes := range r.Explains {
		all = append(all, codes...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// explainsAll tells whether nothing that is read from the same page counts while the rule holds.
func (r *Rule) explainsAll() bool { return slices.Contains(r.Explains[SameServer], "*") }

// Case is one form of a finding.
type Case struct {
	If       Test
	Name     string   // a few words behind the title
	Sentence string   // "" for the rule's
	Actions  []Action // nil for those of the rule
	Evidence []string // further signals to show
	Over     bool     // the sentence itself says that it is over
	Freezes  string   // "" for the rule's
	FarEnd   bool     // what the other end of a pair sees: a consequence of another form of the same rule in the same model
}

// Complete is a case with the rule's own sentence and actions where it has none; of no case it is the rule's.
func (r *Rule) Complete(c Case) Case {
	c.Sentence, c.Freezes = cmp.Or(c.Sentence, r.Sentence), cmp.Or(c.Freezes, r.Freezes)
	if c.Actions == nil {
		c.Actions = r.Actions
	}
	return c
}

// Match says how the subjects of cause and consequence belong together.
type Match uint8

// Ways to belong together, named from the consequence's side.
const (
	SameReplica Match = iota // the same engine
	SameServer               // the same API process, or a replica in it
	SameModel                // any replica of the model, or a server of it
	ServedGPU                // the server that uses the GPU
	FewReplicas              // a replica of the model that has the consequence, as at most half of them do
)

var matchNames = [...]string{"of the same replica", "of the same server", "of the same model", "of the server that uses the GPU", "of those replicas that have it, at most half"}

// String says how the subjects belong together, from the consequence's side.
func (m Match) String() string { return matchNames[m] }

// Because names a neighbour and the signal whose value rules it out.
type Because struct{ Code, Signal string }

// Action is something to do, with the signal that will show whether it worked.
type Action struct {
	When  When
	Text  string // {signal} stands for a value, backticks around commands
	Watch string
}

// When says what an action costs.
type When uint8

// Now costs nothing but traffic; Restart costs the load time and a cold cache.
const (
	Now When = iota
	Restart
)

// String is the word in front of the action.
func (w When) String() string { return [...]string{"now", "restart"}[w] }
