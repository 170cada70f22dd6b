package simulate

// telemetryFaults are figures that cannot be believed.
func telemetryFaults() []Scenario { return nil }
