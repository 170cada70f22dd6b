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

type jsonWorkload struct {
	Class   *string               `json:"class"`
	Figures map[string]jsonFigure `json:"figures"`
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
	j.Remarks = append(append([]string{}, r.Remarks...), r.Unserved...)
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

// workloadJSON is the work of a replica, null where nothing of it is known.
func workloadJSON(w diagnose.Workload) *jsonWorkload {
	j := jsonWorkload{textOrNull(w.Class), map[string]jsonFigure{}}
	known := false
	for _, f := range w.Facts() {
		known = known || f.Known()
		j.Figures[f.Signal.ID] = figureJSON(f)
	}
	if !known {
		return nil
	}
	return &j
}

func figureJSON(f diagnose.Fact) jsonFigure {
	return jsonFigure{numberOrNull(f.Value), numberOrNull(f.Low), numberOrNull(f.High), f.Signal.Unit.String(), numberOrNull(f.N), f.Text()}
}

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
