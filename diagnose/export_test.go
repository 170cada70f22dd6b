package diagnose

// CaseOf is the place of the case in which a finding is told now; behind the last stands the rule's own sentence.
func (r *Report) CaseOf(f *Finding) int {
	value := func(id string) float64 { return r.Fact(id, f.Subject).Value }
	for i, c := range f.Rule.Cases {
		if judge(c.If, value) == True {
			return i
		}
	}
	return len(f.Rule.Cases)
}
