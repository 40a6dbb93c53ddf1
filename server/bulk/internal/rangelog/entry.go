package rangelog

import (
	"fmt"
	"math"
	"strconv"

	"github.com/go-json-experiment/json"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/gemwire/gemwire/server/bulk/line"
	"github.com/gemwire/gemwire/server/internal/engine"
)

// entry is an entry of a log.
type entry struct {
	kind  string
	large string // subject of a large result, "" in entries of all other kinds
	// discarded is a [line.Usage] that comes with a note, or "".
	discarded string
	// most is the highest number of a line that the worker may send, in claims and beginnings.
	most int
	data []byte
}

// Kinds of entries; see the package comment.
const (
	headerKind  = "Gemwire-Entry"
	kindClaim   = "claim"
	kindResults = "results"
	kindLarge   = "large"
	kindNote    = "note"
	kindRelease = "release"
	kindSeal    = "seal"
	kindBegin   = "begin"
)

// headerLarge is the header with the location of a large result.
const headerLarge = "Gemwire-Large"

// headerDiscarded is the header with the usage that belongs to no line.
const headerDiscarded = "Gemwire-Discarded"

// headerMost is the header with the highest number of a line that the worker may send. A claim
// without it is for all lines.
const headerMost = "Gemwire-Most"

// header returns the message headers of an entry; see [entryOf].
func (e *entry) header() nats.Header {
	header := nats.Header{headerKind: {e.kind}}
	if e.large != "" {
		header[headerLarge] = []string{e.large}
	}
	if e.discarded != "" {
		header[headerDiscarded] = []string{e.discarded}
	}
	if e.hasMost() {
		header[headerMost] = []string{strconv.Itoa(e.most)}
	}
	return header
}

// hasMost reports whether the entry bounds the lines that its worker may send.
func (e *entry) hasMost() bool {
	return e.kind == kindBegin || e.kind == kindClaim && e.most != math.MaxInt
}

// entryOf returns the entry in a message. A damaged bound is no bound.
func entryOf(message *jetstream.RawStreamMsg) *entry {
	most, err := strconv.Atoi(message.Header.Get(headerMost))
	if err != nil {
		most = math.MaxInt
	}
	return &entry{
		kind: message.Header.Get(headerKind), large: message.Header.Get(headerLarge),
		discarded: message.Header.Get(headerDiscarded), most: most, data: message.Data,
	}
}

// apply applies an entry to the state, and calls visit with each result that counts, unless visit
// is nil. It returns an [engine.ErrDamaged] for an entry that this package does not write. Nothing
// of such an entry counts.
func (l *Log) apply(e *entry, visit func(Result)) error {
	if (e.kind == kindLarge) != (e.large != "") {
		return fmt.Errorf("%w: an entry of the kind %q with a large result at %q",
			engine.ErrDamaged, e.kind, e.large)
	}
	if e.discarded != "" && e.kind != kindNote {
		return fmt.Errorf("%w: an entry of the kind %q with discarded usage", engine.ErrDamaged,
			e.kind)
	}
	switch e.kind {
	case kindClaim:
		l.claims = append(l.claims, e.most)
	case kindBegin:
		if n := len(l.claims); n > 0 {
			l.claims[n-1] = max(l.claims[n-1], e.most)
		}
	case kindRelease:
		l.claims = l.claims[:max(len(l.claims)-1, 0)]
	case kindSeal:
		l.sealed = true
	case kindNote:
		return l.applyNote(e)
	case kindResults, kindLarge:
		return l.applyResults(e, visit)
	default:
		return fmt.Errorf("%w: an entry of the kind %q", engine.ErrDamaged, e.kind)
	}
	return nil
}

func (l *Log) applyNote(e *entry) error {
	var discarded line.Usage
	if e.discarded != "" {
		if err := json.Unmarshal([]byte(e.discarded), &discarded); err != nil {
			return fmt.Errorf("%w: %w", engine.ErrDamaged, err)
		}
	}
	l.note = e.data
	l.sum.Usage.Add(discarded)
	return nil
}

func (l *Log) applyResults(e *entry, visit func(Result)) error {
	results, err := line.ParseStored(e.data)
	if err != nil {
		return fmt.Errorf("%w: %w", engine.ErrDamaged, err)
	}
	if len(results) == 0 || e.kind == kindLarge && len(results) > 1 {
		return fmt.Errorf("%w: an entry of the kind %q with %d results", engine.ErrDamaged, e.kind,
			len(results))
	}
	for i := range results {
		if !l.count(&results[i]) || visit == nil {
			continue
		}
		visit(Result{Result: results[i], large: e.large})
	}
	return nil
}
