package main

import (
	"strings"

	"github.com/spf13/pflag"
)

// environment is the process's environment.
type environment map[string]string

func newEnvironment(pairs []string) environment {
	env := environment{}
	for _, pair := range pairs {
		if name, value, ok := strings.Cut(pair, "="); ok {
			env[name] = value
		}
	}
	return env
}

// set gives every flag that was not on the command line the value of its variable: VLLMSCOPE_MAX_NUM_SEQS for --max-num-seqs.
func (e environment) set(flags *pflag.FlagSet) error {
	var failed error
	flags.VisitAll(func(f *pflag.Flag) {
		name := "VLLMSCOPE_" + strings.ToUpper(strings.ReplaceAll(f.Name, "-", "_"))
		value, given := e[name]
		if !given || f.Changed || failed != nil {
			return
		}
		if err := flags.Set(f.Name, value); err != nil {
			_, _, advice, _ := wrongValue(err)
			failed = usage("%s=%q: %s", name, value, advice)
		}
	})
	return failed
}

// draws tells whether the terminal has more than ASCII: the Linux console lacks the signs of charts, and a locale may be set that is
// not UTF-8. The first of the variables that is set decides, as in the C library.
func (e environment) draws() bool {
	if e["TERM"] == "linux" {
		return false
	}
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if value := strings.ToUpper(e[name]); value != "" {
			return strings.Contains(value, "UTF-8") || strings.Contains(value, "UTF8")
		}
	}
	return true
}
