package print

import (
	"time"

	"github.com/vllmscope/vllmscope/diagnose"
)

type jsonRef struct {
	Code    string      `json:"code"`
	Subject jsonSubject `json:"subject"`
}

type jsonFinding struct {
	Code        string         `json:"code"`
	Name        string         `json:"name"`
	Title       string         `json:"title"`
	Severity    string         `json:"severity"`
	State       string         `json:"state"`
	Since       time.Time      `json:"since"`
	HeldSeconds float64        `json:"held_seconds"`
	HoldSeconds float64        `json:"hold_seconds"`
	Throughout  bool           `json:"throughout"`
	Subject     jsonSubject    `json:"subject"`
	Confidence  float64        `json:"confidence"`
	Certainty   string         `json:"certainty"`
	Sentence    string         `json:"sentence"`
	Evidence    []jsonEvidence `json:"evidence"`
	Explains    []jsonRef      `json:"explains"`
	ExplainedBy *jsonRef       `json:"explained_by"`
	RuledOut    []jsonRuledOut `json:"ruled_out"`
	Mutes       []string       `json:"mutes"`
	Actions     []jsonAction   `json:"actions"`
	ConfirmWith []string       `json:"confirm_with"`
	Runbook     *string        `json:"runbook"`
	Silenced    *jsonSilence   `json:"silenced"`
}

type jsonEvidence struct {
	Signal    string   `json:"signal"`
	Title     string   `json:"title"`
	Value     *float64 `json:"value"`
	Text      string   `json:"text"`
	Low       *float64 `json:"low"`
	High      *float64 `json:"high"`
	Unit      string   `json:"unit"`
	Op        *string  `json:"op"`
	Threshold *float64 `json:"threshold"`
	Origin    *string  `json:"origin"`
	N         *float64 `json:"n"`
	Outcome   *string  `json:"outcome"`
	Absent    *string  `json:"absent"`
	Expr      string   `json:"expr"`
}

type jsonRuledOut struct {
	Code    string `json:"code"`
	Because string `json:"because"`
}

type jsonAction struct {
	When    string  `json:"when"`
	Text    string  `json:"text"`
	Watch   string  `json:"watch"`
	Command *string `json:"command"`
}

type jsonSilence struct {
	Until  time.Time `json:"until"`
	Reason *string   `json:"reason"`
}

type jsonSpikes struct {
	Code           string      `json:"code"`
	Subject        jsonSubject `json:"subject"`
	Count          int         `json:"count"`
	LongestSeconds float64     `json:"longest_seconds"`
	WithinSeconds  float64     `json:"within_seconds"`
}

func findingJSON(r *diagnose.Report, f *diagnose.Finding) jsonFinding {
	j := jsonFinding{
		Code: f.Rule.Code, Name: f.Rule.Name, Title: f.Title(), Severity: f.Severity.String(), State: f.State.String(),
		Since: f.Since.UTC(), HeldSeconds: f.Held.Seconds(), HoldSeconds: f.Hold.Seconds(), Throughout: f.Throughout,
		Subject: subjectJSON(f.Subject), Confidence: f.Confidence, Certainty: f.Certainty(), Sentence: f.Sentence, Mutes: append([]string{}, f.Mutes...), Runbook: textOrNull(f.Runbook),
		Evidence: []jsonEvidence{}, Explains: []jsonRef{}, RuledOut: []jsonRuledOut{}, Actions: []jsonAction{}, ConfirmWith: []string{},
	}
	for _, e := range f.Evidence {
		j.Evidence = append(j.Evidence, evidenceJSON(r, e))
	}
	for _, ref := range f.Explains {
		j.Explains = append(j.Explains, refJSON(ref))
	}
	if f.ExplainedBy != nil {
		ref := refJSON(*f.ExplainedBy)
		j.ExplainedBy = &ref
	}
	for _, n := range f.RuledOut {
		j.RuledOut = append(j.RuledOut, jsonRuledOut(n))
	}
	for _, a := range f.Actions {
		j.Actions = append(j.Actions, jsonAction{a.When.String(), a.Text, a.Watch, textOrNull(a.Command)})
	}
	j.Silenced = silenceJSON(f.Silenced)
	if f.Rule.Settle != "" {
		text, _ := r.Settle(f.Rule, f.Subject)
		j.ConfirmWith = append(j.ConfirmWith, text)
	}
	return j
}

func evidenceJSON(r *diagnose.Report, e diagnose.Evidence) jsonEvidence {
	j := jsonEvidence{
		Signal: e.Fact.Signal.ID, Title: e.Fact.Signal.Title, Value: numberOrNull(e.Value), Text: e.Reading(), Low: numberOrNull(e.Low),
		High: numberOrNull(e.High), Unit: e.Fact.Signal.Unit.String(), N: numberOrNull(e.N), Expr: r.PromQL(e.Fact.Signal.ID),
	}
	if !e.Known() {
		j.Absent = textOrNull(e.Absence.String())
	}
	if !e.Plain {
		op, outcome := e.Op.String(), e.Outcome.String()
		j.Op, j.Outcome, j.Threshold, j.Origin = &op, &outcome, numberOrNull(e.Threshold), textOrNull(string(e.Origin))
	}
	return j
}

func refJSON(ref diagnose.Ref) jsonRef { return jsonRef{ref.Code, subjectJSON(ref.Subject)} }

func silenceJSON(s *diagnose.Silence) *jsonSilence {
	if s == nil {
		return nil
	}
	return &jsonSilence{s.Until.UTC(), textOrNull(s.Reason)}
}

func spikesJSON(r *diagnose.Report) []jsonSpikes {
	all := []jsonSpikes{}
	for _, s := range r.Spikes {
		all = append(all, jsonSpikes{s.Rule.Code, subjectJSON(s.Subject), s.Count, s.Longest.Seconds(), s.Within.Seconds()})
	}
	return all
}
