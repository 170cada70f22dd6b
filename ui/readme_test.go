package ui

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// Keys are declared once: the README lists them as the help does.
func TestReadmeListsTheKeys(t *testing.T) {
	readme, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	var table strings.Builder
	for _, c := range newCommands(Options{Deeds: allDeeds(nil)}) {
		fmt.Fprintf(&table, "| `%s` | %s |\n", c.Help().Key, c.Help().Desc)
	}
	if !strings.Contains(string(readme), "| Key | Does |\n|---|---|\n"+table.String()+"\n") {
		t.Errorf("the README's table of keys should be:\n%s", &table)
	}
}
