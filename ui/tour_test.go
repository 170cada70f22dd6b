package ui

import (
	"errors"
	"strings"
	"testing"

	"github.com/vllmscope/vllmscope/diagnose"
)

// guide leads through stops, each with a channel of its own.
type guide struct {
	stops   []Stop
	reports []chan *diagnose.Report
	at      int
}

func newGuide(titles ...string) *guide {
	g := &guide{}
	for _, title := range titles {
		text := "The KV cache of one of three servers is full, and what it computes is thrown away again and again, while the others have room. " +
			"See D1 and KV."
		g.reports = append(g.reports, make(chan *diagnose.Report, 1))
		g.stops = append(g.stops, Stop{Caption{title, text, "simulated"}, g.reports[len(g.stops)]})
	}
	return g
}

func (g *guide) turn(by int) (Stop, error) {
	if to := g.at + by; to < 0 || to >= len(g.stops) {
		return Stop{}, errors.New("there is no such stop")
	}
	g.at += by
	return g.stops[g.at], nil
}

func (g *guide) options() Options {
	return Options{Reports: g.stops[0].Reports, Caption: g.stops[0].Caption, Deeds: Deeds{Turn: g.turn}}
}

func TestCaptionScreens(t *testing.T) {
	r := judged(t, readScene(t, "thrash"), sceneEnd)
	for name, size := range map[string][2]int{"tour-80x24": {80, 24}, "tour-120x40": {120, 40}, "tour-60x15": {60, 15}} {
		t.Run(name, func(t *testing.T) {
			golden(t, name, text(screen(t, newGuide("tour, stop 3 of 10: kv-thrash").options(), size[0], size[1], r)))
		})
	}
	why := press(screen(t, newGuide("tour, stop 3 of 10: kv-thrash").options(), 80, 24, r), "enter")
	golden(t, "tour-why-80x24", text(why))
}

// The help needs the caption's lines.
func TestHelpTakesTheRoomOfTheCaption(t *testing.T) {
	m := press(screen(t, newGuide("the stop").options(), 80, 24, judged(t, readScene(t, "thrash"), sceneEnd)), "?")
	got := text(m)
	if strings.Contains(got, "the stop") || strings.Contains(got, "lines ") || !strings.Contains(got, "next stop of the tour") || !strings.Contains(got, "ctrl+z") {
		t.Errorf("the help is cut, or the caption is there:\n%s", got)
	}
	if got := text(press(m, "?")); !strings.Contains(got, "the stop") {
		t.Errorf("the caption does not come back:\n%s", got)
	}
}

// The fleet of another stop begins anew, and what still comes from the one before is left.
func TestTurning(t *testing.T) {
	thrash, healthy := judged(t, readScene(t, "thrash"), sceneEnd), judged(t, readScene(t, "healthy"), sceneEnd)
	g := newGuide("first stop", "second stop")
	m := press(screen(t, g.options(), 120, 40, thrash), "down", "enter", "t")
	left := waitFor(m.options.Reports)
	_, cmd := m.Update(keyNamed("n"))
	if got := text(m); !strings.Contains(got, "second stop") || !strings.Contains(got, m.scene.waiting) || strings.Contains(got, "D1 KV thrash") {
		t.Errorf("after n:\n%s", got)
	}
	g.reports[0] <- thrash
	m.Update(left())
	if got := text(m); strings.Contains(got, "D1 KV thrash") {
		t.Errorf("a report of the stop before is shown:\n%s", got)
	}
	g.reports[1] <- healthy
	m.Update(cmd())
	if got := text(m); !strings.Contains(got, "nothing found") || m.scene.theme != Light {
		t.Errorf("the second stop, in theme %s:\n%s", m.scene.theme, got)
	}
	if got := text(press(m, "n")); !strings.Contains(got, "there is no such stop") || !strings.Contains(got, "second stop") {
		t.Errorf("after the last stop:\n%s", got)
	}
	if got := text(press(m, "p")); !strings.Contains(got, "first stop") {
		t.Errorf("after p:\n%s", got)
	}
}

// A caption may change over reports that go on.
func TestTurningWithoutReports(t *testing.T) {
	g := newGuide("first stop", "the end")
	g.stops[1].Reports = nil
	m := press(screen(t, g.options(), 120, 40, judged(t, readScene(t, "thrash"), sceneEnd)), "down", "n")
	if got := text(m); !strings.Contains(got, "the end") || !strings.Contains(got, "▸▲ C1") {
		t.Errorf("got\n%s", got)
	}
}

// One look at the clock is under way at any time, whatever stops there were.
func TestTurningLeavesOneLook(t *testing.T) {
	r := judged(t, readScene(t, "thrash"), sceneEnd)
	m := screen(t, newGuide("first stop", "second stop").options(), 80, 24, r)
	press(m, "n")
	if _, cmd := m.Update(lateMsg(m.arrived.Add(1e12))); cmd != nil || m.looking {
		t.Error("it looks at the clock without a report")
	}
	for range 2 {
		m.Update(reportMsg{r, r.Time})
	}
	if !m.looking {
		t.Error("it does not look at the clock")
	}
}
