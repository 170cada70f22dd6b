package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/vllmscope/vllmscope/diagnose"
	"github.com/vllmscope/vllmscope/scrape"
)

// addBaseline reads the recordings that --baseline names, once and before anything is judged, and gives the settings what was usual then.
func (o *options) addBaseline(ctx context.Context, set *diagnose.Settings) (err error) {
	if len(o.baseline) == 0 {
		return nil
	}
	s, err := o.openStore(*set, 0, set.Step)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.close()) }()
	err = scrape.Caught(func() error {
		_, err := scrape.ReadFolder(s.store, o.baseline, set.Step)
		return err
	})
	if err != nil {
		return asUsage(fmt.Errorf("--baseline: %w", err))
	}
	set.Baseline, err = diagnose.ReadBaseline(ctx, s.source, diagnose.Default(), *set)
	if err == nil && set.Baseline.Empty() {
		err = usage("--baseline %s: these pages tell nothing of how vLLM usually is; name pages of its servers, two of each at least",
			strings.Join(o.baseline, ","))
	}
	return err
}
