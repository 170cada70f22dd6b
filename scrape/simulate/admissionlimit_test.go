package simulate

import (
	"testing"
	"time"
)

// TestQueueLimit: of five requests at once, two pass the first look, since no engine has any yet; with one place, the second
// of them is refused once it is rendered, inside a stream. Whoever comes later gets a 503.
func TestQueueLimit(t *testing.T) {
	s := Scenario{Name: "one", Release: "0.32.0", GPUInterval: time.Second}
	d := small("gpu-a", load{name: "one", think: 1e5, maxTokens: 600, prompt: lengths{100, 0, 1, 100}, output: lengths{600, 0, 1, 600}})
	d.flags.maxQueued = 1
	s.servers = []deployment{d}
	f := build(t, s, 2)
	traffic := f.servers[0].traffic[0]
	traffic.ask(0)
	traffic.ask(1)
	f.AdvanceTo(noon.Add(500 * time.Millisecond))
	for client := range 3 {
		traffic.ask(2 + client)
	}
	f.AdvanceTo(noon.Add(time.Second))
	page := read(t, f, "gpu-a:8000")
	check(
		t,
		bound{"rejections", page.sum(rejections), 4, 4},
		bound{"5xx", page.status("5xx"), 3, 3},
		bound{"2xx", page.status("2xx"), 1, 1},
		bound{"running", page.sum(running), 1, 1},
	)
	f.AdvanceTo(noon.Add(20 * time.Second))
	traffic.ask(9)
	f.AdvanceTo(noon.Add(21 * time.Second))
	if page := read(t, f, "gpu-a:8000"); page.sum(rejections) != 4 || page.sum(running) != 1 {
		t.Errorf("%g rejections and %g running once the first has ended, want 4 and 1", page.sum(rejections), page.sum(running))
	}
}
