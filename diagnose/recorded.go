package diagnose

import (
	"fmt"
	"slices"
	"strings"

	"github.com/prometheus/prometheus/promql/parser"
)

// A Recording is a series that a Prometheus server can make by a recording rule.
type Recording struct {
	Record string
	Expr   string
	Code   string // the rule that it is about, as its label code; empty for a signal
}

// Unrecorded is a signal that no recording rule can make, and why.
type Unrecorded struct{ Signal, Why string }

// Recorded is the book as recording rules: what a Prometheus server needs to come to the outcomes that Judge comes to. Each series
// stands after those that it is made of.
type Recorded struct {
	// Signals are named vllmscope:LEVEL:SIGNAL. A signal that is read for a subject of another level is recorded for that level too.
	Signals []Recording
	// Outcomes are, for each rule, whether it holds (1) or not (0); where that cannot be told there is no value.
	Outcomes []Recording
	// Alerts are the forms of each rule's finding, in the order of the book.
	Alerts []Alert
	// Unrecorded lists what is missing. Rules that need it hold by their other conditions or not at all.
	Unrecorded []Unrecorded
}

// recorder writes a book as recording rules.
type recorder struct {
	*Recorded
	book     *Book
	settings Settings
	jobs     string
	spelling rewriter
	known    map[string]bool // by name of the series: whether it could be said
	err      error
}

// Recorded writes the rules of the book, and all that judging and telling them takes, as recording rules under these settings. A Prometheus
// server has other targets too: jobs is a pattern of those that are meant, and where it is empty they are known by what they showed
// within the hour.
func (b *Book) Recorded(set Settings, jobs string) (*Recorded, error) {
	r := &recorder{Recorded: &Recorded{}, book: b, settings: set, jobs: jobs, spelling: everySpelling(), known: map[string]bool{}}
	for i := range b.Rules {
		r.rule(&b.Rules[i])
		r.alerts(&b.Rules[i])
	}
	return r.Recorded, r.err
}

// SeriesOf is the name under which a signal is recorded for subjects of a level.
func SeriesOf(level Level, id string) string { return "vllmscope:" + level.String() + ":" + id }

// add records a series, printed over several lines where it is long.
func (r *recorder) add(to *[]Recording, one Recording) {
	tree, err := promqlParser.ParseExpr(one.Expr)
	if err != nil {
		if r.err == nil {
			r.err = fmt.Errorf("recording %s: expression %q: %w", one.Record, one.Expr, err)
		}
		return
	}
	one.Expr = parser.Prettify(tree)
	*to = append(*to, one)
}

// helper records a series that other recordings are made of, once.
func (r *recorder) helper(name string, expr func() string) string {
	if !r.known[name] {
		r.known[name] = true
		r.add(&r.Signals, Recording{Record: name, Expr: expr()})
	}
	return name
}

// signal records a signal for subjects of a level and returns its series; ok is false where PromQL cannot say it.
func (r *recorder) signal(id string, level Level) (series string, ok bool) {
	series = SeriesOf(level, id)
	if ok, done := r.known[series]; done {
		return series, ok
	}
	s := r.book.Signal(id)
	expr, why := r.read(s, level)
	if _, err := promqlParser.ParseExpr(expr); why == "" && err != nil {
		why = "cannot be said in one expression"
	}
	r.known[series] = why == ""
	if why != "" {
		if !slices.ContainsFunc(r.Unrecorded, func(u Unrecorded) bool { return u.Signal == id }) {
			r.Unrecorded = append(r.Unrecorded, Unrecorded{id, why})
		}
		return series, false
	}
	r.add(&r.Signals, Recording{Record: series, Expr: expr})
	return series, true
}

// read says how subjects of a level read a signal: their own, or that of what they belong to.
func (r *recorder) read(s *Signal, level Level) (expr, why string) {
	if s.Setting != "" {
		return r.setting(s.Setting, level)
	}
	if s.Level == level {
		return r.own(s)
	}
	between := s.Level
	if s.Level == GPU && level == Replica {
		between = Server
	}
	series, ok := r.signal(s.ID, between)
	if !ok {
		return "", "is not there"
	}
	return r.join(series, between, level)
}

// own says a signal for the subjects that it is about.
func (r *recorder) own(s *Signal) (expr, why string) {
	switch {
	case s.Info != "" || r.isOurs(s):
		return "", "is told by vllmscope's own scrapes only"
	case s.Formula != "":
		expr, why = r.formula(s)
	case s.Of != "":
		expr, why = r.distribution(s)
	default:
		expr, why = r.expression(s)
	}
	if why == "" && s.Table != nil {
		expr = translated(s.Table, expr)
	}
	return expr, why
}

// isOurs tells whether a signal is read from nothing but series that no page has.
func (r *recorder) isOurs(s *Signal) bool {
	families := r.book.families(s)
	return len(families) > 0 && !slices.ContainsFunc(families, func(name string) bool { return !strings.HasPrefix(name, "vllmscope_") })
}
