package main

import (
	"os"
	"strings"
	"testing"
)

// The README tells the figures of docs/accuracy.md.
func TestReadmeTellsTheAccuracy(t *testing.T) {
	page, err := os.ReadFile("../../docs/accuracy.md")
	if err != nil {
		t.Fatal(err)
	}
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, found := strings.Cut(string(page), "## In short\n\n")
	table, _, ended := strings.Cut(table, "\n\n")
	if !found || !ended || !strings.Contains(string(readme), table+"\n") {
		t.Errorf("the README's table of accuracy should be:\n%s", table)
	}
}
