package yamlwords

import (
	"errors"
	"strings"
	"testing"
)

// What both libraries write, in the words of who wrote the file; a value, which may be a secret, is never repeated.
func TestPlain(t *testing.T) {
	for wrong, want := range map[string]string{
		"line 3: field exprr not found in type rulefmt.Rule":                `line 3: unknown key "exprr"`,
		"line 2: cannot unmarshal !!map into []main.modelConfig":            "line 2: a mapping stands where a list belongs",
		"line 2: cannot unmarshal !!seq into string":                        "line 2: a list stands where text belongs",
		"line 4: cannot unmarshal !!str `s3c`r\net...` into config.plain":   "line 4: text stands where a mapping belongs",
		"line 4: cannot unmarshal !!str `many` into int":                    "line 4: text stands where a number belongs",
		"line 4: cannot unmarshal !!int `5` into bool":                      "line 4: a number stands where true or false belongs",
		"line 1: cannot unmarshal !!seq into int\nline 2: the hold is gone": "line 1: a list stands where a number belongs\nline 2: the hold is gone",
	} {
		if got := Plain(wrong); got != want {
			t.Errorf("%s: %q, want %q", wrong, got, want)
		}
	}
}

func TestWithoutTabs(t *testing.T) {
	wrong := errors.New("line 2: found a tab")
	if got := WithoutTabs(wrong, []byte("a:\n  \tb: 1")); !errors.Is(got, wrong) || !strings.HasSuffix(got.Error(), "indent with spaces") {
		t.Error(got)
	}
	if got := WithoutTabs(wrong, []byte("a: \t1")); got.Error() != wrong.Error() { // one behind a key is no mistake
		t.Error(got)
	}
	if got := WithoutTabs(nil, []byte("\t")); got != nil {
		t.Error(got)
	}
}
