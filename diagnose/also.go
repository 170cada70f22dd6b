package diagnose

// Also is a further sign that not every target tells: where it is not known it is left out, and the parts beside it decide.
type Also struct{ Is }

// String says the comparison, and that it may be missing.
func (a Also) String() string { return a.Is.String() + " where known" }

// weigh makes no evidence of what nobody told.
func (a Also) weigh(look func(string) Fact) (Truth, []Evidence) {
	truth, all := a.Is.weigh(look)
	if truth == Unknown {
		return truth, nil
	}
	return truth, all
}

// isAlso tells whether a part of a test is a further sign.
func isAlso(t Test) bool {
	_, also := t.(Also)
	return also
}
