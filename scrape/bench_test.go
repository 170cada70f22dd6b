package scrape

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/model/textparse"
)

// vllmPage is a page of the size and shape of one of vLLM 0.24's: 67 kB, about 500 series, two thirds of them buckets.
func vllmPage(round int) []byte {
	var b bytes.Buffer
	const common = `engine="0",model_name="example-org/example-model-27B"`
	for f := range 18 {
		name := fmt.Sprintf("vllm:request_phase_%02d_time_seconds", f)
		fmt.Fprintf(&b, "# HELP %s Histogram of the time that a request spends in one of its phases, in seconds.\n# TYPE %s histogram\n", name, name)
		for i := range 18 {
			fmt.Fprintf(&b, "%s_bucket{%s,le=\"%g\"} %d.0\n", name, common, 0.3*float64(i+1), (round+f)*i)
		}
		fmt.Fprintf(&b, "%s_bucket{%s,le=\"+Inf\"} %d.0\n%s_count{%s} %d.0\n%s_sum{%s} %g\n", name, common, (round+f)*20, name, common, (round+f)*20, name, common, float64(round)*1.37)
	}
	for f := range 130 {
		name := fmt.Sprintf("vllm:counter_of_something_%03d_total", f)
		fmt.Fprintf(&b, "# HELP %s Number of things that happened since the start of the server process, by kind.\n# TYPE %s counter\n%s{%s} %d.0\n", name, name, name, common, round*f)
	}
	return b.Bytes()
}

// BenchmarkWrite parses and appends one known page.
func BenchmarkWrite(b *testing.B) {
	w := NewWriter(ring(b, time.Hour), mustTarget(b, "gpu-a:8000"))
	pages := [][]byte{vllmPage(1), vllmPage(2), vllmPage(3)}
	b.SetBytes(int64(len(pages[0])))
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		at := epoch.Add(time.Duration(i) * 5 * time.Second)
		if o, err := w.Write(Scrape{At: at, Page: pages[i%3]}); err != nil || o.Samples != 508 {
			b.Fatal(o, err)
		}
	}
}

// BenchmarkParser is Prometheus's own parser alone on such a page: a yardstick of the machine, to compare figures taken on different ones.
func BenchmarkParser(b *testing.B) {
	page := vllmPage(1)
	b.SetBytes(int64(len(page)))
	for b.Loop() {
		parser := textparse.NewPromParser(page, labels.NewSymbolTable(), false)
		series := 0
		for {
			entry, err := parser.Next()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				b.Fatal(err)
			}
			if entry == textparse.EntrySeries {
				var ls labels.Labels
				parser.Labels(&ls)
				series++
			}
		}
		if series != 508 {
			b.Fatal(series)
		}
	}
}

// BenchmarkWriteFirst is the first page of a target: every series is new.
func BenchmarkWriteFirst(b *testing.B) {
	store, page := ring(b, time.Hour), vllmPage(1)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		target := mustTarget(b, fmt.Sprintf("gpu-%d:8000", i))
		if _, err := NewWriter(store, target).Write(Scrape{At: epoch, Page: bytes.Clone(page)}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkRound64 is one page each of 64 servers.
func BenchmarkRound64(b *testing.B) {
	store := ring(b, time.Hour)
	var writers []*Writer
	for i := range 64 {
		writers = append(writers, NewWriter(store, mustTarget(b, fmt.Sprintf("gpu-%d:8000", i))))
	}
	pages := [][]byte{vllmPage(1), vllmPage(2), vllmPage(3)}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		for _, w := range writers {
			if _, err := w.Write(Scrape{At: epoch.Add(time.Duration(i) * 5 * time.Second), Page: pages[i%3]}); err != nil {
				b.Fatal(err)
			}
		}
	}
}

// BenchmarkWriteDamaged is a page with a bad line in every family.
func BenchmarkWriteDamaged(b *testing.B) {
	w := NewWriter(ring(b, time.Hour), mustTarget(b, "gpu-a:8000"))
	page := []byte(strings.ReplaceAll(string(vllmPage(1)), "# TYPE", "bad line\n# TYPE"))
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if _, err := w.Write(Scrape{At: epoch.Add(time.Duration(i) * 5 * time.Second), Page: page}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkFetch is a GET of one page over a kept connection.
func BenchmarkFetch(b *testing.B) {
	body := vllmPage(1)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(body) }))
	defer server.Close()
	from, err := openSource(mustTarget(b, server.URL))
	if err != nil {
		b.Fatal(err)
	}
	defer from.close()
	var page bytes.Buffer
	b.ReportAllocs()
	for b.Loop() {
		page.Reset()
		if _, failure := from.fetch(b.Context(), time.Second, &page); failure != nil {
			b.Fatal(failure)
		}
	}
}

// BenchmarkEndless is a body that never ends.
func BenchmarkEndless(b *testing.B) {
	line := strings.NewReader(strings.Repeat("x 1\n", 1<<14))
	b.ReportAllocs()
	for b.Loop() {
		var page bytes.Buffer
		if _, err := readBody(&looped{line}, false, &page); err == nil {
			b.Fatal("it ended")
		}
	}
}

type looped struct{ *strings.Reader }

func (l *looped) Read(p []byte) (int, error) {
	if l.Len() == 0 {
		_, _ = l.Seek(0, io.SeekStart)
	}
	return l.Reader.Read(p)
}
