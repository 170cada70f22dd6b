package diagnose

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"
)

// DefaultWindow is the span of the rates that rules read, where a signal does not say otherwise. At the default interval of
// 5 s it holds twelve scrapes; it is never shorter than four (the usual practice for rates).
const DefaultWindow = time.Minute

// Signal is one row of the catalogue: a number about one kind of subject. Exactly one of Expr, Of, Formula, Setting, Info and Who
// says where the number comes from.
type Signal struct {
	ID    string
	Title string
	Unit  Unit
	Level Level

	// Expr is PromQL over the newest metric names. $target, $server, $replica, $gpu and $model stand for the labels of a level,
	// $window for the window, $sixtieth for that part of it, $moment for the shortest span in which a change shows.
	Expr string
	// Label takes the number from this label of the series instead of its value (vLLM tells sizes that way).
	Label string

	// Of names a distribution, and Take what is read from it.
	Of   string
	Take Take

	// Formula is arithmetic over other signals, in PromQL's own syntax. A part that is absent makes the whole absent, save
	// under "or", which takes the first that is not.
	Formula string

	// Setting names a value that the user gives, or that follows from what is known of the subject.
	Setting string

	// Info names a series of ours whose text stands in Label; the value is 1 where there is one.
	Info string

	// Who names replicas of the model by a signal of theirs: a text as Info's, for sentences about the model.
	Who Who

	// Table translates values (an XID into its severity), and Words says what a value means. A value that is not listed is
	// absent, respectively printed as it is.
	Table map[int]float64
	Words map[int]string
	// Instead says in words what some values are no number for: that there was hardly any before to divide by.
	Instead map[float64]string

	// Window replaces DefaultWindow where a rule needs a longer or shorter memory. No flag or key changes it.
	Window time.Duration
	// Every says that the number is read at multiples of it only: what it was for hours is dear to ask and changes slowly.
	Every time.Duration
	// Unless names a signal of the same level: while that is above 0, this one is not to be believed.
	Unless string
	// Count names the signal that tells how many observations the number rests on.
	Count string
	// Bound names the objective for which alone it is read: where that is set for no model, the value is 0.
	Bound string
	// Across says how the GPUs of one server become one number.
	Across Across
	// Enable says how to get the number where its setting is not given, its family is there and never counts, or all that it is made of
	// is there and still says nothing.
	Enable string
	// Rounded numbers are what something is to be set to: people are told a round one, which stays while readings move a little.
	Rounded bool
	// Ungated signals are about scraping itself and hold while the target is down.
	Ungated bool

	Help string // what it is, in one or two sentences
	Trap string // what it is easily taken for

	place int // among the signals of its level, where Facts keep it
}

// isText tells whether a signal says something in words.
func (s *Signal) isText() bool { return s.Info != "" || s.Who.Of != "" }

// overWatched tells whether the signal is a rate that counts only that part of the window in which its target was watched.
func (s *Signal) overWatched() bool {
	return s.Expr != "" && s.Unit.isRate() && s.Window == 0 && s.Level != Model
}

// Distribution is a histogram merged over the series of its subject: one query serves every quantile and share.
type Distribution struct {
	ID     string
	Level  Level
	Unit   Unit
	Expr   string // yields cumulative buckets a second, by le
	Window time.Duration
	Every  time.Duration // as of a signal
	// Less yields observations a second that are no real ones and stand in the lowest bucket, so in every one. Where the targets do not
	// tell them there are taken to be none.
	Less string
	// Shorter names the same distribution over a shorter window: while there is no more data than that, both say the same.
	Shorter string
	// Sums names the distribution of replicas that this one of models is the sum of: it is added up from there, for a fleet's buckets
	// are the dearest thing to evaluate. Expr says the same for other Prometheus servers.
	Sums string
}

// Across says how one number is made of those of several GPUs.
type Across uint8

// Ways to sum up GPUs: load by its mean, heat and faults by the worst.
const (
	Mean Across = iota
	Highest
	Lowest
)

// Take says what is read from a distribution.
type Take struct {
	kind     takeKind
	quantile float64
	bound    string
}

type takeKind uint8

const (
	takeNothing takeKind = iota
	takeQuantile
	takeShareOver
	takeSlowest
	takeObservations
	takeShareAtMost
	takeShareBeyond
	takeEdgeBelow
	takeEdgeAbove
)

// Quantile reads the value below which the share q of the observations lies.
func Quantile(q float64) Take { return Take{kind: takeQuantile, quantile: q} }

// ShareOver reads the share of observations above a setting; where the setting is no bucket edge it is an interval, and its
// value is the lower end, which is certain.
func ShareOver(setting string) Take { return Take{kind: takeShareOver, bound: setting} }

// ShareAtMost reads the same share from the other end: more than that cannot be above the setting.
func ShareAtMost(setting string) Take { return Take{kind: takeShareAtMost, bound: setting} }

// ShareBeyond reads the share of observations in the last bucket, which has no upper end.
func ShareBeyond() Take { return Take{kind: takeShareBeyond} }

// EdgeBelow and EdgeAbove read the edges of the bucket that a setting lies in.
func EdgeBelow(setting string) Take { return Take{kind: takeEdgeBelow, bound: setting} }

// EdgeAbove is the upper one.
func EdgeAbove(setting string) Take { return Take{kind: takeEdgeAbove, bound: setting} }

// Slowest reads the highest bucket that has an observation.
func Slowest() Take { return Take{kind: takeSlowest} }

// Observations reads how many observations fell into the window.
func Observations() Take { return Take{kind: takeObservations} }

// Catalogue is the ordered list of all signals and distributions.
type Catalogue struct {
	Signals       []Signal
	Distributions []Distribution
	index         map[string]*Signal
	count         [levels]int // of signals of each level
	buckets       map[string]*Distribution
	formulas      map[string]formula
	cache         resolverCache
	expressions   sync.Map // of the signals, once each was asked for
}

// newCatalogue checks the rows against each other: unique ids, known references, formulas that parse and do not go in circles.
func newCatalogue(signals []Signal, distributions []Distribution) (*Catalogue, error) {
	signals = slices.Clone(signals) // of which the places become known
	c := &Catalogue{
		Signals: signals, Distributions: distributions,
		index: map[string]*Signal{}, buckets: map[string]*Distribution{}, formulas: map[string]formula{},
	}
	for i := range distributions {
		c.buckets[distributions[i].ID] = &distributions[i]
	}
	for i := range signals {
		if c.index[signals[i].ID] != nil {
			return nil, fmt.Errorf("signal %s is listed twice", signals[i].ID)
		}
		s := &signals[i]
		c.index[s.ID], s.place = s, c.count[s.Level]
		c.count[s.Level]++
	}
	for i := range signals {
		if err := c.check(&signals[i]); err != nil {
			return nil, fmt.Errorf("signal %s: %w", signals[i].ID, err)
		}
	}
	_, err := c.order(c.ids())
	return c, err
}

// Signal returns the row with this id, or nil.
func (c *Catalogue) Signal(id string) *Signal { return c.index[id] }

func (c *Catalogue) ids() []string {
	ids := make([]string, len(c.Signals))
	for i := range c.Signals {
		ids[i] = c.Signals[i].ID
	}
	return ids
}

// check verifies one row and compiles its formula.
func (c *Catalogue) check(s *Signal) error {
	sources := 0
	for _, text := range []string{s.Expr, s.Of, s.Formula, s.Setting, s.Info, s.Who.Of} {
		if text != "" {
			sources++
		}
	}
	switch {
	case sources != 1:
		return fmt.Errorf("has %d sources, wants one of Expr, Of, Formula, Setting, Info, Who", sources)
	case s.Of != "" && c.buckets[s.Of] == nil:
		return fmt.Errorf("unknown distribution %s", s.Of)
	case s.Formula == "":
		return c.checkNames(s)
	}
	f, err := compile(s.Formula)
	if c.formulas[s.ID] = f; err != nil {
		return err
	}
	return c.checkNames(s)
}

// checkNames verifies the signals that a row names.
func (c *Catalogue) checkNames(s *Signal) error {
	for _, id := range []string{s.Bound, s.Count, s.Unless, s.Who.Of} {
		if id != "" && c.index[id] == nil {
			return fmt.Errorf("unknown signal %s", id)
		}
	}
	return nil
}

// needs lists the signals that a signal is made of or counted by.
func (c *Catalogue) needs(s *Signal) []string {
	var ids []string
	if s.Formula != "" {
		ids = append(ids, c.formulas[s.ID].operands...)
	}
	if s.Count != "" {
		ids = append(ids, s.Count)
	}
	if s.Unless != "" {
		ids = append(ids, s.Unless)
	}
	if s.Who.Of != "" {
		ids = append(ids, s.Who.Of)
	}
	if s.Take.bound != "" {
		ids = append(ids, s.Take.bound)
	}
	if s.Level == Replica && strings.HasPrefix(s.Setting, baselineSetting) {
		ids = append(ids, "running_mean")
	}
	return ids
}

// order returns the signals with these ids and all that they need, each after what it needs, each once.
func (c *Catalogue) order(ids []string) ([]*Signal, error) {
	var ordered []*Signal
	const visiting, done = 1, 2
	state := map[string]int{}
	var visit func(id, by string) error
	visit = func(id, by string) error {
		s := c.index[id]
		switch {
		case s == nil:
			return fmt.Errorf("signal %s: unknown signal %s", by, id)
		case state[id] == visiting:
			return fmt.Errorf("signal %s is made of itself", id)
		case state[id] == done:
			return nil
		}
		state[id] = visiting
		for _, need := range c.needs(s) {
			if err := visit(need, id); err != nil {
				return err
			}
		}
		state[id] = done
		ordered = append(ordered, s)
		return nil
	}
	for _, id := range ids {
		if err := visit(id, id); err != nil {
			return nil, err
		}
	}
	return ordered, nil
}
