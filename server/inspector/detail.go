package inspector

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/server/gateway/exchange"
)

// detail is the complete record of an exchange. Times are in milliseconds after its start.
type detail struct {
	Summary    summary       `json:"summary"`
	Client     talk          `json:"client"`
	Tries      []attempted   `json:"tries"`
	Attempts   []attempt     `json:"attempts"`
	Findings   []findingView `json:"findings"`
	Signatures []signature   `json:"signatures"`
	LeftOut    leftOut       `json:"leftOut"`
	CanReplay  bool          `json:"canReplay"`
	// StoreAdded reports that the gateway's setting added "store": false to Gemini's request.
	StoreAdded bool `json:"storeAdded,omitzero"`
	// Unsent is why there is no request to the upstream, or "".
	Unsent unsent `json:"unsent"`
	// Broken are the bytes that broke the upstream's stream.
	Broken string `json:"broken,omitzero"`
	// why an export is not available, by its name
	Notes map[string]string `json:"notes,omitzero"`
}

// talk is a conversation in the page's format.
type talk struct {
	Request  *messageView `json:"request,omitzero"`
	Response *messageView `json:"response,omitzero"`
	Chunks   []chunkView  `json:"chunks"`
}

// attempted is the upstream's conversation of an attempt. If the upstream uses another form, it
// also has the conversation in Gemini's form.
type attempted struct {
	talk    `json:",inline"`
	Between *talk `json:"between,omitzero"`
}

type messageView struct {
	At      float64 `json:"at"`
	Method  string  `json:"method,omitzero"`
	URL     string  `json:"url,omitzero"`
	Status  int     `json:"status,omitzero"`
	Header  []field `json:"header"`
	Body    string  `json:"body"`
	LeftOut int     `json:"leftOut"`
	Cut     bool    `json:"cut"`
	// Missed says that the body was not kept because the inspector was busy.
	Missed bool `json:"missed,omitzero"`
}

type chunkView struct {
	At   float64 `json:"at"`
	Size int     `json:"size"`
	Data string  `json:"data"`
}

type attempt struct {
	Number   int     `json:"number"`
	Account  string  `json:"account"`
	Model    string  `json:"model"`
	At       float64 `json:"at"`
	Duration float64 `json:"duration"`
	Status   int     `json:"status"`
	Error    string  `json:"error"`
	Wait     float64 `json:"wait"`
}

// findingView is a report entry with its locations in both documents.
type findingView struct {
	Side    exchange.Side `json:"side"` // Client: of the request, Upstream: of the response
	Kind    report.Kind   `json:"kind"`
	Pointer string        `json:"pointer"` // as the description writes it
	Detail  string        `json:"detail"`
	// Here is the location in the original document. There is the nearest location in the converted
	// document, or nil. The document of a stream is the list of its chunks.
	Here  *string `json:"here,omitzero"`
	There *string `json:"there,omitzero"`
	// Todo says what to do about it, and Docs is the path of the reference. Both may be "".
	Todo string `json:"todo"`
	Docs string `json:"docs"`
	// Signature reports that only a thought signature is missing, and that a placeholder was sent.
	Signature bool `json:"signature,omitzero"`
}

type signature struct {
	Side    exchange.Side    `json:"side"`
	Pointer string           `json:"pointer"`
	Carrier exchange.Carrier `json:"carrier"`
	Size    int              `json:"size"`
}

type leftOut struct {
	Chunks     int `json:"chunks"`
	Findings   int `json:"findings"`
	Signatures int `json:"signatures"`
	// Busy says that chunks are missing because the inspector was busy.
	Busy bool `json:"busy,omitzero"`
}

// snapshot returns an immutable copy of an exchange's record. It waits for pending recordings
// until the context ends.
func (s *store) snapshot(ctx context.Context, number int) (r record, ok bool) {
	var pending *queue
	if !s.find(number, func(kept *record) { pending = kept.queue }) {
		return record{}, false
	}
	pending.settle(ctx)
	var isRead chan struct{}
	if s.find(number, func(kept *record) { isRead = kept.isRead }); isRead != nil {
		select {
		case <-isRead:
		case <-ctx.Done():
		}
	}
	ok = s.find(number, func(kept *record) {
		r = *kept
		r.tries, r.attempts = slices.Clone(r.tries), slices.Clone(r.attempts)
		r.findings, r.signatures = slices.Clone(r.findings), slices.Clone(r.signatures)
	})
	return r, ok
}

// detail returns the complete record for the page.
func (r *record) detail(g *groups) detail {
	d := detail{
		Summary: r.summary(g), Client: r.client.view(), Tries: []attempted{}, Attempts: []attempt{},
		Findings: r.findingViews(), Signatures: []signature{},
		LeftOut:    r.leftOutView(),
		Unsent:     r.unsent(),
		StoreAdded: r.isStoreAdded(),
	}
	if r.end != nil {
		d.Broken = string(r.end.Broken)
	}
	for i := range r.tries {
		d.Tries = append(d.Tries, r.tries[i].view())
	}
	for _, a := range r.attempts {
		d.Attempts = append(d.Attempts, attempt{
			Number: a.Number, Account: a.Account, Model: a.Model,
			At: milliseconds(a.Started.Sub(r.start.At)), Duration: milliseconds(a.Duration),
			Status: a.Status, Error: a.Err, Wait: milliseconds(a.Wait),
		})
	}
	for _, s := range r.signatures {
		d.Signatures = append(d.Signatures, signature{s.Side, s.Pointer, s.Carrier, s.Size})
	}
	return d
}

// isStoreAdded reports whether the gateway, and not the client, asked Google not to store.
func (r *record) isStoreAdded() bool {
	sent, asked := r.answer().upstream.request, r.client.request
	if sent == nil || asked == nil || asked.body.cut || sent.body.cut {
		return false
	}
	return string(jsonx.Member([]byte(sent.body.text), "store")) == "false" &&
		jsonx.Member([]byte(asked.body.text), "store") == nil
}

func (r *record) leftOutView() leftOut {
	l := &r.leftOut
	return leftOut{l.chunks, l.findings, l.signatures, l.isBusy}
}

func (t *try) view() attempted {
	out := attempted{talk: t.upstream.view()}
	if t.between.request != nil {
		out.Between = new(t.between.view())
	}
	return out
}

func (c *conversation) view() talk {
	t := talk{Request: c.request.view(), Response: c.response.view(),
		Chunks: make([]chunkView, len(c.chunks))}
	for i, chunk := range c.chunks {
		t.Chunks[i] = chunkView{At: milliseconds(chunk.at), Size: chunk.size, Data: chunk.body.text}
	}
	return t
}

func (m *message) view() *messageView {
	if m == nil {
		return nil
	}
	return &messageView{
		At: milliseconds(m.at), Method: m.method, URL: m.url, Status: m.status,
		Header: slices.Concat([]field{}, m.header),
		Body:   m.body.text, LeftOut: m.body.leftOut, Cut: m.body.cut,
		Missed: m.body.isMissed,
	}
}

// findingViews returns the report entries with their locations.
func (r *record) findingViews() []findingView {
	views := []findingView{}
	places := places{forms: r.forms}
	for _, f := range r.findings {
		v := findingView{Side: f.side, Kind: f.entry.Kind, Pointer: f.entry.Pointer,
			Detail: f.entry.Detail}
		v.Todo, v.Docs = r.adviceOf(&f)
		if r.bodies {
			v.Here, v.There = places.of(r, f)
		}
		views = append(views, v)
	}
	missing := r.missingViews(views)
	views = slices.DeleteFunc(views, func(v findingView) bool {
		return isPlaceholder(&v) && slices.ContainsFunc(missing, func(m findingView) bool {
			return m.Pointer == v.Pointer
		})
	})
	for i := range missing {
		missing[i].Todo, missing[i].Docs = adviceOfSignatures, docsOfSignatures
	}
	return append(views, missing...)
}

// missingViews returns a loss for each thought signature that the client did not send back. The
// conversion reports only the placeholders that it added. Each loss gets the location of its
// placeholder.
func (r *record) missingViews(reported []findingView) (views []findingView) {
	for _, s := range r.signatures {
		if !s.isMissing() {
			continue
		}
		v := findingView{Side: exchange.Client, Kind: report.Lost, There: new(s.Pointer),
			Detail: missingSignature, Signature: true}
		at := slices.IndexFunc(reported, func(v findingView) bool { return isPlaceholder(&v) })
		if at >= 0 {
			v.Pointer, v.Here = reported[at].Pointer, reported[at].Here
			reported = reported[at+1:]
		}
		views = append(views, v)
	}
	return views
}

// isPlaceholder reports whether an entry is about a placeholder for a thought signature.
func isPlaceholder(v *findingView) bool {
	return v.Kind == report.Added && strings.HasSuffix(v.Detail, noSignature)
}

// missingSignature is the reason of a loss of a thought signature.
const missingSignature = "the client sent this call back without its thought signature"

// noSignature ends the report entry of a placeholder for a thought signature.
const noSignature = "because the call has no thought signature"

// document returns the JSON body of a message, or the list of a stream's chunks. It returns "" for
// no body.
func document(m *message, chunks []chunk) string {
	if len(chunks) == 0 {
		if m == nil || m.body.cut {
			return ""
		}
		return m.body.text
	}
	texts := make([]string, 0, len(chunks))
	for _, chunk := range chunks {
		if text := strings.TrimSpace(chunk.body.text); strings.HasPrefix(text, "{") {
			texts = append(texts, text)
		} else {
			texts = append(texts, "null") // a comment, or the [DONE] of OpenAI
		}
	}
	return "[" + strings.Join(texts, ",") + "]"
}

// answer returns the attempt that answered the client, which is the last one.
func (r *record) answer() *try {
	if len(r.tries) == 0 {
		return &try{}
	}
	return &r.tries[len(r.tries)-1]
}

// at returns when something happened.
func (r *record) at(after time.Duration) time.Time { return r.start.At.Add(after) }
