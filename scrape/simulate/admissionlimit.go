package simulate

// refusalSeconds is what turning a request away costs the API process, by judgement: to parse it, and to answer.
const refusalSeconds = 1e-3

// full says whether --max-num-queued-reqs forbids another request. The limit is on what the API process has given to the
// engines and not got back, those that run included: on a real server with a limit of 8, exactly 8 were running and none
// waited.
func (f *frontend) full() bool { return f.limit > 0 && f.inside >= f.limit }

// refuse turns a request away. Before it is rendered, the answer is a 503. Once it is rendered, a stream has begun, and
// the refusal is an error event in a response that counts as a 2xx: a ninth of the refusals on a real server.
func (f *frontend) refuse(r *request, status string) {
	for _, e := range f.engines {
		if e.model == r.traffic.model {
			e.metrics.rejections++
			break
		}
	}
	f.cpu += refusalSeconds
	f.leave(r, status)
	r.traffic.failed(r)
}
