package simulate

// healthyLoads have nothing wrong: nothing may be told of them.
func healthyLoads() []Scenario {
	return []Scenario{{
		Name:        "healthy",
		Description: "Two servers with room to spare answer chat requests.",
		servers:     []deployment{small("gpu-a", chat(6)), small("gpu-b", chat(6))},
	}}
}
