package scrape

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/tls"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/common/config"
)

const smallPage = "# TYPE vllm:num_requests_running gauge\nvllm:num_requests_running{engine=\"0\"} 2.0\n"

// getPage fetches one page of a target with a short timeout, which a TLS handshake under the race detector would not meet.
func getPage(t *testing.T, target Target) (string, head, *Failure) {
	t.Helper()
	from, err := openSource(target)
	if err != nil {
		t.Fatal(err)
	}
	defer from.close()
	var page bytes.Buffer
	timeout := 200 * time.Millisecond
	if target.page != nil && target.page.Scheme == "https" {
		timeout = 10 * time.Second
	}
	h, failure := from.fetch(t.Context(), timeout, &page)
	return page.String(), h, failure
}

func serve(t *testing.T, handler http.HandlerFunc) Target {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return mustTarget(t, server.URL)
}

func mustTarget(t testing.TB, raw string) Target {
	t.Helper()
	target, err := NewTarget(raw)
	if err != nil {
		t.Fatal(err)
	}
	return target
}

func pack(t testing.TB, text []byte) []byte {
	t.Helper()
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	if _, err := w.Write(text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return packed.Bytes()
}

// hijack takes the connection away from net/http.
func hijack(w http.ResponseWriter) net.Conn {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(err)
	}
	return conn
}

func answer(status int, contentType, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", contentType)
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

// hang holds a request until the client gives up.
func hang(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }

func drip(w http.ResponseWriter, r *http.Request) {
	_, _ = io.WriteString(w, smallPage)
	_ = http.NewResponseController(w).Flush()
	<-r.Context().Done()
}

func TestFetchFailures(t *testing.T) {
	for _, row := range []struct {
		name    string
		handler http.HandlerFunc
		class   Class
		want    string // HOST stands for the address of the server
	}{
		{"401", answer(401, "", ""), ClassUnauthorized, "401 unauthorized: the token or password is missing, wrong or expired; set authorization or basic_auth in the config file"},
		{"403", answer(403, "", ""), ClassForbidden, "403 forbidden: these credentials may not read the page; ask for the right to read metrics"},
		{"404", answer(404, "", ""), ClassNotFound, "404 not found: there is no page at /metrics; check the path, and whether metrics are turned on"},
		{"500", answer(500, "text/plain", "Internal Server Error, request 8c1f77ab"), ClassStatus, "answered 500 Internal Server Error (Internal Server Error, request …): the server or a proxy before it is in trouble; see its log"},
		{"503", answer(503, "", ""), ClassStatus, "answered 503 Service Unavailable: the server or a proxy before it is in trouble; see its log"},
		{"hang", hang, ClassTimeout, "HOST took the connection but gave no answer within 200ms: it hangs or is overloaded; a longer timeout may help"},
		{"drip", drip, ClassTimeout, "the page did not arrive in full within 200ms: server or network are slow; a longer timeout may help"},
		{"reset", func(w http.ResponseWriter, _ *http.Request) { _ = hijack(w).Close() }, ClassClosed, "HOST closed the connection without an answer: it may be shutting down, or another service listens there"},
		{"truncate", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "10000")
			_, _ = io.WriteString(w, smallPage)
		}, ClassTruncated, "the connection broke in the middle of the page: the server died, or a proxy cut the answer off"},
		{"no http", func(w http.ResponseWriter, _ *http.Request) {
			conn := hijack(w)
			_, _ = io.WriteString(conn, "SSH-2.0-OpenSSH_9.2\r\n")
			_ = conn.Close()
		}, ClassNotMetrics, `HOST does not speak HTTP ("SSH-2.0-OpenSSH_9.2"): another service listens there; check the port`},
		{"tls on http", func(w http.ResponseWriter, _ *http.Request) {
			conn := hijack(w)
			_, _ = io.WriteString(conn, "\x15\x03\x01\x00\x02\x02\x0a\r\n\r\n")
			_ = conn.Close()
		}, ClassTLS, "HOST speaks TLS, not plain HTTP: use https:// instead of http://"},
		{"redirect loop", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, r.URL.Path, http.StatusFound) }, ClassRedirect, "redirected more than 5 times: check the URL"},
		{"redirect elsewhere", func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "https://login.example.com/?next=x", http.StatusFound)
		}, ClassRedirect, "redirected to https://login.example.com, another server, which is not followed: give that address if it is the right one"},
		{"304", answer(304, "", ""), ClassRedirect, "answered 304 Not Modified instead of the page, and that is not followed: check the URL"},
		{"brotli", func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("Content-Encoding", "br") }, ClassEncoding, `the page is compressed as "br", which was not asked for: turn that off at the server or proxy`},
		{"bad gzip", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			_, _ = io.WriteString(w, smallPage)
		}, ClassEncoding, "the gzip stream of the page is broken: turn compression off at the server or proxy"},
	} {
		t.Run(row.name, func(t *testing.T) {
			target := serve(t, row.handler)
			_, _, failure := getPage(t, target)
			if failure == nil {
				t.Fatal("no failure")
			}
			got := strings.ReplaceAll(failure.Sentence, target.page.Host, "HOST")
			if failure.Class != row.class || got != row.want {
				t.Errorf("got  %s: %s\nwant %s: %s", failure.Class, got, row.class, row.want)
			}
		})
	}
}

func TestFetchRefusedAndUnknownHost(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	_ = listener.Close()
	_, _, failure := getPage(t, mustTarget(t, address))
	want := &Failure{Class: ClassRefused, Sentence: "connection refused by " + address + ": nothing listens there; start the server, or check the port"}
	if diff := cmp.Diff(want, failure); diff != "" {
		t.Error(diff)
	}
	// The answer of a name server is not to be had everywhere, its error is.
	unknown := &net.DNSError{Err: "no such host", Name: "gpu-\x1bx", Server: "127.0.0.53:53", IsNotFound: true}
	failure = get{address: "runs:80", noFile: "runs/today"}.classify(&net.DNSError{Name: "runs", IsNotFound: true})
	if want := `no file or folder runs/today here, and no such host "runs": check the spelling`; failure.Sentence != want {
		t.Errorf("got %s, want %s", failure.Sentence, want)
	}
	failure = get{address: "gpu-x:80"}.classify(fmt.Errorf("dial: %w", unknown))
	if failure.Class != ClassDNS || failure.Sentence != `no such host "gpu-\\x1bx": check the spelling, or use the IP address` {
		t.Errorf("got %s: %s", failure.Class, failure.Sentence)
	}
}

func TestFetchCertificates(t *testing.T) {
	server := httptest.NewUnstartedServer(answer(200, "text/plain", smallPage))
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	defer server.Close()
	host := strings.TrimPrefix(server.URL, "https://")

	_, _, failure := getPage(t, mustTarget(t, server.URL))
	want := "the certificate of " + host + " is signed by an unknown authority: name its CA (tls_config: ca_file), or skip the check (insecure_skip_verify)"
	if failure == nil || failure.Class != ClassTLS || failure.Sentence != want {
		t.Errorf("got  %v\nwant %s", failure, want)
	}

	ca := filepath.Join(t.TempDir(), "ca.pem")
	block := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	if err := os.WriteFile(ca, block, 0o600); err != nil {
		t.Fatal(err)
	}
	trusting := mustTarget(t, server.URL)
	trusting.Client.TLSConfig = config.TLSConfig{CAFile: ca}
	if page, _, failure := getPage(t, trusting); failure != nil || page != smallPage {
		t.Errorf("with the CA: %q, %v", page, failure)
	}
	trusting.Client.TLSConfig.ServerName = "gpu-a.invalid"
	_, _, failure = getPage(t, trusting)
	if failure == nil || failure.Class != ClassTLS || !strings.Contains(failure.Sentence, "is for another name") {
		t.Errorf("with a wrong name: %v", failure)
	}

	demanding := httptest.NewUnstartedServer(answer(200, "text/plain", smallPage))
	demanding.Config.ErrorLog = log.New(io.Discard, "", 0)
	demanding.TLS = &tls.Config{ClientAuth: tls.RequireAnyClientCert}
	demanding.StartTLS()
	defer demanding.Close()
	unknown := mustTarget(t, demanding.URL)
	unknown.Client.TLSConfig.InsecureSkipVerify = true
	_, _, failure = getPage(t, unknown)
	if failure == nil || failure.Class != ClassTLS || !strings.Contains(failure.Sentence, "may want a client certificate") {
		t.Errorf("without a client certificate: %v", failure)
	}

	plain := serve(t, answer(200, "text/plain", smallPage))
	_, _, failure = getPage(t, mustTarget(t, "https://"+plain.page.Host))
	if failure == nil || failure.Class != ClassTLS || !strings.Contains(failure.Sentence, "use http:// instead") {
		t.Errorf("TLS to a plain server: %v", failure)
	}
}

func TestFetchReads(t *testing.T) {
	packed := pack(t, []byte(smallPage))
	for name, handler := range map[string]http.HandlerFunc{
		"plain": answer(200, "text/plain; version=1.0.0", smallPage),
		"gzip": func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("Accept-Encoding") != "gzip" || !strings.HasPrefix(r.Header.Get("Accept"), "text/plain;version=0.0.4") {
				w.WriteHeader(400)
			}
			w.Header().Set("Content-Encoding", "gzip")
			_, _ = w.Write(packed)
		},
		"bare gzip": func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(packed) },
		"slash": func(w http.ResponseWriter, r *http.Request) {
			if !strings.HasSuffix(r.URL.Path, "/") {
				http.Redirect(w, r, r.URL.Path+"/", http.StatusTemporaryRedirect)
				return
			}
			_, _ = io.WriteString(w, smallPage)
		},
	} {
		page, h, failure := getPage(t, serve(t, handler))
		if failure != nil || page != smallPage {
			t.Errorf("%s: got %q, %v", name, page, failure)
		}
		if bare := len(h.notes) == 1 && h.notes[0].name == noteBareGzip; bare != (name == "bare gzip") {
			t.Errorf("%s: notes %v", name, h.notes)
		}
	}
}

func TestFetchKeepsCredentialsHome(t *testing.T) {
	var away, home string
	elsewhere := serve(t, func(_ http.ResponseWriter, r *http.Request) { away = r.Header.Get("Authorization") + "!" })
	target := serve(t, func(w http.ResponseWriter, r *http.Request) {
		home = r.Header.Get("Authorization")
		http.Redirect(w, r, elsewhere.URL, http.StatusFound)
	})
	token := filepath.Join(t.TempDir(), "token")
	target.Client.Authorization = &config.Authorization{Type: "Bearer", CredentialsFile: token}

	if _, _, failure := getPage(t, target); failure == nil || failure.Class != ClassUnauthorized {
		t.Errorf("without the file: %v", failure)
	}
	if err := os.WriteFile(token, []byte("s3cret"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, _, failure := getPage(t, target)
	if failure == nil || failure.Class != ClassRedirect {
		t.Errorf("redirect: %v", failure)
	}
	if home != "Bearer s3cret" || away != "" {
		t.Errorf("home got %q, elsewhere got %q", home, away)
	}
}

func TestFetchBounds(t *testing.T) {
	line := []byte(strings.Repeat("x", 1<<16-1) + "\n")
	bomb := pack(t, bytes.Repeat(line, maxPage/len(line)+2))
	for name, handler := range map[string]http.HandlerFunc{
		"endless": func(w http.ResponseWriter, r *http.Request) {
			for r.Context().Err() == nil {
				if _, err := w.Write(line); err != nil {
					return
				}
			}
		},
		"bomb": func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(bomb) },
	} {
		from, err := openSource(serve(t, handler))
		if err != nil {
			t.Fatal(err)
		}
		var page bytes.Buffer
		_, failure := from.fetch(context.Background(), 30*time.Second, &page)
		if failure == nil || failure.Class != ClassTooBig {
			t.Errorf("%s: %v", name, failure)
		}
		if page.Cap() > maxPage+1 {
			t.Errorf("%s: %d bytes held", name, page.Cap())
		}
		from.close()
	}
}

func TestCompressedBound(t *testing.T) {
	// Many empty gzip members are a stream without end that unpacks to nothing.
	members := bytes.Repeat(pack(t, nil), 1<<12)
	var stream io.Reader = bytes.NewReader(nil)
	for range maxCompressedPage/len(members) + 1 {
		stream = io.MultiReader(stream, bytes.NewReader(members))
	}
	var page bytes.Buffer
	if _, err := readBody(stream, true, &page); !errors.Is(err, errTooBig) {
		t.Errorf("got %v", err)
	}
}
