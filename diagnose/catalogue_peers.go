package diagnose

// Work and service of a replica that are compared with those of its peers.
const (
	replicaAdmissions   = `sum by ($replica) (rate(vllm:time_to_first_token_seconds_count[$window]))`
	replicaOutputTokens = `sum by ($replica) (rate(vllm:generation_tokens_total[$window]))`
	replicaPromptTokens = `sum by ($replica) (rate(vllm:prompt_tokens_total[$window]))`
	replicaInterToken   = `sum by ($replica) (rate(vllm:inter_token_latency_seconds_sum[$window])) / (sum by ($replica) (rate(vllm:inter_token_latency_seconds_count[$window])) > 0)`
)

// middle is the median of a figure over the replicas of a model.
func middle(figure string) string { return `quantile by ($model) (0.5, ` + figure + `)` }

// peerRows hold a replica against the others of its model. What a replica has in hand is what reaches it times how long it keeps that
// (Little's law): more of it at equal work is slower service.
var peerRows = []Signal{
	{
		ID: "itl_average", Title: "inter-token average", Unit: Seconds, Level: Replica,
		Expr: replicaInterToken,
		Help: "Mean time from one output to the next. Exact, whatever the buckets are.", Trap: itlTrap,
	},
	{
		ID: "peers_itl", Title: "inter-token average of the peers", Unit: Seconds, Level: Model,
		Expr: middle(replicaInterToken),
		Help: "The median over the replicas of the model.",
	},
	{
		ID: "peers_itl_deviation", Title: "deviation of the inter-token average", Unit: Seconds, Level: Model,
		Expr: middle(`abs((` + replicaInterToken + `) - on(model_name) group_left ` + middle(replicaInterToken) + `)`),
		Help: "The median distance of a replica from that median.",
	},
	{
		ID: "itl_of_peers", Title: "inter-token average of the peers'", Unit: Ratio, Level: Replica,
		Formula: `itl_average / peers_itl`,
		Help:    "1 when tokens come as fast as with the other replicas of the model.",
	},
	{
		ID: "itl_deviations", Title: "inter-token average above the peers', in deviations", Unit: Ratio, Level: Replica,
		Formula: `(itl_average - peers_itl) / clamp_min(peers_itl_deviation, 0.000001)`,
		Help:    "How many times the usual distance of a replica from the median.",
	},
	{
		ID: "peers_admissions", Title: "admissions of the peers", Unit: PerSecond, Level: Model,
		Expr: middle(replicaAdmissions),
		Help: "The median over the replicas of the model.",
	},
	{
		ID: "admissions_of_peers", Title: "admissions of the peers'", Unit: Ratio, Level: Replica,
		Formula: `admissions_per_second / peers_admissions`,
		Help:    "1 when as many requests reach their first token as with the other replicas: then they are served as many, and routing is even.",
	},
	{
		ID: "peers_output_tokens", Title: "output tokens of the peers", Unit: TokensPerSecond, Level: Model,
		Expr: middle(replicaOutputTokens),
		Help: "The median over the replicas of the model.",
	},
	{
		ID: "peers_prompt_tokens", Title: "prompt tokens of the peers", Unit: TokensPerSecond, Level: Model,
		Expr: middle(replicaPromptTokens),
		Help: "The median over the replicas of the model.",
	},
	{
		ID: "output_of_peers", Title: "output tokens of the peers'", Unit: Ratio, Level: Replica,
		Formula: `generation_tokens_per_second / peers_output_tokens`,
		Help:    "1 when as many tokens are written as with the other replicas.",
	},
	{
		ID: "prompts_of_peers", Title: "prompt tokens of the peers'", Unit: Ratio, Level: Replica,
		Formula: `prompt_tokens_per_second / peers_prompt_tokens`,
		Help:    "1 when as many prompt tokens come in as with the other replicas.",
	},
	{
		ID: "residence", Title: "time in the engine", Unit: Seconds, Level: Replica,
		Formula: `(running_mean + waiting_mean) / admissions_per_second`,
		Help:    "How long a request stays in the batch and the queue, by Little's law: what is in hand over what passes.",
	},
	{
		ID: "peers_residence", Title: "time in the engine of the peers", Unit: Seconds, Level: Model,
		Expr: middle(`(` + replicaLoad + `) / (` + replicaAdmissions + ` > 0)`),
		Help: "The median over the replicas of the model.",
	},
	{
		ID: "server_ttft", Title: "TTFT average of the server", Unit: Seconds, Level: Server,
		Expr: `sum by ($server) (rate(vllm:time_to_first_token_seconds_sum[$window])) / sum by ($server) (rate(vllm:time_to_first_token_seconds_count[$window]))`,
		Help: "Mean time to the first token, over the engines of the server.", Trap: ttftTrap,
	},
	{
		ID: "server_itl", Title: "inter-token average of the server", Unit: Seconds, Level: Server,
		Expr: `sum by ($server) (rate(vllm:inter_token_latency_seconds_sum[$window])) / sum by ($server) (rate(vllm:inter_token_latency_seconds_count[$window]))`,
		Help: "Mean time from one output to the next, over the engines of the server.", Trap: itlTrap,
	},
	{
		ID: "server_ttft_of_slo", Title: "TTFT average of the server, of the objective", Unit: Share, Level: Server,
		Formula: `server_ttft / slo_ttft`,
		Help:    "Users of the server feel nothing while it is small.",
	},
	{
		ID: "server_itl_of_slo", Title: "inter-token average of the server, of the objective", Unit: Share, Level: Server,
		Formula: `server_itl / slo_tpot`,
		Help:    "Users of the server feel nothing while it is small.",
	},
	{
		ID: "engines", Title: "engines of the server", Unit: Count, Level: Server,
		Expr: `count by ($server) (group by ($replica) (vllm:num_requests_running))`,
		Help: "More than 1 with data parallelism.",
	},
	{
		ID: "idle_engines", Title: "engines without requests", Unit: Count, Level: Server,
		Expr: `count by ($server) (max by ($replica) (max_over_time(vllm:num_requests_running[$window])) == 0) or 0 * count by ($server) (vllm:num_requests_running)`,
		Help: "Engines of the server that had nothing in the batch in the whole window.",
	},
	{
		ID: "ranks_running", Title: "running in all ranks", Unit: Count, Level: Server,
		Expr: `max by ($server) (0 * vllm:num_requests_running + on(model_name) group_left sum by (model_name) (vllm:num_requests_running)
		         and on(model_name) vllm:num_requests_running{engine!~"0|"}) or 0 * max by ($server) (vllm:num_requests_running)`,
		Help: "Requests in the batches of all data-parallel ranks of its models, on whatever server; 0 where there is one rank.",
	},
	{
		ID: "busiest_rank", Title: "running in the busiest engine", Unit: Count, Level: Server,
		Expr: `max by ($server) (avg_over_time(vllm:num_requests_running[$window]))`,
		Help: "Of the engines of the server, mean of the window.",
	},
	{
		ID: "in_engine_highest", Title: "requests in the engine, highest", Unit: Count, Level: Server,
		Expr: `max by ($server) (max_over_time(vllm:num_requests_running[$window])) + max by ($server) (max_over_time(vllm:num_requests_waiting[$window]))`,
		Help: "The most in the batch and the queue of an engine in the window.",
	},
	{
		ID: "served_anything", Title: "requests and tokens a second", Unit: PerSecond, Level: Server, Unless: "counted_nowhere",
		Expr: `sum by ($server) (rate(vllm:request_success_total[$window])) + sum by ($server) (rate(vllm:generation_tokens_total[$window]))`,
		Help: "0 when nothing was generated and nothing ended: gauges that are read every few seconds miss short requests.",
	},
}
