package main

import (
	"github.com/spf13/cobra"

	"github.com/vllmscope/vllmscope/diagnose/print"
)

func newRules(o *options) *cobra.Command {
	format := "text"
	list := &cobra.Command{
		Use:   "list",
		Short: "All rules, a line each",
		Args:  takes(0, 0, ""),
		RunE: func(*cobra.Command, []string) error {
			switch format {
			case "text":
				return print.Rules(o.streams.out, o.book())
			case "json":
				return print.RulesJSON(o.streams.out, o.book())
			}
			return usage("--format %q: choose text or json", format)
		},
	}
	list.Flags().StringVar(&format, "format", "text", "text or json")
	show := &cobra.Command{
		Use:   "show CODE",
		Short: "Everything about one rule",
		Args:  takes(1, 1, "the code of a rule"),
		RunE:  func(_ *cobra.Command, args []string) error { return showRule(o, args[0]) },
	}
	rules := &cobra.Command{Use: "rules", Short: "The rule book", Args: takes(0, 0, ""), RunE: list.RunE}
	rules.AddCommand(list, show, newExport(o))
	return rules
}

// showRule prints a rule by its code or its name.
func showRule(o *options, wanted string) error {
	book := o.book()
	rule, err := knownRule(book, wanted)
	if err != nil {
		return usage("%w", err)
	}
	return print.Rule(o.streams.out, book, rule)
}
