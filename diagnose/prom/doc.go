// Package prom answers diagnose.Source with Prometheus's own engine: embedded, over a store of ours.
package prom
