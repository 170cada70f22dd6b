package diagnose

// coarseRows say where buckets are too wide for what is asked of them.
var coarseRows = []Signal{
	{ID: "ttft_seen", Title: "observed first tokens", Unit: Count, Level: Replica, Of: "ttft", Take: Observations(), Help: "How many requests reached their first token."},
	{ID: "ttft_over_slo_at_most", Title: "TTFT over the objective, at most", Unit: Share, Level: Replica, Of: "ttft", Take: ShareAtMost("slo_ttft"), Help: "The same if all that lies in the objective's bucket came later."},
	{ID: "ttft_burn_at_most", Title: "TTFT misses / allowed, at most", Unit: Ratio, Level: Replica, Formula: `ttft_over_slo_at_most / slo_allowed`, Help: "The burn rate if all that lies in the objective's bucket came later."},
	{ID: "ttft_edge_below", Title: "edge below the TTFT objective", Unit: Seconds, Level: Replica, Of: "ttft", Take: EdgeBelow("slo_ttft"), Help: "Where the bucket begins that the objective lies in."},
	{ID: "ttft_edge_above", Title: "edge above the TTFT objective", Unit: Seconds, Level: Replica, Of: "ttft", Take: EdgeAbove("slo_ttft"), Help: "Where that bucket ends."},
	{ID: "ttft_beyond", Title: "TTFT beyond the last edge", Unit: Share, Level: Replica, Of: "ttft", Take: ShareBeyond(), Help: "The part of first tokens in the bucket that has no end."},
	{ID: "itl_seen", Title: "observed outputs", Unit: Count, Level: Replica, Of: "itl", Take: Observations(), Help: "How many outputs came after another one.", Trap: itlTrap},
	{ID: "itl_beyond", Title: "inter-token beyond the last edge", Unit: Share, Level: Replica, Of: "itl", Take: ShareBeyond(), Help: "The part of outputs in the bucket that has no end."},
	{ID: "tpot_observed", Title: "observed times per token", Unit: Count, Level: Replica, Of: "tpot", Take: Observations(), Help: "How many finished requests told how far apart their tokens came.", Trap: tpotTrap},
	{ID: "tpot_seen", Title: "times per token", Unit: Count, Level: Replica, Formula: `tpot_observed or 0 * ttft_seen`, Help: "How many finished requests the share rests on; 0 where the release does not tell them."},
	{ID: "tpot_over_slo", Title: "TPOT over the objective", Unit: Share, Level: Replica, Of: "tpot", Take: ShareOver("slo_tpot"), Help: "The part of finished requests whose tokens came farther apart than the objective; an interval where that is no bucket edge.", Trap: tpotTrap},
	{ID: "tpot_over_slo_at_most", Title: "TPOT over the objective, at most", Unit: Share, Level: Replica, Of: "tpot", Take: ShareAtMost("slo_tpot"), Help: "The same if all that lies in the objective's bucket came farther apart.", Trap: tpotTrap},
	{ID: "tpot_burn", Title: "TPOT misses / allowed", Unit: Ratio, Level: Replica, Formula: `tpot_over_slo / slo_allowed`, Help: "Above 1 more finished requests have their tokens too far apart than the objective allows.", Trap: tpotTrap},
	{ID: "tpot_burn_at_most", Title: "TPOT misses / allowed, at most", Unit: Ratio, Level: Replica, Formula: `tpot_over_slo_at_most / slo_allowed`, Help: "The burn rate if all that lies in the objective's bucket came farther apart.", Trap: tpotTrap},
	{ID: "tpot_edge_below", Title: "edge below the TPOT objective", Unit: Seconds, Level: Replica, Of: "tpot", Take: EdgeBelow("slo_tpot"), Help: "Where the bucket begins that the objective lies in.", Trap: tpotTrap},
	{ID: "tpot_edge_above", Title: "edge above the TPOT objective", Unit: Seconds, Level: Replica, Of: "tpot", Take: EdgeAbove("slo_tpot"), Help: "Where that bucket ends.", Trap: tpotTrap},
}
