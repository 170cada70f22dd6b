package scrape

import (
	"bytes"
	"context"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"
)

const (
	// discoverTimeout is short: what is on this host answers in milliseconds, or hangs.
	discoverTimeout = time.Second
	discoverAtOnce  = 8
)

// wellKnown are the ports where vLLM and DCGM's exporter are found: vLLM's default and the next, what router and proxy
// set-ups use (8080, 8081), and the exporter's.
var wellKnown = []string{"localhost:8000", "localhost:8001", "localhost:8002", "localhost:8080", "localhost:8081", "localhost:9400", "localhost:9401"}

// Discovery is what was looked for on this host.
type Discovery struct {
	// Found are the vLLM servers and the GPU sources that answer, with their kinds.
	Found []Target
	// Tried is everything that was asked, in order.
	Tried []Attempt
}

// Attempt is one address that was asked.
type Attempt struct {
	Target Target
	// Why says how we came to ask there: "well-known port", or "command line of process 4711".
	Why string
	// Err is why it is not among the found; nil if it is, or if it is another exporter, which Target.Kind tells.
	Err error
}

// Discover looks for vLLM and DCGM exporters on this host, by ports that are usual and, on Linux, by those that stand in
// the command lines of running processes. Each is asked once. Without a DCGM exporter nvidia-smi is offered, if there
// is one.
func Discover(ctx context.Context) Discovery {
	d := Discovery{Tried: candidates(os.DirFS("/proc"))}
	d.ask(ctx)
	if !slices.ContainsFunc(d.Found, func(t Target) bool { return t.Kind == KindDCGM }) {
		if command, err := exec.LookPath(nvidiaSMI); err == nil {
			d.Found = append(d.Found, smiTarget(command))
		}
	}
	return d
}

// candidates returns what to ask, each address once, those of processes first.
func candidates(proc fs.FS) (attempts []Attempt) {
	known := map[string]bool{}
	add := func(address string, kind Kind, why string) {
		t, err := NewTarget(address)
		if err != nil || known[t.Instance] {
			return
		}
		known[t.Instance], t.Kind = true, kind
		attempts = append(attempts, Attempt{Target: t, Why: why})
	}
	lines, _ := fs.Glob(proc, "[0-9]*/cmdline") // none on other systems, or without /proc
	for _, file := range lines {
		line, err := fs.ReadFile(proc, file)
		if err != nil {
			continue // the process is gone, or not ours to see
		}
		process, _, _ := strings.Cut(file, "/")
		if address, kind := addressIn(line); address != "" {
			add(address, kind, "command line of process "+process)
		}
	}
	for _, address := range wellKnown {
		add(address, "", "well-known port")
	}
	return attempts
}

// addressIn returns where a process listens by its command line, if that is vLLM or DCGM's exporter and says so.
func addressIn(line []byte) (string, Kind) {
	kind := KindVLLM
	switch {
	case bytes.Contains(line, []byte("dcgm-exporter")):
		kind = KindDCGM
	case !bytes.Contains(line, []byte("vllm")):
		return "", ""
	}
	host, port := "localhost", ""
	arguments := strings.Split(strings.TrimRight(string(line), "\x00"), "\x00")
	for i, argument := range arguments {
		name, value, joined := strings.Cut(argument, "=")
		if !joined && i+1 < len(arguments) {
			value = arguments[i+1]
		}
		switch name {
		case "--host":
			if !slices.Contains([]string{"", "0.0.0.0", "::", "127.0.0.1", "localhost"}, value) {
				host = value
			}
		case "--port", "-p", "-a", "--address":
			port = value[strings.LastIndex(value, ":")+1:]
		}
	}
	if !isPort(port) {
		return "", ""
	}
	return net.JoinHostPort(host, port), kind
}

// ask asks all candidates, a few at a time, and sorts out what was found.
func (d *Discovery) ask(ctx context.Context) {
	var group errgroup.Group
	group.SetLimit(discoverAtOnce)
	for i := range d.Tried {
		group.Go(func() error {
			err := Caught(func() error {
				d.Tried[i].look(ctx)
				return nil
			})
			if err != nil {
				d.Tried[i].Err = ownFailure(err)
			}
			return nil
		})
	}
	_ = group.Wait() // the errors are in the attempts
	for _, a := range d.Tried {
		if a.Err == nil && a.Target.Kind != KindOther {
			d.Found = append(d.Found, a.Target)
		}
	}
}

// look asks one address. Where the page does not tell, the command line does: a vLLM with its own metrics turned off
// shows only those of its HTTP server, and an exporter that is starting may show nothing.
func (a *Attempt) look(ctx context.Context) {
	from, err := openSource(a.Target)
	if err != nil {
		a.Err = err
		return
	}
	defer from.close()
	var page bytes.Buffer
	head, failure := from.fetch(ctx, discoverTimeout, &page)
	kind := KindOther
	if failure == nil {
		kind, failure = pageKind(page.Bytes(), head.contentType)
	}
	if failure != nil {
		failure.Target = a.Target.URL
		a.Err = failure
	}
	if kind != KindOther || a.Target.Kind == "" {
		a.Target.Kind = kind
	}
}
