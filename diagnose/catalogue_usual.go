package diagnose

// allUsual are the signals whose past rules ask for.
var allUsual = []usual{
	{
		id: "answer_tokens", title: "tokens an admission", unit: Tokens, level: Model,
		past:  `sum by ($model) (rate(vllm:generation_tokens_total[$past])) / sum by ($model) (rate(vllm:time_to_first_token_seconds_count[$past]))`,
		rests: `vllm:time_to_first_token_seconds_count`,
	},
	{
		id: "prompt_mean", title: "prompt average", unit: Tokens, level: Model,
		past:  `sum by ($model) (rate(vllm:prompt_tokens_total[$past])) / sum by ($model) (rate(vllm:time_to_first_token_seconds_count[$past]))`,
		rests: `vllm:time_to_first_token_seconds_count`,
	},
	{
		id: "prompt_middle", title: "prompt p50", unit: Tokens, level: Model,
		past:  `histogram_quantile(0.5, sum by ($model, le) (rate(vllm:request_prompt_tokens_bucket[$past])))`,
		rests: `vllm:time_to_first_token_seconds_count`,
	},
	{
		id: "answers_asked", title: "answers asked for by a request (n)", unit: Ratio, level: Model,
		past:  `sum by ($model) (rate(vllm:request_params_n_sum[$past])) / sum by ($model) (rate(vllm:request_params_n_count[$past]))`,
		rests: `vllm:request_params_n_count`,
	},
	{
		id: "admission_rate", title: "admissions", unit: PerSecond, level: Replica,
		past:  `sum by ($replica) (rate(vllm:time_to_first_token_seconds_count[$past]))`,
		rests: `vllm:time_to_first_token_seconds_count`,
	},
	{
		id: "output_rate", title: "output tokens", unit: TokensPerSecond, level: Replica,
		past:  `sum by ($replica) (rate(vllm:generation_tokens_total[$past]))`,
		rests: `vllm:time_to_first_token_seconds_count`,
	},
	{
		id: "ttft_average", title: "TTFT average", unit: Seconds, level: Replica,
		past:  `sum by ($replica) (rate(vllm:time_to_first_token_seconds_sum[$past])) / sum by ($replica) (rate(vllm:time_to_first_token_seconds_count[$past]))`,
		rests: `vllm:time_to_first_token_seconds_count`,
	},
	{
		id: "itl_average", title: "inter-token average", unit: Seconds, level: Replica, atLoad: true,
		past:  `sum by ($replica) (rate(vllm:inter_token_latency_seconds_sum[$past])) / sum by ($replica) (rate(vllm:inter_token_latency_seconds_count[$past]))`,
		rests: `vllm:inter_token_latency_seconds_count`,
	},
	{
		id: "length_share", title: "ended by length", unit: Share, level: Replica,
		past:  `sum by ($replica) (rate(vllm:request_success_total{finished_reason="length"}[$past])) / sum by ($replica) (rate(vllm:request_success_total[$past]))`,
		rests: `vllm:request_success_total`,
	},
	{
		id: "client_error_share", title: "HTTP 4xx of all requests", unit: Share, level: Server,
		past: `sum by ($server) (rate(http_requests_total{handler=~"/v1/.*",method="POST",status="4xx"}[$past]))` +
			` / sum by ($server) (rate(http_requests_total{handler=~"/v1/.*",method="POST"}[$past]))`,
		rests: `http_requests_total{handler=~"/v1/.*",method="POST"}`,
	},
	{
		id: "left_share", title: "clients that left", unit: Share, level: Server,
		past: `1 - sum by ($server) (rate(vllm:request_success_total[$past]))` +
			` / sum by ($server) (rate(http_requests_total{handler=~"/v1/.*",method="POST",status="2xx"}[$past]))`,
		rests: `http_requests_total{handler=~"/v1/.*",method="POST"}`,
	},
}
