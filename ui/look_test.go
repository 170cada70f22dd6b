package ui

import (
	"context"
	"flag"
	"strings"
	"testing"
	"time"

	"github.com/vllmscope/vllmscope/diagnose"
	"github.com/vllmscope/vllmscope/diagnose/prom"
	"github.com/vllmscope/vllmscope/scrape"
)

var (
	lookAtPages = flag.String("look", "", "show these folders of saved pages (comma-separated, 2 s apart) in the terminal")
	lookEvery   = flag.Duration("every", time.Second, "how far reports are apart with -look")
	lookSkip    = flag.Duration("skip", 0, "how much of the pages is there at once with -look")
	lookCap     = flag.Int("cap", 0, "--max-num-seqs with -look")
	lookASCII   = flag.Bool("ascii", false, "ASCII only with -look")
	lookMono    = flag.Bool("nocolor", false, "no colours with -look")
)

// TestLook shows the real screen: build the test binary with go test -c and run it in a terminal with -look.
func TestLook(t *testing.T) {
	if *lookAtPages == "" {
		t.Skip("no folders given with -look")
	}
	const step = 2 * time.Second
	store, err := scrape.OpenRing(t.TempDir(), 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	if _, err := scrape.ReadFolder(store, strings.Split(*lookAtPages, ","), step); err != nil {
		t.Fatal(err)
	}
	settings := diagnose.Settings{Step: step, Window: time.Minute, SLO: diagnose.Profiles[0], MaxNumSeqs: *lookCap}
	source := prom.NewEngine(store, step)
	reports := make(chan *diagnose.Report, 1)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go feed(ctx, source, settings, reports)
	err = Run(ctx, Options{
		Reports: reports, Waiting: "waiting for the first scrape", Interval: *lookEvery, ASCII: *lookASCII, NoColor: *lookMono,
		Deeds: Deeds{
			ScrapeNow:   func(context.Context) error { return nil },
			SetInterval: func(context.Context, time.Duration) error { return nil },
		},
	})
	if err != nil {
		t.Fatal(err)
	}
}

// feed sends the reports of a recording, one after the other.
func feed(ctx context.Context, source diagnose.Source, settings diagnose.Settings, reports chan<- *diagnose.Report) {
	first, last, _ := source.Span(ctx)
	watch := diagnose.NewWatch(source, diagnose.Default(), settings, time.Hour)
	for at := first.Add(*lookSkip); !at.After(last); at = at.Add(settings.Step) {
		report, err := watch.Advance(ctx, at)
		if err != nil || report == nil {
			continue
		}
		select {
		case reports <- report:
		case <-ctx.Done():
			return
		}
		time.Sleep(*lookEvery)
	}
}
