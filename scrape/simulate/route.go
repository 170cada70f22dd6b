package simulate

import "math"

// route counts HTTP requests to the one handler that traffic uses. The middleware counts a request when its response is
// over, and a stream that its client cut short is still a 2xx.
type route struct {
	handler        string
	served         float64
	bytes          float64
	duration, fine *histogram
	born           float64 // when the first one ended
}

func newRoute(handler string) *route {
	return &route{handler: handler, duration: newHistogram(httpEdges), fine: newHistogram(httpFineEdges)}
}

// middlewareSeconds is what a response takes outside the clock of the handler.
const middlewareSeconds = 3e-3

// count takes in a request whose response is over. A prompt token is some 4.5 bytes of a JSON body.
func (r *route) count(q *request, now float64) {
	if r.served == 0 {
		r.born = now
	}
	r.served++
	r.bytes += math.Floor(300 + 4.5*float64(q.prompt))
	r.duration.observe(now-q.accepted+middlewareSeconds, 1)
	r.fine.observe(now-q.accepted+middlewareSeconds, 1)
}

// sections are the families of the middleware. All but one have children only once the route was used.
func (r *route) sections(epoch float64) []section {
	family := func(name, help, kind string, l labels, write func(*exposition)) section {
		return section{kind, func(e *exposition) {
			e.family(name, help, kind)
			if r.served > 0 || l == nil {
				write(e)
				e.created(name, help, kind, []labels{l}, epoch+r.born)
			}
		}}
	}
	handler := labels{"handler", r.handler}
	method := labels{"handler", r.handler, "method", "POST"}
	status := labels{"handler", r.handler, "method", "POST", "status", "2xx"}
	summary := func(name, help string, sum float64) section {
		return family(name, help, "summary", handler, func(e *exposition) {
			e.sample(name+"_count", handler, r.served)
			e.sample(name+"_sum", handler, sum)
		})
	}
	const requests, fine, duration = "http_requests_total", "http_request_duration_highr_seconds", "http_request_duration_seconds"
	return []section{
		family(requests, "HTTP requests by method, status and handler.", "counter", status, func(e *exposition) {
			e.sample(requests, status, r.served)
		}),
		summary("http_request_size_bytes", "Size of requests by handler, as their header says.", r.bytes),
		summary("http_response_size_bytes", "Size of responses by handler, as their header says; a stream has none.", 0),
		family(fine, "Latency with many buckets and no labels.", "histogram", nil, func(e *exposition) { e.histogram(fine, nil, r.fine) }),
		family(duration, "Latency with few buckets by handler.", "histogram", method, func(e *exposition) {
			e.histogram(duration, method, r.duration)
		}),
	}
}
