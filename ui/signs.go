package ui

import "github.com/vllmscope/vllmscope/diagnose"

// signs are the characters that stand for something.
type signs struct {
	severity             [3]string // by diagnose.Severity
	healthy, unknown     string
	up, down, level      string // trends
	cursor, descends     string
	ascends, cut         string
	rule, yes, no, other string
	restart              string
	limit                rune      // a limit in a chart
	dot                  rune      // a point of a chart without braille
	spark                [8]string // lowest first; never blank, since a blank is a gap
	bar                  []string  // of one cell, from an eighth to full
	frame                []string  // how a chart's axes are spelled: pairs for a replacer
}

// newSigns returns the signs for a terminal with UTF-8, or those that any terminal can draw.
func newSigns(ascii bool) signs {
	if ascii {
		return signs{
			severity: [3]string{"i", "*", "!"}, healthy: "+", unknown: "?", up: "^", down: "v", level: "=", cursor: ">",
			descends: "v", ascends: "^", cut: "..", rule: "-", yes: "+", no: "x", other: ".", restart: "R", limit: '-', dot: '*',
			spark: [8]string{"_", ".", ":", "-", "=", "+", "*", "#"}, bar: []string{"=", "#"},
			frame: []string{"│", "|", "─", "-", "└", "+"},
		}
	}
	return signs{
		severity: [3]string{"■", "▲", "●"}, healthy: "✓", unknown: "?", up: "↑", down: "↓", level: "→", cursor: "▸",
		descends: "▾", ascends: "▴", cut: "…", rule: "─", yes: "✓", no: "✗", other: "·", restart: "⟲", limit: '╌', dot: '•',
		spark: [8]string{"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"}, bar: []string{"▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"},
	}
}

// styleOf is the style of a severity.
func styleOf(s diagnose.Severity) style { return [...]style{information, warning, critical}[s] }
