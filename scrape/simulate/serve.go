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

	mutex   sync.Mutex
	fleet   *Fleet
	began   time.Time // real time, and
	at      time.Time // the fleet's time when they were the same moment
	speed   float64
	servers []*http.Server
}

// Listen opens a listener on loopback for each target of a fleet: on port, port+1 and so on, or on ports that the system
// chooses when port is 0. Speed is how many of the fleet's seconds pass in a real one, 0.01 to 1000. From here on the
// fleet belongs to the server. It stops when ctx ends or Close is called.
func Listen(ctx context.Context, f *Fleet, port int, speed float64) (*Server, error) {
	if err := (limits{"speed", speed, 0.01, 1000}).validate(); err != nil {
		return nil, err
	}
	s := &Server{fleet: f, began: time.Now(), at: f.now(), speed: speed}
	for i, target := range f.Targets() {
		address := net.JoinHostPort("127.0.0.1", "0")
		if port != 0 {
			address = net.JoinHostPort("127.0.0.1", strconv.Itoa(port+i))
		}
		listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", address)
		if err != nil {
			return nil, errors.Join(listenError(target.Name, address, err), s.Close())
		}
		server := &http.Server{Handler: s.handler(target), ReadHeaderTimeout: 10 * time.Second}
		s.servers = append(s.servers, server)
		s.URLs = append(s.URLs, "http://"+listener.Addr().String()+"/metrics")
		go func() { _ = server.Serve(listener) }() // ends with Close
	}
	context.AfterFunc(ctx, func() { _ = s.Close() })
	return s, nil
}

func listenError(target, address string, err error) error {
	if errors.Is(err, syscall.EADDRINUSE) {
		return fmt.Errorf("listen for %s on %s: the port is in use: choose another one, or 0 for any free one", target, address)
	}
	return fmt.Errorf("listen for %s on %s: %w", target, address, err)
}

// Close stops answering.
func (s *Server) Close() error {
	var failed error
	for _, server := range s.servers {
		failed = errors.Join(failed, server.Close())
	}
	return failed
}

// handler answers what a vLLM server, or an exporter, answers.
func (s *Server) handler(target Target) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /metrics", func(w http.ResponseWriter, r *http.Request) {
		page, delay, err := s.page(target.Name)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		select {
		case <-r.Context().Done():
			return
		case <-time.After(delay):
		}
		w.Header().Set("Content-Type", target.ContentType)
		_, _ = w.Write(page) // a client that left needs no answer
	})
	mux.HandleFunc("GET /health", func(http.ResponseWriter, *http.Request) {}) // 200: a hung engine is not a dead one
	if server := s.fleet.server(target.Name); server != nil {
		mux.HandleFunc("GET /version", func(w http.ResponseWriter, _ *http.Request) { reply(w, map[string]string{"version": server.release}) })
		mux.HandleFunc("GET /v1/models", func(w http.ResponseWriter, _ *http.Request) { reply(w, server.list()) })
	}
	return mux
}

// page is a target's page now, and how long its server takes to answer.
func (s *Server) page(target string) (page []byte, delay time.Duration, err error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.fleet.AdvanceTo(s.at.Add(time.Duration(float64(time.Since(s.began)) * s.speed)))
	page, err = s.fleet.Page(target)
	if server := s.fleet.server(target); server != nil {
		delay = duration(server.frontend.answerSeconds() / s.speed)
	}
	return page, delay, err
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
