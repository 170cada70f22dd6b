package ui

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/vllmscope/vllmscope/diagnose"
)

// tablePane is how everybody is: a row a replica.
type tablePane struct {
	cursor cursor[rowKey]
	rows   []tableRow
	order  order
	were   []rowKey // in which order the rows stood
	folded bool
	top    int
}

func (p *tablePane) place() place { return inTable }

func (p *tablePane) settle(s *scene) {
	p.rows = s.rows(p.folded)
	if !p.folded {
		p.rows = s.sorted(p.rows, p.order, s.columns(), p.were)
	}
	p.were = p.keys()
	p.cursor.settle(p.were)
}

func (p *tablePane) keys() []rowKey {
	keys := make([]rowKey, len(p.rows))
	for i := range p.rows {
		keys[i] = p.rows[i].key
	}
	return keys
}

func (p *tablePane) move(to move, page int) { p.cursor.move(p.keys(), to, page) }

// point selects a row of what the scene is about, so that the charts below are those of the selected row.
func (p *tablePane) point(s *scene) {
	if s.report == nil || s.subject == (diagnose.Subject{}) {
		return
	}
	replicas := replicasOf(s.report, s.subject)
	about := func(w tableRow) bool {
		return w.key.subject == s.subject || slices.ContainsFunc(w.members, func(m diagnose.Subject) bool { return slices.Contains(replicas, m) })
	}
	if i := slices.IndexFunc(p.rows, func(w tableRow) bool { return w.key == p.cursor.key }); i >= 0 && about(p.rows[i]) {
		return
	}
	if i := slices.IndexFunc(p.rows, about); i >= 0 {
		p.cursor.row, p.cursor.key = i, p.rows[i].key
	}
}

// click selects the row that was clicked; the first one has the titles.
func (p *tablePane) click(row, _ int) {
	if i := p.top + row - 1; row > 0 && i < len(p.rows) {
		p.cursor.choose(p.rows[i].key)
	}
}

// sort goes to another column, or turns the order round.
func (p *tablePane) sort(next bool) {
	if next {
		p.order = order{column: (p.order.column + 1) % columnCount}
	} else {
		p.order.reverse = !p.order.reverse
	}
	p.were = nil
}

// fold sums models up, or shows each replica again.
func (p *tablePane) fold() { p.folded, p.were = !p.folded, nil }

func (p *tablePane) draw(s *scene, focused bool, width, height int) []string {
	if s.report == nil {
		return box([]string{s.rule(width, focus(focused), "replicas", "")}, height)
	}
	name, model := s.longest()
	columns := grant(s.columns(), wishes(name, model, len(modelsOf(s.report.Replicas))), width)
	p.top = scrolled(p.top, p.cursor.row, p.cursor.row+1, len(p.rows), height-2)
	lines := []string{s.rule(width, focus(focused), "replicas", p.remark(s, height-2)), p.titles(s, &columns, width)}
	var tops [columnCount]float64
	for i := range columns {
		if columns[i].spark > 0 {
			tops[i] = s.top(&columns[i])
		}
	}
	for i := p.top; i < min(len(p.rows), p.top+height-2); i++ {
		w := &p.rows[i]
		l := s.pointer(width, focused, w.key == p.cursor.key)
		mark, sign := s.health(w)
		l.put(mark, sign).at(indent)
		s.drawRow(l, w, &columns, &tops)
		lines = append(lines, l.String())
	}
	return box(lines, height)
}

// longest tells how wide the widest name and model of the fleet are, whatever is filtered.
func (s *scene) longest() (name, model int) {
	for _, replica := range s.report.Replicas {
		name = max(name, ansi.StringWidth(s.text(s.report.Name(replica))))
		model = max(model, ansi.StringWidth(s.text(replica.Model)))
	}
	return name, model
}

// remark says what is not on the screen.
func (p *tablePane) remark(s *scene, height int) string {
	text := s.lasting(p.replicas(), "running", "gpu_busy")
	if all := len(s.report.Replicas); s.filter.on() && !p.folded {
		shown := 0
		for i := range p.rows {
			shown += len(p.rows[i].members)
		}
		text = strconv.Itoa(shown) + " of " + strconv.Itoa(all) + " · " + text
	}
	if len(p.rows) > height && height > 0 {
		text = fmt.Sprintf("rows %d–%d of %d · ", p.top+1, min(len(p.rows), p.top+height), len(p.rows)) + text
	}
	return text
}

// replicas lists those of the rows, each once.
func (p *tablePane) replicas() []diagnose.Subject {
	var all []diagnose.Subject
	for i := range p.rows {
		for _, m := range p.rows[i].members {
			if !slices.Contains(all, m) {
				all = append(all, m)
			}
		}
	}
	return all
}

// titles draws the names of the columns, each where its figures end, with an arrow on the one that rows are sorted by.
func (p *tablePane) titles(s *scene, columns *[columnCount]column, width int) string {
	l := s.line(width).at(indent - 1)
	for i := range columns {
		c := &columns[i]
		if !c.shown() {
			continue
		}
		title, look := c.title, faint
		if c.width() < len(title) && c.short != "" {
			title = c.short
		}
		if i == p.order.column && !p.folded {
			title, look = title+p.arrow(s), strong
		}
		l.at(l.width + 1)
		if c.name > 0 {
			l.left(look, c.name, title)
			continue
		}
		room := c.width()
		if c.arrow && room-gap >= ansi.StringWidth(title) {
			room -= gap
		}
		l.right(look, room, title).at(l.width + c.width() - room)
	}
	return l.String()
}

// arrow points to where values get smaller; names begin at the top.
func (p *tablePane) arrow(s *scene) string {
	if p.order.reverse {
		return s.sign.ascends
	}
	return s.sign.descends
}

// drawRow draws what is behind a row's mark.
func (s *scene) drawRow(l *line, w *tableRow, columns *[columnCount]column, tops *[columnCount]float64) {
	name, model := s.name(w)
	room := columns[nameColumn].name
	if w.remark != "" { // no figures follow, so that the name has more room
		room = max(room, min(ansi.StringWidth(s.text(name)), mostName, l.limit/2))
		l.left(plain, room, s.middle(name, room)).put(plain, " ").put(strong, w.remark)
		return
	}
	l.left(plain, room, s.middle(name, room))
	if c := columns[modelColumn]; c.name > 0 {
		l.at(l.width+1).left(faint, c.name, s.shorter(model, c.name))
	}
	at, told := l.width, false
	for i := waitingColumn; i < columnCount; i++ {
		c := &columns[i]
		if !c.shown() {
			continue
		}
		l.at(at + 1)
		if at += 1 + c.width(); !w.down || s.report.Span(c.signal) == 0 {
			s.drawCell(l, w, c, tops[i])
		} else if !told {
			l.put(strong, s.reading(w))
			told = true
		}
	}
}

// reading says how old the figures of a row are that does not answer, and why it does not. They are readings: what was taken over a window,
// exactly or within an interval, is no more what it was.
func (s *scene) reading(w *tableRow) string {
	t, ok := s.report.Target(w.key.subject)
	if !ok || t.LastAnswer.IsZero() {
		return "no answer"
	}
	return "read " + diagnose.Duration(s.now.Sub(t.LastAnswer)) + " ago: " + t.Error
}

// drawCell draws one figure: its sparkline or bar, its value, its trend.
func (s *scene) drawCell(l *line, w *tableRow, c *column, top float64) {
	end := l.width + c.width()
	text, value, look := s.figure(w, c)
	if c.spark > 0 && c.bar {
		l.left(look, c.spark, s.bar(value, c.spark)).at(l.width + 1)
	} else if c.spark > 0 {
		if w.key.fold == unfolded {
			l.put(look, s.spark(historyOf(s.report, c.signal, w.key.subject).columns(s.report.Time, s.span, c.spark, c.sumUp), top))
		}
		l.at(end - c.value)
	}
	room := c.value
	if c.arrow {
		room -= gap
	}
	l.at(end-c.value).right(look, room, squeeze(text, room))
	if c.arrow && !w.down && w.key.fold == unfolded {
		l.put(look, " "+s.trendSign(w, c))
	}
	l.at(end)
}

// figure is a cell's value, as text and as number. That of a replica which does not answer is the last known, and looks old, as all
// do while no report comes, and as do those of a page that does not change.
func (s *scene) figure(w *tableRow, c *column) (string, float64, style) {
	if w.down {
		last := historyOf(s.report, c.signal, w.key.subject).last()
		text := s.report.Book().Signal(c.signal).Unit.Format(last)
		return strings.TrimSuffix(text, c.unit), last, faint
	}
	f := s.fact(w, c)
	text := strings.TrimSuffix(f.Text(), c.unit)
	if told := s.report.Fact("told_sequence_cap", w.key.subject); c.signal == "running" && told.Known() && w.key.fold == unfolded {
		text += " of " + told.Text()
	}
	if s.late > 0 || s.frozen(c.signal, w.members) {
		return text, f.Value, faint
	}
	return text, f.Value, plain
}

// trendSign is the arrow behind a value.
func (s *scene) trendSign(w *tableRow, c *column) string {
	direction, ok := historyOf(s.report, c.signal, w.key.subject).trend(s.report.Time, s.report.Settings.Window, c.least)
	switch {
	case !ok:
		return " "
	case direction == rising:
		return s.sign.up
	case direction == falling:
		return s.sign.down
	}
	return s.sign.level
}
