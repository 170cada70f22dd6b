package scrape

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/prometheus/model/textparse"
)

// readSamples returns the texts of the samples of a page.
func readSamples(page string, openMetrics bool) (texts []string, d damage) {
	d = readEntries(cleanPage([]byte(page)), openMetrics, func(p textparse.Parser, entry textparse.Entry) bool {
		if entry == textparse.EntrySeries {
			text, _, _ := p.Series()
			if bytes.IndexByte(text, '\n') >= 0 {
				return false
			}
			texts = append(texts, string(text))
		}
		return true
	})
	return texts, d
}

func TestReadEntriesRecovers(t *testing.T) {
	for _, row := range []struct {
		name, page string
		want       string // texts of the samples, joined by spaces
		bad        int
		first      string
	}{
		{"clean", "# HELP a x\n# TYPE a gauge\na 1\na{b=\"c\"} 2\n", `a a{b="c"}`, 0, ""},
		{"no final newline", "a 1\nb 2", "a b", 0, ""},
		{"byte order mark and CRLF", "\xef\xbb\xbfa 1\r\nb 2\r\n", "a b", 0, ""},
		{"blank lines", "\n\na 1\n\n\n  \nb 2\n\n", "a b", 0, ""},
		{"first line", "]bad[\na 1\n", "a", 1, "]bad["},
		{"last line, cut", "a 1\nb{c=\"d", "a", 1, `b{c="d`},
		{"one in two", "a 1\nx\nb 2\ny\nc 3\n", "a b c", 2, "x"},
		{"unclosed quote", "a 1\nb{c=\"d 2\ne{f=\"g\"} 3\nh 4\n", `a e{f="g"} h`, 1, `b{c="d 2`},
		{"quote closed lines later", "b{c=\"d 2\ne 3\nf{g=\"} 4\nh 5\n", "e h", 2, `b{c="d 2`},
		{"bad TYPE and HELP", "# TYPE a nonsense\na 1\n# HELP\nb 2\n# TYPE b\nc 3\n", "a b c", 2, "# TYPE a nonsense"},
		{"help with escapes", "# HELP a b \\\\ \\n c\nbad\na 1\n", "a", 1, "bad"},
		{"wrong value", "a 1\nb one\nc 2e\nd 0x1p4\ne NaN\nf +Inf\n", "a e f", 3, "b one"},
		{"comments", "# hello\n#\na 1\n# EOF is not the end here\nb 2\n", "a b", 0, ""},
	} {
		texts, d := readSamples(row.page, false)
		if got := strings.Join(texts, " "); got != row.want || d.lines != row.bad || d.first != row.first {
			t.Errorf("%s: got %q, %d bad, first %q; want %q, %d, %q", row.name, got, d.lines, d.first, row.want, row.bad, row.first)
		}
	}
}

func TestReadEntriesOpenMetrics(t *testing.T) {
	const page = "# TYPE a counter\n# UNIT b_seconds seconds\na_total 1 # {id=\"x\"} 1 1.5\na_created 17\nb_seconds 2 1.5\n"
	texts, d := readSamples(page+"bad line here\nc 3\n# EOF\n", true)
	if diff := cmp.Diff([]string{"a_total", "a_created", "b_seconds", "c"}, texts); diff != "" || d.lines != 1 || !d.ended {
		t.Errorf("%s\n%+v", diff, d)
	}
	texts, d = readSamples(page, true)
	if len(texts) != 3 || d.lines != 0 || d.ended {
		t.Errorf("without end: %q, %+v", texts, d)
	}
	for contentType, want := range map[string]bool{
		"application/openmetrics-text; version=1.0.0": true, "text/plain": false, "": false, "nonsense;;": false,
	} {
		if isOpenMetrics(contentType, []byte("a 1\n")) != want {
			t.Errorf("content type %q: want %v", contentType, want)
		}
	}
	if !isOpenMetrics("text/plain", []byte("a 1\n# EOF\n\n")) {
		t.Error("end marker not seen")
	}
}

func TestReadEntriesGivesUp(t *testing.T) {
	_, d := readSamples(strings.Repeat("bad line\n", 5*maxBadLines)+"a 1\n", false)
	if d.lines != maxBadLines {
		t.Errorf("%d bad lines", d.lines)
	}
}

// labelList is the labels of a sample.
const labelList = `[ \t]*(?:(?:[a-zA-Z_][a-zA-Z0-9_]*|"(?:\\.|[^"\\])*")[ \t]*=[ \t]*"(?:\\.|[^"\\])*"[ \t]*,?[ \t]*)*`

// sampleLine is the text format once more, line by line and without the parser, to check what the recovery keeps.
var sampleLine = regexp.MustCompile(`^[ \t]*(?:[a-zA-Z_:][a-zA-Z0-9_:]*[ \t]*(?:\{` + labelList + `\})?|\{"(?:\\.|[^"\\])*"(?:,` + labelList + `)?\})[ \t]+` +
	`(?:[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?|NaN|[-+]?Inf)(?:[ \t]+-?[0-9]+)?[ \t]*$`)

// countLines counts samples and bad lines of a page in the text format by themselves. Verdicts are kept in known, since
// most lines of a recording are on many of its pages.
func countLines(page string, known map[string]bool) (samples, bad int) {
	for line := range strings.SplitSeq(strings.TrimPrefix(page, "\xef\xbb\xbf"), "\n") {
		line = strings.TrimSuffix(line, "\r")
		if strings.TrimSpace(line) == "" || strings.HasPrefix(line, "#") {
			continue
		}
		good, judged := known[line]
		if !judged {
			good = sampleLine.MatchString(line)
			known[line] = good
		}
		if good {
			samples++
		} else {
			bad++
		}
	}
	return samples, bad
}

// fixtures returns a folder of recorded pages beside the checkout, and skips where there is none.
func fixtures(t testing.TB, elements ...string) string {
	t.Helper()
	folder := filepath.Join(append([]string{"..", "..", "shared", "fixtures"}, elements...)...)
	if _, err := os.Stat(folder); err != nil {
		t.Skip("no recorded pages here")
	}
	return folder
}

// recordedKind is what the pages in a folder of recordings come from; nothing for the odd ones.
func recordedKind(file string) Kind {
	switch {
	case strings.Contains(file, "headers-only"):
		return KindOther // no sample, so no name
	case strings.Contains(file, "/dcgm/"):
		return KindDCGM
	case strings.Contains(file, "/sglang/"):
		return KindOther
	case strings.Contains(file, "/odd/"):
		return ""
	}
	return KindVLLM
}

func TestRecordedPages(t *testing.T) {
	var read, lines int
	known := map[string]bool{}
	walk := func(file string, info os.FileInfo, err error) error {
		if err != nil || info.IsDir() || !slices.Contains([]string{".txt", ".prom", ".gz"}, filepath.Ext(file)) {
			return err
		}
		page, err := readSaved(file)
		if err != nil || notMetrics(page) != nil {
			return err
		}
		samples, bad := countLines(string(page), known)
		if isOpenMetrics("", page) { // no line of these is bad, but exemplars are beyond the expression
			samples, bad = samples+bad, 0
		}
		texts, d := readSamples(string(page), isOpenMetrics("", page))
		if len(texts) != samples || d.lines != bad {
			t.Errorf("%s: %d samples and %d bad lines, by line %d and %d; first %q", file, len(texts), d.lines, samples, bad, d.first)
		}
		if want := recordedKind(file); want != "" {
			if kind, failure := pageKind(page, ""); kind != want {
				t.Errorf("%s: kind %q, want %q, %v", file, kind, want, failure)
			}
		}
		read++
		lines += samples
		return nil
	}
	if err := filepath.Walk(fixtures(t), walk); err != nil {
		t.Fatal(err)
	}
	if read < 500 || lines < 100_000 {
		t.Errorf("only %d pages with %d samples", read, lines)
	}
}

func TestNotMetrics(t *testing.T) {
	for page, want := range map[string]string{
		"<!DOCTYPE html><html><head><title>Sign in</title></head>":   `not a metrics page but HTML (Sign in): a log-in page, a proxy or another service answers here; check the URL`,
		" <html><script>var a=1</script><p>Bad\r\n&amp; ugly</html>": `not a metrics page but HTML (Bad & ugly): a log-in page, a proxy or another service answers here; check the URL`,
		"{\n  \"object\": \"error\", \"id\": \"req-77ac01\"}":        `not a metrics page but JSON ({ "object": "error", "id": "…"}): another service or path answers here; check the URL`,
		`[{"id":1,"code":401}]`:                                      `not a metrics page but JSON ([{"id":1,"code":401}]): another service or path answers here; check the URL`,
		"{}":                                                         `not a metrics page but JSON ({}): another service or path answers here; check the URL`,
		"a 1\n":                                                      "",
		"{\"gpu busy\",gpu=\"0\"} 1\n":                               "",
		"{\"a:b\"} 1\n":                                              "",
		"[2026-11-29] INFO started\na 1\n":                           "",
		"":                                                           "",
		"\x1b]0;title\a":                                             "",
	} {
		failure := notMetrics([]byte(page))
		if failure == nil && want != "" || failure != nil && (failure.Sentence != want || failure.Class != ClassNotMetrics) {
			t.Errorf("%q:\n got %v\nwant %s", page, failure, want)
		}
	}
}

func TestNameKind(t *testing.T) {
	for name, want := range map[string]Kind{
		"vllm:num_requests_running": KindVLLM, "ray_vllm:e2e": KindVLLM, "ray_vllm_e2e": KindVLLM,
		"vllm_e2e": KindVLLM, "kserve_vllm:e2e": KindVLLM, "kserve_vllm_e2e": KindVLLM, "DCGM_FI_DEV_GPU_UTIL": KindDCGM,
		"DCGM_EXP_XID_ERRORS_COUNT": KindDCGM, "nvidia_smi_temperature_gpu": KindNvidiaSMI, "other_vllm:e2e": "", "http_requests_total": "", "vllmscope_x": "", "sglang:x": "",
	} {
		if got := nameKind(name); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
}

func FuzzReadEntries(f *testing.F) {
	for _, page := range []string{
		smallPage, "a{b=\"c\"} 1 1700000000000\nbad\n", "# HELP a \\n\n# TYPE a counter\na 1\n", "{\"a b\",c=\"d\"} 1\n",
		"a_total 1 # {id=\"x\"} 1 1.5\n# EOF\n", "a{b=\"\n\"} 1\n", "\xef\xbb\xbfa 1\r\n", "# UNIT a_s s\n# TYPE a_s info\n", "a{\x00=\"\"} 1",
	} {
		f.Add(page, false)
		f.Add(page, true)
	}
	f.Fuzz(func(t *testing.T, page string, openMetrics bool) {
		readSamples(page, openMetrics)
		if openMetrics || strings.ContainsAny(page, "\r\x00") {
			return
		}
		// A good line keeps its sample whatever stands before and behind it, if no label there is still open.
		const good = "\nfuzz_good{a=\"b\"} 1\n"
		texts, d := readSamples(page+good+page, false)
		if found := strings.Count(strings.Join(texts, "\n"), `fuzz_good{a="b"}`); found < 1 && d.lines < maxBadLines {
			t.Errorf("the good line is lost: %q, %+v", texts, d)
		}
	})
}
