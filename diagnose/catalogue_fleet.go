package diagnose

import "time"

// replicaLoad is what a replica has in hand, mean of the window.
const replicaLoad = `max by ($replica) (avg_over_time(vllm:num_requests_running[$window])) + max by ($replica) (avg_over_time(vllm:num_requests_waiting[$window]))`

// replicaArrivals are the requests a second that reach a replica: those it admits, and those by which its queue grows.
const replicaArrivals = `(sum by ($replica) (rate(vllm:time_to_first_token_seconds_count[$window])) + max by ($replica) (clamp_min(deriv(vllm:num_requests_waiting[$window]), 0)))`

// replicaAnswers are the tokens that a replica generates for each request that it admits.
const replicaAnswers = `sum by ($replica) (rate(vllm:generation_tokens_total[$window])) / (sum by ($replica) (rate(vllm:time_to_first_token_seconds_count[$window])) > 0)`

// replicaCost is what a request of a replica takes in tokens. Prompt tokens come from those that were admitted and answers from those that
// were finished, so that neither grows while requests wait. Of the prompts counts what its prefix cache does not find, or those of the
// whole model where they find more: a replica that finds less since its cache is full has the same requests as the others.
const replicaCost = `(sum by ($replica) (rate(vllm:prompt_tokens_total[$window])) / (sum by ($replica) (rate(vllm:time_to_first_token_seconds_count[$window])) > 0)
           * (1 - (` + replicaHits + ` - clamp_max(` + replicaHits + ` - on(model_name) group_left () ` + modelHits + `, 0) or 0 * sum by ($replica) (vllm:prompt_tokens_total)))
         + sum by ($replica) (rate(vllm:request_generation_tokens_sum[$window])) / (sum by ($replica) (rate(vllm:request_generation_tokens_count[$window])) > 0))`

// replicaHits is what the prefix cache of a replica finds, modelHits what those of its model find, replicaTTFT how long its first tokens take.
const (
	replicaHits = `(sum by ($replica) (rate(vllm:prefix_cache_hits_total[$window])) / (sum by ($replica) (rate(vllm:prefix_cache_queries_total[$window])) > 0))`
	modelHits   = `(sum by ($model) (rate(vllm:prefix_cache_hits_total[$window])) / (sum by ($model) (rate(vllm:prefix_cache_queries_total[$window])) > 0))`
	replicaTTFT = `(sum by ($replica) (rate(vllm:time_to_first_token_seconds_sum[$window])) / (sum by ($replica) (rate(vllm:time_to_first_token_seconds_count[$window])) > 0))`
)

// fleetRows compare the replicas of one model.
var fleetRows = []Signal{
	{
		ID: "replicas", Title: "replicas", Unit: Count, Level: Model,
		Expr: `count by ($model) (group by ($replica) (vllm:num_requests_running))`,
		Help: "How many engines serve the model.",
	},
	{
		ID: "load", Title: "requests in hand, mean", Unit: Count, Level: Replica,
		Expr: replicaLoad,
		Help: "Running and waiting, mean of the window.",
	},
	{ID: "busiest_replica", Title: "busiest replica", Unit: Count, Level: Model, Who: Who{Of: "load"}, Help: "The replica with the most requests in hand."},
	{ID: "replicas_without", Title: "replicas without requests", Unit: Count, Level: Model, Who: Who{Of: "load", None: true}, Help: "Those that had nothing in hand in the whole window."},
	{
		ID: "load_highest", Title: "highest load of a replica", Unit: Count, Level: Model,
		Expr: `max by ($model) (` + replicaLoad + `)`,
		Help: "Running and waiting of the busiest replica, mean of the window.",
	},
	{
		ID: "load_mean", Title: "mean load of a replica", Unit: Count, Level: Model,
		Expr: `avg by ($model) (` + replicaLoad + `)`,
		Help: "Running and waiting of all replicas, mean of the window.",
	},
	{
		ID: "load_deviation", Title: "deviation of the load", Unit: Count, Level: Model,
		Expr: `stddev by ($model) (` + replicaLoad + `)`,
		Help: "Standard deviation over the replicas.",
	},
	{
		ID: "load_skew", Title: "busiest replica / mean", Unit: Ratio, Level: Model,
		Formula: `load_highest / load_mean`,
		Help:    "1 when all replicas have the same load.",
	},
	{
		ID: "load_variation", Title: "variation of the load", Unit: Ratio, Level: Model,
		Formula: `load_deviation / load_mean`,
		Help:    "Deviation over mean.",
	},
	{
		ID: "busiest_arrivals", Title: "arrivals at the busiest replica", Unit: PerSecond, Level: Model,
		Expr: `max by ($model) (` + replicaArrivals + ` and topk by ($model) (1, ` + replicaLoad + `))`,
		Help: "First tokens and growth of the queue of the replica with the most in hand: what the router sends there.",
	},
	{
		ID: "mean_arrivals", Title: "mean arrivals at a replica", Unit: PerSecond, Level: Model,
		Expr: `avg by ($model) (` + replicaArrivals + `)`,
		Help: "The same of all replicas.",
	},
	{
		ID: "arrival_skew", Title: "arrivals at the busiest replica / mean", Unit: Ratio, Level: Model,
		Formula: `busiest_arrivals / mean_arrivals`,
		Help:    "1 when the busiest replica gets no more than the others: then it is slower, and routing is not the cause.",
	},
	{
		ID: "busiest_request_tokens", Title: "tokens a request of the busiest replica", Unit: Tokens, Level: Model, Window: 5 * time.Minute,
		Expr: `max by ($model) (` + replicaCost + ` and topk by ($model) (1, ` + replicaLoad + `))`,
		Help: "Of the replica with the most in hand: prompt tokens that neither its prefix cache finds nor those of the model on average, and tokens of the answer.",
	},
	{
		ID: "mean_request_tokens", Title: "tokens a request of a replica", Unit: Tokens, Level: Model, Window: 5 * time.Minute,
		Expr: `avg by ($model) (` + replicaCost + `)`,
		Help: "The same, mean of all replicas.",
	},
	{
		ID: "request_skew", Title: "tokens a request of the busiest replica / mean", Unit: Ratio, Level: Model,
		Formula: `busiest_request_tokens / mean_request_tokens`,
		Help:    "1 when requests are as long everywhere: then a replica with more in hand is slower, or full (D1), and routing is not the cause.",
	},
	{
		ID: "work_skew", Title: "work at the busiest replica / mean", Unit: Ratio, Level: Model,
		Formula: `arrival_skew * request_skew`,
		Help:    "Arrivals times the tokens of a request. Where it is more than 1 and arrivals are not, requests are spread evenly and their cost is not.",
	},
	{
		ID: "busiest_hit_share", Title: "prefix cache hits of the busiest replica", Unit: Share, Level: Model,
		Expr: `max by ($model) (` + replicaHits + ` and topk by ($model) (1, ` + replicaLoad + `))`,
		Help: "Of the replica with the most in hand.",
	},
	{
		ID: "mean_hit_share", Title: "prefix cache hits of a replica", Unit: Share, Level: Model,
		Expr: `avg by ($model) (` + replicaHits + `)`,
		Help: "Mean of all replicas.",
	},
	{
		ID: "busiest_hit_lead", Title: "prefix cache hits, busiest over mean", Unit: Share, Level: Model,
		Formula: `busiest_hit_share - mean_hit_share or 0 * load_highest`,
		Help:    "How many points more the busiest replica finds than all on average; no lead where nothing is looked up.",
	},
	{
		ID: "busiest_ttft_of_mean", Title: "TTFT of the busiest replica / mean", Unit: Ratio, Level: Model,
		Expr: `max by ($model) (` + replicaTTFT + ` and topk by ($model) (1, ` + replicaLoad + `)) / avg by ($model) (` + replicaTTFT + `)`,
		Help: "1 when the requests of the busiest replica wait no longer than those of the others.",
	},
	{
		ID: "shortest_answers", Title: "tokens an admission, fewest", Unit: Tokens, Level: Model,
		Expr: `min by ($model) (` + replicaAnswers + `)`,
		Help: "Of the replica with the shortest answers. 1 where others write the answers: it computes prompts for them.",
	},
	{
		ID: "longest_answers", Title: "tokens an admission, most", Unit: Tokens, Level: Model,
		Expr: `max by ($model) (` + replicaAnswers + `)`,
		Help: "Of the replica with the longest answers. 1 where nobody writes more than a token.",
	},
	{
		ID: "longest_queue", Title: "longest queue", Unit: Count, Level: Model,
		Expr: `max by ($model) (avg_over_time(vllm:num_requests_waiting[$window]))`,
		Help: "Of the replica with the most requests waiting, mean of the window.",
	},
	{
		ID: "shortest_queue", Title: "shortest queue", Unit: Count, Level: Model,
		Expr: `min by ($model) (avg_over_time(vllm:num_requests_waiting[$window]))`,
		Help: "Of the replica with the fewest requests waiting, mean of the window.",
	},
	{
		ID: "lowest_kv", Title: "emptiest KV cache", Unit: Share, Level: Model,
		Expr: `min by ($model) (avg_over_time(vllm:kv_cache_usage_perc[$window]))`,
		Help: "Of the replica with the most room, mean of the window.",
	},
}
