package diagnose

import (
	"math"
	"slices"
	"testing"
	"time"
)

// histogram makes cumulative buckets out of edges and counts.
func histogram(pairs ...float64) buckets {
	var b buckets
	for i := 0; i < len(pairs); i += 2 {
		b = append(b, bucket{pairs[i], pairs[i+1]})
	}
	return b
}

var infinity = math.Inf(1)

func TestQuantileIsAnInterval(t *testing.T) {
	b := histogram(0.1, 50, 0.25, 90, 2.5, 98, 5, 99, infinity, 100)
	tests := []struct{ q, value, low, high float64 }{
		{0.5, 0.1, 0, 0.1},
		{0.7, 0.175, 0.1, 0.25},
		{0.9, 0.25, 0.1, 0.25},
		{0.94, 1.375, 0.25, 2.5},
		{0.99, 5, 2.5, 5},
		{0.995, 5, 5, infinity},
	}
	for _, tt := range tests {
		value, low, high := b.quantile(tt.q)
		if math.Abs(value-tt.value) > 1e-9 || low != tt.low || high != tt.high {
			t.Errorf("p%v: %v in %v to %v, want %v in %v to %v", 100*tt.q, value, low, high, tt.value, tt.low, tt.high)
		}
	}
}

func TestShareOverIsExactAtAnEdge(t *testing.T) {
	b := histogram(0.1, 50, 0.25, 90, 2.5, 96, 5, 99, infinity, 100)
	tests := []struct{ bound, low, high float64 }{
		{2.5, 0.04, 0.04},
		{3, 0.01, 0.04},
		{0.05, 0.5, 1},
		{10, 0, 0.01},
	}
	for _, tt := range tests {
		low, high := b.shareOver(tt.bound)
		if math.Abs(low-tt.low) > 1e-9 || math.Abs(high-tt.high) > 1e-9 {
			t.Errorf("over %v: %v to %v, want %v to %v", tt.bound, low, high, tt.low, tt.high)
		}
	}
}

func TestTheSlowestIsPrintedAsItsBucket(t *testing.T) {
	f := Fact{Signal: &Signal{Unit: Seconds, Take: Slowest()}, Value: 7.5, Low: 7.5, High: 10, N: 100}
	if got := f.Text(); got != "7.5–10 s" {
		t.Errorf("got %s", got)
	}
}

func TestSlowestBucketThatGrew(t *testing.T) {
	if low, high := histogram(0.1, 5, 10, 8, 20, 10, infinity, 10).slowest(); low != 10 || high != 20 {
		t.Errorf("got %v to %v", low, high)
	}
	if low, high := histogram(0.1, 5, 10, 10-1e-12, 20, 10, infinity, 10).slowest(); low != 0.1 || high != 10 {
		t.Errorf("what differs in the last digits is no observation: got %v to %v", low, high)
	}
	if low, high := histogram(0.1, 5, 10, 1e6-1, 20, 1e6, infinity, 1e6).slowest(); low != 10 || high != 20 {
		t.Errorf("one observation in a million is one: got %v to %v", low, high)
	}
	if low, high := histogram(0.1, 5, infinity, 6).slowest(); low != 0.1 || !math.IsInf(high, 1) {
		t.Errorf("got %v to %v", low, high)
	}
}

func TestBrokenHistogramsAreReadForWhatTheyAreWorth(t *testing.T) {
	if _, ok := histogram(0.1, 5, 1, 6).tidy(); ok {
		t.Error("without a +Inf bucket the total is unknown")
	}
	if _, ok := histogram(0.1, 0, infinity, 0).tidy(); ok {
		t.Error("without observations there is nothing to read")
	}
	b, ok := histogram(1, 4, infinity, 10, 0.1, 6).tidy()
	if !ok || b[0] != (bucket{0.1, 6}) || b[1] != (bucket{1, 6}) {
		t.Errorf("unsorted and falling: %v", b)
	}
}

func TestFactPrintsWhatIsKnown(t *testing.T) {
	p99 := &Signal{Unit: Seconds, Take: Quantile(0.99)}
	exact := &Signal{Unit: Share}
	late := &Signal{Unit: Share, Take: ShareOver("slo_ttft")}
	tests := []struct {
		name string
		fact Fact
		want string
	}{
		{"exact", Fact{Signal: exact, Value: 0.98, Low: 0.98, High: 0.98}, "98 %"},
		{"narrow bucket", Fact{Signal: p99, Value: 0.21, Low: 0.2, High: 0.25, N: 500}, "210 ms"},
		{"wide bucket", Fact{Signal: p99, Value: 4, Low: 2.5, High: 5, N: 500}, "2.5–5 s"},
		{"two units", Fact{Signal: p99, Value: 0.8, Low: 0.75, High: 2.5, N: 500}, "750 ms – 2.5 s"},
		{"last bucket", Fact{Signal: p99, Value: 2560, Low: 2560, High: infinity, N: 500}, "> 42m40s"},
		{"first bucket", Fact{Signal: p99, Value: 0.2, Low: 0, High: 0.3, N: 500}, "< 300 ms"},
		{"few", Fact{Signal: p99, Value: 0.21, Low: 0.2, High: 0.25, N: 9}, "~210 ms"},
		{"few in the first bucket", Fact{Signal: p99, Value: 0.2, Low: 0, High: 0.3, N: 9}, "< ~300 ms"},
		{"few in a wide bucket", Fact{Signal: p99, Value: 4, Low: 2.5, High: 5, N: 9}, "~2.5–5 s"},
		{"few in the last bucket", Fact{Signal: p99, Value: 2560, Low: 2560, High: infinity, N: 9}, "> ~42m40s"},
		{"few for a p99", Fact{Signal: p99, Value: 0.21, Low: 0.2, High: 0.25, N: 299}, "~210 ms"},
		{"enough for a p99", Fact{Signal: p99, Value: 0.21, Low: 0.2, High: 0.25, N: 300}, "210 ms"},
		{"few for a p95", Fact{Signal: &Signal{Unit: Seconds, Take: Quantile(0.95)}, Value: 1, Low: 1, High: 1, N: 99}, "~1 s"},
		{"enough for a p95", Fact{Signal: &Signal{Unit: Seconds, Take: Quantile(0.95)}, Value: 1, Low: 1, High: 1, N: 100}, "1 s"},
		{"few for a median", Fact{Signal: &Signal{Unit: Seconds, Take: Quantile(0.5)}, Value: 1, Low: 1, High: 1, N: 19}, "~1 s"},
		{"enough for a median", Fact{Signal: &Signal{Unit: Seconds, Take: Quantile(0.5)}, Value: 1, Low: 1, High: 1, N: 20}, "1 s"},
		{"a share that is an interval", Fact{Signal: late, Value: 0.38, Low: 0.38, High: 0.52, N: 9}, "38–52 %"},
		{"nothing", Fact{Signal: exact, Value: math.NaN(), Absence: NotExported}, Absent},
	}
	for _, tt := range tests {
		if got := tt.fact.Text(); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestUnitsFormat(t *testing.T) {
	tests := []struct {
		unit  Unit
		value float64
		want  string
	}{
		{Seconds, 0, "0 s"},
		{Seconds, 5.6e-17, "0 s"},
		{Seconds, -5.6e-17, "0 s"},
		{Seconds, 2e-6, "0.002 ms"},
		{Seconds, 0.0412, "41 ms"},
		{Seconds, 8.44, "8.4 s"},
		{Seconds, 12.3, "12 s"},
		{Seconds, 192, "3m12s"},
		{Seconds, 7500, "2h05m"},
		{Share, 0, "0 %"},
		{YesNo, 1, "yes"},
		{YesNo, 0, "no"},
		{Share, 0.0004, "<0.1 %"},
		{Share, 0.004, "0.4 %"},
		{Share, 0.996, "99.6 %"},
		{Share, 0.99999, "99.9 %"},
		{Share, 1, "100 %"},
		{TokensPerSecond, 1234, "1.2k tok/s"},
		{Tokens, 412345, "412k tokens"},
		{Count, 57, "57"},
		{Count, 999.6, "1k"},
		{Ratio, 0.4166, "0.42"},
		{Ratio, infinity, "∞"},
		{Bytes, 1.5 * (1 << 30), "1.5 GiB"},
		{Hertz, 1.23e9, "1,230 MHz"},
		{Celsius, 87.2, "87 °C"},
		{PerSecond, 0.7, "0.7/s"},
		{PerSecond, 0, "0/s"},
		{PerSecond, 0.0000039, "< 0.001/s"},
		{TokensPerSecond, 0.0000039, "< 0.001 tok/s"},
		{TokensPerSecond, 0.00123, "0.0012 tok/s"},
		{PerMinute, 42, "42 a minute"},
		{Code, 79, "79"},
		{Watts, 412.6, "413 W"},
		{Cores, 0.48, "0.48 cores"},
		{Count, math.NaN(), Absent},
	}
	for _, tt := range tests {
		if got := tt.unit.Format(tt.value); got != tt.want {
			t.Errorf("%s %v: got %q, want %q", tt.unit, tt.value, got, tt.want)
		}
	}
}

func TestBetween(t *testing.T) {
	for _, row := range []struct {
		unit      Unit
		low, high float64
		want      string
	}{
		{Share, 0.38, 0.52, "38–52 %"},
		{Share, 0.38, 0.38, "38 %"},
		{Share, 0, 0.05, "0–5 %"},
		{Share, 0.0002, 0.05, "<0.1 % – 5 %"},
		{PerSecond, 1.2, 1.7, "1.2–1.7/s"},
		{PerSecond, 900, 1200, "900–1.2k/s"},
	} {
		if got := row.unit.Between(row.low, row.high); got != row.want {
			t.Errorf("Between(%v, %v) = %q, want %q", row.low, row.high, got, row.want)
		}
	}
}

func TestDurations(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "0s", 12 * time.Second: "12s", time.Minute: "1m", 192 * time.Second: "3m12s", 10 * time.Minute: "10m", time.Hour: "1h",
		125 * time.Minute: "2h05m", 47*time.Hour + 59*time.Minute: "47h59m", 72 * time.Hour: "3d", 97*time.Hour + 25*time.Minute: "4d01h",
		59*time.Second + 600*time.Millisecond: "1m",
	} {
		if got := Duration(d); got != want {
			t.Errorf("%v: got %q, want %q", d, got, want)
		}
	}
}

func TestPlaceholdersOfExportersAreNoReadings(t *testing.T) {
	tests := []struct {
		unit  Unit
		value float64
		want  bool
	}{
		{Celsius, 61, true},
		{Celsius, 9.223372036854775e18, false},
		{Watts, 140737488355328, false},
		{Watts, 700, true},
		{Share, 9.2e18, false},
		{Share, 1, true},
		{Hertz, 1.98e9, true},
		{Count, math.NaN(), false},
		{Count, infinity, false},
		{Count, -infinity, false},
		{Count, -3, true},
		{Celsius, -60, false},
		{Code, 1e10, false},
	}
	for _, tt := range tests {
		if got := tt.unit.plausible(tt.value); got != tt.want {
			t.Errorf("%s %v: %v", tt.unit, tt.value, got)
		}
	}
}

func TestBucketsAddUpEdgeByEdge(t *testing.T) {
	a, b := histogram(0.1, 1, 0.5, 2, infinity, 3), histogram(0.1, 10, 0.2, 20, infinity, 30)
	want := histogram(0.1, 11, 0.2, 20, 0.5, 2, infinity, 33)
	if got := buckets(nil).plus(a).plus(b); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if !slices.Equal(a, histogram(0.1, 1, 0.5, 2, infinity, 3)) {
		t.Errorf("a part was changed: %v", a)
	}
}
