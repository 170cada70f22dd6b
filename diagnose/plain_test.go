package diagnose

import (
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestPlainWritesOutWhatATerminalWouldObey(t *testing.T) {
	tests := []struct{ text, want string }{
		{"llama-70b", "llama-70b"},
		{"名前 é", "名前 é"},
		{"\x1b]0;title\x07", `\x1b]0;title\a`},
		{"two\nlines", `two\nlines`},
		{"broken \xff", `broken \xff`},
		{"\u202etxt", `\u202etxt`},
		{"no\u00a0break", `no\u00a0break`},
	}
	for _, tt := range tests {
		if got := Plain(tt.text); got != tt.want {
			t.Errorf("%q: got %q, want %q", tt.text, got, tt.want)
		}
	}
}

func FuzzPlain(f *testing.F) {
	for _, s := range []string{"", "a", "\x1b[2J", "\xff\xfe", "\u202e", "\u0085"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got := Plain(text)
		if !utf8.ValidString(got) {
			t.Errorf("%q: %q is no UTF-8", text, got)
		}
		for _, r := range got {
			if !unicode.IsPrint(r) {
				t.Errorf("%q: %q shows %U", text, got, r)
			}
		}
		if Plain(got) != got {
			t.Errorf("%q: not stable", text)
		}
	})
}
