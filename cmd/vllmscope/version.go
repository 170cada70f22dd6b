package main

import (
	"fmt"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// newVersion is --version for those who type it as a command, which would else be taken for the name of a server.
func newVersion(o *options) *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "The version, as --version", Args: takes(0, 0, ""),
		RunE: func(c *cobra.Command, _ []string) error {
			_, err := fmt.Fprintf(o.streams.out, "%s version %s\n", c.Root().Name(), c.Root().Version)
			return err
		},
	}
}

// version is the module's version with the commit and the Go release, as the build recorded them.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	commit := ""
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			commit = ", commit " + s.Value[:min(12, len(s.Value))]
		}
	}
	return fmt.Sprintf("%s%s, %s", info.Main.Version, commit, info.GoVersion)
}
