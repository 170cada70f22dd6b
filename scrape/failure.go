package scrape

// Class is the kind of a failed scrape, a value of vllmscope_scrape_error{class}.
type Class string

// The classes, in the order in which a scrape can meet them.
const (
	ClassDNS          Class = "dns"          // the name of the host is unknown
	ClassRefused      Class = "refused"      // nothing listens on the port
	ClassUnreachable  Class = "unreachable"  // no way to the host
	ClassTimeout      Class = "timeout"      // connecting, waiting for the answer, or reading it took too long
	ClassTLS          Class = "tls"          // certificate or handshake
	ClassClosed       Class = "closed"       // the connection was closed without an answer
	ClassTruncated    Class = "truncated"    // the connection broke within the page
	ClassRedirect     Class = "redirect"     // to another server, or in a circle
	ClassUnauthorized Class = "unauthorized" // HTTP 401, or the credentials cannot be read
	ClassForbidden    Class = "forbidden"    // HTTP 403
	ClassNotFound     Class = "not_found"    // HTTP 404
	ClassStatus       Class = "status"       // any other HTTP status than 200
	ClassNotMetrics   Class = "not_metrics"  // HTML, JSON or something else
	ClassEmpty        Class = "empty"        // a page without samples; the only class with up 1
	ClassTooBig       Class = "too_big"      // over maxPage or maxCompressedPage
	ClassEncoding     Class = "encoding"     // compressed in a way that was not asked for, or broken
	ClassInternal     Class = "internal"     // vllmscope itself failed on it
)

// Failure says why a scrape gave no samples.
type Failure struct {
	Class Class
	// Target is the address as people may see it.
	Target string
	// Sentence says what happened and the way out. It is printable, at most 200 bytes long, free of secrets, and
	// the same for each scrape that fails in the same way, since it is a label value.
	Sentence string
	// Cause is the panic, with its stack, behind ClassInternal; nil for the others.
	Cause error
}

// Error returns the target and the sentence.
func (e *Failure) Error() string { return "scrape " + e.Target + ": " + e.Sentence }

// newFailure returns an error without a target; whoever knows it puts it in.
func newFailure(class Class, sentence string) *Failure {
	return &Failure{Class: class, Sentence: printable(sentence, maxText)}
}
