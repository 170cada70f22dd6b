// Package print writes a diagnose.Report, the rule book and the targets as text, JSON and Markdown, and the rule book for Prometheus,
// Grafana and scalers: one result, many printers. A printer takes what it prints and a writer; it knows no terminal and prints no escape sequence.
package print
