package diagnose

import "time"

// noTwoHours is what a rule lacks that compares with two hours before.
const noTwoHours = "too little history: wait until two hours were watched; with more than eight targets only one hour is kept, unless --keep 3h asks for more"

// trendRows are about what changes over hours. Slopes are differences of medians: one outlier, or a process that is away for a while,
// does not bend them.
var trendRows = []Signal{
	{
		ID: "memory", Title: "resident memory", Unit: Bytes, Level: Server,
		Expr: `max by ($server) (process_resident_memory_bytes)`,
		Help: "Memory of the API process.",
		Trap: "The engine is another process, and its memory is not in it.",
	},
	{
		ID: "memory_slope", Title: "growth of memory, an hour", Unit: Bytes, Level: Server, Window: 2 * time.Hour, Every: SlowInterval,
		Expr: `((max by ($server) (quantile_over_time(0.5, process_resident_memory_bytes[30m])) - max by ($server) (quantile_over_time(0.5, process_resident_memory_bytes[30m] offset 90m)))
		       and max by ($server) (process_resident_memory_bytes offset 110m)) / 1.5`,
		Help: "The median of half an hour against that of an hour and a half before.", Enable: noTwoHours,
	},
	{
		ID: "memory_slope_late", Title: "growth of memory in the last hour", Unit: Bytes, Level: Server, Window: time.Hour, Every: SlowInterval,
		Expr: `(max by ($server) (quantile_over_time(0.5, process_resident_memory_bytes[15m])) - max by ($server) (quantile_over_time(0.5, process_resident_memory_bytes[15m] offset 45m))) / 0.75`,
		Help: "The same of the last hour alone: a cache that fills, and what a start takes, come to rest.",
	},
	{
		ID: "memory_growth", Title: "growth of memory, share an hour", Unit: Share, Level: Server,
		Formula: `memory_slope / (memory - 1.5 * memory_slope)`,
		Help:    "By how much of what it was the memory grows in an hour.",
	},
	{
		ID: "memory_doubles", Title: "until memory has doubled", Unit: Seconds, Level: Server,
		Formula: `3600 * memory / clamp_min(memory_slope_late, 1)`,
		Help:    "How long it takes at the growth of the last hour. The limit of the container is not on the page.",
	},
	{
		ID: "load_rise", Title: "requests in the engine against two hours before", Unit: Ratio, Level: Server, Window: 2 * time.Hour, Every: SlowInterval,
		Expr: `sum by ($server) (avg_over_time(vllm:num_requests_running[30m])) / clamp_min(sum by ($server) (avg_over_time(vllm:num_requests_running[30m] offset 90m)), 1)`,
		Help: "The mean of half an hour against that of an hour and a half before: each request takes some memory.",
	},
	{
		ID: "full_collections", Title: "full garbage collections, 5 minutes", Unit: Count, Level: Server, Window: 5 * time.Minute,
		Expr: `sum by ($server) (increase(python_gc_collections_total{generation="2"}[$window]))`,
		Help: "Collections of the oldest generation in the API process: each looks at every object and stops it meanwhile.",
		Trap: "How long they take is not told.",
	},
	{
		ID: "collections_a_cpu_second", Title: "full collections a CPU second", Unit: Ratio, Level: Server, Window: 5 * time.Minute,
		Expr: `sum by ($server) (rate(python_gc_collections_total{generation="2"}[$window])) / sum by ($server) (rate(process_cpu_seconds_total[$window]))`,
		Help: "Full garbage collections by the work of the API process.",
	},
	{
		ID: "collections_before", Title: "full collections a CPU second, before", Unit: Ratio, Level: Server, Window: time.Hour, Every: SlowInterval,
		Expr: `sum by ($server) (rate(python_gc_collections_total{generation="2"}[$window] offset 10m)) / sum by ($server) (rate(process_cpu_seconds_total[$window] offset 10m))`,
		Help: "The same in the hour that ended ten minutes ago.",
	},
	{
		ID: "collections_rise", Title: "full collections, now / before", Unit: Ratio, Level: Server,
		Formula: `collections_a_cpu_second / clamp_min(collections_before, 0.001)`,
		Help:    "By the work of the API process, so that more requests alone do not raise it.",
	},
	{
		ID: "prompt_rise", Title: "prompt tokens against before", Unit: Ratio, Level: Server, Window: time.Hour, Every: SlowInterval,
		Expr: `sum by ($server) (rate(vllm:prompt_tokens_total[5m])) / sum by ($server) (rate(vllm:prompt_tokens_total[$window] offset 10m))`,
		Help: "Five minutes against the hour that ended ten minutes ago: more prefill makes tokens late, too.",
	},
}
