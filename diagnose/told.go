package diagnose

// From so many on, equal findings about different subjects are told as one: a network that is down is one piece of news, not sixty.
// What is only information is never told twice.
const alike = 4

// Told is a finding as it is told: about one subject, or about several of which the same is true.
type Told struct {
	*Finding
	Others []Subject
}

// Tell puts findings that read the same into the first of them.
func Tell(findings []*Finding) []Told {
	type news struct {
		code, form, words string
		severity          Severity
		state             State
	}
	newsOf := func(f *Finding) news {
		n := news{code: f.Rule.Code, form: f.Case, severity: f.Severity, state: f.State}
		if f.Subject.Level == Target {
			n.words = f.Sentence // what a scrape met; of others the figures differ
		}
		return n
	}
	count, first := map[news]int{}, map[news]int{}
	for _, f := range findings {
		count[newsOf(f)]++
	}
	var told []Told
	for _, f := range findings {
		n := newsOf(f)
		if i, again := first[n]; again {
			told[i].Others = append(told[i].Others, f.Subject)
			continue
		}
		if count[n] >= alike || f.Severity == Information {
			first[n] = len(told)
		}
		told = append(told, Told{Finding: f})
	}
	return told
}
