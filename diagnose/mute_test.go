package diagnose

import "testing"

func TestMutedInWords(t *testing.T) {
	for want, codes := range map[string][]string{
		"":                                     nil,
		"A2 B1: not judged while this goes on": {"A2", "B1"},
		"5 rules that read its page (A2, A3, A4 and 2 more): not judged while this goes on": {"A2", "A3", "A4", "B1", "B4"},
	} {
		if got := (&Finding{Mutes: codes}).Muted(); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}
