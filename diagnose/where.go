package diagnose

import "slices"

// SameTarget tells whether two subjects are read from one page.
func (s Subject) SameTarget(o Subject) bool { return keyOf(s) == keyOf(o) }

// Name is the subject in the fewest words that tell it apart from its peers in the report: an engine has its number where its
// server has several.
func (r *Report) Name(s Subject) string {
	if s.Level == Replica && s.Engine == "0" && slices.ContainsFunc(r.Replicas, func(o Subject) bool {
		return o.Engine != s.Engine && o.SameTarget(s)
	}) {
		return s.Instance + " engine 0"
	}
	return s.Name()
}

// Where is the subject's name with what it serves: "llama-70b on gpu-a:8000", "gpu-b GPU 3 (serves gpu-b:8000)".
func (r *Report) Where(s Subject) string {
	switch s.Level {
	case Replica:
		if s.Model != "" {
			return s.Model + " on " + r.Name(s)
		}
	case GPU:
		if server, ok := r.ServerOf(s); ok {
			return s.Name() + " (serves " + server.Name() + ")"
		}
	}
	return r.Name(s)
}

// ServerOf is the server that a GPU is known to serve.
func (r *Report) ServerOf(gpu Subject) (server Subject, ok bool) {
	i := slices.IndexFunc(r.GPUs, func(g GPUState) bool { return g.Subject == gpu })
	if i < 0 || r.GPUs[i].How == Unmapped {
		return Subject{}, false
	}
	return r.GPUs[i].Server, true
}
