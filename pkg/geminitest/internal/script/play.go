package script

import (
	"net/http"
	"time"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/geminitest/internal/framing"
	"github.com/gemwire/gemwire/pkg/geminitest/internal/received"
	"github.com/go-json-experiment/json"
)

// answer plays one answer. What fails before anything of an answer was made fails without a look at the request, as
// a server that is out of order does.
func (p *Player) answer(w http.ResponseWriter, r *http.Request, request *received.Request, t turn) {
	play := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		out := newOutput(w, r, request)
		p.play(out, t)
	})
	if p.fake.Check == nil || t.fixture.Unchecked || t.answer.failsAtOnce() {
		play.ServeHTTP(w, r)
		return
	}
	p.fake.Check(play).ServeHTTP(w, r)
}

// failsAtOnce reports whether a fault that is the whole answer stands before all content.
func (a *Answer) failsAtOnce() bool {
	for i := range a.Blocks {
		if f := a.Blocks[i].Fault; f != nil && f.EndsAnswer() {
			return true
		}
		if a.Blocks[i].Pause == 0 {
			return false
		}
	}
	return false
}

func (p *Player) play(out *output, t turn) {
	if !out.wait(time.Duration(t.answer.TTFT)) {
		return
	}
	for _, s := range p.stepsOf(out.request, t) {
		if !out.wait(s.wait) {
			return
		}
		if s.fault != nil {
			out.fail(*s.fault)
			if s.fault.EndsAnswer() {
				return
			}
		}
		if s.chunk != nil && !out.chunk(s) {
			return
		}
	}
	out.end()
}

// refuse answers a request that no fixture of a strict script matches, with an error that no client tries again.
func (p *Player) refuse(w http.ResponseWriter, request *received.Request) {
	report := p.unmatched(request)
	if p.fake.Unmatched != nil {
		p.fake.Unmatched(report)
	}
	WriteRefusal(w, "NO_FIXTURE_MATCHES", "geminitest: "+report)
}

// WriteRefusal writes an error that is the fake's and not the API's: FAILED_PRECONDITION with a reason of the domain
// geminitest, which no client tries again.
func WriteRefusal(w http.ResponseWriter, reason, message string) {
	envelope, err := json.Marshal(geminiapi.ErrorResponse{Error: &geminiapi.Error{
		Code:    new(http.StatusBadRequest),
		Message: &message,
		Status:  new(geminiapi.ErrorStatusFailedPrecondition),
		Details: []geminiapi.ErrorDetail{{
			Type:   new("type.googleapis.com/google.rpc.ErrorInfo"),
			Reason: &reason,
			Domain: new("geminitest"),
		}},
	}})
	if err != nil { // The message is not UTF-8.
		envelope = []byte(`{"error":{"code":400,"status":"FAILED_PRECONDITION"}}`)
	}
	_ = framing.WriteWhole(w, http.StatusBadRequest, framing.InServerOrder(envelope, false)) // or the client is gone
}
