package ui

import (
	"slices"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/vllmscope/vllmscope/diagnose"
)

// Columns of a finding's first line, from the right: how long it has held, and how sure it is.
const (
	lifeWidth      = 18
	certaintyWidth = 9
	indent         = 3
)

// findingTitle draws a finding's first line: mark, code, title, where, since when, how sure.
func (s *scene) findingTitle(l *line, told diagnose.Told) string {
	f := told.Finding
	title := strong
	if f.State == diagnose.Resolved {
		title = faint
	}
	width, right := l.limit, l.limit-lifeWidth-gap-certaintyWidth-1
	sure := f.State != diagnose.Resolved && width >= defaultWidth
	if width < defaultWidth {
		right = width - lifeWidth - 1
	}
	l.limit = right - 1
	l.put(s.mark(f), s.sign.severity[f.Severity])
	place := ansi.StringWidth(s.text(s.briefPlace(told)))
	l.put(title, s.titleWithin(f, max(leastTitle, l.limit-gap-place-l.width)))
	l.at(max(l.width+gap, min(width*3/10, l.limit-place)))
	l.put(plain, s.whereWithin(told, l.limit-l.width))
	l.limit = width
	l.at(right).right(plain, lifeWidth, f.Standing())
	if sure {
		l.at(l.width+gap).put(plain, f.Certainty())
	}
	return l.String()
}

// titleWithin is a finding's code and title in so many cells. What goes first for lack of room is the end of what all cases of the rule
// have in common: the case tells what to do.
func (s *scene) titleWithin(f *diagnose.Finding, width int) string {
	head, tail := s.text(" "+f.Rule.Code+" "+f.Rule.Title), ""
	if f.Case != "" {
		tail = s.text(": " + f.Case)
	}
	if room := width - ansi.StringWidth(tail); room >= leastTitle {
		return s.fit(head, room) + tail
	}
	return s.fit(head+tail, width)
}

// leastTitle is the room that a title keeps: a code and where the words would begin.
const leastTitle = 8

// alsoBriefly counts the others that have the same finding.
func alsoBriefly(others int) string {
	if others == 0 {
		return ""
	}
	return " +" + strconv.Itoa(others)
}

// maker is what stands before the slash in a model's name.
func maker(subject diagnose.Subject) string {
	return subject.Model[:strings.LastIndexByte(subject.Model, '/')+1]
}

// briefPlace is the shortest way to say what a finding is about.
func (s *scene) briefPlace(told diagnose.Told) string {
	_, name, more := s.report.Place(told)
	return strings.TrimPrefix(name, maker(told.Subject)) + alsoBriefly(len(more))
}

// whereWithin is what a finding is about in so many cells, and how many others there are. What goes first for lack of room is a
// model's maker, then the model; the server must be known.
func (s *scene) whereWithin(told diagnose.Told, width int) string {
	where, name, more := s.report.Place(told)
	model := maker(told.Subject)
	name = strings.TrimPrefix(name, model)
	long, short := "", alsoBriefly(len(more))
	if len(more) > 0 {
		long = " and " + diagnose.Plural(len(more), "other")
	}
	for _, text := range []string{where + long, strings.TrimPrefix(where, model) + long, name + long} {
		if ansi.StringWidth(s.text(text)) <= width {
			return text
		}
	}
	return s.middle(name, width-len(short)) + short
}

// mark is the style of a finding's mark: an ended one stands out no more.
func (s *scene) mark(f *diagnose.Finding) style {
	if f.State == diagnose.Resolved {
		return faint
	}
	return styleOf(f.Severity)
}

// findingBody draws what follows the first line, paragraph by paragraph: the sentence, what to do first, what it hides.
func (s *scene) findingBody(f *diagnose.Finding, width int, full bool) [][]string {
	var parts [][]string
	text := func(st style, label, text string, most int) {
		var lines []string
		for i, part := range s.wrap(text, width-indent-len(label)-1, mostLines(most, full)) {
			l := s.line(width).at(indent)
			if i == 0 {
				l.put(st, label)
			}
			lines = append(lines, l.at(indent+len(label)).put(plain, part).String())
		}
		parts = append(parts, lines)
	}
	text(plain, "", f.Sentence, 3)
	if f.State == diagnose.Resolved {
		return parts
	}
	for _, when := range []diagnose.When{diagnose.Now, diagnose.Restart} {
		if i := slices.IndexFunc(f.Actions, func(a diagnose.Advice) bool { return a.When == when }); i >= 0 {
			text(strong, whenWords[when], f.Actions[i].Text, 3)
		}
	}
	if len(f.Explains) > 0 {
		text(faint, "hides  ", s.titles(f.Explains, f.Rule.Code), 1)
	}
	return parts
}

var whenWords = [...]string{diagnose.Now: "Now: ", diagnose.Restart: "At the next restart: "}

// titles lists findings by code and title, each rule once; those of one rule, whose name the reader has just seen, by whose they are.
func (s *scene) titles(refs []diagnose.Ref, seen string) string {
	var texts []string
	for _, ref := range refs {
		text := ref.Code + " " + s.report.Book().Rule(ref.Code).Title
		if ref.Code == seen {
			text += " on " + s.report.Name(ref.Subject)
		}
		texts = appendNew(texts, text)
	}
	return strings.Join(texts, " · ")
}
