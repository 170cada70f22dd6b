package diagnose

import "math"

// overBefore is a share over what it was before: infinite where that is less than some least one, which is next to nothing. A difference of
// two counters may be less than nothing: the last 0 keeps the quotient from being infinite the other way.
func overBefore(share, before, least string) string {
	return share + " / (" + before + " * clamp_min(floor(clamp_max(" + before + " / " + least + ", 1)), 0) + 0)"
}

// hardlyBefore is what such a quotient says instead of a number that nobody could make anything of.
var hardlyBefore = map[float64]string{math.Inf(1): "hardly any before"}

// requestRows say what became of requests.
var requestRows = []Signal{
	{
		ID: "finished_per_second", Title: "finished requests", Unit: PerSecond, Level: Replica,
		Expr: `sum by ($replica) (rate(vllm:request_success_total[$window]))`,
		Help: "Requests that the engine finished, for whatever reason.",
	},
	{
		ID: "finished", Title: "finished requests in the window", Unit: Count, Level: Replica,
		Formula: `finished_per_second * watched_seconds`,
		Help:    "How many requests the averages of finished requests rest on.",
	},
	{
		ID: "requests_per_minute", Title: "requests a minute", Unit: PerMinute, Level: Replica,
		Formula: `60 * finished_per_second`,
		Help:    "Finished requests a minute.",
	},
	{
		ID: "finished_length", Title: "finished at their length", Unit: PerSecond, Level: Replica,
		Expr: `sum by ($replica) (rate(vllm:request_success_total{finished_reason="length"}[$window]))`,
		Help: "Requests that reached max_tokens or the longest context.",
	},
	{
		ID: "length_share", Title: "ended by length", Unit: Share, Level: Replica, Count: "finished",
		Formula: `finished_length / finished_per_second`,
		Help:    "The part of finished requests that was cut at its length.",
		Trap:    "60 to 80 % is ordinary where clients set max_tokens; only a rise says something.",
	},
	{
		ID: "finished_before", Title: "finished requests before", Unit: Count, Level: Replica, Window: settledWindow, Every: SlowInterval,
		Expr: `sum by ($replica) (vllm:request_success_total) - sum by ($replica) (increase(vllm:request_success_total[$window]))`,
		Help: "Requests in the life of the process before the last 15 minutes, in which an incident may be: what a comparison with before rests on.",
	},
	{
		ID: "length_share_rise", Title: "ended by length, now / before", Unit: Ratio, Level: Replica,
		Formula: overBefore("length_share", "length_share_before", "0.01"),
		Instead: hardlyBefore,
		Help:    "How many times the share of before.",
	},
}
