package simulate

// A disaggregated load passes two servers: a proxy asks one of the first for a single token, and with the whereabouts of the
// KV that it computed one of the others for the answer. The client sees one request, each server counts one of its own.

// prefill sends the first leg of a request.
func (t *traffic) prefill(r *request) {
	s := t.prefills.choose(r)
	if s == nil {
		t.failed(r)
		return
	}
	first := &request{
		traffic: t, client: r.client, prompt: r.prompt, limit: 1, output: 1, byLength: true, group: r.group, adapter: r.adapter, decode: r,
	}
	s.frontend.arrive(first)
	t.wait(first)
}

// secondLeg asks for the answer once the prompt is computed.
func (t *traffic) secondLeg(first *request) {
	r := first.decode
	s := t.router.choose(r)
	if s == nil {
		t.failed(r)
		return
	}
	if h := first.handover; h != nil {
		h.reader, r.handover = r, h
	}
	s.frontend.arrive(r)
}

// slowNetwork leaves a server so many bytes a second for KV: RDMA does not come up, and the transfers take another way.
func slowNetwork(index int, bandwidth float64) fault {
	return onServer(index, func(s *server, strength float64) func() {
		before := s.link.bandwidth
		s.link.bandwidth = bandwidth / strength
		return func() { s.link.bandwidth = before }
	})
}

// failingTransfers lets a share of the transfers of a server fail.
func failingTransfers(index int, share float64) fault {
	return onServer(index, func(s *server, strength float64) func() {
		s.link.failing = min(1, share*strength)
		return func() { s.link.failing = 0 }
	})
}
