package scrape

import (
	"testing"
	"time"
)

func TestBudgetBoundsSeriesAndBytes(t *testing.T) {
	var b budget
	b.renew(1, time.Hour)
	if b.spend(32<<20 + 1) {
		t.Error("more bytes than there are")
	}
	if !b.spend(32<<20-10) || b.spend(11) || !b.spend(10) || b.spend(1) {
		t.Errorf("bytes: %+v is left", b)
	}
	if b.renew(time.Hour.Milliseconds(), time.Hour) || !b.renew(time.Hour.Milliseconds()+1, time.Hour) {
		t.Error("it is not renewed after its span")
	}
	for range 100_000 {
		if !b.spend(1) {
			t.Fatalf("%+v is left", b)
		}
	}
	if b.spend(1) {
		t.Error("more series than there are")
	}
}
