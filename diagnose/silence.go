package diagnose

import (
	"slices"
	"strings"
	"time"
)

// Silence says that a finding is known, and until when nobody wants to be told of it again.
type Silence struct {
	Code     string // or the rule's name
	Instance string // of the target, "" for all
	Model    string // "" for all
	Until    time.Time
	Reason   string
}

// String says until when, and why.
func (s Silence) String() string {
	text := "until " + s.Until.UTC().Format("2006-01-02 15:04") + " UTC"
	if s.Reason != "" {
		text += ": " + s.Reason
	}
	return text
}

// silence marks the findings that the user has silenced at the report's tick. It ends by itself.
func (r *Report) silence() {
	for i := range r.Findings {
		f := &r.Findings[i]
		if k := slices.IndexFunc(r.Settings.Silences, func(s Silence) bool { return r.isAbout(s, f) }); k >= 0 {
			f.Silenced = &r.Settings.Silences[k]
		}
	}
}

func (r *Report) isAbout(s Silence, f *Finding) bool {
	return (strings.EqualFold(s.Code, f.Rule.Code) || strings.EqualFold(s.Code, f.Rule.Name)) && r.Time.Before(s.Until) &&
		(s.Instance == "" || s.Instance == f.Subject.Instance) && (s.Model == "" || r.modelsOf(f.Subject, s.Model))
}

// Silenced lists the causes that go on and that the user has silenced, in the report's order.
func (r *Report) Silenced() []*Finding {
	var all []*Finding
	for i := range r.Findings {
		if f := &r.Findings[i]; f.Silenced != nil && f.Active() && f.ExplainedBy == nil {
			all = append(all, f)
		}
	}
	return all
}
