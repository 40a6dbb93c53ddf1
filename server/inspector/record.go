package inspector

import (
	"iter"
	"time"

	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform"
	"github.com/gemwire/gemwire/server/gateway/exchange"
)

// Limits of the record of one exchange, apart from its size.
const (
	maxChunks     = 5000 // of all sides
	maxTries      = 20
	maxFindings   = 1000
	maxSignatures = 1000
)

// record is the record of one exchange. The store's lock protects it. The contents of its slices
// and strings never change.
type record struct {
	number   int // counts from 1 over all exchanges; the page's name for it
	revision int // of the store, when it was last changed
	size     int // in bytes, of all stored data
	dropped  bool

	queue      *queue // what is not kept yet
	start      exchange.Start
	forms      transform.Forms
	bodies     bool
	client     conversation
	tries      []try
	attempts   []exchange.Attempt
	findings   []finding
	signatures []signed
	// leftOut counts what arrived after a limit was reached.
	leftOut struct {
		chunks, findings, signatures int
		isBusy                       bool // chunks are missing because the inspector was busy
	}
	end        *exchange.End // nil while it runs
	replayOf   int           // the number of the exchange that it replays, 0 for none
	pinned     bool
	groupID    string  // of its conversation in the folder, or ""
	replaying  int     // replays of it that wait or run
	isImported bool    // from a file
	insight    insight // of the bodies
	// isRead is closed when the insight is complete. It is nil if nothing waits for that.
	isRead chan struct{}
}

func newRecord(start exchange.Start, forms transform.Forms, shared *backlog) *record {
	const fixed = 1 << 10 // roughly what a record takes, with the numbers of its end
	return &record{queue: &queue{backlog: shared}, start: start, forms: forms,
		size: fixed + startSize(&start)}
}

// startSize returns the size of the texts of a start in bytes.
func startSize(start *exchange.Start) int {
	return len(start.ID) + len(start.Form) + len(start.Method) + len(start.Path) +
		len(start.ClientName) + len(start.UserAgent) + len(start.RemoteAddr) + len(start.Job) +
		len(start.Session) + len(start.Agent) + len(start.ParentAgent)
}

// endSize returns the size of the texts of an end in bytes.
func endSize(end *exchange.End) int {
	size := len(end.Model) + len(end.AskedModel) + len(end.UpstreamModel) + len(end.Service) +
		len(end.UpstreamHost) + len(end.FinishReason) + len(end.ErrorType) + len(end.ErrorCode) +
		len(end.ErrorMessage) + len(end.Broken)
	for _, warning := range end.ModelWarnings {
		size += 16 + len(warning)
	}
	if end.Cost != nil {
		size += len(end.Cost.Currency) + len(end.Cost.Source)
	}
	if end.Rest != nil {
		size += len(end.Rest.Account) + len(end.Rest.Reason) + len(end.Rest.By)
	}
	return size
}

// try is one attempt: the conversation with the upstream. If the upstream is not Gemini, it also
// has the intermediate conversation in Gemini's form.
type try struct {
	upstream conversation
	between  conversation
}

// of returns the conversation of a side other than the client's.
func (t *try) of(side exchange.Side) *conversation {
	if side == exchange.Between {
		return &t.between
	}
	return &t.upstream
}

// begins reports whether a request on a side starts the next attempt. The upstream's request
// follows the intermediate one.
func (t *try) begins(side exchange.Side) bool {
	return t.upstream.request != nil || side == exchange.Between && t.between.request != nil
}

// gemini returns the conversation in Gemini's form.
func (t *try) gemini() *conversation {
	if t.between.request != nil {
		return &t.between
	}
	return &t.upstream
}

// conversation is one request and its response. The client's side has one, and the upstream's side
// has one for each attempt.
type conversation struct {
	request  *message
	response *message
	chunks   []chunk
}

// message is a request or a response.
type message struct {
	at     time.Duration // after the start of the exchange
	method string
	url    string
	status int
	header []field
	body   body
}

func (m *message) size() int {
	size := 200 + len(m.url) + m.body.size()
	for _, f := range m.header {
		size += 32 + len(f.Name) + len(f.Value)
	}
	return size
}

// chunk is one event of a stream.
type chunk struct {
	at   time.Duration
	size int // as it came
	body body
}

// signed is a thought signature.
type signed struct{ exchange.Signature }

// isMissing reports whether the client did not send the signature back, so that a placeholder was
// sent in its place.
func (s signed) isMissing() bool {
	return s.Side == exchange.Client && s.Carrier == exchange.CarrierSentinel
}

// finding is one entry of a report: what a conversion added, approximated or lost.
type finding struct {
	side  exchange.Side
	entry report.Entry
}

// try returns the current attempt, which is the last one. There is always one.
func (r *record) try() *try {
	if len(r.tries) == 0 {
		r.tries = append(r.tries, try{})
	}
	return &r.tries[len(r.tries)-1]
}

// conversation returns the current conversation of a side.
func (r *record) conversation(side exchange.Side) *conversation {
	if side == exchange.Client {
		return &r.client
	}
	return r.try().of(side)
}

// chunks returns the number of chunks of all sides.
func (r *record) chunks() int {
	n := len(r.client.chunks)
	for i := range r.tries {
		n += len(r.tries[i].upstream.chunks) + len(r.tries[i].between.chunks)
	}
	return n
}

// allBodies returns all recorded bodies and chunks.
func (r *record) allBodies() iter.Seq[*body] {
	return func(yield func(*body) bool) {
		for c := range r.conversations() {
			for _, m := range []*message{c.request, c.response} {
				if m != nil && !yield(&m.body) {
					return
				}
			}
			for n := range c.chunks {
				if !yield(&c.chunks[n].body) {
					return
				}
			}
		}
	}
}

// conversations returns the conversations of all sides.
func (r *record) conversations() iter.Seq[*conversation] {
	return func(yield func(*conversation) bool) {
		if !yield(&r.client) {
			return
		}
		for n := range r.tries {
			if !yield(&r.tries[n].upstream) || !yield(&r.tries[n].between) {
				return
			}
		}
	}
}
