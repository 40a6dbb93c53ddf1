package inspector

import (
	"bytes"
	"context"
	"sync/atomic"
	"time"

	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/server/gateway/exchange"
)

// recorder records one exchange. It copies what the gateway reports, and the record's queue does
// the rest, because a client waits for the gateway.
type recorder struct {
	store  *store
	retain *retention
	clock  func() time.Time
	record *record
	// isCut is set when a chunk was not kept. Later chunks are not kept either, so that a stream
	// has no gap.
	isCut atomic.Bool
}

// withBody adds a task that needs the recorded part of a body. The inspector is not to delay a
// client, so the body is missing if too many others wait.
func (r *recorder) withBody(data []byte, run func(body)) {
	size := len(data)
	if !r.record.queue.reserve(size) {
		r.record.queue.add(func() { run(body{leftOut: size, cut: true, isMissed: true}) })
		return
	}
	data = bytes.Clone(data)
	r.record.queue.addReserved(size, func() { run(r.retain.body(data)) })
}

// elapsed returns the time since the start of the exchange.
func (r *recorder) elapsed() time.Duration { return r.clock().Sub(r.record.start.At) }

// WantsBodies reports whether bodies were being recorded when the exchange began.
func (r *recorder) WantsBodies() bool { return r.record.bodies }

// Request records a request. A request that is not the client's may start an attempt.
func (r *recorder) Request(side exchange.Side, request exchange.Request) {
	m := &message{at: r.elapsed()}
	header, data := request.Header.Clone(), request.Body
	request.Body = nil // which a task must not keep
	r.withBody(data, func(b body) {
		m.method, m.url = r.retain.value(request.Method), r.retain.address(request.URL)
		m.header, m.body = r.retain.header(header), b
		r.store.change(r.record, func() int {
			if side != exchange.Client && r.record.try().begins(side) &&
				len(r.record.tries) < maxTries {
				r.record.tries = append(r.record.tries, try{})
			}
			return r.store.replace(&r.record.conversation(side).request, m)
		})
		if side != exchange.Client {
			r.store.understand(r.record, false)
		}
	})
}

// Response records a response. Chunks may follow.
func (r *recorder) Response(side exchange.Side, response exchange.Response) {
	m := &message{at: r.elapsed(), status: response.Status}
	header := response.Header.Clone()
	r.withBody(response.Body, func(b body) {
		m.header, m.body = r.retain.header(header), b
		r.store.change(r.record,
			func() int { return r.store.replace(&r.record.conversation(side).response, m) })
	})
}

// replace replaces a message and returns the growth in bytes.
func (s *store) replace(place **message, m *message) int {
	grown := m.size()
	s.share(&m.body)
	if *place != nil {
		s.release(&(*place).body)
		grown -= (*place).size()
	}
	*place = m
	return grown
}

// Chunk records an event of a stream.
func (r *recorder) Chunk(side exchange.Side, data []byte) {
	c := chunk{at: r.elapsed(), size: len(data)}
	if r.isCut.Load() || !r.record.queue.reserve(len(data)) {
		r.isCut.Store(true)
		r.record.queue.add(func() {
			r.store.change(r.record, func() int {
				r.record.leftOut.chunks++
				r.record.leftOut.isBusy = true
				return 0
			})
		})
		return
	}
	data = bytes.Clone(data)
	r.record.queue.addReserved(len(data), func() {
		if !r.store.hasRoom(r.record) {
			r.store.change(r.record, func() int { r.record.leftOut.chunks++; return 0 })
			return
		}
		c.body = r.retain.body(data)
		r.store.change(r.record, func() int {
			of := r.record.conversation(side)
			r.store.share(&c.body)
			of.chunks = append(of.chunks, c)
			return 64 + c.body.size()
		})
	})
}

// Signature records where a thought signature went.
func (r *recorder) Signature(signature exchange.Signature) {
	r.record.queue.add(func() {
		signature.Pointer = r.retain.value(signature.Pointer)
		r.store.change(r.record, func() int {
			if len(r.record.signatures) >= maxSignatures {
				r.record.leftOut.signatures++
				return 0
			}
			r.record.signatures = append(r.record.signatures, signed{signature})
			return 64 + len(signature.Pointer) + len(signature.Carrier)
		})
	})
}

// Attempt records the outcome of one Gemini call.
func (r *recorder) Attempt(attempt exchange.Attempt) {
	r.record.queue.add(func() {
		attempt.Account, attempt.Model = r.retain.value(attempt.Account),
			r.retain.value(attempt.Model)
		attempt.Err = r.retain.value(attempt.Err)
		r.store.change(r.record, func() int {
			if len(r.record.attempts) >= maxTries {
				return 0
			}
			r.record.attempts = append(r.record.attempts, attempt)
			return 128 + len(attempt.Account) + len(attempt.Model) + len(attempt.Err)
		})
	})
}

// Report records what a conversion added, approximated or lost.
func (r *recorder) Report(side exchange.Side, entries report.Report) {
	total := len(entries)
	entries = append(report.Report(nil), entries[:min(total, maxFindings)]...)
	r.record.queue.add(func() {
		for i := range entries {
			entries[i].Pointer, entries[i].Detail = r.retain.value(entries[i].Pointer),
				r.retain.value(entries[i].Detail)
		}
		r.store.change(r.record, func() (grown int) {
			room := min(len(entries), maxFindings-len(r.record.findings))
			for _, entry := range entries[:room] {
				r.record.findings = append(r.record.findings, finding{side, entry})
				grown += 64 + len(entry.Pointer) + len(entry.Detail)
			}
			r.record.leftOut.findings += total - room
			return grown
		})
	})
}

// End records how the exchange ended.
func (r *recorder) End(end exchange.End) {
	if !r.record.bodies {
		r.record.queue.add(func() {
			end = r.retain.end(end)
			r.store.ended(r.record, &end)
		})
		return
	}
	isRead := make(chan struct{})
	r.record.queue.add(func() {
		end = r.retain.end(end)
		r.store.change(r.record, func() int { r.record.isRead = isRead; return 0 })
		r.store.ended(r.record, &end)
	})
	r.store.ends.add(func() {
		defer close(isRead)
		r.record.queue.settle(context.Background())
		r.store.understand(r.record, true)
	})
}
