package ui

import (
	"math"
	"time"

	"github.com/vllmscope/vllmscope/diagnose"
)

// chartsPane shows four charts side by side: of the selected replica, or of what the selection is made of.
type chartsPane struct {
	drawn pictureKey
	lines []string
}

// pictureKey is all that the charts depend on: they are drawn again only when it changes.
type pictureKey struct {
	report        *diagnose.Report
	scene         diagnose.Subject
	look          *look
	span          int64
	width, height int
}

func (p *chartsPane) place() place   { return inCharts }
func (p *chartsPane) settle(*scene)  {}
func (p *chartsPane) move(move, int) {}
func (p *chartsPane) click(_, _ int) {}

func (p *chartsPane) draw(s *scene, _ bool, width, height int) []string {
	if height <= 0 {
		return nil
	}
	key := pictureKey{s.report, s.subject, s.look, int64(s.span), width, height}
	if key != p.drawn || p.lines == nil {
		p.drawn, p.lines = key, s.charts(width, height)
	}
	return p.lines
}

// Charts want so much width each; a narrow screen has fewer of them.
const chartWidth, mostCharts = 27, 4

// charts draws as many as fit.
func (s *scene) charts(width, height int) []string {
	title := "charts"
	if s.report == nil {
		return box([]string{s.rule(width, faint, title, "")}, height)
	}
	replicas := replicasOf(s.report, s.subject)
	switch {
	case len(s.report.Replicas) == 0:
		title += ": no engine known yet"
	case len(replicas) == 0:
		title += ": no engine known of " + s.report.Name(s.subject)
	case len(replicas) == 1:
		title += ": " + s.report.Where(replicas[0])
	case len(replicas) == len(s.report.Replicas):
		title += ": all replicas, queue added up, the worst of the rest"
	default:
		title += ": " + diagnose.Plural(len(replicas), "replica") + " of " + s.subject.Name() + ", queue added up, the worst of the rest"
	}
	n := min(max(1, width/chartWidth), mostCharts)
	each := (width - (n-1)*gap) / n
	charts := s.pictures(replicas)
	columns := make([][]string, n)
	for i := range columns {
		columns[i] = s.chart(&charts[i], each, height-1)
	}
	lines := []string{s.rule(width, faint, title, s.lasting(replicas, "running"))}
	for row := range height - 1 {
		l := s.line(width)
		for i := range columns {
			l.at(i * (each + gap)).raw(columns[i][row])
		}
		lines = append(lines, l.String())
	}
	return lines
}

// pictures are the four charts.
func (s *scene) pictures(replicas []diagnose.Subject) [mostCharts]chart {
	slo := objectiveOf(s.report, replicas)
	queue := s.picture(diagnose.Count, math.NaN())
	queue.least = 10
	queue.add(s, plain, "waiting", "waiting", replicas, sum)
	queue.add(s, faint, "running", "running", replicas, sum)
	kv := s.picture(diagnose.Share, s.report.Book().KVFull())
	kv.top = 1
	kv.add(s, plain, "KV cache", "kv_usage", replicas, math.Max)
	ttft := s.picture(diagnose.Seconds, limitOf(slo.TTFT))
	ttft.add(s, faint, "TTFT p50", "ttft_p50", replicas, math.Max)
	ttft.add(s, plain, "p95", "ttft_p95", replicas, math.Max)
	tpot := s.picture(diagnose.Seconds, limitOf(slo.TPOT))
	tpot.add(s, faint, "TPOT p50", "tpot_p50", replicas, math.Max)
	tpot.add(s, plain, "p95", "tpot_p95", replicas, math.Max)
	all := [...]chart{queue, kv, ttft, tpot}
	if len(replicas) == 1 {
		if told := s.report.Fact("told_sequence_cap", replicas[0]); told.Known() {
			all[0].limit = told.Value
		}
		if uptime := s.report.Fact("uptime", replicas[0]); uptime.Known() && uptime.Value < s.span.Seconds() {
			for i := range all {
				all[i].restart = s.report.Time.Add(-time.Duration(uptime.Value * float64(time.Second)))
			}
		}
	}
	return all
}

// objectiveOf is the objective of some replicas: none where their models have different ones.
func objectiveOf(r *diagnose.Report, replicas []diagnose.Subject) diagnose.SLO {
	slo := r.Settings.SLO
	for i, one := range replicas {
		own := r.Settings.Objective(one.Model)
		if i > 0 && own != slo {
			return diagnose.SLO{}
		}
		slo = own
	}
	return slo
}

// limitOf is where an objective is drawn, NaN where there is none.
func limitOf(objective time.Duration) float64 {
	if objective == 0 {
		return math.NaN()
	}
	return objective.Seconds()
}

func (s *scene) picture(unit diagnose.Unit, limit float64) chart {
	return chart{unit: unit, limit: limit, end: s.report.Time, span: s.span}
}

// add puts a signal of one or several replicas into a chart, and its newest value into the title.
func (c *chart) add(s *scene, st style, title, signal string, replicas []diagnose.Subject, join func(a, b float64) float64) {
	var all history
	for i, replica := range replicas {
		one := historyOf(s.report, signal, replica)
		if i == 0 {
			all = one
			continue
		}
		all = all.join(one, join)
	}
	now := math.NaN()
	if n := len(all.values); n > 0 {
		now = all.values[n-1]
	}
	text := c.unit.Format(now)
	if len(replicas) == 1 {
		text = s.report.Figure(signal, replicas[0]).Text()
	}
	if s.frozen(signal, replicas) {
		st = faint
	}
	c.series = append(c.series, trace{st, title, squeeze(text, 0), all})
}

func sum(a, b float64) float64 { return a + b }

// join makes one history of two, tick by tick; where one has no value the other counts.
func (h history) join(o history, join func(a, b float64) float64) history {
	values := make([]float64, max(len(h.values), len(o.values)))
	for i := range values {
		a, b := math.NaN(), math.NaN()
		if i < len(h.values) {
			a = h.values[i]
		}
		if i < len(o.values) {
			b = o.values[i]
		}
		switch {
		case math.IsNaN(a):
			values[i] = b
		case math.IsNaN(b):
			values[i] = a
		default:
			values[i] = join(a, b)
		}
	}
	return history{h.first, h.step, values}
}
