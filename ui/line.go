package ui

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// look is how things are drawn: signs, and what each style looks like in the terminal's own codes.
type look struct {
	sign  signs
	ascii bool
	theme Theme
	codes [styles][2]string // before and behind a text
}

func newLook(theme Theme, ascii bool) *look {
	k := &look{sign: newSigns(ascii), ascii: ascii, theme: theme}
	for i, s := range theme.styles() {
		k.codes[i][0], k.codes[i][1], _ = strings.Cut(s.Render("x"), "x")
	}
	return k
}

// text makes a text fit for the terminal: harmless, and ASCII where that is all it can draw.
func (k *look) text(text string) string {
	text = safe(text)
	if k.ascii {
		text = asciiOnly(text)
	}
	return text
}

// line is one row of the screen under construction. It never grows wider than its limit, whatever is put on it; blanks carry no
// style, since each styled cell costs bytes at every refresh.
type line struct {
	*look
	b     strings.Builder
	width int
	limit int
}

func (k *look) line(limit int) *line { return &line{look: k, limit: limit} }

// put adds a text, cut to what is left of the line.
func (l *line) put(s style, text string) *line {
	text = l.fit(l.text(text), l.limit-l.width)
	if text == "" {
		return l
	}
	l.b.WriteString(l.codes[s][0])
	l.b.WriteString(text)
	l.b.WriteString(l.codes[s][1])
	l.width += ansi.StringWidth(text)
	return l
}

// fit cuts a text to a width and says so.
func (k *look) fit(text string, width int) string {
	if width <= 0 {
		return ""
	}
	if len(text) <= width || ansi.StringWidth(text) <= width {
		return text
	}
	return ansi.Truncate(text, width, k.sign.cut)
}

// middle cuts a name in its middle: the beginning and the end, a port or the number of an engine, tell it from others.
func (k *look) middle(text string, width int) string {
	text = k.text(text)
	n := ansi.StringWidth(text)
	end := (width - ansi.StringWidth(k.sign.cut)) / 2
	if n <= width || end <= 0 {
		return text
	}
	tail := ansi.Cut(text, n-end, n)
	return k.fit(text, width-ansi.StringWidth(tail)) + tail
}

// at goes on at a column; where that is passed already, nothing happens.
func (l *line) at(column int) *line {
	if n := min(column, l.limit) - l.width; n > 0 {
		l.b.WriteString(blanks(n))
		l.width += n
	}
	return l
}

// left puts a text into a cell of a width, at its left.
func (l *line) left(s style, width int, text string) *line {
	end := l.width + width
	return l.put(s, l.fit(l.text(text), width)).at(end)
}

// cell puts a text into a column of a width, at its left, with a blank behind it whatever it is.
func (l *line) cell(s style, width int, text string) *line {
	end := l.width + width
	return l.left(s, width-1, text).at(end)
}

// right puts a text into a cell of a width, at its right.
func (l *line) right(s style, width int, text string) *line {
	end := l.width + width
	text = l.fit(l.text(text), width)
	return l.at(end-ansi.StringWidth(text)).put(s, text).at(end)
}

func (l *line) String() string { return l.b.String() }

// unbroken is a hyphen at which the library breaks no line: a flag is copied whole.
const unbroken = "\u2011"

// wrap breaks a text into lines of a width, so many at most; the last is cut where there would be more.
func (k *look) wrap(text string, width, most int) []string {
	whole := ansi.Wrap(strings.ReplaceAll(k.text(text), "-", unbroken), max(width, 1), "")
	lines := strings.Split(strings.ReplaceAll(whole, unbroken, "-"), "\n")
	if len(lines) > most {
		lines[most-1] = k.fit(lines[most-1]+" "+lines[most], width)
		if !strings.HasSuffix(lines[most-1], k.sign.cut) {
			lines[most-1] = k.fit(lines[most-1], width-ansi.StringWidth(k.sign.cut)) + k.sign.cut
		}
		lines = lines[:most]
	}
	return lines
}

// rule is a line across the screen with a title in it and a remark at its right.
func (k *look) rule(width int, s style, title, remark string) string {
	dash := k.sign.rule
	end := width
	if remark != "" {
		end -= ansi.StringWidth(k.text(remark)) + 4
	}
	l := k.line(width).put(faint, dash+dash).at(3)
	l.put(s, k.fit(k.text(title), end-l.width-1)).at(l.width + 1)
	l.put(faint, strings.Repeat(dash, max(0, end-l.width)))
	if remark != "" {
		l.at(end+1).put(faint, remark).at(l.width+1).put(faint, dash+dash)
	}
	return l.String()
}

// box brings lines to exactly the height.
func box(lines []string, height int) []string {
	height = max(height, 0)
	if len(lines) > height {
		return lines[:height]
	}
	return append(lines, make([]string, height-len(lines))...)
}

const spaces = "                                                                                                                                "

// blanks returns n blanks.
func blanks(n int) string {
	if n <= len(spaces) {
		return spaces[:max(n, 0)]
	}
	return strings.Repeat(" ", n)
}

// raw adds a line that was made by another.
func (l *line) raw(text string) *line {
	l.b.WriteString(text)
	l.width += ansi.StringWidth(text)
	return l
}
