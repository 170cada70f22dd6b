package simulate

// capacityFaults take hours to show: leaks, demand that grows, servers without work.
func capacityFaults() []Scenario { return nil }
