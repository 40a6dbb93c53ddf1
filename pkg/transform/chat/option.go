package chat

import (
	"strconv"
	"time"

	"github.com/gemwire/gemwire/pkg/transform/chat/internal/callid"
)

// Option changes how responses are converted.
type Option func(*options)

// options has the choices of all options. Its zero value is the default.
type options struct {
	id         string
	created    *time.Time
	model      string
	plain      bool
	toolCallID func(responseID string, candidate, part int) string
	signedIDs  bool
	carrier    func(id, signature string) string

	includeUsage bool
	lossesOnly   bool
	reusesEvents bool
	keepsShape   bool // of the text in a stream, see [transform.Options].Ungrounded
}

// WithID sets the completion's id. The default, and what "" stands for, is the response's own id,
// or "gemini" where it has none.
func WithID(id string) Option {
	return func(o *options) { o.id = id }
}

// WithCreated sets when the completion was made, to the second. The default is the response's own
// time, which only Vertex AI sends, or else 1970-01-01: a conversion does not look at the clock. A
// time before 1970 counts as that day.
func WithCreated(at time.Time) Option {
	return func(o *options) { o.created = &at }
}

// WithModelName sets the model's name in the completion, such as the one that the client asked for.
// The default, and what "" stands for, is the version of the model that answered, or "gemini" where
// it is unknown.
func WithModelName(name string) Option {
	return func(o *options) { o.model = name }
}

// WithoutExtensions leaves out all that OpenAI's own description does not have: extra_content,
// native_finish_reason, reasoning_content and images. What is lost by that is in the report. By
// default the extensions are there.
func WithoutExtensions() Option {
	return func(o *options) { o.plain = true }
}

// WithToolCallIDs sets the function that makes an id for a tool call that came without one, or with
// that of another call, from the response's id ("" where it has none), the index of the choice and
// the position of the part, among those that [normalize.MergeChunks] makes, whole and streamed;
// both count from 0. It must give another id for each. Where it returns "", and by default for
// responses of the wire, the id is gemini-call-RESPONSE-CANDIDATE-PART, or
// gemini-call-CANDIDATE-PART without a response's id.
func WithToolCallIDs(id func(responseID string, candidate, part int) string) Option {
	return func(o *options) { o.toolCallID = id }
}

// WithSignaturesInIDs puts the thought signature of a tool call into its id, for clients that drop
// the extensions: the id is what every one of them sends back. Package request takes it out again,
// and falls back to no signature when a client has shortened or changed the id. The ids get long,
// longer than other providers allow; see [StripSignature]. In a stream only a signature that comes
// with the beginning of its call can be carried, as nearly all do. By default ids are short.
func WithSignaturesInIDs() Option {
	return func(o *options) { o.signedIDs = true }
}

// WithSignatureCarrier does the same as [WithSignaturesInIDs], with a function that returns the id
// for a call and its signature: [SignedID], or one by which the signature can be found again. It
// must return the same for the same.
func WithSignatureCarrier(carrier func(id, signature string) string) Option {
	return func(o *options) { o.signedIDs, o.carrier = carrier != nil, carrier }
}

// WithUsage ends a stream in a chunk with the usage of the whole response, which has no choices, as
// clients ask for by stream_options.include_usage. The other chunks have no usage, where OpenAI's
// have null. Without WithUsage no chunk has the member usage; Gemini's own counts are in the
// extension of the last chunk either way, unless [WithoutExtensions] leaves that out. A completion
// always has the usage.
func WithUsage() Option {
	return func(o *options) { o.includeUsage = true }
}

// WithLossesOnly leaves all but the losses out of the report of a [Stream], as
// [normalize.WithLossesOnly] does. The report of a whole response is the same with it as without.
func WithLossesOnly() Option {
	return func(o *options) { o.lossesOnly = true }
}

// WithReusedEvents has a [Stream] use the memory of its chunks again with each call, so that it
// makes no garbage: what it returned then changes, and so do copies of it. It is for who writes the
// chunks before the next call. The conversion of a whole response is the same with it as without.
func WithReusedEvents() Option {
	return func(o *options) { o.reusesEvents = true }
}

// madeCallID is the default of [WithToolCallIDs]. The response's id keeps ids apart within a
// conversation.
func madeCallID(responseID string, candidate, part int) string {
	return positionID(callid.Made, responseID, candidate, part)
}

func positionID(prefix, responseID string, candidate, part int) string {
	id := prefix
	if responseID != "" {
		id += responseID + "-"
	}
	return id + strconv.Itoa(candidate) + "-" + strconv.Itoa(part)
}
