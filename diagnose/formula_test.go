package diagnose

import (
	"math"
	"testing"
)

func TestFormulaComputes(t *testing.T) {
	values := map[string]float64{"two": 2, "three": 3, "zero": 0, "half": 0.5}
	get := func(id string) float64 {
		if v, ok := values[id]; ok {
			return v
		}
		return math.NaN()
	}
	inf, nan := math.Inf(1), math.NaN()
	tests := []struct {
		text string
		want float64
	}{
		{"two + three * two", 8},
		{"(two + three) * two", 10},
		{"-two + 1", -1},
		{"1 - half", 0.5},
		{"two / zero", inf},
		{"zero / zero", nan},
		{"lacking * 0", nan},
		{"lacking or three", 3},
		{"lacking or gone or two", 2},
		{"two or three", 2},
		{"clamp_max(three, 2)", 2},
		{"clamp_min(-two, 0)", 0},
		{"clamp_min(lacking, 0)", nan},
		{"floor(three / two)", 1},
		{"ceil(three / two)", 2},
		{"floor(three / 2) % 2", 1},
		{"half ^ (two + 1)", 0.125},
		{"lacking ^ 0", nan},
		{"three ^ two", 9},
	}
	for _, tt := range tests {
		f, err := compile(tt.text)
		if err != nil {
			t.Errorf("%s: %v", tt.text, err)
			continue
		}
		if got := f.eval(get); got != tt.want && !(math.IsNaN(got) && math.IsNaN(tt.want)) {
			t.Errorf("%s: got %v, want %v", tt.text, got, tt.want)
		}
	}
}

func TestFormulaRefusesWhatIsNotArithmetic(t *testing.T) {
	for _, text := range []string{"rate(x[1m])", "sum(x)", "x atan2 y", "x > 1", "x and y", "abs(x)", `"text"`, "x +"} {
		if _, err := compile(text); err == nil {
			t.Errorf("%s was accepted", text)
		}
	}
}
