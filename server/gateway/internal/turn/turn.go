// Package turn is what the forms of answers have in common: a request for an answer of a model that a form has read, and how
// the answer is written for the client, whole or as a stream. A form is a room inside.
package turn

import (
	"time"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/server/gateway/exchange"
	"github.com/gemwire/gemwire/server/gateway/internal/problem"
	"github.com/gemwire/gemwire/server/ratecard"
)

// Turn is one request for an answer of a model, read.
type Turn interface {
	// Model is the name that the client asked for, "" for none.
	Model() string
	// Streams is whether it asked for a stream.
	Streams() bool
	// ToGemini converts the request for a model, with what is lost by that. It may be called for several models.
	ToGemini(target Target) (*geminiapi.GenerateContentRequest, report.Report, error)
	// AppendWhole appends the answer in the client's form.
	AppendWhole(dst []byte, answer *geminiapi.GenerateContentResponse, told Told) ([]byte, Finished, error)
	// Stream begins the answer as a stream.
	Stream() Stream
	// LetGo releases the request, which may be large: a stream has begun, so no other model is asked. It returns about how
	// many bytes of the request the stream still needs, or 0 for few.
	LetGo() int64
	// Carrier tells how the thought signature of a part travels: one of the answer that goes to the client, or one of the
	// request that came from there.
	Carrier(side exchange.Side, part *geminiapi.Part) exchange.Carrier
}

// Target is the model that a request is converted for.
type Target struct {
	Model      string
	IsVertexAI bool
	When       time.Time // zero is now
}

// Stream makes events of the client's form from the chunks of an answer.
type Stream interface {
	// Push appends the events of a chunk. An error ends the stream; it is told by Fail.
	Push(dst []byte, chunk *geminiapi.GenerateContentResponse) ([]byte, error)
	// End appends the events of a proper end. It fails where the answer was cut off.
	End(dst []byte, told Told) ([]byte, error)
	// Fail appends the event of a problem, which is the last.
	Fail(dst []byte, p *problem.Problem) []byte
	// Heartbeat appends an event without content. Another goroutine may call it, but not during Push, End and Fail.
	Heartbeat(dst []byte) []byte
	// Finished tells what is known at the end.
	Finished() Finished
}

// Told is what an answer tells of its way, if the client asks.
type Told struct {
	// Report is that of the request.
	Report report.Report
	// Cost is nil where nobody knows.
	Cost *ratecard.Cost
}

// Finished is what the end of an answer tells beyond the answer.
type Finished struct {
	// Report is what the client was not told.
	Report report.Report
	// Reason is that of the first candidate, "" for none.
	Reason normalize.FinishReason
}
