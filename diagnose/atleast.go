package diagnose

import "strings"

// atLeastPattern is a regular expression of the positive decimals, as bucket edges are written, that are at least so much: 0.5, 1, 2.0,
// 1e+06, +Inf. PromQL compares labels as texts only.
func atLeastPattern(bound float64) string {
	whole, fraction, ways := greater(bound)
	if fraction == "" {
		return strings.Join(append(ways, whole+anyFraction), "|")
	}
	return strings.Join(append(ways, whole+`\.`+fraction+"[0-9]*"), "|")
}

// abovePattern is one of those that are greater.
func abovePattern(bound float64) string {
	whole, fraction, ways := greater(bound)
	return strings.Join(append(ways, whole+`\.`+fraction+"[0-9]*[1-9][0-9]*"), "|")
}

const anyFraction = `(\.[0-9]+)?`

// greater are a bound's digits and patterns of the decimals that differ in one of them and are greater.
func greater(bound float64) (whole, fraction string, ways []string) {
	whole, fraction, _ = strings.Cut(trimNumber(bound), ".")
	ways = []string{`\+Inf`, `[0-9.]+e\+[0-9]+`, `[1-9][0-9]{` + trimNumber(float64(len(whole))) + `,}` + anyFraction}
	for i, digit := range whole {
		if digit < '9' {
			ways = append(ways, whole[:i]+above(digit)+strings.Repeat("[0-9]", len(whole)-i-1)+anyFraction)
		}
	}
	for i, digit := range fraction {
		if digit < '9' {
			ways = append(ways, whole+`\.`+fraction[:i]+above(digit)+"[0-9]*")
		}
	}
	return whole, fraction, ways
}

// above matches one digit that is greater.
func above(digit rune) string { return "[" + string(digit+1) + "-9]" }
