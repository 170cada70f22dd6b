package diagnose

import (
	"math"
	"time"
)

// Frozen is how old a figure is that looks new and is not: it is read again and again from a page that a finding says does not change.
// It is 0 where no finding says so.
func (r *Report) Frozen(id string, subject Subject) time.Duration {
	figure, owner := r.book.Signal(id), subject
	if subject.Level == GPU {
		owner, _ = r.ServerOf(subject)
	}
	for i := range r.Findings {
		f := &r.Findings[i]
		if f.freezes == "" || !f.Active() || figure == nil || !f.Subject.SameTarget(owner) {
			continue
		}
		age := r.Fact(f.freezes, f.Subject)
		if onOnePage := age.Signal.Level == GPU && figure.Level == GPU || age.Signal.Level == Server && figure.Level == Replica; onOnePage && age.Known() {
			return time.Duration(math.Round(age.Value)) * time.Second
		}
	}
	return 0
}
