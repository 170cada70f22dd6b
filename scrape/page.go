package scrape

import (
	"bytes"
	"errors"
	"io"
	"mime"

	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/model/textparse"
)

// maxBadLines is how many damaged lines are skipped before the rest of a page is given up: each costs a new parser.
const maxBadLines = 1000

// openMetricsEnd is the last line of every OpenMetrics page.
var openMetricsEnd = []byte("# EOF")

// damage is what could not be read of a page.
type damage struct {
	lines int
	first string // the first bad line as it came
	ended bool   // false when an OpenMetrics page lacks its end marker
}

func (d *damage) add(line []byte) {
	if d.lines == 0 {
		d.first = string(line[:min(len(line), 4*maxText)])
	}
	d.lines++
}

// cleanPage undoes, in place, what the parser of Prometheus does not accept and what costs no sample: a byte order
// mark, Windows line ends, a missing end of the last line.
func cleanPage(page []byte) []byte {
	page = bytes.TrimPrefix(page, []byte("\xef\xbb\xbf"))
	if bytes.IndexByte(page, '\r') >= 0 {
		page = bytes.ReplaceAll(page, []byte("\r\n"), []byte("\n"))
	}
	if len(page) > 0 && page[len(page)-1] != '\n' {
		page = append(page, '\n')
	}
	return page
}

// isOpenMetrics decides by the content type, and by the end marker where a proxy or a file lost the type.
func isOpenMetrics(contentType string, page []byte) bool {
	kind, _, err := mime.ParseMediaType(contentType)
	return err == nil && kind == "application/openmetrics-text" || bytes.HasSuffix(bytes.TrimSpace(page), openMetricsEnd)
}

// readEntries calls accept for every entry of a clean page. A line that the parser or accept refuses costs that line
// alone: reading goes on behind it with a new parser.
func readEntries(page []byte, openMetrics bool, accept func(textparse.Parser, textparse.Entry) bool) damage {
	d := damage{ended: true}
	symbols := labels.NewSymbolTable()
	for len(page) > 0 && d.lines < maxBadLines {
		end, err := readUntilDamage(newParser(page, openMetrics, symbols), page, accept)
		if err == nil {
			return d
		}
		line, rest := nextLine(page[end:])
		switch {
		case len(line) > 0 && !bytes.Equal(line, openMetricsEnd):
			d.add(line)
		case len(line) == 0 && len(rest) == 0 && openMetrics:
			d.ended = false
		}
		page = rest
	}
	return d
}

func newParser(page []byte, openMetrics bool, symbols *labels.SymbolTable) textparse.Parser {
	if openMetrics {
		return textparse.NewOpenMetricsParser(page, symbols)
	}
	return textparse.NewPromParser(page, symbols, false)
}

var errRefused = errors.New("entry refused")

// readUntilDamage reads to the end of the page, or to the first entry that does not stand; end is then where the
// line of the last good entry ends.
func readUntilDamage(p textparse.Parser, page []byte, accept func(textparse.Parser, textparse.Entry) bool) (end int, err error) {
	var good []byte
	for {
		var entry textparse.Entry
		entry, err = p.Next()
		if err == nil && !accept(p, entry) {
			err = errRefused
		}
		if errors.Is(err, io.EOF) {
			return len(page), nil
		}
		if err != nil {
			return endOfLine(page, good), err
		}
		good = lastSlice(p, entry)
	}
}

// lastSlice returns a piece of the page from the line of the entry that was just read.
func lastSlice(p textparse.Parser, entry textparse.Entry) (piece []byte) {
	switch entry {
	case textparse.EntrySeries:
		piece, _, _ = p.Series()
	case textparse.EntryHelp:
		piece, _ = p.Help()
	case textparse.EntryType:
		piece, _ = p.Type()
	case textparse.EntryUnit:
		piece, _ = p.Unit()
	case textparse.EntryComment:
		piece = p.Comment()
	}
	return piece
}

// endOfLine returns the offset behind the line that ends piece. The parser gives slices of the page itself, so that
// their capacity tells where they are.
func endOfLine(page, piece []byte) int {
	if piece == nil {
		return 0
	}
	at := cap(page) - cap(piece) + len(piece)
	if line := bytes.IndexByte(page[at:], '\n'); line >= 0 {
		return at + line + 1
	}
	return len(page)
}

// nextLine cuts the first line that is not blank from page.
func nextLine(page []byte) (line, rest []byte) {
	line, rest, _ = bytes.Cut(bytes.TrimLeft(page, " \t\n"), []byte("\n"))
	return line, rest
}
