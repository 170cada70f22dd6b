package diagnose

// Certainty is the confidence in a word (judgement).
func (f *Finding) Certainty() string {
	switch {
	case f.Confidence > 0.8:
		return "confirmed"
	case f.Confidence >= 0.5:
		return "likely"
	}
	return "possible"
}

// Standing says for how long a finding has held, and of how long while that is not enough to fire.
func (f *Finding) Standing() string {
	switch {
	case f.State == Resolved:
		return "resolved"
	case f.eases():
		return "for " + Duration(f.Held) + ", easing"
	case f.State == Firing:
		return "for " + Duration(f.Held)
	case f.Held >= f.Hold: // and not firing, since watching has just begun
		return "held " + Duration(f.Held)
	}
	return "held " + Duration(f.Held) + " of " + Duration(f.Hold)
}

// eases tells whether a finding that fires is about to end: neither it nor anything that it explains is true now. While users feel what
// it did, it may come back any moment, and nobody is to read that it ends.
func (f *Finding) eases() bool { return f.State == Firing && f.Quiet > 0 && !f.goesOn }

// waits tells whether a finding goes behind those that are true: it has eased for longer than readings swing, or says itself that it is
// over.
func (f *Finding) waits() bool { return f.eases() && (f.over || f.Quiet >= easing) }

// Active tells whether the finding holds now, be it pending or firing.
func (f *Finding) Active() bool { return f.State >= Pending }

// Counts tells whether the finding, or what it explains, is to be acted on without a person.
func (f *Finding) Counts() bool { return f.Silenced == nil && f.sure() }

// sure tells whether it is sure enough for that: it fires, or is pending and was true all the time.
func (f *Finding) sure() bool {
	return f.State == Firing || f.State == Pending && f.Throughout || f.counted
}
