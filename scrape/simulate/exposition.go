package simulate

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// exposition writes a page of text as prometheus_client does: labels sorted by name, whole numbers with ".0", histograms
// with their count and sum after the buckets.
type exposition struct {
	text     []byte
	multi    bool // several processes share the registry: no _created series, no HELP of one's own, sums first
	children int
}

// labels are pairs of name and value.
type labels []string

// birth is when a child of a family was made, in seconds since the epoch.
type birth struct {
	labels labels
	time   float64
}

// family starts a family.
func (e *exposition) family(name, help, kind string) {
	if e.multi {
		help = "Multiprocess metric"
	}
	e.text = append(e.text, "# HELP "+name+" "+help+"\n# TYPE "+name+" "+kind+"\n"...)
}

// sample writes one line.
func (e *exposition) sample(name string, l labels, value float64) {
	e.text = append(e.text, name...)
	e.text = append(e.text, l.String()...)
	e.value(value)
}

func (e *exposition) value(value float64) {
	e.text = append(e.text, ' ')
	e.text = appendNumber(e.text, value)
	e.text = append(e.text, '\n')
}

// histogram writes the lines of one histogram.
func (e *exposition) histogram(name string, l labels, h *histogram) {
	if e.multi {
		e.sample(name+"_sum", l, h.sum)
	}
	// The labels of a bucket differ in one value: sort them once.
	before, after, _ := strings.Cut(append(slices.Clone(l), "le", "\x00").String(), "\x00")
	total := uint64(0)
	for i, n := range h.counts {
		total += n
		edge := math.Inf(1)
		if i < len(h.edges) {
			edge = h.edges[i]
		}
		e.text = append(e.text, name+"_bucket"+before...)
		e.text = appendNumber(e.text, edge)
		e.text = append(e.text, after...)
		e.value(float64(total))
	}
	e.sample(name+"_count", l, float64(total))
	if !e.multi {
		e.sample(name+"_sum", l, h.sum)
	}
}

// created writes the family of birth times that prometheus_client adds to a counter, a histogram or a summary. The
// children of a server are made one after the other, some 20 microseconds apart.
func (e *exposition) created(name, help, kind string, children []birth) {
	if e.multi || len(children) == 0 {
		return
	}
	if kind == "counter" {
		name = strings.TrimSuffix(name, "_total")
	}
	name += "_created"
	e.family(name, help, "gauge")
	for _, child := range children {
		e.children++
		e.sample(name, child.labels, child.time+2e-5*float64(e.children))
	}
}

// String is the braced form, sorted by name.
func (l labels) String() string {
	if len(l) == 0 {
		return ""
	}
	pairs := make([]string, 0, len(l)/2)
	for i := 0; i < len(l); i += 2 {
		pairs = append(pairs, l[i]+`="`+escape.Replace(l[i+1])+`"`)
	}
	slices.Sort(pairs)
	return "{" + strings.Join(pairs, ",") + "}"
}

var escape = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)

// appendNumber writes a value as Python does: shortest digits, an exponent from 1e6 on, ".0" behind a whole number.
func appendNumber(text []byte, value float64) []byte {
	if math.IsInf(value, 1) {
		return append(text, "+Inf"...)
	}
	start := len(text)
	text = strconv.AppendFloat(text, value, 'g', -1, 64)
	if !slices.ContainsFunc(text[start:], func(b byte) bool { return b == '.' || b == 'e' }) {
		text = append(text, ".0"...)
	}
	return text
}
