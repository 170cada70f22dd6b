package diagnose

import (
	"cmp"
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
	// Slow are made every SlowInterval, and read by Signals: what was for long is dear to ask and changes slowly.
	Slow []Recording
	// Outcomes are, for each rule, whether it holds (1) or not (0); where that cannot be told there is no value.
	Outcomes []Recording
	// Alerts are the forms of each rule's finding, in the order of the book.
	Alerts []Alert
	// Unrecorded lists what is missing. Rules that need it hold by their other conditions or not at all.
	Unrecorded []Unrecorded
}

// ReadSuffix ends the names of slow signals as they were read last, whether their targets still answer or not.
const ReadSuffix = "_read"

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
	for _, id := range Charted {
		if s := b.Signal(id); s != nil {
			r.signal(id, s.Level)
		}
	}
	return r.Recorded, r.err
}

// Charted are signals that are recorded for dashboards whether a rule reads them or not: what they are made of differs from server to server,
// which one expression cannot say.
var Charted = []string{"hbm_share", "mfu_share", "step_over_floor"}

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
	switch {
	case s.Setting != "" && !strings.HasPrefix(s.Setting, sheetPrefix) && !strings.HasPrefix(s.Setting, baselineSetting):
		return r.setting(s.Setting, level)
	case s.Level == level:
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
	case strings.HasPrefix(s.Setting, sheetPrefix):
		return r.sheetValue(s.Setting), ""
	case strings.HasPrefix(s.Setting, baselineSetting):
		return r.usual(s)
	case r.settings.unbound(cmp.Or(s.Take.bound, s.Bound)):
		return r.gated(s, "0 * "+r.present(s.Level)), ""
	case s.Who.Of != "":
		r.signal(s.Who.Of, Replica) // which the alert's text asks for
		return "", "is a name and no number: the texts of alerts ask who it is"
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
