package simulate

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"sync"
	"syscall"
	"time"
)

// Server answers HTTP for a fleet, whose time runs with the real one.
type Server struct {
	URLs []string // of the targets' metrics pages, in the order of the fleet's Targets

	mutex sync.Mutex
	fleet *Fleet
	began time.Time // real time, and
	at    time.Time // the fleet's time when they were the same moment
	speed float64
	doors []*door
	end   context.CancelFunc
}

// door is the port of one target. Nothing listens there while the target is down.
type door struct {
	target  Target
	address string
	server  *http.Server // nil while closed
}

// tending is how often the server looks which targets are down.
const tending = 200 * time.Millisecond

// Listen opens a listener on loopback for each target of a fleet: on port, port+1 and so on, or on ports that the system
// chooses when port is 0. Speed is how many of the fleet's seconds pass in a real one, 0.01 to 1000. From here on the
// fleet belongs to the server. It stops when ctx ends or Close is called.
func Listen(ctx context.Context, f *Fleet, port int, speed float64) (*Server, error) {
	last := 65536 - len(f.Targets())
	if err := all([]limits{{"speed", speed, 0.01, 1000}, {"port", float64(port), 0, float64(last)}}); err != nil {
		return nil, err
	}
	ctx, end := context.WithCancel(ctx)
	s := &Server{fleet: f, began: time.Now(), at: f.now(), speed: speed, end: end}
	for i, target := range f.Targets() {
		d := &door{target: target, address: net.JoinHostPort("127.0.0.1", "0")}
		if port != 0 {
			d.address = net.JoinHostPort("127.0.0.1", strconv.Itoa(port+i))
		}
		if err := s.open(ctx, d); err != nil {
			return nil, errors.Join(err, s.Close())
		}
		s.doors = append(s.doors, d)
		s.URLs = append(s.URLs, "http://"+d.address+"/metrics")
	}
	go s.tend(ctx)
	return s, nil
}

// open begins to listen at a door. A port that the system chose stays the target's own.
func (s *Server) open(ctx context.Context, d *door) error {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", d.address)
	if err != nil {
		return listenError(d.target.Name, d.address, err)
	}
	d.address = listener.Addr().String()
	server := &http.Server{Handler: s.handler(d.target), ReadHeaderTimeout: 10 * time.Second}
	d.server = server
	go func() { _ = server.Serve(listener) }() // ends with Close
	return nil
}

// tend closes the doors of targets that are down, and opens them when they are up again, until ctx ends.
func (s *Server) tend(ctx context.Context) {
	ticker := time.NewTicker(tending)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			_ = s.Close()
			return
		case <-ticker.C:
			s.look(ctx)
		}
	}
}

func (s *Server) look(ctx context.Context) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.advance()
	for _, d := range s.doors {
		up := s.fleet.Listening(d.target.Name)
		switch {
		case up && d.server == nil:
			_ = s.open(ctx, d) // a port that somebody took meanwhile is tried again at the next look
		case !up && d.server != nil:
			_ = d.server.Close()
			d.server = nil
		}
	}
}

// advance brings the fleet up to the present. The mutex is held.
func (s *Server) advance() {
	s.fleet.AdvanceTo(s.at.Add(time.Duration(float64(time.Since(s.began)) * s.speed)))
}

func listenError(target, address string, err error) error {
	if errors.Is(err, syscall.EADDRINUSE) {
		return fmt.Errorf("listen for %s on %s: the port is in use: choose another one, or 0 for any free one", target, address)
	}
	return fmt.Errorf("listen for %s on %s: %w", target, address, err)
}

// Close stops answering.
func (s *Server) Close() error {
	s.end()
	s.mutex.Lock()
	defer s.mutex.Unlock()
	var failed error
	for _, d := range s.doors {
		if d.server != nil {
			failed = errors.Join(failed, d.server.Close())
		}
	}
	return failed
}

// handler answers what a vLLM server, or an exporter, answers.
func (s *Server) handler(target Target) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /metrics", func(w http.ResponseWriter, r *http.Request) {
		answer, err := s.get(target.Name)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		if answer.Refused {
			panic(http.ErrAbortHandler) // its door is about to close
		}
		select {
		case <-r.Context().Done():
			return
		case <-time.After(answer.After):
		}
		w.Header().Set("Content-Type", target.ContentType)
		_, _ = w.Write(answer.Page) // a client that left needs no answer
	})
	mux.HandleFunc("GET /health", func(w http.ResponseWriter, _ *http.Request) {
		if !s.healthy(target.Name) {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	})
	if server := s.fleet.server(target.Name); server != nil {
		mux.HandleFunc("GET /version", func(w http.ResponseWriter, _ *http.Request) { reply(w, map[string]string{"version": server.release}) })
		mux.HandleFunc("GET /v1/models", func(w http.ResponseWriter, _ *http.Request) { reply(w, server.list()) })
	}
	return mux
}

// get is what a target answers now, and after how much real time.
func (s *Server) get(target string) (Answer, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.advance()
	answer, err := s.fleet.Get(target)
	answer.After = time.Duration(float64(answer.After) / s.speed)
	return answer, err
}

// healthy says whether a target's /health is 200 now.
func (s *Server) healthy(target string) bool {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.advance()
	return s.fleet.healthy(target)
}

func reply(w http.ResponseWriter, body any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(body) // a client that left needs no answer
}

// modelCard is an entry of /v1/models.
type modelCard struct {
	ID          string `json:"id"`
	Object      string `json:"object"`
	Created     int64  `json:"created"`
	OwnedBy     string `json:"owned_by"`
	Root        string `json:"root"`
	MaxModelLen int    `json:"max_model_len"`
}

// list is the body of /v1/models.
func (s *server) list() any {
	var cards []modelCard
	for _, m := range s.models {
		cards = append(cards, modelCard{m.name, "model", int64(s.epoch), "vllm", m.name, s.flags.maxModelLen})
	}
	return map[string]any{"object": "list", "data": cards}
}
