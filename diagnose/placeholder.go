package diagnose

import (
	"regexp"
	"strconv"
	"strings"
)

// placeholder stands for a signal in a text of a rule, or for what a command is about.
var placeholder = regexp.MustCompile(`\{([a-z0-9_]+)\}`)

// placeholders lists the signals that a text mentions.
func placeholders(text string) []string {
	var ids []string
	for _, m := range placeholder.FindAllStringSubmatch(text, -1) {
		if !isCommandWord(m[1]) {
			ids = append(ids, m[1])
		}
	}
	return ids
}

// FillIn replaces the signals that a text mentions by what is said of each.
func (b *Book) FillIn(text string, say func(*Signal) string) string {
	return placeholder.ReplaceAllStringFunc(text, func(match string) string {
		if s := b.Signal(strings.Trim(match, "{}")); s != nil {
			return say(s)
		}
		return match
	})
}

// unknownWorking is how a number was worked out, in parentheses, where a part of that is not known.
var unknownWorking = regexp.MustCompile(` \([^()]*` + unknownFigure + `[^()]*\)`)

// unknownFigure stands for a figure without a value while a text is filled in: a range has a dash, too.
const unknownFigure = "\x00"

// fillIn replaces the signals in a text by their values.
func fillIn(text string, look func(string) Fact) string {
	parts := SplitCommands(text)
	for i := range parts {
		say := sayFigure
		if i%2 == 1 {
			say = bareNumber
		}
		parts[i] = placeholder.ReplaceAllStringFunc(parts[i], func(m string) string {
			if id := strings.Trim(m, "{}"); !isCommandWord(id) {
				return say(look(id))
			}
			return m
		})
	}
	text = strings.Join(parts, commandMark)
	text = strings.ReplaceAll(unknownWorking.ReplaceAllString(text, ""), unknownFigure, Absent)
	return strings.ReplaceAll(singular(text), "?.", "?") // an error may end with a question
}

// sayFigure is a figure as a sentence has it. What a page says must not look like a command of ours.
func sayFigure(f Fact) string {
	if f.Known() || f.Words != "" {
		return strings.ReplaceAll(f.Text(), commandMark, "'")
	}
	return unknownFigure
}

// bareNumber is a figure as a command takes it: without its unit, and a word where it is not known.
func bareNumber(f Fact) string {
	if f.Known() {
		return strconv.FormatFloat(f.Value, 'f', 0, 64)
	}
	return strings.ToUpper(f.Signal.ID)
}
