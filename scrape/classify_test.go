package scrape

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestClassify covers what a test server on this host cannot do.
func TestClassify(t *testing.T) {
	dial := func(err error) error {
		return &net.OpError{Op: "dial", Net: "tcp", Addr: &net.TCPAddr{IP: net.IPv4(10, 0, 0, 7), Port: 8000}, Err: &os.SyscallError{Syscall: "connect", Err: err}}
	}
	for _, row := range []struct {
		err  error
		came progress
		want string // class and sentence
	}{
		{dial(syscall.EHOSTUNREACH), connecting, "unreachable no route to gpu-a:8000: check network, VPN and firewall"},
		{&net.OpError{Op: "proxyconnect", Err: dial(syscall.ECONNREFUSED)}, connecting, "refused connection refused by the proxy: nothing listens there; start the server, or check the port"},
		{dial(syscall.ETIMEDOUT), connecting, "timeout no connection to gpu-a:8000 within 4s: the host is down, or a firewall drops packets"},
		{context.DeadlineExceeded, connecting, "timeout no connection to gpu-a:8000 within 4s: the host is down, or a firewall drops packets"},
		{&net.DNSError{Name: "gpu-a", IsTimeout: true}, connecting, `dns the name "gpu-a" could not be looked up, the name server does not answer: use the IP address`},
		{x509.CertificateInvalidError{Reason: x509.Expired}, connecting, "tls the certificate of gpu-a:8000 has expired or is not yet valid: renew it, or check the clock"},
		{&url.Error{Op: "Post", URL: "https://id/token?s3cret", Err: dial(syscall.ECONNREFUSED)}, connecting, "unauthorized no OAuth2 token: the token server refused or did not answer; check oauth2 in the config file"},
		{errors.New(`oauth2: "invalid_client" "s3cret"`), connecting, "unauthorized no OAuth2 token: the token server refused or did not answer; check oauth2 in the config file"},
		{fmt.Errorf("read tcp 10.0.0.1:51234->10.0.0.7:8000: %w", syscall.ECONNRESET), waiting, "closed gpu-a:8000 closed the connection without an answer: it may be shutting down, or another service listens there"},
		{syscall.ECONNRESET, reading, "truncated the connection broke in the middle of the page: the server died, or a proxy cut the answer off"},
		{fmt.Errorf("on 10.0.0.1:51234: %w", errors.New("stream error: stream ID 7; REFUSED")), waiting, "closed no answer from gpu-a:8000: stream error: stream ID ; REFUSED"},
	} {
		failure := get{address: "gpu-a:8000", timeout: 4 * time.Second, came: row.came}.classify(&url.Error{Op: "Get", URL: "http://oauth2:x@gpu-a?token=s3cret", Err: row.err})
		if got := string(failure.Class) + " " + failure.Sentence; got != row.want {
			t.Errorf("%v:\n got %s\nwant %s", row.err, got, row.want)
		}
	}
}

func TestPrintable(t *testing.T) {
	for text, want := range map[string]string{
		"plain ü 型": "plain ü 型", "a\x1b[0m\n\x00": `a\x1b[0m\n\x00`, "\u202e\xff": `\u202e\xff`,
		strings.Repeat("型", 10): "型型型型型…", "0123456789abcdefghi": "0123456789abcde…",
	} {
		if got := printable(text, 18); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func TestUnitOfHelp(t *testing.T) {
	for help, want := range map[string]string{
		"GPU utilization (in %).": unitPercent, "Share in percent": unitPercent, "GPU utilization ratio": unitRatio,
		"Fraction of time (0.0 to 1.0)": unitRatio, "GPU utilization": "",
	} {
		if got := unitOfHelp([]byte(help)); got != want {
			t.Errorf("%q: got %q", help, got)
		}
	}
}
