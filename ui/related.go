package ui

import (
	"slices"

	"github.com/vllmscope/vllmscope/diagnose"
)

// gpusOf lists the GPUs that are known to serve a subject.
func gpusOf(r *diagnose.Report, s diagnose.Subject) []diagnose.Subject {
	var found []diagnose.Subject
	for _, g := range r.GPUs {
		if g.How != diagnose.Unmapped && g.Server.SameTarget(s) {
			found = append(found, g.Subject)
		}
	}
	return found
}

// concerns tells whether a finding about one subject is bad news for a replica: it is about the replica, its server, its target or
// one of its GPUs.
func concerns(r *diagnose.Report, s, replica diagnose.Subject) bool {
	switch s.Level {
	case diagnose.Replica:
		return s == replica
	case diagnose.GPU:
		server, ok := r.ServerOf(s)
		return ok && server.SameTarget(replica)
	case diagnose.Model:
		return false
	}
	return s.SameTarget(replica)
}

// replicasOf lists the replicas that a subject is made of, or that depend on it.
func replicasOf(r *diagnose.Report, s diagnose.Subject) []diagnose.Subject {
	if s == (diagnose.Subject{}) {
		return r.Replicas
	}
	var found []diagnose.Subject
	for _, replica := range r.Replicas {
		if concerns(r, s, replica) || s.Level == diagnose.Model && s.Model == replica.Model {
			found = append(found, replica)
		}
	}
	return found
}

// modelsOf lists the models of replicas, each once, in their order.
func modelsOf(replicas []diagnose.Subject) []string {
	var models []string
	for _, replica := range replicas {
		if !slices.Contains(models, replica.Model) {
			models = append(models, replica.Model)
		}
	}
	return models
}
