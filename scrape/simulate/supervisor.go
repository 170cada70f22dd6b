package simulate

import "math"

// supervisor starts a process again when it has ended, as Kubernetes does: the first time at once, then after 10 seconds,
// and each time after twice as long, at most five minutes. It forgets when a process has run for ten minutes.
type supervisor struct {
	ends int // in a row
}

const (
	firstBackoff = 10
	lastBackoff  = 300
	forgetting   = 600
)

// revive starts the process of s again. Its weights are in the page cache by now.
func (v *supervisor) revive(s *server) {
	if s.agenda.now-s.started > forgetting {
		v.ends = 0
	}
	wait := 0.0
	if v.ends > 0 {
		wait = min(lastBackoff, firstBackoff*math.Exp2(float64(v.ends-1)))
	}
	v.ends++
	life := s.lives
	s.agenda.after(wait, func() {
		if s.lives == life {
			s.start(startSeconds)
		}
	})
}

// exitSeconds is how long the API process lives on after its engine: a recorded server was gone at the next look, two
// seconds later.
const exitSeconds = 2

// engineDied is what follows the death of an engine. With it go the other ranks. The API process exits, unless it was told
// to live on.
func (s *server) engineDied() {
	for _, e := range s.frontend.engines {
		e.wedged = true
		e.hardware.release(s.agenda.now)
	}
	if s.keepAlive {
		s.frontend.bury()
		return
	}
	life := s.lives
	s.agenda.after(exitSeconds, func() {
		if s.lives != life {
			return
		}
		s.stop()
		if s.supervised {
			s.supervisor.revive(s)
		}
	})
}

// bury is the API process that lives on without its engine. Streams under way end with an error inside their 200; whatever
// comes is refused with a 500 at once.
func (f *frontend) bury() {
	f.dead, f.pending = true, nil
	for len(f.open) > 0 {
		r := f.open[0]
		f.leave(r, served)
		r.traffic.failed(r)
	}
}

// fail answers a request with a 500, since there is no engine.
func (f *frontend) fail(r *request) {
	f.cpu += requestSeconds
	f.leave(r, failed)
	r.traffic.failed(r)
}
