package print

import (
	"encoding/json"
	"io"
	"math"
	"strings"
	"time"

	"github.com/vllmscope/vllmscope/diagnose"
)

// JSON writes a report in the form of version 1, to which fields are only ever added (docs/json.md). What has no value is null.
func JSON(w io.Writer, r *diagnose.Report) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(reportJSON(r))
}

type jsonReport struct {
	Version         int           `json:"version"`
	Time            time.Time     `json:"time"`
	ObservedSeconds float64       `json:"observed_seconds"`
	WindowSeconds   float64       `json:"window_seconds"`
	Targets         []jsonTarget  `json:"targets"`
	Replicas        []jsonReplica `json:"replicas"`
	SinceStart      bool          `json:"since_start"`
	Findings        []jsonFinding `json:"findings"`
	Unknown         []jsonUnknown `json:"unknown"`
	Spikes          []jsonSpikes  `json:"spikes"`
	Remarks         []string      `json:"remarks"`
	Summary         jsonSummary   `json:"summary"`
}

type jsonTarget struct {
	URL           string     `json:"url"`
	Instance      string     `json:"instance"`
	Kind          string     `json:"kind"`
	Up            bool       `json:"up"`
	Error         *string    `json:"error"`
	ErrorClass    *string    `json:"error_class"`
	AgeSeconds    *float64   `json:"age_seconds"`
	ScrapeSeconds *float64   `json:"scrape_seconds"`
	Samples       *float64   `json:"samples"`
	BadLines      *float64   `json:"bad_lines"`
	ServerVersion *string    `json:"server_version"`
	Notes         []jsonNote `json:"notes"`
}

type jsonReplica struct {
	Subject  jsonSubject           `json:"subject"`
	Figures  map[string]jsonFigure `json:"figures"`
	Workload *jsonWorkload         `json:"workload"`
}

type jsonFigure struct {
	Value *float64 `json:"value"`
	Low   *float64 `json:"low"`
	High  *float64 `json:"high"`
	Unit  string   `json:"unit"`
	N     *float64 `json:"n"`
	Text  string   `json:"text"`
}

type jsonNote struct {
	Name   string `json:"note"`
	Detail string `json:"detail"`
}

type jsonSubject struct {
	Level  string  `json:"level"`
	Model  *string `json:"model"`
	Server *string `json:"server"`
	Engine *string `json:"engine"`
	GPU    *string `json:"gpu"`
}

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
	When  string `json:"when"`
	Text  string `json:"text"`
	Watch string `json:"watch"`
}

type jsonUnknown struct {
	Code    string      `json:"code"`
	Subject jsonSubject `json:"subject"`
	Missing []string    `json:"missing"`
	Enable  string      `json:"enable"`
}

type jsonSummary struct {
	Critical    int      `json:"critical"`
	Warning     int      `json:"warning"`
	Information int      `json:"information"`
	Silenced    int      `json:"silenced"`
	Unknown     int      `json:"unknown"`
	First       *jsonRef `json:"first"`
}

func reportJSON(r *diagnose.Report) jsonReport {
	j := jsonReport{
		Version: 1, Time: r.Time.UTC(), ObservedSeconds: r.Observed.Seconds(), WindowSeconds: r.Settings.Window.Seconds(),
		SinceStart: r.SinceStart(), Targets: []jsonTarget{}, Replicas: []jsonReplica{}, Findings: []jsonFinding{}, Unknown: []jsonUnknown{},
	}
	for _, t := range r.Targets {
		j.Targets = append(j.Targets, targetJSON(t))
	}
	for _, replica := range r.Replicas {
		j.Replicas = append(j.Replicas, replicaJSON(r, replica))
	}
	for i := range r.Findings {
		j.Findings = append(j.Findings, findingJSON(r, &r.Findings[i]))
	}
	for _, u := range r.Unknown {
		j.Unknown = append(j.Unknown, jsonUnknown{u.Code, subjectJSON(u.Subject), u.Missing, strings.Join(u.Enable, "; ")})
	}
	j.Spikes = spikesJSON(r)
	j.Remarks = append([]string{}, r.Remarks...)
	j.Summary = summaryJSON(r)
	return j
}

func targetJSON(t diagnose.TargetState) jsonTarget {
	j := jsonTarget{
		URL: t.URL, Instance: t.Instance, Kind: t.Kind, Up: t.Up, Error: textOrNull(t.Error), ErrorClass: textOrNull(t.ErrorClass),
		AgeSeconds: secondsOrNull(t.Age), ScrapeSeconds: numberOrNull(t.ScrapeSeconds), Samples: numberOrNull(t.Samples),
		BadLines: numberOrNull(t.BadLines), ServerVersion: textOrNull(t.Version), Notes: []jsonNote{},
	}
	for _, n := range t.Notes {
		j.Notes = append(j.Notes, jsonNote(n))
	}
	return j
}

func replicaJSON(r *diagnose.Report, replica diagnose.Subject) jsonReplica {
	j := jsonReplica{subjectJSON(replica), map[string]jsonFigure{}, workloadJSON(r.Workload(replica))}
	for _, c := range columns {
		j.Figures[c.id] = figureJSON(r.Figure(c.id, replica))
	}
	return j
}

func figureJSON(f diagnose.Fact) jsonFigure {
	return jsonFigure{numberOrNull(f.Value), numberOrNull(f.Low), numberOrNull(f.High), f.Signal.Unit.String(), numberOrNull(f.N), f.Text()}
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
		j.Actions = append(j.Actions, jsonAction{a.When.String(), a.Text, a.Watch})
	}
	j.Silenced = silenceJSON(f.Silenced)
	if f.Rule.Settle != "" {
		j.ConfirmWith = append(j.ConfirmWith, f.Rule.Settle)
	}
	return j
}

func evidenceJSON(r *diagnose.Report, e diagnose.Evidence) jsonEvidence {
	j := jsonEvidence{
		Signal: e.Fact.Signal.ID, Title: e.Fact.Signal.Title, Value: numberOrNull(e.Value), Text: e.Text(), Low: numberOrNull(e.Low),
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

func subjectJSON(s diagnose.Subject) jsonSubject {
	j := jsonSubject{Level: s.Level.String(), Model: textOrNull(s.Model), Server: textOrNull(s.Instance), Engine: textOrNull(s.Engine)}
	if s.Level == diagnose.GPU {
		j.GPU = textOrNull(s.Name())
	}
	return j
}

// summaryJSON counts what holds now; consequences of a cause are not counted again.
func summaryJSON(r *diagnose.Report) jsonSummary {
	n := r.Counts()
	j := jsonSummary{
		Critical: n[diagnose.Critical], Warning: n[diagnose.Warning], Information: n[diagnose.Information], Silenced: len(r.Silenced()), Unknown: len(r.UnknownCodes()),
	}
	if active, _ := r.Causes(); len(active) > 0 {
		ref := refJSON(active[0].Ref())
		j.First = &ref
	}
	return j
}

// numberOrNull keeps what JSON has no number for out of it.
func numberOrNull(v float64) *float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	return &v
}

// secondsOrNull is the age of something, null when it has never been seen.
func secondsOrNull(age time.Duration) *float64 {
	if age == diagnose.NoAge {
		return nil
	}
	return numberOrNull(age.Seconds())
}

func textOrNull(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}
