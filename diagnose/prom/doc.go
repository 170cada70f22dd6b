// Package prom answers diagnose.Source with Prometheus's own engine, embedded over a store of ours, and runs rule files of Prometheus.
//
// An Engine evaluates the expressions of the catalogue, which it parses once. Its rates count what was seen of one process, and nothing
// of what lies between two. ReadRules reads alerting rules of the user's own: their files are checked as Prometheus does, recorded names
// are written out, and templates are filled in for each series. Never says of an expression that it can have no value where targets
// have some names.
package prom
