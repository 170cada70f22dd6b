package simulate

// processFaults are servers and engines that do not live as they should.
func processFaults() []Scenario {
	patient := chat(2)
	patient.patience = 300
	return []Scenario{{
		Name:        "stuck-engine",
		Description: "The ranks of an engine wait for each other for ever: no step ends, requests come in, /health says 200.",
		Cause:       "B4",
		servers:     []deployment{large("gpu-a", 4, 0.92, patient)},
		faults:      []fault{wedge(0)},
	}}
}
