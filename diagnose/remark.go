package diagnose

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
)

// A Remark is a piece of a sentence; Bad says that it should not be overlooked.
type Remark struct {
	Text string
	Bad  bool
}

// Remarks puts the figures into words, those that are known. Brief leaves out what a narrow screen has no room for.
func (u Users) Remarks(brief bool) []Remark {
	all := u.untold(brief)
	if u.Silent > 0 && u.Silent == u.Servers {
		return all // what is left in the window is of the past
	}
	add := func(bad bool, text string) { all = append(all, Remark{text, bad}) }
	if u.Stalled > 0 {
		add(true, u.stalled())
	}
	all = append(all, u.latency(brief)...)
	if u.Queued > 0 {
		add(true, u.queued(brief))
	}
	if !math.IsNaN(u.Errors) {
		add(u.Errors > errorBudget, Share.Format(u.Errors)+" errors")
	}
	if u.Refused > errorBudget {
		add(true, Share.Format(u.Refused)+" refused (4xx)")
	}
	if u.Left >= manyLeft {
		add(true, Share.Format(u.Left)+" left")
	}
	return append(all, u.pace(brief)...)
}

// pace says how many requests come, and how many of them are served well; nothing where that is not known.
func (u Users) pace(brief bool) []Remark {
	if !(u.PerMinute > 0 || u.PerMinute == 0 && u.allTold()) {
		return nil
	}
	figures := []Remark{{Text: Count.Format(u.PerMinute) + " req/min"}}
	if !math.IsNaN(u.GoodLow) {
		figures = append(figures, Remark{Text: "good-put " + PerSecond.Between(u.GoodLow, u.GoodHigh)})
	}
	if brief {
		slices.Reverse(figures) // what is last goes first for lack of room
	}
	return figures
}

// stalled says how many requests get no token, and for how long.
func (u Users) stalled() string {
	text := singular(Count.Format(u.Stalled) + " requests get no token")
	if u.Tokenless > 0 {
		text += " for " + Duration(u.Tokenless)
	}
	return text
}

// queued says how many requests wait, and for how long the next one will.
func (u Users) queued(brief bool) string {
	if brief {
		return Count.Format(u.Queued) + " wait about " + Seconds.Format(u.Queue)
	}
	return singular(Count.Format(u.Queued) + " requests wait, the next about " + Seconds.Format(u.Queue))
}

// untold says of which servers nothing is known.
func (u Users) untold(brief bool) []Remark {
	var all []Remark
	add := func(n int, are, alone string) {
		switch {
		case n == 0:
		case u.Servers == 1:
			all = append(all, Remark{alone, true})
		case brief:
			all = append(all, Remark{fmt.Sprintf("%d of %d %s", n, u.Servers, are), true})
		default:
			all = append(all, Remark{fmt.Sprintf("%d of %d servers %s", n, u.Servers, are), true})
		}
	}
	add(u.Silent-u.Slow-u.Pageless, "silent", "the server is silent")
	add(u.Pageless, "answer without figures", "the server answers, and its figures are unknown")
	busy := ""
	if !math.IsNaN(u.GPUBusy) && !brief {
		busy = ", GPUs " + Share.Format(u.GPUBusy) + " busy"
	}
	add(u.Slow, "give no page in "+Duration(u.Patience)+busy, "the server's figures are unknown: no page in "+Duration(u.Patience)+busy)
	add(u.Blind, "unknown", "the server's figures are unknown")
	return all
}

// allTold tells whether a figure of 0 says that there is nothing: what silent and blind servers do is not known, and requests that get no
// token are there.
func (u Users) allTold() bool { return u.Silent+u.Blind == 0 && u.Stalled == 0 }

// lost tells whether so many requests got no answer that a share of the answered ones is not one of all.
func (u Users) lost() bool {
	return u.Errors > errorBudget || u.Refused > errorBudget || u.Left >= manyLeft
}

// ofWhich says of which requests the late ones are a share.
func (u Users) ofWhich(brief bool) string {
	switch {
	case brief && u.lost():
		return " of the answered"
	case brief:
		return ""
	case u.lost():
		return " of the answered " + strings.TrimLeft(u.Profile+" requests", " ")
	}
	return " of " + cmp.Or(u.Profile, "all") + " requests"
}

// latency says how many requests are late, or why it is not known, and how many have tokens too far apart, where those are too many.
func (u Users) latency(brief bool) []Remark {
	var all []Remark
	switch {
	case !math.IsNaN(u.LateLow):
		all = append(all, Remark{Share.Between(u.LateLow, u.LateHigh) + u.ofWhich(brief) + " over " + u.Objective, u.LateLow > u.Allowed})
	case !u.allTold():
	case u.Idle:
		all = append(all, Remark{Text: "no requests in " + Duration(u.Span)})
	case !math.IsNaN(u.PerMinute):
		all = append(all, Remark{Text: "no first token in " + Duration(u.Span)})
	}
	if u.ApartLow > u.ApartAllowed {
		text := " have tokens too far apart for their model"
		switch {
		case u.Token != "" && brief:
			text = " over " + u.Token + " a token"
		case u.Token != "":
			text = " have tokens over " + u.Token + " apart"
		case brief:
			text = " have slow tokens"
		}
		all = append(all, Remark{Share.Between(u.ApartLow, u.ApartHigh) + text, true})
	}
	return all
}
