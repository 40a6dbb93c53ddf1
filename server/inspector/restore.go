package inspector

import (
	"encoding/hex"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform"
	"github.com/gemwire/gemwire/server/gateway/exchange"
)

// restorer makes records from files. What a file says is cut to the limits of new records, and its
// credentials are removed.
type restorer struct {
	retain  *retention
	forms   transform.Forms
	backlog *backlog
	// media returns a medium by its hash, or nil. The bytes have been compared with the hash.
	media func(sum digest, mediaType string) *medium
}

// record returns the record of an exchange in a file. It has no number.
func (t *restorer) record(s *storedExchange) *record {
	start := exchange.Start{ID: s.Start.ID, At: validTime(s.Start.At), Form: s.Start.Form,
		Method: validMethod(s.Start.Method), Path: validPath(s.Start.Path),
		ClientName: s.Start.ClientName, UserAgent: s.Start.UserAgent,
		RemoteAddr: s.Start.RemoteAddr, ClientRetry: max(0, s.Start.ClientRetry),
		Session: s.Start.Session, Agent: s.Start.Agent, ParentAgent: s.Start.ParentAgent,
		Job: s.Start.Job, Line: max(0, s.Start.Line)}
	r := newRecord(t.retain.start(start), t.forms, t.backlog)
	r.bodies, r.pinned, r.replayOf = s.Bodies, s.Pinned, max(0, s.ReplayOf)
	r.isImported = s.Imported
	if groupPattern.MatchString(s.Conversation) {
		r.groupID = s.Conversation
	}
	chunks := 0
	r.client = t.talk(&s.Client, true, &chunks)
	for n := range s.Tries[:min(len(s.Tries), maxTries)] {
		r.tries = append(r.tries, try{t.talk(&s.Tries[n].Upstream, false, &chunks),
			t.talk(&s.Tries[n].Between, false, &chunks)})
	}
	for _, a := range s.Attempts[:min(len(s.Attempts), maxTries)] {
		started := validTime(a.Started)
		if started.IsZero() {
			started = r.start.At
		}
		r.attempts = append(r.attempts, exchange.Attempt{
			Number: max(0, a.Number), Account: t.retain.value(a.Account),
			Model: t.retain.value(a.Model), Started: started, Duration: duration(a.Duration),
			Status: validStatus(a.Status), Err: t.retain.value(a.Err), Wait: duration(a.Wait),
			IsUnreached: a.IsUnreached,
		})
	}
	t.entries(r, s)
	r.leftOut.chunks, r.leftOut.findings = max(0, s.LeftOut.Chunks), max(0, s.LeftOut.Findings)
	r.leftOut.signatures = max(0, s.LeftOut.Signatures)
	r.leftOut.isBusy = s.LeftOut.Busy && r.leftOut.chunks > 0
	end := exchange.End{} // of an exchange that had not ended
	if s.End != nil {
		end = s.End.end()
	}
	end = t.retain.end(end)
	r.end = &end
	r.size = r.measured()
	return r
}

// entries adds the report entries and the signatures.
func (t *restorer) entries(r *record, s *storedExchange) {
	for _, f := range s.Findings[:min(len(s.Findings), maxFindings)] {
		if !slices.Contains(sidesOfReports, f.Side) || !slices.Contains(kinds, f.Kind) {
			continue
		}
		r.findings = append(r.findings, finding{f.Side, report.Entry{
			Pointer: t.retain.value(f.Pointer), Kind: f.Kind, Detail: t.retain.value(f.Detail)}})
	}
	for _, s := range s.Signatures[:min(len(s.Signatures), maxSignatures)] {
		if slices.Contains(sidesOfReports, s.Side) {
			r.signatures = append(r.signatures, signed{exchange.Signature{Side: s.Side,
				Pointer: t.retain.value(s.Pointer),
				Carrier: exchange.Carrier(t.retain.value(string(s.Carrier))), Size: max(0, s.Size)}})
		}
	}
}

var (
	sidesOfReports = []exchange.Side{exchange.Client, exchange.Upstream}
	kinds          = []report.Kind{report.Lost, report.Approximated, report.Added}
)

// talk returns a conversation. The chunks of all conversations of an exchange are
// counted together.
func (t *restorer) talk(s *storedTalk, isClients bool, chunks *int) conversation {
	c := conversation{request: t.message(s.Request), response: t.message(s.Response)}
	if c.request != nil && isClients {
		c.request.url = validPath(c.request.url)
	}
	for _, stored := range s.Chunks[:min(len(s.Chunks), maxChunks-*chunks)] {
		c.chunks = append(c.chunks, chunk{duration(stored.At), max(0, stored.Size),
			t.body(&stored.Body)})
	}
	*chunks += len(c.chunks)
	return c
}

func (t *restorer) message(s *storedMessage) *message {
	if s == nil {
		return nil
	}
	m := &message{at: duration(s.At), method: validMethod(s.Method), url: t.retain.address(s.URL),
		status: validStatus(s.Status), body: t.body(&s.Body)}
	for _, f := range s.Header[:min(len(s.Header), maxFields)] {
		if !slices.Contains(credentialFields, strings.ToLower(f.Name)) && isPlain(f.Name+f.Value) {
			m.header = append(m.header, field{t.retain.value(f.Name), t.retain.value(f.Value)})
		}
	}
	return m
}

// body returns a body. Its media are those that the file has.
func (t *restorer) body(s *storedBody) body {
	b := body{text: t.retain.blank(s.Text), leftOut: max(0, s.LeftOut), cut: s.Cut}
	b.isMissed = s.Missed && b.text == "" && b.leftOut > 0
	if limit := t.retain.maxBody; len(b.text) > limit {
		b.leftOut += len(b.text) - limit
		b.text, b.cut = prefix(b.text, limit), true
	}
	if len(s.Media) == 0 {
		return b
	}
	left := s.Media
	for _, at := range tagPattern.FindAllStringSubmatchIndex(b.text, -1) {
		sum, mediaType, size := b.text[at[2]:at[3]], b.text[at[4]:at[5]], b.text[at[6]:at[7]]
		if len(left) == 0 || sum != left[0].SHA256 {
			continue // a text that looks like a tag
		}
		var key digest
		_, _ = hex.Decode(key[:], []byte(sum)) // of the pattern
		// Requests may declare different types for equal bytes, which are kept once.
		if m := t.media(key, mediaType); m != nil && strconv.Itoa(len(m.data)) == size {
			b.media = append(b.media, mediaRef{medium: m, at: at[0], length: at[1] - at[0],
				spelling: left[0].Spelling})
		} else {
			b.leftOut += at[1] - at[0] // the exports would have the tag
		}
		left = left[1:]
	}
	return b
}

// validPath returns the path of a request to the gateway, or "/": a text without a slash at the
// beginning could change the host of a URL.
func validPath(path string) string {
	if !strings.HasPrefix(path, "/") || !isPlain(path) {
		return "/"
	}
	return path
}

var methodPattern = regexp.MustCompile(`^[A-Z]{1,20}$`)

// validMethod returns an HTTP method, or POST. The method of a response is "".
func validMethod(method string) string {
	if method == "" || methodPattern.MatchString(method) {
		return method
	}
	return "POST"
}

// isPlain reports whether a text has no control character.
func isPlain(text string) bool {
	return !strings.ContainsFunc(text, func(c rune) bool { return c < ' ' || c == 0x7f })
}

// measured returns the size of the record in bytes.
func (r *record) measured() int {
	size := r.size
	for c := range r.conversations() {
		for _, m := range []*message{c.request, c.response} {
			if m != nil {
				size += m.size()
			}
		}
		for n := range c.chunks {
			size += 64 + c.chunks[n].body.size()
		}
	}
	for _, a := range r.attempts {
		size += 128 + len(a.Account) + len(a.Model) + len(a.Err)
	}
	for _, f := range r.findings {
		size += 64 + len(f.entry.Pointer) + len(f.entry.Detail)
	}
	for _, s := range r.signatures {
		size += 64 + len(s.Pointer) + len(s.Carrier)
	}
	return size + endSize(r.end)
}

// restored adds a record from a file to the store, as the newest exchange. A record without a
// number gets the next one.
func (s *store) restored(r *record) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	r.number = max(r.number, s.next)
	for b := range r.allBodies() {
		s.share(b)
	}
	s.insert(r)
	if r.dropped {
		return r.number
	}
	if r.isLine() {
		s.fold(r)
	}
	if s.saved != nil && !r.dropped {
		s.saved(r)
	}
	return r.number
}
