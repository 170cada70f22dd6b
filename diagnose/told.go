package diagnose

import (
	"cmp"
	"slices"
	"strings"
)

// From so many on, equal findings about different subjects are told as one: a network that is down is one piece of news, not sixty.
// What is only information is never told twice.
const alike = 4

// Told is a finding as it is told: about one subject, or about several of which the same is true.
type Told struct {
	*Finding
	Others []Subject
}

// news is what findings have in common that are told as one. A host is named where what is told is about one of its GPUs.
type news struct {
	code, form, words string
	severity          Severity
	state             State
	host              string
}

func newsOf(f *Finding) news {
	n := news{code: f.Rule.Code, form: f.Case, severity: f.Severity, state: f.State}
	if f.Subject.Level == Target {
		n.words = f.Sentence // what a scrape met; of others the figures differ
	}
	return n
}

// Tell puts findings that read the same into the first of them: many, those that are only information, and those about the GPUs of one
// host, which have one power supply, one stream of air and one driver.
func Tell(findings []*Finding) []Told { return TellFrom(findings, alike) }

// TellFrom does the same where so many that read the same are many.
func TellFrom(findings []*Finding, alike int) []Told {
	count, first := map[news]int{}, map[news]int{}
	for _, f := range findings {
		count[newsOf(f)]++
	}
	var told []Told
	for _, f := range findings {
		n := newsOf(f)
		many := count[n] >= alike || f.Severity == Information
		if !many {
			n.host = f.Subject.board()
		}
		if i, again := first[n]; again {
			told[i].Others = append(told[i].Others, f.Subject)
			continue
		}
		if many || n.host != "" {
			first[n] = len(told)
		}
		told = append(told, Told{Finding: f})
	}
	return told
}

// board is the host of a GPU, and empty for what is none.
func (s Subject) board() string {
	if s.Level != GPU {
		return ""
	}
	return cmp.Or(s.Host, s.Instance)
}

// Place is what a finding is about as it is told, its shortest name, and the subjects that neither names: the GPUs of one host are named
// together.
func (r *Report) Place(t Told) (where, name string, more []Subject) {
	subject := t.Subject
	if len(t.Others) == 0 || slices.ContainsFunc(t.Others, func(o Subject) bool { return o.board() == "" || o.board() != subject.board() }) {
		return r.Where(subject), r.Name(subject), t.Others
	}
	var gpus, servers []string
	for _, gpu := range append([]Subject{subject}, t.Others...) {
		gpus = append(gpus, strings.TrimPrefix(gpu.Name(), gpu.board()+" GPU "))
		if server, ok := r.ServerOf(gpu); ok && !slices.Contains(servers, server.Name()) {
			servers = append(servers, server.Name())
		}
	}
	name = subject.board() + " GPU " + strings.Join(gpus, ", ")
	if len(servers) == 0 {
		return name, name, nil
	}
	return name + " (serves " + strings.Join(servers, ", ") + ")", name, nil
}
