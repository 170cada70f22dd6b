package scrape

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"syscall"
	"time"
	"unicode"
)

// progress is how far a GET came, which is what tells a dead host from a hanging server.
type progress int32

const (
	connecting progress = iota
	waiting
	reading
)

// get is what is known of one GET when it fails.
type get struct {
	address string // host:port
	timeout time.Duration
	came    progress
	noFile  string // of the target
}

// classify turns an error of net/http into a class and a sentence.
func (g get) classify(err error) *Failure {
	if outer, ok := errors.AsType[*url.Error](err); ok {
		err = outer.Err
	}
	for _, try := range []func(error) *Failure{g.policy, g.lookup, g.encryption, g.late, g.connection, g.body} {
		if failure := try(err); failure != nil {
			return failure
		}
	}
	return newFailure(ClassClosed, fmt.Sprintf("no answer from %s: %s", g.address, stable(err)))
}

// policy covers what our own rules stopped.
func (g get) policy(err error) *Failure {
	var moved *redirectError
	var file *fs.PathError
	var token *url.Error // within a GET, the only POST is that for an OAuth2 token
	switch {
	case errors.As(err, &moved):
		return newFailure(ClassRedirect, moved.Error())
	case errors.Is(err, errTooBig):
		return newFailure(ClassTooBig, fmt.Sprintf("the page is larger than %d MiB (%d MiB compressed): "+
			"no metrics page is; check the URL", maxPage>>20, maxCompressedPage>>20))
	case errors.As(err, &file):
		return newFailure(ClassUnauthorized, fmt.Sprintf("cannot read %s, which the configuration names: %s",
			printable(file.Path, 2*maxQuote), reason(file.Err)))
	case errors.As(err, &token), strings.HasPrefix(err.Error(), "oauth2:"):
		return newFailure(ClassUnauthorized, "no OAuth2 token: the token server refused or did not answer; check oauth2 in the config file")
	}
	return nil
}

func (g get) lookup(err error) *Failure {
	var unknown *net.DNSError
	if !errors.As(err, &unknown) {
		return nil
	}
	name := printable(unknown.Name, maxQuote)
	if unknown.IsNotFound {
		if g.noFile != "" {
			return newFailure(ClassDNS, fmt.Sprintf("no file or folder %s here, and no such host %q: check the spelling", printable(g.noFile, maxQuote), name))
		}
		return newFailure(ClassDNS, fmt.Sprintf("no such host %q: check the spelling, or use the IP address", name))
	}
	return newFailure(ClassDNS, fmt.Sprintf("the name %q could not be looked up, the name server does not answer: "+
		"use the IP address", name))
}

func (g get) late(err error) *Failure {
	var slow net.Error
	expired := errors.Is(err, context.DeadlineExceeded) || errors.Is(err, os.ErrDeadlineExceeded)
	if !expired && (!errors.As(err, &slow) || !slow.Timeout()) {
		return nil
	}
	switch g.came {
	case connecting:
		return newFailure(ClassTimeout, fmt.Sprintf("no connection to %s within %s: the host is down, "+
			"or a firewall drops packets", g.address, g.timeout))
	case waiting:
		return newFailure(ClassTimeout, fmt.Sprintf("%s took the connection but gave no answer within %s: it hangs or "+
			"is overloaded; a longer timeout may help", g.address, g.timeout))
	}
	return newFailure(ClassTimeout, fmt.Sprintf("the page did not arrive in full within %s: server or network are slow; "+
		"a longer timeout may help", g.timeout))
}

func (g get) encryption(err error) *Failure {
	var (
		plain     tls.RecordHeaderError
		authority x509.UnknownAuthorityError
		name      x509.HostnameError
		invalid   x509.CertificateInvalidError
		verify    *tls.CertificateVerificationError
		peer      *net.OpError
	)
	switch {
	case errors.As(err, &plain) || errors.Is(err, http.ErrSchemeMismatch):
		return newFailure(ClassTLS, g.address+" speaks plain HTTP, not TLS: use http:// instead of https://")
	case errors.As(err, &authority):
		return newFailure(ClassTLS, "the certificate of "+g.address+" is signed by an unknown authority: name its CA "+
			"(tls_config: ca_file), or skip the check (insecure_skip_verify)")
	case errors.As(err, &name):
		return newFailure(ClassTLS, "the certificate of "+g.address+" is for another name: use that name, "+
			"or set tls_config: server_name")
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return newFailure(ClassTLS, "the certificate of "+g.address+" has expired or is not yet valid: renew it, "+
			"or check the clock")
	case errors.As(err, &verify):
		return newFailure(ClassTLS, "the certificate of "+g.address+" is not accepted: "+stable(verify.Err))
	case errors.As(err, &peer) && peer.Op == "remote error":
		return newFailure(ClassTLS, g.address+" refused the TLS handshake: it may want a client certificate "+
			"(tls_config: cert_file, key_file) or another TLS version")
	case strings.Contains(err.Error(), `malformed HTTP response "\x15\x03`):
		return newFailure(ClassTLS, g.address+" speaks TLS, not plain HTTP: use https:// instead of http://")
	}
	return nil
}

func (g get) connection(err error) *Failure {
	through := g.address
	var op *net.OpError
	if errors.As(err, &op) && op.Op == "proxyconnect" {
		through = "the proxy"
	}
	switch {
	case errors.Is(err, syscall.ECONNREFUSED):
		return newFailure(ClassRefused, "connection refused by "+through+": nothing listens there; "+
			"start the server, or check the port")
	case errors.Is(err, syscall.EHOSTUNREACH), errors.Is(err, syscall.ENETUNREACH), errors.Is(err, syscall.ENETDOWN),
		errors.Is(err, syscall.EADDRNOTAVAIL):
		return newFailure(ClassUnreachable, "no route to "+through+": check network, VPN and firewall")
	case strings.Contains(err.Error(), "malformed HTTP"):
		_, answer, _ := strings.Cut(err.Error(), "malformed HTTP")
		return newFailure(ClassNotMetrics, fmt.Sprintf("%s does not speak HTTP (%s): another service listens there; "+
			"check the port", g.address, printable(strings.TrimPrefix(answer, " response "), maxQuote)))
	}
	return nil
}

// body covers connections that broke and data that cannot be unpacked.
func (g get) body(err error) *Failure {
	switch {
	case isBrokenGzip(err):
		return newFailure(ClassEncoding, "the gzip stream of the page is broken: turn compression off at the server or proxy")
	case g.came == reading:
		return newFailure(ClassTruncated, "the connection broke in the middle of the page: the server died, "+
			"or a proxy cut the answer off")
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE):
		return newFailure(ClassClosed, g.address+" closed the connection without an answer: it may be shutting down, "+
			"or another service listens there")
	}
	return nil
}

// stable returns the text of the innermost error without digits: the outer ones name ephemeral ports, and HTTP/2 adds
// the number of its stream.
func stable(err error) string {
	for inner := errors.Unwrap(err); inner != nil; inner = errors.Unwrap(err) {
		err = inner
	}
	text := strings.Map(func(r rune) rune {
		if unicode.IsDigit(r) {
			return -1
		}
		return r
	}, err.Error())
	return printable(text, 2*maxQuote)
}
