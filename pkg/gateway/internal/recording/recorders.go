// Package recording tells recorders of package exchange what passes of one request: what client and gateway, and gateway and
// Gemini, say to each other, without credentials, and how thought signatures travel.
package recording

import (
	"sync"

	"github.com/gemwire/gemwire/pkg/gateway/exchange"
	"github.com/gemwire/gemwire/pkg/transform"
)

// Recorders are those that the observers of a request have given. The zero value tells nobody.
type Recorders struct {
	// IsBetween says that Gemini's form is that between the client and a server of another API.
	IsBetween bool

	hasBegun bool
	mu       sync.Mutex // heartbeats come by another goroutine
	all      []exchange.Recorder
	bodies   []exchange.Recorder // those that want bodies
}

// Begin asks the observers who is told, once, besides a recorder that the request itself names, nil for none.
func (r *Recorders) Begin(own exchange.Recorder, observers []exchange.Observer, start func() exchange.Start) {
	if r.hasBegun {
		return
	}
	if own != nil {
		r.hasBegun = true
		r.add(own)
	}
	if len(observers) == 0 {
		return
	}
	r.hasBegun = true
	told := start()
	for _, observer := range observers {
		if recorder := observer.Begin(told); recorder != nil {
			r.add(recorder)
		}
	}
}

// WantsBodies reports whether somebody wants bodies.
func (r *Recorders) WantsBodies() bool { return len(r.bodies) > 0 }

// geminiSide returns the side on which Gemini's form is spoken.
func (r *Recorders) geminiSide() exchange.Side {
	if r.IsBetween {
		return exchange.Between
	}
	return exchange.Upstream
}

// IsEmpty reports whether nobody is told.
func (r *Recorders) IsEmpty() bool { return len(r.all) == 0 }

func (r *Recorders) add(recorder exchange.Recorder) {
	r.all = append(r.all, recorder)
	if recorder.WantsBodies() {
		r.bodies = append(r.bodies, recorder)
	}
}

// Request tells those that want bodies. So do Response, Chunk and Signature.
func (r *Recorders) Request(side exchange.Side, request exchange.Request) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, recorder := range r.bodies {
		recorder.Request(side, request)
	}
}

func (r *Recorders) Response(side exchange.Side, response exchange.Response) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, recorder := range r.bodies {
		recorder.Response(side, response)
	}
}

func (r *Recorders) Chunk(side exchange.Side, data []byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, recorder := range r.bodies {
		recorder.Chunk(side, data)
	}
}

func (r *Recorders) Signature(signature exchange.Signature) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, recorder := range r.bodies {
		recorder.Signature(signature)
	}
}

func (r *Recorders) Attempt(attempt exchange.Attempt) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, recorder := range r.all {
		recorder.Attempt(attempt)
	}
}

func (r *Recorders) Report(side exchange.Side, report transform.Report) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, recorder := range r.all {
		recorder.Report(side, report)
	}
}

func (r *Recorders) End(end exchange.End) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, recorder := range r.all {
		recorder.End(end)
	}
}
