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
