package diagnose

// OwnRules are the user's alerting rules.
type OwnRules struct{}
