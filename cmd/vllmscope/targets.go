package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/vllmscope/vllmscope/diagnose/print"
)

func newTargets(o *options) *cobra.Command {
	return &cobra.Command{
		Use:   "targets [URL|DIR ...]",
		Short: "What was found, what each target serves, what is missing",
		RunE:  func(c *cobra.Command, args []string) error { return o.listTargets(c.Context(), args) },
	}
}

// listTargets scrapes for as long as two scrapes of every target take and prints what is known then: what lacks a second one is no lack.
func (o *options) listTargets(ctx context.Context, args []string) error {
	r, err := o.judge(ctx, args, 0, "")
	if err != nil {
		return err
	}
	if err := print.Targets(o.streams.out, r); err != nil {
		return err
	}
	return verdict(r, failLevels["never"])
}
