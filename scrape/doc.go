// Package scrape is where numbers come from.
//
// A [Target] is one page of metrics: a URL, or nvidia-smi. A [Pool] looks at every target on a grid of times, one GET
// each, never two at once. What a look gave is a [Scrape]: a page, or a [Failure] that says in one sentence what
// went wrong. A [Writer] turns the scrapes of one target into samples: the page's own series, Prometheus's synthetic
// ones (up, scrape_duration_seconds, ...) and ours (vllmscope_...), with stale markers exactly where Prometheus sets
// them. All of it lands in a [Store], an embedded Prometheus TSDB that others query.
//
// [ReadFolder] sends saved pages down the same path, [Discover] finds targets on this host, and [Config] is how
// a file lists them. Read target.go, pool.go, loop.go, writer.go, in this order.
package scrape
