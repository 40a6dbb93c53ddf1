package gateway

import (
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/gateway/exchange"
	"github.com/gemwire/gemwire/pkg/gateway/internal/problem"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/ratecard"
	"github.com/gemwire/gemwire/pkg/transform"
)

// form is one API that clients speak. Adding one is a file with a form, and a line in routes.
type form struct {
	// name is that of [exchange.Start], "" for what answers paths that no form has.
	name string
	// idHeader is that of answers with the id of the request, timeHeader that with the milliseconds it took, "" for none.
	idHeader, timeHeader string
	// passesBodies leaves bodies unread, for the form itself to read.
	passesBodies bool
	// status returns the HTTP status of a problem, which is nil where it is the problem's own.
	status func(p *problem.Problem) int
	// appendProblem appends the body that reports a problem of a request.
	appendProblem func(dst []byte, p *problem.Problem, requestID string) []byte
	// beats is whether the form's streams have an event that only says that they are alive. It takes the place of comments,
	// which clients do not count.
	beats bool
}

// statusOf returns the HTTP status of a problem.
func (f *form) statusOf(p *problem.Problem) int {
	if f.status != nil {
		return f.status(p)
	}
	return p.Status
}

// turn is one request for an answer of a model, read.
type turn interface {
	// model is the name that the client asked for, "" for none.
	model() string
	// streams is whether it asked for a stream.
	streams() bool
	// toGemini converts the request for a model, with what is lost by that. It may be called for several models.
	toGemini(target target) (*geminiapi.GenerateContentRequest, transform.Report, error)
	// appendWhole appends the answer in the client's form.
	appendWhole(dst []byte, answer *geminiapi.GenerateContentResponse, told told) ([]byte, finished, error)
	// stream begins the answer as a stream.
	stream() turnStream
	// letGo lets go of the request, which may be large: a stream has begun, and it is converted for no other model.
	letGo()
	// carrier tells how the thought signature of a part travels: one of the answer that goes to the client, or one of the
	// request that came from there.
	carrier(side exchange.Side, part *geminiapi.Part) exchange.Carrier
}

// target is the model that a request is converted for.
type target struct {
	model      string
	isVertexAI bool
}

// turnStream makes events of the client's form from the chunks of an answer.
type turnStream interface {
	// push appends the events of a chunk. An error ends the stream; it is told by fail.
	push(dst []byte, chunk *geminiapi.GenerateContentResponse) ([]byte, error)
	// end appends the events of a proper end. It fails where the answer was cut off.
	end(dst []byte, told told) ([]byte, error)
	// fail appends the event of a problem, which is the last.
	fail(dst []byte, p *problem.Problem) []byte
	// heartbeat appends an event without content. It may be called by another goroutine at any time.
	heartbeat(dst []byte) []byte
	// finished tells what is known at the end.
	finished() finished
}

// told is what an answer tells of its way, if the client asks.
type told struct {
	// report is that of the request.
	report transform.Report
	// cost is nil where nobody knows.
	cost *ratecard.Cost
}

// finished is what the end of an answer tells beyond the answer.
type finished struct {
	// report is what the client was not told.
	report transform.Report
	// reason is that of the first candidate, "" for none.
	reason normalize.FinishReason
}
