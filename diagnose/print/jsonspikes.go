package print

import (
	"time"

	"github.com/vllmscope/vllmscope/diagnose"
)

type jsonSpikes struct {
	Code           string      `json:"code"`
	Subject        jsonSubject `json:"subject"`
	Count          int         `json:"count"`
	LongestSeconds float64     `json:"longest_seconds"`
	WithinSeconds  float64     `json:"within_seconds"`
}

type jsonSilence struct {
	Until  time.Time `json:"until"`
	Reason *string   `json:"reason"`
}

func spikesJSON(r *diagnose.Report) []jsonSpikes {
	all := []jsonSpikes{}
	for _, s := range r.Spikes {
		all = append(all, jsonSpikes{s.Rule.Code, subjectJSON(s.Subject), s.Count, s.Longest.Seconds(), s.Within.Seconds()})
	}
	return all
}

func silenceJSON(s *diagnose.Silence) *jsonSilence {
	if s == nil {
		return nil
	}
	return &jsonSilence{s.Until.UTC(), textOrNull(s.Reason)}
}
