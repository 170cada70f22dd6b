package ui

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/vllmscope/vllmscope/diagnose"
)

// mostCodes is how many rules a line about what cannot be judged names: a server without GPU metrics lacks a dozen.
const mostCodes = 4

// lack says what cannot be judged, where, and why: that has the way out with it.
func (s *scene) lack(lack *diagnose.Lack) string {
	return s.unjudged(lack) + " on " + s.lacking(lack) + ": " + lack.Enable
}

// brieflyLack says it in one line of a width. The way out is what the reader needs: for lack of room what is missing goes first, then
// what the mark says too, then where.
func (s *scene) brieflyLack(lack *diagnose.Lack, width int) string {
	where, way := " on "+s.lacking(lack), ": "+lack.Way()
	brief := s.sign.unknown + " " + codesOf(lack)
	for _, text := range []string{s.lack(lack), s.unjudged(lack) + where + way, brief + where + way} {
		if ansi.StringWidth(s.text(text)) <= width {
			return text
		}
	}
	return brief + way
}

// unjudged names the rules.
func (s *scene) unjudged(lack *diagnose.Lack) string {
	return s.sign.unknown + " cannot judge " + codesOf(lack)
}

func codesOf(lack *diagnose.Lack) string {
	return strings.Join(lack.Codes[:min(mostCodes, len(lack.Codes))], " ") + alsoBriefly(max(0, len(lack.Codes)-mostCodes))
}

// lacking names what the rules cannot be judged of.
func (s *scene) lacking(lack *diagnose.Lack) string {
	who := strings.TrimPrefix(s.report.Name(lack.Subjects[0]), maker(lack.Subjects[0]))
	if n := len(lack.Subjects) - 1; n > 0 {
		who += " and " + diagnose.Plural(n, "other")
	}
	return who
}
