package inspector

import (
	"iter"
	"slices"
	"strconv"

	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform"
	"github.com/gemwire/gemwire/server/gateway/exchange"
	"github.com/gemwire/gemwire/server/inspector/internal/dialogue"
	"github.com/gemwire/gemwire/server/inspector/internal/search"
)

// copies returns copies of all exchanges, sorted by number. Unlike [store.snapshot] it does not
// wait for pending recordings.
func (s *store) copies() []record {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := make([]record, len(s.records))
	for i, r := range s.records {
		out[i] = *r
		if r.end == nil { // Otherwise the attempts do not change any more.
			out[i].tries = slices.Clone(r.tries)
		}
	}
	return out
}

// texts returns the recorded text of each chunk.
func (c *conversation) texts() []string {
	out := make([]string, len(c.chunks))
	for i := range c.chunks {
		out[i] = c.chunks[i].body.text
	}
	return out
}

// documents returns the bodies of a conversation.
func (c *conversation) documents() dialogue.Documents {
	d := dialogue.Documents{Request: c.request.text(), Response: c.response.text()}
	if len(c.chunks) > 0 {
		d.Chunks = c.texts()
	}
	return d
}

// text returns the recorded body of a message, or "" for none.
func (m *message) text() string {
	if m == nil {
		return ""
	}
	return m.body.text
}

// talkOfGemini returns the last conversation in Gemini's form, and whether it is the client's.
func (r *record) talkOfGemini() (c *conversation, isClients bool) {
	talks := r.talksOfGemini()
	if len(talks) == 0 {
		if r.isNative() {
			return &r.client, true
		}
		return nil, false
	}
	c = talks[len(talks)-1]
	return c, c == &r.client
}

// talk returns the documents of which the conversation view is made.
func (r *record) talk() *dialogue.Exchange {
	e := &dialogue.Exchange{Client: r.client.documents()}
	of, isClients := r.talkOfGemini()
	switch {
	case of == nil:
		e.Gemini.Request, e.IsPrepared = r.prepared(), true
		if m := r.client.request; e.Gemini.Request == "" && m != nil && !m.body.cut {
			e.Unconverted = m.body.text
		}
		e.IsRefused = r.failure() == failedRefused
	default:
		e.Gemini, e.IsSame = of.documents(), isClients
	}
	if r.isNative() {
		if !e.IsSame {
			e.Counterparts = sameMembers
		}
		return e
	}
	p := places{forms: r.forms}
	e.Counterparts = p.counterparts(r)
	return e
}

// sameMembers are the counterparts of a client of Google's own API.
var sameMembers = transform.Counterparts{
	Request: [][2]string{{"/contents", "/contents"}, {"/systemInstruction", "/systemInstruction"},
		{"/system_instruction", "/systemInstruction"}},
	Response: [][2]string{{"/candidates/*", "/candidates/*"}},
}

// prepared returns the client's request in Gemini's form for a request that was not sent, or "".
func (r *record) prepared() string {
	form := r.forms.Named(r.start.Form)
	if form == nil || r.client.request == nil || r.client.request.body.cut {
		return ""
	}
	request, err := form.Decode([]byte(r.client.request.body.text))
	if err != nil {
		return ""
	}
	return geminiText(request)
}

// searched returns what the search knows about an exchange.
func (r *record) searched(g *groups) search.Exchange {
	s := r.summary(g)
	e := search.Exchange{
		ID: s.ID, Client: r.clientName(), Endpoint: s.Form, Path: s.Path, Status: s.Status,
		IsRunning: s.Running, Failure: string(r.failure()), Finish: s.FinishReason,
		Models: models(s.Model, s.AskedModel, s.UpModel), Has: s.Has, Tools: r.insight.tools,
		Conversation: s.Conversation, Job: r.start.Job, At: s.At, Tokens: s.Tokens.Total,
		Duration: r.duration(), FirstToken: r.firstToken(),
	}
	if s.Cost != nil {
		e.Cost = &s.Cost.Amount
	}
	if s.Account != "" { // of a pause that prevented a call
		e.Accounts = append(e.Accounts, s.Account)
	}
	for _, a := range r.attempts {
		e.Accounts = append(e.Accounts, a.Account)
		e.Models = append(e.Models, a.Model)
		if a.Err != "" {
			e.Errors = append(e.Errors, a.Err)
		}
	}
	if s.Error != (clientError{}) {
		e.Errors = append(e.Errors, s.Error.Type, s.Error.Code, s.Error.Message)
	}
	for _, f := range r.losses() {
		e.Lost = append(e.Lost, f.entry.Pointer)
	}
	e.Is = r.words(&s)
	e.Headers = r.headers()
	kept := *r // which the function holds
	e.Texts = kept.searchTexts()
	return e
}

// losses returns what conversions lost, and the thought signatures that the client dropped.
func (r *record) losses() (out []finding) {
	for _, f := range r.findings {
		if f.entry.Kind == report.Lost {
			out = append(out, f)
		}
	}
	for _, v := range r.missingViews(r.plainViews()) {
		out = append(out, finding{v.Side, report.Entry{Pointer: v.Pointer, Kind: v.Kind,
			Detail: v.Detail}})
	}
	return out
}

// plainViews returns the report entries without their locations.
func (r *record) plainViews() []findingView {
	views := make([]findingView, len(r.findings))
	for i, f := range r.findings {
		views[i] = findingView{Side: f.side, Kind: f.entry.Kind, Pointer: f.entry.Pointer,
			Detail: f.entry.Detail}
	}
	return views
}

// models returns names without empty ones.
func models(names ...string) []string {
	return slices.DeleteFunc(names, func(name string) bool { return name == "" })
}

// words returns the words of the search's filter "is" that apply.
func (r *record) words(s *summary) (out []string) {
	for _, word := range []struct {
		text string
		is   bool
	}{
		{"pinned", r.pinned}, {"stream", s.Stream || len(r.client.chunks) > 0},
		{"replay", s.ReplayOf > 0}, {"batch", r.start.Job != ""}, {"lossy", s.Lost > 0},
		{"imported", r.isImported},
	} {
		if word.is {
			out = append(out, word.text)
		}
	}
	return out
}

// headers returns the header fields of all sides.
func (r *record) headers() (out []search.Header) {
	for _, named := range r.named() {
		for _, m := range []*message{named.talk.request, named.talk.response} {
			if m == nil {
				continue
			}
			for _, f := range m.header {
				out = append(out, search.Header{Name: f.Name, Value: f.Value})
			}
		}
	}
	return out
}

// namedTalk is a conversation with what the page calls its request and its response.
type namedTalk struct {
	request, response string
	talk              *conversation
}

// named returns the conversations of all sides.
func (r *record) named() []namedTalk {
	out := []namedTalk{{"client request", "sent to client", &r.client}}
	for i := range r.tries {
		suffix := ""
		if len(r.tries) > 1 {
			suffix = ", attempt " + strconv.Itoa(i+1)
		}
		out = append(out,
			namedTalk{"upstream request" + suffix, "upstream response" + suffix,
				&r.tries[i].upstream},
			namedTalk{"intermediate request" + suffix, "intermediate response" + suffix,
				&r.tries[i].between})
	}
	return out
}

// searchTexts iterates over the texts of an exchange. Those in which a user would look first come
// first.
func (r *record) searchTexts() iter.Seq[search.Text] {
	return func(yield func(search.Text) bool) {
		_ = r.yieldFacts(yield) && r.yieldBodies(yield)
	}
}

func (r *record) yieldFacts(yield func(search.Text) bool) bool {
	texts := []search.Text{
		{Where: "request ID", Text: r.start.ID}, {Where: "client", Text: r.start.ClientName},
		{Where: "user agent", Text: r.start.UserAgent}, {Where: "path", Text: r.start.Path},
		{Where: "answer", Text: r.insight.answer},
	}
	if r.end != nil {
		texts = append(texts, search.Text{Where: "model", Text: r.end.Model},
			search.Text{Where: "upstream model", Text: r.end.UpstreamModel},
			search.Text{Where: "error", Text: r.end.ErrorMessage},
			search.Text{Where: "error code", Text: r.end.ErrorCode})
	}
	for _, text := range texts {
		if text.Text != "" && !yield(text) {
			return false
		}
	}
	for i := range r.attempts {
		if a := &r.attempts[i]; a.Err != "" && !yield(search.Text{Where: "attempt", Text: a.Err}) {
			return false
		}
	}
	for _, f := range r.findings {
		text := f.entry.Pointer + " " + f.entry.Detail
		if !yield(search.Text{Where: "report", Pointer: f.entry.Pointer, Text: text}) {
			return false
		}
	}
	return true
}

func (r *record) yieldBodies(yield func(search.Text) bool) bool {
	for _, named := range r.named() {
		of := named.talk
		if !of.request.yield(yield, named.request) || !of.response.yield(yield, named.response) {
			return false
		}
		for i := range of.chunks {
			text := search.Text{Where: named.response, Pointer: "/" + strconv.Itoa(i),
				Text: of.chunks[i].body.text, IsJSON: true}
			if !yield(text) {
				return false
			}
		}
	}
	return true
}

// yield yields the URL, the header and the body of a message.
func (m *message) yield(yield func(search.Text) bool, where string) bool {
	if m == nil {
		return true
	}
	if m.body.text != "" && !yield(search.Text{Where: where, Text: m.body.text, IsJSON: true}) {
		return false
	}
	if m.url != "" && !yield(search.Text{Where: where + " URL", Text: m.url}) {
		return false
	}
	for _, f := range m.header {
		if !yield(search.Text{Where: where + " header", Text: f.Name + ": " + f.Value}) {
			return false
		}
	}
	return true
}

// signatureValue returns the text of a thought signature, or "" if it was not recorded.
func (r *record) signatureValue(s *signed) string {
	of, _ := r.talkOfGemini()
	if of == nil {
		return ""
	}
	d := of.documents()
	if s.Side == exchange.Client {
		return dialogue.ValueAt(d.Request, nil, s.Pointer)
	}
	return dialogue.ValueAt(d.Response, d.Chunks, s.Pointer)
}
