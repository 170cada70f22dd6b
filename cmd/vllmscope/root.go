package main

import (
	"errors"
	"strings"

	"github.com/spf13/cobra"
)

// newRoot builds the command tree. The root itself is the dashboard.
func newRoot(o *options) *cobra.Command {
	root := &cobra.Command{
		Use:   "vllmscope [URL ...]",
		Short: "Watch vLLM servers and their GPUs: what is wrong, why, and what to do first",
		Long: `vllmscope watches one or many vLLM servers and their GPUs and says what is wrong, why it says so, and what to do first.

Give it the addresses of vLLM servers (gpu-a:8000), and of dcgm-exporter with --gpu. With no address it looks on this host.`,
		Example: `  vllmscope gpu-a:8000 gpu-b:8000 --gpu gpu-a:9400
  vllmscope check http://localhost:8000 --for 1m --format markdown
  vllmscope demo`,
		Args:          notACommand,
		SilenceErrors: true,
		SilenceUsage:  true,
		Version:       version(),
		RunE:          func(c *cobra.Command, args []string) error { return o.dashboard(c.Context(), args) },
	}
	root.SetOut(o.streams.out)
	root.SetErr(o.streams.err)
	root.SetFlagErrorFunc(nearestFlag)
	root.PersistentPreRunE = func(c *cobra.Command, _ []string) error { return o.complete(c.Flags()) }
	o.register(root.PersistentFlags())
	o.registerScreen(root.Flags())
	root.AddCommand(newCheck(o), newTargets(o), newQuery(o), newRules(o), newDemo(o), newVersion(o))
	return root
}

// takes checks the number of arguments, and says what they are.
func takes(least, most int, what string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		switch {
		case len(args) < least:
			return usage("%s: %s is missing; see %s --help", c.CommandPath(), what, c.CommandPath())
		case len(args) > most && most == 0:
			return usage("%s: unknown argument %q; see %s --help", c.CommandPath(), args[0], c.CommandPath())
		case len(args) > most:
			return usage("%s takes one argument, %s; %q is too many", c.CommandPath(), what, args[most])
		}
		return nil
	}
}

// notACommand refuses an argument that looks like a misspelt command rather than an address.
func notACommand(c *cobra.Command, args []string) error {
	for _, arg := range args {
		if strings.ContainsAny(arg, ":./[0123456789") {
			continue
		}
		var names []string
		for _, sub := range c.Commands() {
			names = append(names, sub.Name())
		}
		if near := nearest(arg, names); near != "" {
			return usage("unknown command %q; did you mean %q? An address looks like gpu-a:8000", arg, near)
		}
	}
	return nil
}

// nearestFlag names the flag that was probably meant, or says what to write for one.
func nearestFlag(c *cobra.Command, err error) error {
	if flag, value, advice, ok := wrongValue(err); ok {
		return usage("--%s %q: %s", flag, value, advice)
	}
	text := err.Error()
	name, found := strings.CutPrefix(text, "unknown flag: --")
	if !found {
		return usage("%w; see %s --help", err, c.CommandPath())
	}
	if near := nearest(name, flagNames(c.Flags())); near != "" {
		return usage("%w; did you mean --%s?", err, near)
	}
	return usage("%w; see %s --help", err, c.CommandPath())
}

var errNoTarget = errors.New("no target answered")
