package diagnose

// What users feel, by whom a rule is about. While they feel nothing, a finding is information: these stand where rules say when they are
// mild. How many may be late the objective says: a burn rate of 1 is just what it allows.
var (
	// replicaInTime says that first tokens of an engine come within the objective, and will as far as can be told: users feel nothing of
	// its queue. A batch job wants one. The bound of the wait is E1's.
	replicaInTime = All{Is{"ttft_burn", AtMost, 1, Judgement}, Is{"queue_wait_of_slo", Below, 0.5, Judgement}}

	// tokensInTime says that its tokens come within theirs, too: where each step is slower, first tokens tell little. More of the gaps than
	// of the requests may be late.
	tokensInTime = append(All{Any{Is{"itl_late", Below, 0.05, Judgement}, Is{"itl_burn", AtMost, 1, Judgement}}}, replicaInTime...)

	// serverInTime says that the server on a GPU answers well within its objectives, as far as averages tell: a GPU's rules see no more of it.
	serverInTime = All{Is{"server_ttft_of_slo", AtMost, 0.3, Judgement}, Is{"server_itl_of_slo", AtMost, 0.5, Judgement}}

	// modelInTime says that no more first tokens and answers of a model are late than may be.
	modelInTime = All{Is{"model_ttft_burn", AtMost, 1, Judgement}, Is{"model_tpot_burn", AtMost, 1, Judgement}}

	// modelLate says that more are.
	modelLate = Any{Is{"model_ttft_burn", Above, 1, Judgement}, Is{"model_tpot_burn", Above, 1, Judgement}}
)
