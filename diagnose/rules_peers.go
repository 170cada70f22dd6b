package diagnose

import "time"

// peerRules ask whether one replica is slower than its peers at the same work.
var peerRules = []Rule{
	{
		Code: "C6", Name: "SLOW_REPLICA", Title: "slower than its peers", Level: Replica, Severity: Warning, Hold: 5 * time.Minute,
		When: Any{
			All{
				Is{"replicas", AtLeast, 3, Judgement},
				Is{"itl_of_peers", Above, 1.3, Judgement},
				Is{"itl_deviations", Above, 3, Judgement},
				// Equal work: what is in the batch grows with the time that a request stays (Little's law), and proves nothing.
				Is{"admissions_of_peers", AtMost, 1.25, Judgement},
				Is{"output_of_peers", AtMost, 1.25, Judgement},
				Is{"prompts_of_peers", AtMost, 1.25, Judgement},
			},
			All{
				Is{"gpus", AtLeast, 2, Judgement},
				// Of data-parallel ranks each has a load, and so a clock, of its own.
				Is{"engines", AtMost, 1, Judgement},
				Is{"gpu_least_busy", AtLeast, 0.5, Judgement},
				Is{"gpu_clock_of_fastest", Below, 0.9, Judgement},
			},
		},
		Mild:     tokensInTime,
		Explains: map[Match][]string{SameReplica: {"D4", "D7", "E1", "E2", "E4", "E5", "I4"}, SameModel: {"E6"}, SameServer: {"F3"}},
		RuledOut: []Because{{"H3", "arrival_skew"}, {"H3", "work_skew"}, {"D8", "gpu_busy"}},
		Cases: []Case{{
			If:       All{Is{"gpus", AtLeast, 2, Judgement}, Is{"gpu_clock_of_fastest", Below, 0.9, Judgement}},
			Name:     "one GPU of the group",
			Sentence: "One GPU of the group runs at {gpu_clock}, the fastest at {gpu_clock_highest}: the others wait for it in every layer.",
			Actions: []Action{
				{Now, "drain the server and look at that GPU: locked clocks, heat, power (`nvidia-smi -i {gpu} -q -d CLOCK,PERFORMANCE`)", "gpu_clock_of_fastest"},
			},
		}, {
			If:       All{Is{"gpu_memory_clock_share", Below, 0.9, Judgement}},
			Name:     "low memory clock",
			Sentence: "Tokens come {itl_average} apart, {itl_of_peers} times the {peers_itl} of its peers, at no more work: its memory runs at {gpu_memory_clock}, that of other such GPUs at {gpu_memory_clock_best}.",
			Actions: []Action{
				{Now, "drain it; take locked memory clocks back (`nvidia-smi -i {gpu} -rmc`), and reset the GPU when they stay low", "gpu_memory_clock_share"},
				{Now, "send it less until then", "itl_of_peers"},
			},
		}},
		Sentence:   "Tokens come {itl_average} apart, {itl_of_peers} times the {peers_itl} of its peers, at no more work ({admissions_of_peers} times their admissions): a request stays {residence} here, {peers_residence} there.",
		Evidence:   []string{"admissions_per_second", "running_mean", "context_tokens", "gpu_clock_share", "gpu_memory_clock_share", "gpu_power_share", "pcie_width_share", "api_cpu_cores"},
		Confidence: 0.75,
		Actions: []Action{
			{Now, "drain it if its hardware is at fault; otherwise look at who shares the host's cores", "itl_of_peers"},
			{Now, "run the same prompt on it and on a peer, and swap the node when it stays slower", "itl_of_peers"},
		},
		Settle: "the same prompt on this replica and on a peer; the host's CPU steal",
		Source: "Little's law; Google SRE workbook",
	},
}
