package diagnose

import (
	"context"
	"slices"
	"sort"

	"github.com/prometheus/prometheus/model/labels"
)

// Series of our own whose labels say something in words.
const (
	targetInfo  = "vllmscope_target_info"
	scrapeError = "vllmscope_scrape_error"
	pageNote    = "vllmscope_note"
)

// infos are the series of one such metric, by target.
type infos map[targetKey][]Series

// readInfos reads the series whose labels are texts.
func (c *computation) readInfos(ctx context.Context) error {
	for _, name := range []string{targetInfo, scrapeError, pageNote} {
		series, err := c.query(ctx, name, 0, false, 0)
		if err != nil {
			return err
		}
		byTarget := infos{}
		for _, one := range series {
			key := keyOf(subjectOf(Target, one.Labels))
			byTarget[key] = append(byTarget[key], one)
		}
		c.infos[name] = byTarget
	}
	return nil
}

// at lists the label sets that a target had at a tick.
func (in infos) at(target Subject, tick int64) []labels.Labels {
	var found []labels.Labels
	for _, one := range in[keyOf(target)] {
		i := sort.Search(len(one.Points), func(i int) bool { return one.Points[i].Time >= tick })
		if i < len(one.Points) && one.Points[i].Time == tick {
			found = append(found, one.Labels)
		}
	}
	slices.SortFunc(found, labels.Compare)
	return found
}
