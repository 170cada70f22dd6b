package diagnose

import "github.com/prometheus/prometheus/model/labels"

// met is a subject and what is known of it.
type met struct {
	Subject
	*subjectFacts
}

// labelled is what the labels of a series stand for.
type labelled struct {
	labels labels.Labels
	met
}

// meetSeries meets the subject of a series. The series of most signals of a level have the same labels, and reading them is dearer than
// knowing them again.
func (c *computation) meetSeries(level Level, ls labels.Labels) met {
	hash := ls.Hash()
	if one, ok := c.bySeries[level][hash]; ok && labels.Equal(one.labels, ls) {
		return one.met
	}
	if c.bySeries[level] == nil {
		c.bySeries[level] = map[uint64]labelled{}
	}
	s := subjectOf(level, ls)
	m := met{s, c.meet(s)}
	c.bySeries[level][hash] = labelled{ls, m}
	return m
}

// meet returns what is known of a subject, which may be new: then what it is part of is met too.
func (c *computation) meet(s Subject) *subjectFacts {
	k := c.subjects[s]
	if k == nil {
		k = &subjectFacts{}
		c.subjects[s] = k
		c.byLevel[s.Level] = append(c.byLevel[s.Level], met{s, k})
		k.lineage = lineageOf(s, c.meet)
	}
	return k
}

// put sets a signal's column of a subject.
func (c *computation) put(s *Signal, k *subjectFacts, col *column) {
	if k.columns == nil {
		k.columns = make([]*column, c.catalogue.count[s.Level])
	}
	k.columns[s.place] = col
}
