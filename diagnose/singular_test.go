package diagnose

import "testing"

func TestSingular(t *testing.T) {
	for text, want := range map[string]string{
		"1 requests get no token":                               "1 request gets no token",
		"11 requests wait, 0.1 requests wait, 2.1 wait":         "11 requests wait, 0.1 requests wait, 2.1 wait",
		"The batch is full at 1 sequences (1 run), 1 wait, and": "The batch is full at 1 sequence (1 runs), 1 waits, and",
		"with 1 running, 1 waiting and 1 more inside":           "with 1 running, 1 waiting and 1 more inside",
		"1/s arrive and 1 % of the requests wait":               "1/s arrive and 1 % of the requests wait",
		"gets 1 times the mean of new ones":                     "gets 1 times the mean of new ones",
	} {
		if got := singular(text); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
	if got := Tokens.Format(1) + ", " + Tokens.Format(1.5); got != "1 token, 1.5 tokens" {
		t.Error(got)
	}
}
