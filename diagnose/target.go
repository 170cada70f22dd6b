package diagnose

import (
	"math"
	"slices"
	"strings"
	"time"

	"github.com/prometheus/prometheus/model/labels"
)

// TargetState is what is known about one scraped URL at the report's tick.
type TargetState struct {
	Subject
	URL     string
	Kind    string // vllm, dcgm, nvidia-smi, other, or "" while nothing was read yet
	Version string
	Up      bool
	// Error says what failed in the last scrape and what to do, and ErrorClass in one word; both are empty when nothing did.
	Error      string
	ErrorClass string
	// LastAnswer is the tick of the last good scrape, zero when there was none.
	LastAnswer    time.Time
	Age           time.Duration // of the newest sample, NoAge when there is none in the history
	ScrapeSeconds float64       // NaN when unknown, as the numbers below
	Samples       float64
	BadLines      float64
	Notes         []Note
}

// NoAge is the age of what has never been seen.
const NoAge = time.Duration(-1)

// Note is something odd about a page that was read all the same.
type Note struct{ Name, Detail string }

// String is the note in words.
func (n Note) String() string {
	text := strings.ReplaceAll(n.Name, "_", " ")
	if n.Detail != "" {
		text += ": " + n.Detail
	}
	return text
}

// reportSignals are read by the report itself.
var reportSignals = []string{
	"scrape_seconds", "scrape_samples", "bad_lines", "ttft_over_slo", "tpot_over_slo", "prefill_node", "http_server_errors", "http_client_errors", "http_all",
	"refused_in_stream", "left", "server_finished",
}

// addSubjects fills in the targets, replicas and GPUs of the report's tick.
func (r *Report) addSubjects(lastAnswer func(Subject) time.Time) {
	up := r.book.Signal("up")
	facts, i := r.facts.at(up, r.Time.UnixMilli())
	if facts == nil {
		return
	}
	for _, target := range facts.presentAt(Target, i) {
		r.Targets = append(r.Targets, r.targetState(facts, target, lastAnswer(target)))
	}
	for _, gpu := range facts.presentAt(GPU, i) {
		server, _ := facts.topology[i].Server(gpu)
		r.GPUs = append(r.GPUs, GPUState{Subject: gpu, Server: server, How: facts.topology[i].How(gpu)})
	}
	away := map[targetKey]bool{}
	for _, t := range r.Targets {
		away[keyOf(t.Subject)] = !t.Up
	}
	r.Replicas = facts.presentAt(Replica, i)
	for replica := range r.history { // what is not seen keeps its row while its target is asked and does not answer
		if replica.Level == Replica && !facts.has(replica, i) && away[keyOf(replica)] {
			r.Replicas = append(r.Replicas, replica)
		}
	}
	slices.SortFunc(r.Replicas, Subject.Compare)
}

// Servers lists the targets that are vLLM servers, as far as is known: what never answered may be one, and so may what is found to be
// without figures.
func (r *Report) Servers() []TargetState {
	return slices.DeleteFunc(slices.Clone(r.Targets), func(t TargetState) bool {
		unread := t.Kind == "" && !slices.Contains(r.Settings.GPUTargets, t.Instance)
		return t.Kind != "vllm" && !unread && !r.blind(t.Subject)
	})
}

func (r *Report) targetState(facts *Facts, target Subject, lastAnswer time.Time) TargetState {
	tick := r.Time.UnixMilli()
	t := TargetState{
		Subject: target, LastAnswer: lastAnswer,
		Up:            r.Fact("up", target).Value == 1,
		ScrapeSeconds: r.Fact("scrape_seconds", target).Value,
		Samples:       r.Fact("scrape_samples", target).Value,
		BadLines:      r.Fact("bad_lines", target).Value,
	}
	for _, ls := range facts.infos[targetInfo].at(target, tick) {
		t.URL, t.Kind, t.Version = Plain(ls.Get("url")), Plain(ls.Get("kind")), Plain(ls.Get("version"))
	}
	for _, ls := range facts.infos[scrapeError].at(target, tick) {
		t.Error, t.ErrorClass = Plain(ls.Get("error")), Plain(ls.Get("class"))
	}
	for _, ls := range facts.infos[pageNote].at(target, tick) {
		t.Notes = append(t.Notes, noteOf(ls))
	}
	t.Age = r.age(t)
	return t
}

// age is how old the newest sample of a target is, all of which share the time of their page, or its last answer where it gives none.
func (r *Report) age(t TargetState) time.Duration {
	if last := r.Fact("last_scrape", t.Subject); t.Up && last.Known() {
		return r.Time.Sub(time.UnixMilli(int64(math.Round(last.Value * 1000))))
	}
	if t.LastAnswer.IsZero() {
		return NoAge
	}
	return r.Time.Sub(t.LastAnswer)
}

func noteOf(ls labels.Labels) Note {
	return Note{Name: Plain(ls.Get("note")), Detail: Plain(ls.Get("detail"))}
}

// HealthWanted lists the instances of the findings that an answer of /health would make surer.
func (r *Report) HealthWanted() []string {
	var instances []string
	for _, f := range r.Findings {
		if f.Active() && slices.Contains(f.Rule.signals(), "health") && !slices.Contains(instances, f.Subject.Instance) {
			instances = append(instances, f.Subject.Instance)
		}
	}
	return instances
}

// Target returns the state of the target that a subject belongs to.
func (r *Report) Target(s Subject) (TargetState, bool) {
	i := slices.IndexFunc(r.Targets, func(t TargetState) bool { return t.SameTarget(s) })
	if i < 0 {
		return TargetState{Age: NoAge, ScrapeSeconds: math.NaN(), Samples: math.NaN(), BadLines: math.NaN()}, false
	}
	return r.Targets[i], true
}
