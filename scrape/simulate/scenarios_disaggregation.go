package simulate

// disaggregationFaults are prefill and decode pools that do not keep each other busy.
func disaggregationFaults() []Scenario { return nil }
