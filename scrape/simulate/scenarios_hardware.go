package simulate

// hardwareFaults are devices that do less than they could.
func hardwareFaults() []Scenario { return nil }
