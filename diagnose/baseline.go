package diagnose

import (
	"context"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/prometheus/common/model"
)

// A usual is how a signal reads its own past, for rules that ask what has changed. There are four pasts: a recording that the user gave,
// the last day of this session, the life of the process, which its counters tell from the first scrape on, and the last hour of this
// session. The last quarter of an hour is left out of all, for an incident may be in it. A past counts when it rests on enough requests;
// without any a rule cannot be judged, and says so.
type usual struct {
	id, title string
	unit      Unit
	level     Level
	past      string // PromQL of the signal, with $past as the range of its rates
	rests     string // the counter of what it rests on
	// atLoad asks for moments at which as many requests ran as now: latency follows the load, and the length of an answer does not. The
	// life of a process has no moments, and is taken as a whole.
	atLoad bool
}

const (
	enoughRequests = 100              // that a past rests on (judgement)
	enoughMinutes  = 10               // at the load of now (judgement)
	longSession    = 3 * time.Hour    // from which on the last day is more than a moment (judgement)
	sinceIncident  = " offset 15m"    // what is left out of a session
	settledWindow  = 15 * time.Minute // … and of the life of a process
)

// littleHistory is what a rule lacks that finds no past.
const littleHistory = "too little history to compare with: wait until a hundred requests are older than a quarter of an hour, or give --baseline DIR, a recording of usual times"

// baselineSetting begins the names of settings that stand in a baseline recording.
const baselineSetting = "recorded "

// rows are the signals of the four pasts, and the first of them that is there.
func (u usual) rows() []Signal {
	recorded := u.row("recorded", "baseline recording", "What it came to in the recording that was given with --baseline.")
	recorded.Setting = baselineSetting + u.id
	day := u.row("day", "this session, last day", "What it came to in the last day as far as it was watched, three hours at least, without the last 15 minutes.")
	day.Expr, day.Window = u.watched(24*time.Hour)+" and on("+u.labels()+") "+u.sum(u.rests+" offset "+promDuration(longSession)), 24*time.Hour
	hour := u.row("hour", "this session, last hour", "What it came to in the last hour as far as it was watched, without the last 15 minutes.")
	hour.Expr, hour.Window = u.watched(time.Hour), time.Hour
	day.Every, hour.Every = SlowInterval, SlowInterval
	before := u.row("before", "before", "What it usually is: by a recording, the last day, the life of the process, or the last hour.")
	order := "U_recorded or U_day or U_life or U_hour"
	if u.atLoad {
		order = "U_recorded or U_day or U_hour or U_life"
	}
	before.Formula, before.Enable = strings.ReplaceAll(order, "U", u.id), littleHistory
	return append(u.life(), recorded, day, hour, before)
}

func (u usual) row(past, words, help string) Signal {
	return Signal{ID: u.id + "_" + past, Title: u.title + ", " + words, Unit: u.unit, Level: u.level, Help: help}
}

// pasts lists the signals that tell which past a usual value is of, for the evidence.
func pasts(ids ...string) []string {
	var all []string
	for _, id := range ids {
		for _, past := range []string{"_recorded", "_day", "_life", "_hour"} {
			all = append(all, id+past)
		}
	}
	return all
}

// rateOfPast finds the rates of a past.
var rateOfPast = regexp.MustCompile(`rate\(([^()]+)\[\$past\]\)`)

// life is the past that counters tell by themselves: what they came to, less what came in the last quarter of an hour, or since the first
// scrape. A change that lasts must not become its own past.
func (u usual) life() []Signal {
	const counted = `($1 - increase($1[$$window]))`
	life := u.row("life", "average since the start of the process", "What its counters came to in the life of the process before the last 15 minutes.")
	text := "(" + rateOfPast.ReplaceAllString(u.past, counted) + ") and on(" + u.labels() + ") " +
		u.sum(rateOfPast.ReplaceAllString("rate("+u.rests+"[$past])", counted)) + " >= " + strconv.Itoa(enoughRequests)
	if !u.unit.isRate() {
		life.Expr, life.Window, life.Every = text, settledWindow, SlowInterval
		return []Signal{life}
	}
	all := u.row("counted", "counted in the life of the process", "What its counters came to in the life of the process before the last 15 minutes.")
	all.Unit, all.Expr, all.Window, all.Every = Count, text, settledWindow, SlowInterval
	life.Formula = all.ID + " / lived_before"
	return []Signal{all, life}
}

// labels stand for the labels of its level.
func (u usual) labels() string { return "$" + u.level.String() }

func (u usual) sum(text string) string { return "sum by (" + u.labels() + ") (" + text + ")" }

// watched is the past in the data of this session.
func (u usual) watched(back time.Duration) string {
	if u.atLoad {
		minutes := "[" + promDuration(back) + ":" + promDuration(max(time.Minute, back/72)) + "]" + sinceIncident
		return "max by ($replica) (" + u.byLoad(minutes) + " and on($replica, load) " + loadLabel + ")"
	}
	return "(" + u.over("["+promDuration(back)+"]"+sinceIncident) + ") and on(" + u.labels() + ") " +
		u.sum("increase("+u.rests+"["+promDuration(back)+"]"+sinceIncident+")") + " >= " + strconv.Itoa(enoughRequests)
}

// over is the past over a range.
func (u usual) over(window string) string { return strings.ReplaceAll(u.past, "[$past]", window) }

// loadStep is the logarithm of 1.5: loads within one such step are at most a quarter away from its middle (our judgement).
const loadStep = 0.405465

// loadLabel writes the load of a replica, in whole steps from 1 on, into a label. PromQL has no other way to ask at each moment for other
// moments like it.
var loadLabel = fmt.Sprintf(`count_values by ($replica) ("load", round(ln(clamp_min(max by ($replica) (avg_over_time(vllm:num_requests_running[1m])), 1)) / %v))`, loadStep)

// byLoad is the median over the minutes at each load, where there are enough of them.
func (u usual) byLoad(minutes string) string {
	return "quantile_over_time(0.5, (" + loadLabel + " * on($replica) group_left() (" + u.over("[1m]") + "))" + minutes + ")" +
		" and count_over_time((" + loadLabel + ")" + minutes + ") >= " + strconv.Itoa(enoughMinutes)
}

// promDuration is a duration in PromQL.
func promDuration(d time.Duration) string { return model.Duration(d).String() }

// usualRows are the signals of all pasts.
func usualRows(all []usual) []Signal {
	var rows []Signal
	for _, u := range all {
		rows = append(rows, u.rows()...)
	}
	return rows
}

// Baseline is what signals came to in a recording of usual times. A nil one knows nothing.
type Baseline struct{ values map[baselineKey][]float64 }

// baselineKey is a signal of one subject, or of all replicas of a model where it names none, at one load where that matters.
type baselineKey struct{ signal, instance, engine, model, load string }

// ReadBaseline reads a recording as a whole.
func ReadBaseline(ctx context.Context, src Source, book *Book, set Settings) (*Baseline, error) {
	first, last, err := src.Span(ctx)
	if err != nil {
		return nil, err
	}
	names, err := book.resolve(ctx, src, last)
	if err != nil {
		return nil, err
	}
	b := &Baseline{values: map[baselineKey][]float64{}}
	for _, u := range allUsual {
		all, err := names.resolve(u.inBaseline(max(time.Minute, last.Sub(first).Round(time.Second))), set, 0, false)
		if err != nil || all.futile {
			continue // what the recording lacks
		}
		series, err := src.Range(ctx, all.expr, last, last, set.Step)
		if err != nil {
			return nil, fmt.Errorf("baseline of %s: %w", u.id, err)
		}
		for _, one := range series {
			b.add(baselineSetting+u.id, subjectOf(u.level, one.Labels), one.Labels.Get("load"), one.Points[0].Value)
		}
	}
	return b, nil
}

// inBaseline is the past in a recording of some length, whose end is now.
func (u usual) inBaseline(length time.Duration) string {
	if u.atLoad {
		return u.byLoad("[" + promDuration(length) + ":1m]")
	}
	return u.over("[" + promDuration(length) + "]")
}

// add takes in a value, for its own replica and for others of the model.
func (b *Baseline) add(signal string, s Subject, load string, value float64) {
	if math.IsNaN(value) {
		return
	}
	b.values[baselineKey{signal, s.Instance, s.Engine, s.Model, load}] = []float64{value}
	if s.Instance != "" {
		others := baselineKey{signal: signal, model: s.Model, load: load}
		b.values[others] = append(b.values[others], value)
	}
}

// Empty tells whether the recording told nothing.
func (b *Baseline) Empty() bool { return b == nil || len(b.values) == 0 }

// value is what a signal came to with so many requests running: of the replica of that name, else of the middle one of its model.
func (b *Baseline) value(signal string, s Subject, running float64) float64 {
	if b.Empty() {
		return math.NaN()
	}
	for _, load := range []string{"", strconv.Itoa(int(math.Round(math.Log(max(running, 1)) / loadStep)))} {
		for _, key := range []baselineKey{{signal, s.Instance, s.Engine, s.Model, load}, {signal: signal, model: s.Model, load: load}} {
			if values := slices.Sorted(slices.Values(b.values[key])); len(values) > 0 {
				return values[len(values)/2]
			}
		}
	}
	return math.NaN()
}
