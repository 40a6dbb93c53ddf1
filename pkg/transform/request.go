package transform

import (
	"time"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/go-json-experiment/json/jsontext"
)

// Request is a request of a form, decoded.
type Request interface {
	// Model is the name that the client asked for, "" for none.
	Model() string
	// Streams reports whether the client asked for a stream.
	Streams() bool
	// NotWhole returns the pointer of the member by which the request is not answered by one body,
	// "" if it is.
	NotWhole() string
	// CheckMembers refuses an unknown member that is likely misspelt. Its error is a
	// *[MemberError].
	CheckMembers() error
	// Validate holds the request to the rules of its API.
	Validate() error
	// Body returns the request as its wire decoded it, a pointer. A server may change what it
	// points to before ToGemini.
	Body() any
	// ToGemini converts the request. It may be called for several targets.
	ToGemini(to Target) (*geminiapi.GenerateContentRequest, report.Report, error)
	// Release frees what the answer does not need, since a stream takes long: ToGemini is not
	// called after it. It returns about how many bytes of the body the request still holds, 0 for
	// few.
	Release() int64

	// AppendAnswer appends Gemini's answer in the form. The report is returned with an error too.
	AppendAnswer(dst []byte, answer *geminiapi.GenerateContentResponse, o *Options) ([]byte,
		report.Report, error)
	// AppendNormalized does the same for a normalised response.
	AppendNormalized(dst []byte, answer *normalize.Response, o *Options) ([]byte, report.Report,
		error)
	// Stream begins the answer as a stream.
	Stream(o *Options) Stream
}

// Target is what a request is converted for.
type Target struct {
	Model string
	// ForVertexAI makes the request for Vertex AI in place of the Gemini API.
	ForVertexAI bool
	// Time is when the model is asked. The zero time is now.
	Time time.Time
	// Count makes the request for a count of tokens.
	Count bool
	// Stores says that the server keeps answers, so that members which need that have a meaning.
	Stores bool
	// Serves leaves out of the report what the server heeds itself: the model, and whether the
	// answer is a stream.
	Serves bool
}

// Options are how an answer is written. The zero value writes it as its request and Gemini say.
type Options struct {
	// ID and Created are those of the answer; "" and the zero time are for those of Gemini's
	// answer.
	ID      string
	Created time.Time
	// Model is the name of the model, "" for the one of the request, or else of Gemini's answer.
	Model string
	// WithoutExtensions leaves out the members that only gemwire and Google know.
	WithoutExtensions bool
	// Usage ends a stream with the token counts, if the form has streams without them.
	Usage bool
	// InputTokens is about how many tokens the prompt has, for streams that say it at their
	// beginning; 0 if it is unknown.
	InputTokens int
	// Ungrounded says that the request asked for nothing that grounds an answer in sources. A
	// stream of chat then keeps no text to look for what sources cite. If a source comes all the
	// same, Gemini's offsets are not checked against the text, and the report says so. It may be
	// set until the first chunk.
	Ungrounded bool
	// Stored says that the server keeps the answer.
	Stored bool
	// HasDoneMark ends a stream by [DONE] where the form leaves that to the server.
	HasDoneMark bool
	// SignID puts a thought signature into the id of a call. It is nil to leave ids alone. A form
	// that has its own way of doing that does not call it.
	SignID func(id, signature string) string
	// LossesOnly leaves all but losses out of the report of a stream.
	LossesOnly bool
	// Strict makes a loss an error, a *[report.LossError].
	Strict bool
	// Server adds what only a server knows to the answer. It may be nil.
	Server Server
}

// Server adds to an answer what only a server knows.
type Server interface {
	// Added returns what the server adds. It is called with the report of a whole answer or of a
	// stream, at its end.
	Added(entries report.Report) (Added, error)
	// Edit may change what is written next, a pointer to a document or an event of the form's wire.
	Edit(document any)
}

// Added are members that a server adds to an answer. The zero value adds none.
type Added struct {
	// Usage are members of the token counts, an object. They are left out where the answer has no
	// counts.
	Usage jsontext.Value
	// Extension is the member "gemwire" of the extension extra_content.
	Extension jsontext.Value
}

// AddedBy returns what the server adds at the end of an answer, and refuses losses if it is strict.
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

// Edit lets the server change what is written next.
func (o *Options) Edit(document any) {
	if o.Server != nil {
		o.Server.Edit(document)
	}
}

// Stream writes the events of an answer from Gemini's chunks.
type Stream interface {
	// Push appends the events of a chunk. What it appends with an error comes before what the error
	// ends the stream with.
	Push(dst []byte, chunk *geminiapi.GenerateContentResponse) ([]byte, error)
	// Close appends the end. The error is why there are no more chunks, nil where the answer is
	// complete; Close returns it.
	Close(dst []byte, err error) ([]byte, error)
	// Fail appends what ends a stream that failed, unless it has ended. An *[Error] is written as
	// it is; other errors are put into the form's words.
	Fail(dst []byte, err error) []byte
	// Heartbeat appends an event or a comment without content. Another goroutine may call it, but
	// not during Push, Close and Fail.
	Heartbeat(dst []byte) []byte
	// Report returns the report so far, and Lost its losses.
	Report() report.Report
	Lost() report.Report
}

// smallBody is the size of a body up to which a request counts as holding nothing of it.
const smallBody = 64 << 10

// Held returns how many bytes of a body of a size a request still holds. encode returns what it
// holds; an error of encode means that it holds all.
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
