package inspector

import (
	"time"

	"github.com/gemwire/gemwire/pkg/gateway/exchange"
	"github.com/gemwire/gemwire/pkg/transform"
)

// recorder keeps what the gateway tells of one exchange.
type recorder struct {
	store  *store
	retain *retention
	clock  func() time.Time
	record *record
}

// elapsed returns how long ago the exchange began.
func (r *recorder) elapsed() time.Duration { return r.clock().Sub(r.record.start.At) }

// WantsBodies reports whether bodies were kept when the exchange began.
func (r *recorder) WantsBodies() bool { return r.record.bodies }

// Request keeps a request. One of the upstream begins an attempt.
func (r *recorder) Request(side exchange.Side, request exchange.Request) {
	m := &message{
		at: r.elapsed(), method: r.retain.value(request.Method), url: r.retain.address(request.URL),
		header: r.retain.header(request.Header), body: r.retain.body(request.Body),
	}
	r.store.change(r.record, func() int {
		if side == exchange.Upstream && r.record.try().request != nil && len(r.record.tries) < maxTries {
			r.record.tries = append(r.record.tries, conversation{})
		}
		return replace(&r.record.conversation(side).request, m)
	})
}

// Response keeps a response, of which chunks may follow.
func (r *recorder) Response(side exchange.Side, response exchange.Response) {
	m := &message{
		at: r.elapsed(), status: response.Status,
		header: r.retain.header(response.Header), body: r.retain.body(response.Body),
	}
	r.store.change(r.record, func() int { return replace(&r.record.conversation(side).response, m) })
}

// replace puts a message in its place and returns by how many bytes that grew.
func replace(place **message, m *message) int {
	grown := m.size()
	if *place != nil {
		grown -= (*place).size()
	}
	*place = m
	return grown
}

// Chunk keeps an event of a stream.
func (r *recorder) Chunk(side exchange.Side, data []byte) {
	if !r.store.hasRoom(r.record) {
		r.store.change(r.record, func() int { r.record.leftOut.chunks++; return 0 })
		return
	}
	c := chunk{at: r.elapsed(), size: len(data), body: r.retain.body(data)}
	r.store.change(r.record, func() int {
		of := r.record.conversation(side)
		of.chunks = append(of.chunks, c)
		return 64 + len(c.body.text)
	})
}

// Signature keeps where a thought signature went.
func (r *recorder) Signature(signature exchange.Signature) {
	signature.Pointer = r.retain.value(signature.Pointer)
	r.store.change(r.record, func() int {
		if len(r.record.signatures) >= maxSignatures {
			r.record.leftOut.signatures++
			return 0
		}
		r.record.signatures = append(r.record.signatures, signature)
		return 64 + len(signature.Pointer)
	})
}

// Attempt keeps how one call of Gemini went.
func (r *recorder) Attempt(attempt exchange.Attempt) {
	attempt.Account, attempt.Model = r.retain.value(attempt.Account), r.retain.value(attempt.Model)
	attempt.Err = r.retain.value(attempt.Err)
	r.store.change(r.record, func() int {
		if len(r.record.attempts) >= maxTries {
			return 0
		}
		r.record.attempts = append(r.record.attempts, attempt)
		return 128 + len(attempt.Account) + len(attempt.Model) + len(attempt.Err)
	})
}

// Report keeps what a conversion added, approximated or lost.
func (r *recorder) Report(side exchange.Side, report transform.Report) {
	var findings []finding
	for _, entry := range report[:min(len(report), maxFindings)] {
		entry.Pointer, entry.Detail = r.retain.value(entry.Pointer), r.retain.value(entry.Detail)
		findings = append(findings, finding{side, entry})
	}
	r.store.change(r.record, func() (grown int) {
		room := min(len(findings), maxFindings-len(r.record.findings))
		for _, f := range findings[:room] {
			grown += 64 + len(f.entry.Pointer) + len(f.entry.Detail)
		}
		r.record.findings = append(r.record.findings, findings[:room]...)
		r.record.leftOut.findings += len(report) - room
		return grown
	})
}

// End keeps how the exchange ended.
func (r *recorder) End(end exchange.End) {
	end = r.retain.end(end)
	r.store.change(r.record, func() int { r.record.end = &end; return len(end.ErrorMessage) })
}
