// Package recording reports the traffic of one request to recorders of package exchange: between
// client and gateway, and between gateway and Gemini, without credentials. It also reports how
// thought signatures travel.
package recording

import (
	"net/http"
	"slices"
	"sync"

	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/server/gateway/exchange"
	"github.com/gemwire/gemwire/server/gateway/internal/secret"
)

// Recorders are the recorders of a request, one from each observer. The zero value reports to none.
type Recorders struct {
	// IsBetween says that Gemini's form is the intermediate form of this attempt, because another
	// API's server answers.
	IsBetween bool
	// Secrets are removed from everything that is reported.
	Secrets secret.List

	hasBegun bool
	mu       sync.Mutex // heartbeats come by another goroutine
	all      []exchange.Recorder
	bodies   []exchange.Recorder // those that want bodies
	tail     *tail               // of the upstream's stream, nil without
	broken   []byte              // what could not be read of it
}

// Begin asks each observer once for a recorder of the request.
func (r *Recorders) Begin(observers []exchange.Observer, start func() exchange.Start) {
	if r.hasBegun || len(observers) == 0 {
		return
	}
	r.hasBegun = true
	begun := start()
	begun.Path, begun.UserAgent = r.Secrets.Name(begun.Path), r.Secrets.Name(begun.UserAgent)
	for _, observer := range observers {
		if recorder := observer.Begin(begun); recorder != nil {
			r.all = append(r.all, recorder)
			if recorder.WantsBodies() {
				r.bodies = append(r.bodies, recorder)
			}
		}
	}
}

// WantsBodies reports whether any recorder wants bodies.
func (r *Recorders) WantsBodies() bool { return len(r.bodies) > 0 }

// geminiSide returns the side that uses Gemini's form.
func (r *Recorders) geminiSide() exchange.Side {
	if r.IsBetween {
		return exchange.Between
	}
	return exchange.Upstream
}

// IsEmpty reports whether there are no recorders.
func (r *Recorders) IsEmpty() bool { return len(r.all) == 0 }

// Request reports to the recorders that want bodies. So do Response, Chunk and Signature.
func (r *Recorders) Request(side exchange.Side, request exchange.Request) {
	request.Header, request.Body = r.Secrets.Header(request.Header), r.Secrets.Body(request.Body)
	request.URL = r.Secrets.Text(request.URL)
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, recorder := range r.bodies {
		recorder.Request(side, request)
	}
}

func (r *Recorders) Response(side exchange.Side, response exchange.Response) {
	blank := r.Secrets.Body
	if response.Status >= http.StatusBadRequest {
		blank = r.Secrets.Error
	}
	response.Header, response.Body = r.Secrets.Header(response.Header), blank(response.Body)
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, recorder := range r.bodies {
		recorder.Response(side, response)
	}
}

func (r *Recorders) Chunk(side exchange.Side, data []byte) {
	data = r.Secrets.Body(data)
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
	attempt.Model, attempt.Err = r.Secrets.Name(attempt.Model), r.Secrets.Text(attempt.Err)
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, recorder := range r.all {
		recorder.Attempt(attempt)
	}
}

func (r *Recorders) Report(side exchange.Side, report report.Report) {
	report = r.withoutSecrets(report)
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, recorder := range r.all {
		recorder.Report(side, report)
	}
}

// withoutSecrets returns a report without the secrets that its entries quote.
func (r *Recorders) withoutSecrets(report report.Report) report.Report {
	out := report
	for i, entry := range report {
		pointer, detail := r.Secrets.Name(entry.Pointer), r.Secrets.Name(entry.Detail)
		if pointer == entry.Pointer && detail == entry.Detail {
			continue
		}
		if &out[0] == &report[0] {
			out = slices.Clone(report)
		}
		out[i].Pointer, out[i].Detail = pointer, detail
	}
	return out
}

func (r *Recorders) End(end exchange.End) {
	for _, text := range []*string{&end.Model, &end.AskedModel, &end.UpstreamModel, &end.ErrorType,
		&end.ErrorCode} {
		*text = r.Secrets.Name(*text)
	}
	end.FinishReason = normalize.FinishReason(r.Secrets.Name(string(end.FinishReason)))
	end.ErrorMessage = r.Secrets.Text(end.ErrorMessage)
	if end.Rest != nil {
		end.Rest.Reason = r.Secrets.Text(end.Rest.Reason)
	}
	if len(r.broken) > 0 {
		end.Broken = r.Secrets.Body(r.broken)
	}
	end.ModelWarnings = slices.Clone(end.ModelWarnings)
	for i := range end.ModelWarnings {
		end.ModelWarnings[i] = r.Secrets.Name(end.ModelWarnings[i])
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, recorder := range r.all {
		recorder.End(end)
	}
}
