package ui

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"github.com/vllmscope/vllmscope/diagnose"
)

func TestSafe(t *testing.T) {
	for _, row := range []struct{ text, want string }{
		{"llama-70b on gpu-a:8000", "llama-70b on gpu-a:8000"},
		{"87 °C ≥ 90 %", "87 °C ≥ 90 %"},
		{"千里馬", "千里馬"},
		{"\x1b[2J", `\x1b[2J`},
		{"bell\a", `bell\a`},
		{"two\nlines\t", `two\nlines\t`},
		{"\u202egnp.exe", `\u202egnp.exe`},
		{"zero\u200bwidth", `zero\u200bwidth`},
		{"c1\u009b31m", `c1\u009b31m`},
		{"bad\xff\xfeutf-8", `bad\xff\xfeutf-8`},
		{"replaced \ufffd", "replaced \ufffd"},
		{"heart ❤\ufe0f", `heart ❤\ufe0f`},
		{`already \x1b`, `already \x1b`},
	} {
		if got := safe(row.text); got != row.want {
			t.Errorf("safe(%q) = %q, want %q", row.text, got, row.want)
		}
	}
}

func FuzzSafe(f *testing.F) {
	f.Add("\x1b]0;title\a\u202e\xff千")
	f.Fuzz(func(t *testing.T, text string) {
		got := safe(text)
		if !utf8.ValidString(got) || strings.ContainsFunc(got, unicode.IsControl) || strings.ContainsFunc(got, hostile) {
			t.Errorf("safe(%q) = %q", text, got)
		}
		if safe(got) != got {
			t.Errorf("safe(%q) = %q is not safe", text, got)
		}
		if plain := asciiOnly(got); strings.ContainsFunc(plain, beyondASCII) {
			t.Errorf("asciiOnly(%q) = %q", got, plain)
		}
	})
}

// FuzzLine puts any text into cells of any width: a line is never wider than its limit, and cells end where they should.
func FuzzLine(f *testing.F) {
	f.Add("model\x1b[31m 千里馬", "x", 10, 7)
	f.Fuzz(func(t *testing.T, a, b string, limit, width int) {
		limit, width = min(max(limit, 0), 300), min(max(width, 0), 300)
		for _, ascii := range []bool{false, true} {
			k := newLook(Dark, ascii)
			l := k.line(limit).left(strong, width, a).right(critical, width, b)
			got := ansi.StringWidth(l.String())
			if got > limit || got != l.width {
				t.Errorf("%q and %q in %d of %d: %d wide, counted %d: %q", a, b, width, limit, got, l.width, l.String())
			}
			if got < min(limit, 2*width) {
				t.Errorf("%q and %q in %d of %d end at %d", a, b, width, limit, got)
			}
			if n := ansi.StringWidth(k.middle(a, width)); width > 3 && n > width {
				t.Errorf("the middle of %q cut to %d is %d wide", a, width, n)
			}
		}
	})
}

func TestSqueeze(t *testing.T) {
	for _, row := range []struct {
		text  string
		width int
		want  string
	}{
		{"8–12 s", 11, "8–12 s"},
		{"~750 ms – 1.5 s", 11, "~750ms–1.5s"},
		{"750 ms – 1.5 s", 13, "750 ms–1.5 s"},
		{"98 %", 3, "98%"},
	} {
		if got := squeeze(row.text, row.width); got != row.want {
			t.Errorf("squeeze(%q, %d) = %q, want %q", row.text, row.width, got, row.want)
		}
	}
}

func TestWrap(t *testing.T) {
	for _, row := range []struct {
		text        string
		width, most int
		want        string
	}{
		{"one two three", 20, 2, "one two three"},
		{"one two three", 8, 2, "one two|three"},
		{"one two three four", 8, 2, "one two|three f…"},
		{"averyveryverylongword", 8, 3, "averyver|yverylon|gword"},
		{"cap --max-num-seqs", 16, 3, "cap|--max-num-seqs"},
	} {
		if got := strings.Join(newLook(Dark, false).wrap(row.text, row.width, row.most), "|"); got != row.want {
			t.Errorf("wrap(%q, %d, %d) = %q, want %q", row.text, row.width, row.most, got, row.want)
		}
	}
}

func TestFilterMatches(t *testing.T) {
	for _, row := range []struct {
		filter, text string
		want         bool
	}{
		{"", "anything", true},
		{"!", "anything", true},
		{"LLAMA", "llama-70b", true},
		{"qwen", "llama-70b", false},
		{"!qwen", "llama-70b", true},
		{"!llama", "llama-70b", false},
		{"(", "a(b", true},
	} {
		if got := (filter{text: row.filter}).matches(row.text); got != row.want {
			t.Errorf("%q matches %q: %t", row.filter, row.text, got)
		}
	}
}

// TestHostileLabels looks for anything in a screen that is no style of ours.
func TestHostileLabels(t *testing.T) {
	r := judged(t, readScene(t, "hostile"), sceneEnd)
	for _, keys := range [][]string{nil, {"tab"}, {"enter"}, {"3"}, {"/", "e", "v", "i", "l"}} {
		content := press(screen(t, Options{}, 200, 60, r), keys...).View().Content
		plain := strings.ReplaceAll(ansi.Strip(content), "\n", "")
		if i := strings.IndexFunc(plain, hostile); i >= 0 {
			t.Errorf("after %v the screen has %q", keys, plain[i:min(len(plain), i+20)])
		}
		for _, bad := range []string{"\x1b[2J", "\x1b]", "\a"} {
			if strings.Contains(content, bad) {
				t.Errorf("after %v the screen has %q", keys, bad)
			}
		}
	}
}

// TestASCII looks for anything that a terminal without UTF-8 could not draw.
func TestASCII(t *testing.T) {
	for _, scene := range []string{"thrash", "hostile", "down", "fleet"} {
		r := judged(t, readScene(t, scene), sceneEnd)
		for _, keys := range [][]string{nil, {"enter"}, {"3", "a"}, {"?"}, {"o"}, {"/", "x"}} {
			for line := range strings.SplitSeq(text(press(screen(t, Options{ASCII: true}, 200, 60, r), keys...)), "\n") {
				if strings.ContainsFunc(line, beyondASCII) {
					t.Errorf("%s after %v: %s", scene, keys, line)
				}
			}
		}
	}
}

func TestWhereWithin(t *testing.T) {
	r := judged(t, readScene(t, "thrash"), sceneEnd)
	subject := r.Replicas[0]
	subject.Model = "meta-llama/Llama-3.3-70B"
	s := scene{look: newLook(Dark, false), report: r}
	for _, row := range []struct {
		others, width int
		want          string
	}{
		{0, 39, "meta-llama/Llama-3.3-70B on gpu-a:8000"},
		{0, 30, "Llama-3.3-70B on gpu-a:8000"},
		{0, 20, "gpu-a:8000"},
		{3, 40, "Llama-3.3-70B on gpu-a:8000 and 3 others"},
		{1, 26, "gpu-a:8000 and 1 other"},
		{3, 14, "gpu-a:8000 +3"},
		{3, 12, "gpu-…8000 +3"},
	} {
		told := diagnose.Told{Finding: &diagnose.Finding{Subject: subject}, Others: make([]diagnose.Subject, row.others)}
		if got := s.whereWithin(told, row.width); got != row.want {
			t.Errorf("in %d cells with %d others: %q, want %q", row.width, row.others, got, row.want)
		}
	}
}

func TestColumnsStandApart(t *testing.T) {
	k := newLook(Dark, true)
	got := k.line(40).cell(plain, 8, "all there is").put(plain, "next").String()
	if !strings.HasPrefix(got, "all t") || strings.Index(got, " next") != 7 {
		t.Errorf("got %q, want a cut text and a blank before the next column", got)
	}
}
