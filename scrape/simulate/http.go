package simulate

import (
	"math"
	"slices"
)

// httpMetrics counts HTTP requests to the one handler that traffic uses. The middleware counts a request when its response is
// over, and a stream that its client cut short is still a 2xx.
type httpMetrics struct {
	handler        string
	answers        [len(statuses)]answered
	bytes          float64
	duration, fine *histogram
}

// statuses are the classes of HTTP status that the middleware tells apart, in the order of its labels.
var statuses = [...]string{served, refused, failed}

const (
	served  = "2xx"
	refused = "4xx"
	failed  = "5xx"
)

// answered is how many responses ended with one class of status, and when the first of them did.
type answered struct {
	count, born float64
}

func newHTTPMetrics(handler string) *httpMetrics {
	return &httpMetrics{handler: handler, duration: newHistogram(httpEdges), fine: newHistogram(httpFineEdges)}
}

// middlewareSeconds is what a response takes outside the clock of the handler.
const middlewareSeconds = 3e-3

// count takes in a request whose response is over. A prompt token is some 4.5 bytes of a JSON body.
func (m *httpMetrics) count(q *request, status string, now float64) {
	a := &m.answers[slices.Index(statuses[:], status)]
	if a.count == 0 {
		a.born = now
	}
	a.count++
	m.bytes += math.Floor(300 + 4.5*float64(q.prompt))
	m.duration.observe(now-q.accepted+middlewareSeconds, 1)
	m.fine.observe(now-q.accepted+middlewareSeconds, 1)
}

// first is when the first response ended; used says whether there was one.
func (m *httpMetrics) first() (born float64, used bool) {
	for _, a := range m.answers {
		if a.count > 0 && (!used || a.born < born) {
			born, used = a.born, true
		}
	}
	return born, used
}

// sections are the families of the middleware. All but one have children only once the handler was used.
func (m *httpMetrics) sections(epoch float64) []section {
	const requests, fine, duration = "http_requests_total", "http_request_duration_highr_seconds", "http_request_duration_seconds"
	born, used := m.first()
	family := func(name, help, kind string, l labels, write func(*exposition)) section {
		return section{kind, func(e *exposition) {
			e.family(name, help, kind)
			if used || l == nil {
				write(e)
				e.created(name, help, kind, []birth{{l, epoch + born}})
			}
		}}
	}
	handler := labels{"handler", m.handler}
	method := labels{"handler", m.handler, "method", "POST"}
	summary := func(name, help string, sum float64) section {
		return family(name, help, "summary", handler, func(e *exposition) {
			e.sample(name+"_count", handler, float64(m.fine.count()))
			e.sample(name+"_sum", handler, sum)
		})
	}
	return []section{
		{"counter", func(e *exposition) { m.requests(e, requests, epoch) }},
		summary("http_request_size_bytes", "Size of requests by handler, as their header says.", m.bytes),
		summary("http_response_size_bytes", "Size of responses by handler, as their header says; a stream has none.", 0),
		family(fine, "Latency with many buckets and no labels.", "histogram", nil, func(e *exposition) { e.histogram(fine, nil, m.fine) }),
		family(duration, "Latency with few buckets by handler.", "histogram", method, func(e *exposition) {
			e.histogram(duration, method, m.duration)
		}),
	}
}

// requests writes the counter by status; a status that was never answered has no child.
func (m *httpMetrics) requests(e *exposition, name string, epoch float64) {
	const help = "HTTP requests by method, status and handler."
	e.family(name, help, "counter")
	var births []birth
	for i, a := range m.answers {
		if a.count == 0 {
			continue
		}
		child := labels{"handler", m.handler, "method", "POST", "status", statuses[i]}
		e.sample(name, child, a.count)
		births = append(births, birth{child, epoch + a.born})
	}
	e.created(name, help, "counter", births)
}
