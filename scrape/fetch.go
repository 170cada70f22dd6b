package scrape

import (
	"bufio"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"strconv"
	"sync/atomic"
	"time"
)

// Bounds on what a server may send. A page of vLLM is 50 to 70 kB, of DCGM with 8 GPUs 60 kB; the largest pages known
// (federation, container metrics of a big node) are some 20 MiB. Headers are bounded by net/http at 10 MiB.
const (
	maxPage           = 32 << 20 // bytes of a page, unpacked
	maxCompressedPage = 8 << 20  // bytes of a page, packed
)

var errTooBig = errors.New("page too big")

// accept asks for the one format that vLLM and DCGM speak; OpenMetrics is read if a server insists.
const accept = "text/plain;version=0.0.4;q=1,*/*;q=0.1"

// source gives the pages of one target.
type source interface {
	// fetch writes the page into page. It ends soon after ctx does.
	fetch(ctx context.Context, timeout time.Duration, page *bytes.Buffer) (head, *Failure)
	close()
}

// head is what came with a page.
type head struct {
	contentType string
	notes       []note
}

// openSource returns where the pages of t come from, or an error if its client cannot be built.
func openSource(t Target) (source, error) {
	if t.command != "" {
		return &smiSource{command: t.command, fields: smiFields}, nil
	}
	if t.page == nil {
		return nil, fmt.Errorf("target %s: it has no page to scrape; make targets with NewTarget", t)
	}
	client, err := newClient(t)
	if err != nil {
		return nil, err
	}
	return &httpSource{target: t, client: client}, nil
}

type httpSource struct {
	target Target
	client *http.Client
}

func (s *httpSource) close() { s.client.CloseIdleConnections() }

func (s *httpSource) fetch(ctx context.Context, timeout time.Duration, page *bytes.Buffer) (head, *Failure) {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	var came atomic.Int32
	failed := func(err error) (head, *Failure) {
		at := get{hostPort(s.target.page), timeout, progress(came.Load()), s.target.NoFile}
		return head{}, at.classify(err)
	}
	response, err := s.client.Do(s.request(httptrace.WithClientTrace(ctx, follow(&came)), timeout))
	if err != nil {
		return failed(err)
	}
	defer func() { _ = response.Body.Close() }()
	came.Store(int32(reading))
	if response.StatusCode != http.StatusOK {
		start, _ := io.ReadAll(io.LimitReader(response.Body, 4096))
		return head{}, statusFailure(response, s.target.page.Path, start)
	}
	encoding := response.Header.Get("Content-Encoding")
	if encoding != "" && encoding != "identity" && encoding != "gzip" {
		return head{}, newFailure(ClassEncoding, fmt.Sprintf("the page is compressed as %q, which was not asked for: "+
			"turn that off at the server or proxy", printable(encoding, maxQuote)))
	}
	bare, err := readBody(response.Body, encoding == "gzip", page)
	if err != nil {
		return failed(err)
	}
	h := head{contentType: response.Header.Get("Content-Type")}
	if bare {
		h.notes = []note{{noteBareGzip, ""}}
	}
	return h, nil
}

func (s *httpSource) request(ctx context.Context, timeout time.Duration) *http.Request {
	header := http.Header{
		"Accept":          {accept},
		"Accept-Encoding": {"gzip"},
		// Exporters that collect on demand stop in time with this header of Prometheus's.
		"X-Prometheus-Scrape-Timeout-Seconds": {strconv.FormatFloat(timeout.Seconds(), 'f', -1, 64)},
	}
	request := &http.Request{Method: http.MethodGet, URL: s.target.page, Host: s.target.page.Host, Header: header}
	return request.WithContext(ctx)
}

// follow keeps in came how far a GET is.
func follow(came *atomic.Int32) *httptrace.ClientTrace {
	return &httptrace.ClientTrace{
		GetConn: func(string) { came.Store(int32(connecting)) },
		GotConn: func(httptrace.GotConnInfo) { came.Store(int32(waiting)) },
	}
}

// readBody reads a body within its bounds. A gzip stream that no header announced is known by its first two bytes,
// and reported as bare.
func readBody(body io.Reader, packed bool, page *bytes.Buffer) (bare bool, err error) {
	buffered := bufio.NewReader(body)
	if magic, _ := buffered.Peek(2); !packed && bytes.Equal(magic, []byte{0x1f, 0x8b}) {
		packed, bare = true, true
	}
	if !packed {
		return false, copyBounded(page, buffered, maxPage)
	}
	unpacked, err := gzip.NewReader(&bounded{buffered, maxCompressedPage})
	if err != nil {
		return bare, err
	}
	return bare, copyBounded(page, unpacked, maxPage)
}

// isBrokenGzip tells whether what was to be unpacked is no gzip stream, or has changed since it was packed.
func isBrokenGzip(err error) bool {
	_, corrupt := errors.AsType[flate.CorruptInputError](err)
	return corrupt || errors.Is(err, gzip.ErrHeader) || errors.Is(err, gzip.ErrChecksum)
}

// copyBounded reads all of from. It grows the page itself, since bytes.Buffer doubles beyond the bound.
func copyBounded(page *bytes.Buffer, from io.Reader, limit int) error {
	for page.Len() <= limit {
		if page.Available() == 0 {
			size := max(2*page.Cap(), 64<<10)
			if size >= limit {
				size = limit + 1
			}
			*page = *bytes.NewBuffer(append(make([]byte, 0, size), page.Bytes()...))
		}
		n, err := from.Read(page.AvailableBuffer()[:page.Available()])
		page.Write(page.AvailableBuffer()[:n])
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
	return errTooBig
}

// bounded fails, rather than ends, after left bytes: a cut gzip stream would look like a broken connection.
type bounded struct {
	from io.Reader
	left int64
}

func (b *bounded) Read(into []byte) (int, error) {
	if b.left <= 0 {
		return 0, errTooBig
	}
	n, err := b.from.Read(into[:min(int64(len(into)), b.left)])
	b.left -= int64(n)
	return n, err
}
