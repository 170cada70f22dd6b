package main

import (
	"errors"
	"strconv"

	"github.com/spf13/pflag"
)

// wanted are the values that flags take, by their type, in the user's words.
var wanted = map[string]string{
	"int":         "write a whole number",
	"uint64":      "write a whole number, not below 0",
	"float64":     "write a number",
	"bool":        "write true or false",
	"stringSlice": "write addresses or paths, with commas between them",
}

// wrongValue says what to write instead of a flag's value; ok is false for another error.
func wrongValue(err error) (name, value, advice string, ok bool) {
	wrong, ok := errors.AsType[*pflag.InvalidValueError](err)
	if !ok {
		return "", "", "", false
	}
	flag := wrong.GetFlag()
	advice, known := wanted[flag.Value.Type()]
	switch {
	case errors.Is(err, strconv.ErrRange):
		advice = "that number is too large"
	case !known:
		advice = wrong.Unwrap().Error() // of a type of ours, which says it itself
	}
	return flag.Name, wrong.GetValue(), advice, true
}
