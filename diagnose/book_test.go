package diagnose

import "testing"

func TestDefaultBookIsSound(t *testing.T) {
	if n := len(Default().Rules); n < 26 {
		t.Errorf("%d rules", n)
	}
}
