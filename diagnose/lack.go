package diagnose

import (
	"fmt"
	"slices"
	"strings"
)

// Lack is something that is missing, the rules that cannot be judged for it, and where.
type Lack struct {
	Codes    []string
	Subjects []Subject
	Enable   string // what is missing and how to get it, in a sentence
}

// Way is how to get what is missing, without what that is: where a reason names both, it stands behind.
func (l *Lack) Way() string {
	if _, way, ok := strings.Cut(l.Enable, ": "); ok {
		return way
	}
	return l.Enable
}

// Lacks sums up what cannot be judged, so that a fleet without GPU metrics is told once: first the rules of a subject that lack the
// same, then the subjects whose rules do.
func (r *Report) Lacks() []Lack {
	type need struct {
		subject Subject
		enable  string
	}
	var single, all []Lack
	places := map[need]int{} // in single: a large fleet lacks thousands of things
	for _, u := range r.Unknown {
		for _, enable := range u.Enable {
			one := need{u.Subject, enable}
			i, known := places[one]
			if !known {
				i = len(single)
				places[one], single = i, append(single, Lack{Subjects: []Subject{u.Subject}, Enable: enable})
			}
			single[i].Codes = append(single[i].Codes, u.Code)
		}
	}
	for _, l := range single {
		i := slices.IndexFunc(all, func(o Lack) bool { return o.Enable == l.Enable && slices.Equal(o.Codes, l.Codes) })
		if i < 0 {
			all = append(all, l)
			continue
		}
		all[i].Subjects = append(all[i].Subjects, l.Subjects...)
	}
	return all
}

// Remedies sums them up by what is to be done about them, so that each way out is told once: the rules lack it for at least one of the
// subjects each.
func (r *Report) Remedies() []Lack {
	var all []Lack
	for _, l := range r.Lacks() {
		i := slices.IndexFunc(all, func(o Lack) bool { return o.Enable == l.Enable })
		if i < 0 {
			all = append(all, l)
			continue
		}
		all[i].Codes = appendNew(all[i].Codes, l.Codes)
		all[i].Subjects = appendNew(all[i].Subjects, l.Subjects)
	}
	return all
}

// appendNew appends what is not in a list yet.
func appendNew[T comparable](list, more []T) []T {
	for _, one := range more {
		if !slices.Contains(list, one) {
			list = append(list, one)
		}
	}
	return list
}

// Enable lists what is missing for a rule to be judged for a subject, and how to get it; nothing where it is judged.
func (r *Report) Enable(ref Ref) []string {
	i := slices.IndexFunc(r.Unknown, func(u Unjudged) bool { return u.Code == ref.Code && u.Subject == ref.Subject })
	if i < 0 {
		return nil
	}
	return r.Unknown[i].Enable
}

// UnknownCodes lists the rules that cannot be judged for some subject, each once.
func (r *Report) UnknownCodes() []string {
	var codes []string
	for _, u := range r.Unknown {
		if !slices.Contains(codes, u.Code) {
			codes = append(codes, u.Code)
		}
	}
	return codes
}

// Coverage says how many rules were judged, and what became of the others: they lack a metric, or there is nothing that they could be
// about, such as a GPU or an hour of history.
func (r *Report) Coverage() string {
	text := Plural(len(r.Judged), "rule") + " judged"
	lacking := 0
	for _, code := range r.UnknownCodes() {
		if !slices.Contains(r.Judged, code) {
			lacking++
		}
	}
	if lacking > 0 {
		text += fmt.Sprintf(", %d cannot be", lacking)
	}
	if idle := len(r.book.Rules) - len(r.Judged) - lacking; idle > 0 {
		text += fmt.Sprintf(", %s nothing to judge yet", counted(idle, "has", "have"))
	}
	return text
}
