package diagnose

import (
	"strings"
)

// atLeastPattern is a regular expression of the positive decimals, as bucket edges are written, that are at least so much: 0.5, 1, 2.0,
// 1e+06, +Inf. PromQL compares labels as texts only.
func atLeastPattern(bound float64) string {
	whole, fraction, _ := strings.Cut(trimNumber(bound), ".")
	rest := `(\.[0-9]+)?`
	ways := []string{`\+Inf`, `[0-9.]+e\+[0-9]+`, `[1-9][0-9]{` + trimNumber(float64(len(whole))) + `,}` + rest}
	for i, digit := range whole {
		if digit < '9' {
			ways = append(ways, whole[:i]+above(digit)+strings.Repeat("[0-9]", len(whole)-i-1)+rest)
		}
	}
	if fraction == "" {
		return strings.Join(append(ways, whole+rest), "|")
	}
	for i, digit := range fraction {
		if digit < '9' {
			ways = append(ways, whole+`\.`+fraction[:i]+above(digit)+"[0-9]*")
		}
	}
	return strings.Join(append(ways, whole+`\.`+fraction+"[0-9]*"), "|")
}

// above matches one digit that is greater.
func above(digit rune) string { return "[" + string(digit+1) + "-9]" }
