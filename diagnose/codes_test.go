package diagnose

import "testing"

func TestCodesAreThoseOfTheRulesThatAreMeant(t *testing.T) {
	for code, name := range map[string]string{
		metricsBlind: "METRICS_BLIND", stalePage: "STALE", engineStuck: "ENGINE_STUCK", kvThrash: "KV_THRASH", abortSurge: "ABORT_SURGE",
	} {
		if rule := Default().Rule(code); rule == nil || rule.Name != name {
			t.Errorf("%s is not %s: %v", code, name, rule)
		}
	}
	for _, code := range vital {
		if level := Default().Rule(code).Level; level != Replica {
			t.Errorf("%s is about a %s: of a replica nobody can say by it that it is well", code, level)
		}
	}
}
