package transform

import (
	"time"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/go-json-experiment/json/jsontext"
)

// Request is a decoded request of a form.
type Request interface {
	// Model is the name that the client requested, or "".
	Model() string
	// Streams reports whether the client asked for a stream.
	Streams() bool
	// NotWhole returns the pointer of the member that requests more than one body, or "".
	NotWhole() string
	// CheckMembers returns a *[MemberError] for an unknown member that is probably misspelled.
	CheckMembers() error
	// Validate validates the request against the rules of its API.
	Validate() error
	// Body returns a pointer to the decoded request. A server may change the request before
	// ToGemini.
	Body() any
	// ToGemini converts the request. It may be called for several targets.
	ToGemini(to Target) (*geminiapi.GenerateContentRequest, report.Report, error)
	// Release frees what the answer does not need, because streams last long. ToGemini must not be
	// called after it. It returns approximately how many bytes of the body the request still holds.
	// A small number is returned as 0.
	Release() int64

	// AppendAnswer appends Gemini's answer in the form. The report is returned with an error too.
	AppendAnswer(dst []byte, answer *geminiapi.GenerateContentResponse, o *Options) ([]byte,
		report.Report, error)
	// AppendNormalized does the same for a response of package normalize.
	AppendNormalized(dst []byte, answer *normalize.Response, o *Options) ([]byte, report.Report,
		error)
	// Stream starts the answer as a stream.
	Stream(o *Options) Stream
}

// Target says which model and service a request is converted for.
type Target struct {
	Model string
	// ForVertexAI makes the request for Vertex AI in place of the Gemini API.
	ForVertexAI bool
	// Time is the time of the request. The zero time is now.
	Time time.Time
	// Count makes a token count request.
	Count bool
	// Stores is true if the server stores answers, so that members which need this are accepted.
	Stores bool
	// Serves omits from the report what the server handles itself: the model, and whether the
	// answer is a stream.
	Serves bool
}

// Options say how to write an answer. The zero value follows the request and Gemini's answer.
type Options struct {
	// ID and Created are the id and the time of the answer. "" and the zero time mean the id and
	// the time of Gemini's answer.
	ID      string
	Created time.Time
	// Model is the name of the model. "" means the name in the request, else in Gemini's answer.
	Model string
	// WithoutExtensions omits the members that only gemwire and Google define.
	WithoutExtensions bool
	// Usage ends a stream with the token counts, in a form whose streams have none by default.
	Usage bool
	// InputTokens is the approximate token count of the prompt, for streams that start with it; 0
	// if it is unknown.
	InputTokens int
	// Ungrounded reports that the request asked for nothing that grounds an answer in sources. A
	// chat stream then does not keep the text in which it would look for cited passages. If a
	// source arrives nevertheless, Gemini's offsets are not compared with the text, and the report
	// says so. It may be set until the first chunk.
	Ungrounded bool
	// Stored is true if the server stores the answer.
	Stored bool
	// HasDoneMark ends a stream with [DONE] if the form leaves that to the server.
	HasDoneMark bool
	// FailsOnce ends a failed stream of the Responses API with one event. Otherwise an error event
	// comes before the failed response, as in OpenAI's streams by HTTP.
	FailsOnce bool
	// FirstItems returns items that the server puts before the answer of the Responses API. It may
	// be nil. A stream calls it with its first chunk or at its end.
	FirstItems func() []openaiapi.ResponseItem
	// SignID puts a thought signature into the id of a call. If it is nil, ids stay unchanged. A
	// form that has its own way does not call it.
	SignID func(id, signature string) string
	// LossesOnly limits the report of a stream to losses.
	LossesOnly bool
	// Strict makes a loss an error of type *[report.LossError].
	Strict bool
	// Server adds members to the answer that only a server knows. It may be nil.
	Server Server
}

// Server adds members to an answer that only a server knows.
type Server interface {
	// Added returns the server's members. It is called with the report of a whole answer, or at the
	// end of a stream.
	Added(entries report.Report) (Added, error)
	// Edit may change the next document or event before it is written. document is a pointer to it.
	Edit(document any)
}

// Added are members that a server adds to an answer. The zero value adds none.
type Added struct {
	// Usage is an object with members of the token counts. It is omitted if the answer has no
	// counts.
	Usage jsontext.Value
	// Extension is the member "gemwire" of the extension extra_content.
	Extension jsontext.Value
}

// AddedBy returns the server's members at the end of an answer. If the options are strict, it
// returns losses as an error.
func (o *Options) AddedBy(entries report.Report) (Added, error) {
	if o.Strict {
		if err := entries.Strict(); err != nil {
			return Added{}, err
		}
	}
	if o.Server == nil {
		return Added{}, nil
	}
	return o.Server.Added(entries)
}

// Edit lets the server change the next document or event.
func (o *Options) Edit(document any) {
	if o.Server != nil {
		o.Server.Edit(document)
	}
}

// Stream writes the events of an answer from Gemini's chunks.
type Stream interface {
	// Push appends the events of a chunk. Events that it appends with an error come before the end
	// of the stream.
	Push(dst []byte, chunk *geminiapi.GenerateContentResponse) ([]byte, error)
	// Close appends the end. err is why there are no more chunks, or nil if the answer is complete.
	// Close returns it.
	Close(dst []byte, err error) ([]byte, error)
	// Fail appends the end of a stream that failed, unless it has ended. An *[Error] is written
	// unchanged. The form words other errors.
	Fail(dst []byte, err error) []byte
	// Heartbeat appends an event or a comment without content. Another goroutine may call it, but
	// not during Push, Close and Fail.
	Heartbeat(dst []byte) []byte
	// Report returns the report so far, and Lost its losses.
	Report() report.Report
	Lost() report.Report
}

// smallBody is the size up to which a body counts as not held by its request.
const smallBody = 64 << 10

// Held returns how many bytes of a body of the given size a request still holds. encode returns
// what it holds. If encode fails, the request counts as holding everything.
func Held(size int, encode func() ([]byte, error)) int64 {
	if size <= smallBody {
		return 0
	}
	held, err := encode()
	if err != nil {
		return int64(size)
	}
	return int64(min(len(held), size))
}
