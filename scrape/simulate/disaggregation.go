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
