package diagnose

import "github.com/prometheus/prometheus/model/labels"

// subjectOfAlert is what an alert is about, by the labels that it carries: the one GPU, replica or server of the report that they fit,
// the model, or the fleet. What fits several is about what they share.
func (r *Report) subjectOfAlert(alert map[string]string) Subject {
	ls := labels.FromMap(alert)
	switch {
	case alert["UUID"] != "" || alert["gpu"] != "":
		var gpus []Subject
		for _, g := range r.GPUs {
			gpus = append(gpus, g.Subject)
		}
		return onlyOr(gpus, subjectOf(GPU, ls))
	case alert["instance"] == "" && alert["model_name"] != "":
		return subjectOf(Model, ls)
	case alert["instance"] == "":
		return Subject{Level: Fleet}
	}
	wanted := subjectOf(Replica, ls)
	if alert["engine"] == "" {
		wanted.Engine = ""
	}
	if one, ok := only(r.Replicas, wanted); ok && (wanted.Engine != "" || wanted.Model != "") {
		return one
	}
	return r.serverOfAlert(ls)
}

// serverOfAlert is the server, or another target, that labels fit.
func (r *Report) serverOfAlert(ls labels.Labels) Subject {
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
	want := wanted.texts()
	for i, has := range s.texts() {
		if want[i] != "" && has != want[i] {
			return false
		}
	}
	return s.Level == wanted.Level
}

func (s Subject) texts() [11]string {
	return [...]string{s.Cluster, s.Namespace, s.Job, s.Instance, s.Engine, s.Model, s.Host, s.Index, s.UUID, s.Slice, s.Product}
}
