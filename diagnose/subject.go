package diagnose

import (
	"cmp"
	"strings"

	"github.com/prometheus/prometheus/model/labels"
)

// Level says what kind of thing a signal or a rule is about.
type Level uint8

// The levels, from one scraped URL to all replicas of one model.
const (
	Target  Level = iota // one scraped URL, whatever it serves
	Server               // one vLLM API process: a target that serves vLLM
	Replica              // one engine: (instance, engine, model_name)
	GPU                  // one device or MIG slice: (exporter, UUID, GPU_I_ID)
	Model                // all replicas of one model_name
	Fleet                // all that is watched: an alert of the user's that names nothing
	levels
)

var levelNames = [...]string{"target", "server", "replica", "gpu", "model", "fleet"}

// String is the level's name as JSON has it.
func (l Level) String() string { return levelNames[l] }

// targetLabels tell one target from another everywhere, a remote Prometheus with several clusters included. A label that a
// series lacks compares as empty, so the long list does no harm where only instance is known.
const targetLabels = "cluster, namespace, job, instance"

// grouping replaces the placeholders of catalogue expressions by the labels of their level. A GPU is told apart without the
// namespace label: scraped directly, that one names the workload on the device and comes and goes with it.
var grouping = strings.NewReplacer(
	"$target", targetLabels,
	"$server", targetLabels,
	"$replica", targetLabels+", engine, model_name",
	"$gpu", "cluster, job, instance, Hostname, gpu, UUID, GPU_I_ID, modelName",
	"$model", "model_name",
)

// Subject is the thing a fact or a finding is about. Fields that its level does not use are empty.
type Subject struct {
	Level     Level
	Cluster   string
	Namespace string
	Job       string
	Instance  string
	Engine    string // "0" when the server does not say
	Model     string // model_name
	Host      string // of a GPU, as its exporter names it
	Index     string // of a GPU on its host, "0", "1", …
	UUID      string // of a GPU
	Slice     string // GPU_I_ID of a MIG slice
	Product   string // model name of a GPU
}

// subjectOf reads a subject of the given level from the labels of a series.
func subjectOf(level Level, ls labels.Labels) Subject {
	get := func(name string) string { return Plain(ls.Get(name)) }
	if level == Model {
		return Subject{Level: Model, Model: get("model_name")}
	}
	s := Subject{Level: level, Cluster: get("cluster"), Job: get("job"), Instance: get("instance")}
	if level != GPU {
		s.Namespace = get("namespace")
	}
	switch level {
	case Replica:
		s.Engine, s.Model = cmp.Or(get("engine"), "0"), get("model_name")
	case GPU:
		s.Host, s.Index, s.UUID = get("Hostname"), get("gpu"), get("UUID")
		s.Slice, s.Product = get("GPU_I_ID"), get("modelName")
	}
	return s
}

// At reduces a subject to a level above it that follows from its own labels: a replica has one server, one target, one model.
func (s Subject) At(level Level) Subject {
	switch level {
	case s.Level:
		return s
	case Model:
		return Subject{Level: Model, Model: s.Model}
	default:
		return Subject{Level: level, Cluster: s.Cluster, Namespace: s.Namespace, Job: s.Job, Instance: s.Instance}
	}
}

// Name is the subject in the fewest words that tell it apart from its peers.
func (s Subject) Name() string {
	switch s.Level {
	case Fleet:
		return "the fleet"
	case Model:
		return cmp.Or(s.Model, "the model without a name")
	case GPU:
		name := cmp.Or(s.Host, s.Instance) + " GPU " + cmp.Or(s.Index, s.UUID, "?")
		if s.Slice != "" {
			name += " slice " + s.Slice
		}
		return name
	case Replica:
		if s.Engine != "0" {
			return s.Instance + " engine " + s.Engine
		}
	}
	return s.Instance
}

// Compare orders subjects by level, instance, then the number of the engine or the GPU.
func (s Subject) Compare(o Subject) int {
	return cmp.Or(
		cmp.Compare(s.Level, o.Level),
		strings.Compare(s.Cluster, o.Cluster),
		strings.Compare(s.Namespace, o.Namespace),
		strings.Compare(s.Host, o.Host),
		compareNumbers(s.Instance, o.Instance),
		strings.Compare(s.Model, o.Model),
		compareNumbers(s.Engine, o.Engine),
		compareNumbers(s.Index, o.Index),
		strings.Compare(s.UUID, o.UUID),
		compareNumbers(s.Slice, o.Slice),
		strings.Compare(s.Job, o.Job),
	)
}

// compareNumbers orders texts that are numbers by their value: a shorter one is smaller ("2" before "10").
func compareNumbers(a, b string) int {
	if isNumber(a) && isNumber(b) {
		return cmp.Or(cmp.Compare(len(a), len(b)), strings.Compare(a, b))
	}
	return strings.Compare(a, b)
}

func isNumber(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}

// LabelsOf are the names of the labels that tell subjects of a level apart in series.
func LabelsOf(level Level) []string { return strings.Split(labelsOf(level), ", ") }
