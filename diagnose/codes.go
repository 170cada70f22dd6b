package diagnose

// The codes of the rules that the program reads for more than to tell what they find.
const (
	metricsBlind = "A2"
	stalePage    = "A3"
	engineStuck  = "B4"
	kvThrash     = "D1"
	abortSurge   = "F3"
)

// vital are the rules without which nobody can say that a replica is well: whether its engine is stuck, and whether it thrashes.
var vital = []string{engineStuck, kvThrash}
