package scrape

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"
)

const (
	// sideTimeout is the longest that one side request may take; nothing waits for its answer.
	sideTimeout = 2 * time.Second
	// maxSideBody bounds an answer in bytes: a list of 1,000 adapters is 300 kB.
	maxSideBody = 1 << 20
	// sideTries is how often a question is put to one process that does not answer.
	sideTries = 3
)

// side asks a target what its page does not say. All its failures are silent: the fact stays unknown.
type side struct {
	client *http.Client
	base   *url.URL

	known    facts
	process  float64 // start time of the process that was asked last
	wasUp    bool
	tries    int // questions to this process without an answer
	answered bool
	health   health
	healthAt time.Time // when /health was asked last
}

// newSide returns nil if t has no side requests.
func newSide(t Target, s source) *side {
	web, ok := s.(*httpSource)
	if !ok || t.NoSideRequests {
		return nil
	}
	return &side{client: web.client, base: t.Base()}
}

// take returns what is known, health only if it was asked since the last time.
func (s *side) take() facts {
	if s == nil {
		return facts{}
	}
	f := s.known
	f.health, s.health = s.health, healthUnknown
	return f
}

// after puts the questions that a scrape gives rise to: who are you, once in the life of a process; are you well, when
// the scrape failed.
func (s *side) after(ctx context.Context, o Outcome, now time.Time, interval time.Duration) {
	if s == nil {
		return
	}
	if !o.Up {
		s.wasUp = false
		s.askHealth(ctx, now, interval)
		return
	}
	if !s.wasUp || o.started != s.process {
		s.tries, s.answered = 0, false
	}
	s.wasUp, s.process = true, o.started
	if s.answered || s.tries >= sideTries || o.Kind != KindVLLM && !o.http {
		return
	}
	s.tries++
	s.known = facts{}
	version := s.askVersion(ctx)
	models := s.askModels(ctx)
	s.answered = version && models
}

// askHealth asks /health, at most once an interval, give or take a little. A server without that path stays unknown.
func (s *side) askHealth(ctx context.Context, now time.Time, interval time.Duration) {
	if s == nil || now.Sub(s.healthAt) < interval-interval/10 {
		return
	}
	s.healthAt = now
	status, _ := s.ask(ctx, "/health")
	switch {
	case status == http.StatusOK:
		s.health = healthGood
	case status >= http.StatusInternalServerError:
		s.health = healthBad
	}
}

func (s *side) askVersion(ctx context.Context) (answered bool) {
	status, body := s.ask(ctx, "/version")
	var answer struct{ Version string }
	if status == http.StatusOK && json.Unmarshal(body, &answer) == nil {
		s.known.version = printable(answer.Version, maxQuote)
	}
	return status != 0
}

func (s *side) askModels(ctx context.Context) (answered bool) {
	status, body := s.ask(ctx, "/v1/models")
	var answer struct {
		Data []struct {
			ID          string `json:"id"`
			OwnedBy     string `json:"owned_by"`
			MaxModelLen int64  `json:"max_model_len"`
		}
	}
	if status != http.StatusOK || json.Unmarshal(body, &answer) != nil {
		return status != 0
	}
	var names []string
	for _, model := range answer.Data {
		names = append(names, model.ID)
		s.known.vllm = s.known.vllm || model.OwnedBy == "vllm"
		if s.known.maxModelLen == "" && model.MaxModelLen > 0 {
			s.known.maxModelLen = fmt.Sprint(model.MaxModelLen)
		}
	}
	s.known.models = printable(strings.Join(names, ","), maxText)
	return true
}

// ask returns the status and the body of an answer, 0 if there was none.
func (s *side) ask(ctx context.Context, path string) (status int, body []byte) {
	ctx, cancel := context.WithTimeout(ctx, sideTimeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, s.base.JoinPath(path).String(), nil)
	if err != nil {
		return 0, nil
	}
	response, err := s.client.Do(request)
	if err != nil {
		return 0, nil
	}
	defer func() { _ = response.Body.Close() }()
	body, err = io.ReadAll(io.LimitReader(response.Body, maxSideBody))
	if err != nil {
		return 0, nil
	}
	return response.StatusCode, body
}
