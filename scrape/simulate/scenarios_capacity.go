package simulate

// capacityFaults take hours to show: leaks, demand that grows, servers without work.
func capacityFaults() []Scenario {
	return []Scenario{{
		Name:        "memory-leak",
		Description: "Each request leaves 24 kB behind in the API process: half a gigabyte an hour, for as long as it lives.",
		Cause:       "I2",
		servers:     []deployment{small("gpu-a", chat(6))},
		faults:      []fault{leak(0, 24e3)},
	}}
}
