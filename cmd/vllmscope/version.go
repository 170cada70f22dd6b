package main

import (
	"fmt"
	"runtime/debug"
)

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
