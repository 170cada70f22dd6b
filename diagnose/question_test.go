package diagnose

import (
	"math"
	"math/rand/v2"
	"strconv"
	"testing"
)

// randomTest nests comparisons of signals "0" to "5".
func randomTest(random *rand.Rand, depth int) Test {
	if depth == 0 || random.IntN(3) == 0 {
		return Is{Signal: strconv.Itoa(random.IntN(6)), Op: Op(random.IntN(6)), Threshold: float64(random.IntN(4))}
	}
	parts := make([]Test, 1+random.IntN(4))
	for i := range parts {
		parts[i] = randomTest(random, depth-1)
	}
	if random.IntN(2) == 0 {
		return All(parts)
	}
	return Any(parts)
}

// Whatever is computed first, a rule comes to the same: nothing is decided too early, and every signal that is asked for is missing.
func TestOutcomesDoNotDependOnWhatIsComputedFirst(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	early := 0
	for range 5000 {
		rule := Rule{When: randomTest(random, 3)}
		values, computed := map[string]float64{}, map[string]bool{}
		for i := range 6 {
			values[strconv.Itoa(i)] = float64(random.IntN(5))
			if random.IntN(4) == 0 {
				values[strconv.Itoa(i)] = math.NaN()
			}
		}
		want, _ := rule.outcome(func(id string) (float64, bool) { return values[id], true })
		for {
			got, missing := rule.outcome(func(id string) (float64, bool) { return values[id], computed[id] })
			if missing == "" {
				if got != want {
					t.Fatalf("%s with %v, computed %v: %v, want %v", rule.When, values, computed, got, want)
				}
				break
			}
			if computed[missing] {
				t.Fatalf("%s asks for %s again", rule.When, missing)
			}
			computed[missing] = true
		}
		for _, is := range rule.When.comparisons() {
			if !computed[is.Signal] {
				early++
				break
			}
		}
	}
	if early < 1000 {
		t.Errorf("%d of 5000 were decided before everything was computed", early)
	}
}
