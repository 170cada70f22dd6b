package simulate

import "slices"

// policy is how a router chooses among its servers.
type policy int

const (
	roundRobin    policy = iota
	leastRequests        // with the fewest open connections
	sticky               // a client stays with the server of its first request
	byPrefix             // requests with the same beginning go to the same server
)

// router sends the requests of a load to those of its servers that listen.
type router struct {
	policy  policy
	servers []*server
	next    int
	stuck   map[int]*server // of a sticky router, by client
}

// choose is the server for a request, or nil when none listens.
func (r *router) choose(q *request) *server {
	var up []*server
	for _, s := range r.servers {
		if s.listening {
			up = append(up, s)
		}
	}
	if len(up) == 0 {
		return nil
	}
	r.next++
	turn := up[r.next%len(up)]
	switch r.policy {
	case leastRequests:
		for _, s := range up {
			if len(s.frontend.open) < len(turn.frontend.open) {
				turn = s
			}
		}
	case sticky:
		if s := r.stuck[q.client]; s != nil && s.listening {
			return s
		}
		if r.stuck == nil {
			r.stuck = map[int]*server{}
		}
		r.stuck[q.client] = turn
	case byPrefix:
		return up[q.group%len(up)]
	}
	return turn
}

// join puts servers behind the router.
func (r *router) join(servers ...*server) { r.servers = append(r.servers, servers...) }

// leave takes a server away from the router: it gets no new requests, and finishes what it has.
func (r *router) leave(s *server) {
	r.servers = slices.DeleteFunc(r.servers, func(other *server) bool { return other == s })
}
