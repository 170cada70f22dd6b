package diagnose

import "github.com/prometheus/prometheus/model/labels"

// subjectOfAlert is what an alert is about, by the labels that it carries: the one GPU, replica or server of the report that they fit,
// the model, or the fleet. What fits several is about what they share.
func (r *Report) subjectOfAlert(alert map[string]string) Subject {
	has := func(name string) bool { return alert[name] != "" }
	ls := labels.FromMap(alert)
	switch {
	case has("UUID") || has("gpu"):
		var gpus []Subject
		for _, g := range r.GPUs {
			gpus = append(gpus, g.Subject)
		}
		return onlyOr(gpus, subjectOf(GPU, ls))
	case !has("instance") && has("model_name"):
		return subjectOf(Model, ls)
	case !has("instance"):
		return Subject{Level: Fleet}
	}
	if has("engine") || has("model_name") {
		wanted := subjectOf(Replica, ls)
		if !has("engine") {
			wanted.Engine = ""
		}
		if one, ok := only(r.Replicas, wanted); ok {
			return one
		}
		if has("engine") && has("model_name") {
			return wanted
		}
	}
	for _, t := range r.Targets {
		wanted := subjectOf(Server, ls)
		if t.Kind != "vllm" && t.Kind != "" {
			wanted.Level = Target
		}
		if fits(t.At(wanted.Level), wanted) {
			return t.At(wanted.Level)
		}
	}
	return subjectOf(Server, ls)
}

// onlyOr is the one subject that has all that is wanted, or what is wanted itself.
func onlyOr(all []Subject, wanted Subject) Subject {
	if one, ok := only(all, wanted); ok {
		return one
	}
	return wanted
}

// only is the one subject of some that has all that is wanted.
func only(all []Subject, wanted Subject) (one Subject, ok bool) {
	for _, s := range all {
		if fits(s, wanted) {
			if ok {
				return Subject{}, false
			}
			one, ok = s, true
		}
	}
	return one, ok
}

// fits tells whether a subject has every label that is wanted.
func fits(s, wanted Subject) bool {
	same := func(has, want string) bool { return want == "" || has == want }
	return s.Level == wanted.Level && same(s.Cluster, wanted.Cluster) && same(s.Namespace, wanted.Namespace) && same(s.Job, wanted.Job) &&
		same(s.Instance, wanted.Instance) && same(s.Engine, wanted.Engine) && same(s.Model, wanted.Model) && same(s.Host, wanted.Host) &&
		same(s.Index, wanted.Index) && same(s.UUID, wanted.UUID) && same(s.Slice, wanted.Slice) && same(s.Product, wanted.Product)
}
