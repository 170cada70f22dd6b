// Package print writes what diagnose comes to: one result, many printers. A report goes out as text, JSON or Markdown; the rule book as
// a table, a page, rules for Prometheus and Alertmanager, a dashboard for Grafana, and metrics for scalers. A printer takes what it prints
// and a writer; it knows no terminal and prints no escape sequence.
package print
