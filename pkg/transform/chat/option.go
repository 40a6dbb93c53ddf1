package chat

import (
	"strconv"
	"time"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/pkg/transform/chat/internal/callid"
)

// Option changes how responses are converted.
type Option func(*options)

// options holds the values of all options. Its zero value is the default.
type options struct {
	id         string
	created    *time.Time
	model      string
	plain      bool
	toolCallID func(responseID string, candidate, part int) string
	signedIDs  bool
	carrier    func(id, signature string) string
	tools      toolNames

	includeUsage bool
	lossesOnly   bool
	reusesEvents bool
	keepsShape   bool // of the text in a stream, see [transform.Options].Ungrounded
}

// WithID sets the completion's id. The default, also for "", is the id of the response, or "gemini"
// if it has none.
func WithID(id string) Option {
	return func(o *options) { o.id = id }
}

// WithCreated sets the creation time of the completion, to the second. The default is the time of
// the response, which only Vertex AI sends, else 1970-01-01: a conversion does not read the clock.
// A time before 1970 counts as 1970-01-01.
func WithCreated(at time.Time) Option {
	return func(o *options) { o.created = &at }
}

// WithModelName sets the model's name in the completion, for example the name that the client
// requested. The default, also for "", is the version of the model that answered, or "gemini" if it
// is unknown.
func WithModelName(name string) Option {
	return func(o *options) { o.model = name }
}

// WithRequest sets what the client requested: calls get the names of its tools again where package
// request had to change them. Only tools and functions are read, at once.
func WithRequest(r *openaiapi.CreateChatCompletionRequest) Option {
	names := toolNamesOf(r)
	return func(o *options) { o.tools = names }
}

// WithoutExtensions omits all members that OpenAI's own description does not have: extra_content,
// native_finish_reason, reasoning_content and images. The report lists what this loses. By default
// the extensions are present.
func WithoutExtensions() Option {
	return func(o *options) { o.plain = true }
}

// WithToolCallIDs sets the function that makes the id of a tool call. It is called if Gemini sent
// no id, or the id of another call. Its arguments are the response's id ("" if it has none), the
// index of the choice and the position of the part. The position counts the parts that
// [normalize.MergeChunks] makes, in a response and in a stream; both numbers count from 0. The
// function must return a different id for each call. If it returns "", and by default, the id is
// gemini-call-RESPONSE-CANDIDATE-PART, or gemini-call-CANDIDATE-PART if the response has no id.
func WithToolCallIDs(id func(responseID string, candidate, part int) string) Option {
	return func(o *options) { o.toolCallID = id }
}

// WithSignaturesInIDs puts the thought signature of a tool call into its id. It is for clients that
// drop the extensions, because every client sends the id back. Package request removes the
// signature from the id. If a client has shortened or changed the id, package request uses no
// signature. The ids are long, longer than other providers allow; see [StripSignature]. In a
// stream, an id can carry only a signature that arrives with the start of its call, as nearly all
// do. By default ids are short.
func WithSignaturesInIDs() Option {
	return func(o *options) { o.signedIDs = true }
}

// WithSignatureCarrier is like [WithSignaturesInIDs], but a function returns the id for a call and
// its signature. The function can be [SignedID], or return an id under which the caller finds the
// signature again. It must return equal ids for equal arguments.
func WithSignatureCarrier(carrier func(id, signature string) string) Option {
	return func(o *options) { o.signedIDs, o.carrier = carrier != nil, carrier }
}

// WithUsage adds a last chunk to a stream with the usage of the whole response and no choices.
// Clients ask for it with stream_options.include_usage. The other chunks have no usage, where
// OpenAI's have null. By default no chunk has usage. Gemini's own counts are in the extension of
// the last chunk in either case, unless [WithoutExtensions] omits it. A completion always has
// usage.
func WithUsage() Option {
	return func(o *options) { o.includeUsage = true }
}

// WithLossesOnly limits the report of a [Stream] to losses, as [normalize.WithLossesOnly] does. It
// does not change the report of a whole response.
func WithLossesOnly() Option {
	return func(o *options) { o.lossesOnly = true }
}

// WithReusedEvents makes a [Stream] reuse the memory of its chunks with each call, so that it
// produces no garbage. Chunks that it returned earlier then change, and so do copies of them. Use
// it if each chunk is written before the next call. It does not change the conversion of a whole
// response.
func WithReusedEvents() Option {
	return func(o *options) { o.reusesEvents = true }
}

// madeCallID is the default of [WithToolCallIDs]. The response's id makes ids unique within a
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
