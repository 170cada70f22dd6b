package diagnose

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/prometheus/prometheus/model/labels"
)

// sheetValue says a figure of the data sheet of a server's GPUs.
func (r *recorder) sheetValue(name string) string {
	values := map[int]float64{}
	for i := range sheets {
		values[placeOf(&sheets[i])] = sheets[i].value(name)
	}
	return translated(values, r.sheets())
}

// sheets records which data sheet the GPUs of each server have, by its place in the list: by the user's word, or when all have the same.
func (r *recorder) sheets() string {
	return r.helper(SeriesOf(Server, "sheet"), func() string {
		each := r.sheetsOfGPUs()
		var terms []string
		for _, instance := range slices.Sorted(maps.Keys(r.settings.Hardware)) {
			if gpu := r.settings.Hardware[instance].GPU; gpu != "" {
				terms = append(terms, fmt.Sprintf("%s{instance=%q} * %d", r.present(Server), instance, placeOf(sheetOf(gpu))))
			}
		}
		alike := fmt.Sprintf("max by(%s) (%s) == min by(%s) (%s)", servedLabels, each, servedLabels, each)
		return strings.Join(append(terms, ofServers(alike)), " or on("+targetLabels+") ")
	})
}

// sheetsOfGPUs records the data sheet of each GPU of a server, 0 where there is none for certain.
func (r *recorder) sheetsOfGPUs() string {
	return r.helper(SeriesOf(GPU, "sheet"), func() string {
		var terms []string
		for i := range sheets {
			terms = append(terms, fmt.Sprintf("0 * %s + %d", withMatchers(r.servers(), sheets[i].matchers()...), placeOf(&sheets[i])))
		}
		return strings.Join(append(terms, "0 * "+r.servers()), " or ")
	})
}

// placeOf is the place of the first data sheet of the same GPU, from 1 on; 0 is none.
func placeOf(s *sheet) int {
	if s == nil {
		return 0
	}
	return 1 + slices.IndexFunc(sheets, func(o sheet) bool { return o.name == s.name })
}

// matchers find whole GPUs by the words of their names, as sheetOf does.
func (s *sheet) matchers() []*labels.Matcher {
	all := []*labels.Matcher{labels.MustNewMatcher(labels.MatchEqual, "GPU_I_ID", "")}
	word := func(kind labels.MatchType, text string) {
		if text == "sxm" {
			text += "[a-z0-9]*"
		}
		all = append(all, labels.MustNewMatcher(kind, "modelName", "(?i)(.*[^a-z0-9])?"+text+"([^a-z0-9].*)?"))
	}
	for _, w := range s.words {
		word(labels.MatchRegexp, w)
	}
	for _, w := range s.others {
		word(labels.MatchNotRegexp, w)
	}
	return all
}
