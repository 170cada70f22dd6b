package ui

import "charm.land/lipgloss/v2"

// Theme is a set of colours. Every meaning has a sign or a word beside its colour, so that Mono says the same.
type Theme uint8

// The themes. Auto asks the terminal for its background, and is Dark where no answer comes.
const (
	Auto Theme = iota
	Dark
	Light
	Mono
)

// String is the theme's name.
func (t Theme) String() string { return [...]string{"auto", "dark", "light", "mono"}[t] }

// next is the theme that the key for themes goes to; Auto is only where one starts.
func (t Theme) next() Theme {
	if t == Mono {
		return Dark
	}
	return t + 1
}

// style says what a piece of text means; the theme says what that looks like.
type style uint8

const (
	plain style = iota
	strong
	faint // of less interest, or old
	critical
	warning
	information
	healthy
	reversed // must not be overlooked: the screen does not show what is
	styles
)

// palette gives each meaning one of the sixteen colours that follow the user's own terminal theme and cost the fewest bytes.
type palette struct{ critical, warning, information, healthy string }

func (t Theme) palette() palette {
	switch t {
	case Mono:
		return palette{}
	case Light:
		return palette{critical: "1", warning: "5", information: "4", healthy: "2"} // yellow on white cannot be read
	}
	return palette{critical: "9", warning: "11", information: "12", healthy: "10"}
}

// styles builds what each meaning looks like.
func (t Theme) styles() [styles]lipgloss.Style {
	base, p := lipgloss.NewStyle(), t.palette()
	ink := func(colour string) lipgloss.Style {
		if colour == "" {
			return base.Bold(true)
		}
		return base.Bold(true).Foreground(lipgloss.Color(colour))
	}
	return [styles]lipgloss.Style{
		plain: base, strong: base.Bold(true), faint: base.Faint(true), reversed: base.Reverse(true),
		critical: ink(p.critical), warning: ink(p.warning), information: ink(p.information), healthy: ink(p.healthy),
	}
}
