package messages

import (
	"cmp"
	"errors"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/gemwire/gemwire/gen/anthropicapi"
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/eventtext"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/anthropic"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform"
	"github.com/gemwire/gemwire/pkg/transform/internal/answer"
	"github.com/gemwire/gemwire/pkg/transform/internal/copyevents"
	"github.com/gemwire/gemwire/pkg/transform/messages/request"
	"github.com/gemwire/gemwire/pkg/wiretype"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Form returns the Messages API as a form, for tables of forms.
func Form() *transform.Form {
	return &transform.Form{
		Name: "messages", Paths: []string{"/v1/messages"},
		CountName: "message_tokens", CountPaths: []string{"/v1/messages/count_tokens"},
		IDHeader: "Request-Id", CheckHeader: checkHeader,
		Decode:      decodeForm,
		New:         func() transform.Request { return &formRequest{in: &anthropicapi.CreateMessageRequest{}, isEmpty: true} },
		DecodeCount: decodeForm,
		AppendCount: func(dst []byte, tokens int) ([]byte, error) {
			return anthropic.AppendCount(dst, &anthropicapi.MessageTokensCount{InputTokens: tokens})
		},
		Status: statusOf, AppendError: appendError, HasHeartbeat: true,
		CountsFirst: true, Memory: transform.TextSignatures, Broken: transform.BrokenAlways,
		Request: transform.Document{
			Name:       "messages-request",
			About:      "body of a request to Anthropic's Messages API, also to count tokens",
			CheckAbout: "decodes, and follows the rules of the Messages API for requests", Is: isRequest,
			Recode: copyevents.Recoder(anthropic.DecodeRequest, anthropic.EncodeRequest),
		},
		Response: transform.Document{
			Name: "messages-response", About: "a message of that API",
			CheckAbout: "is what Anthropic's Messages API sends",
			Is: func(names map[string]bool,
				_ string) bool {
				return names["stopreason"] && names["role"]
			},
			Mark: "content", Kinds: []string{"message"},
			Recode: copyevents.Recoder(anthropic.DecodeResponse, anthropic.EncodeResponse),
			Check:  anthropic.CheckResponse,
		},
		Stream: transform.Document{
			Name: "messages-stream", About: "events of a streamed message",
			CheckAbout: "has events that the Messages API sends, in the order that its clients require",
			Is: func(_ map[string]bool,
				kind string) bool {
				return kind == "message_start"
			},
			Copy:  copyevents.Copier(anthropic.NewStreamReader, newEventWriter),
			Check: anthropic.CheckStream,
		},
		Counterparts: counterparts,
	}
}

// isRequest reports whether a request with messages has a member that only the Messages API has.
func isRequest(names map[string]bool, _ string) bool {
	return names["messages"] &&
		(names["system"] || names["stopsequences"] || names["outputconfig"] ||
			names["contextmanagement"] || names["mcpservers"])
}

// oldHeaderError refuses the API version whose events have another form.
type oldHeaderError struct{}

func (oldHeaderError) Error() string { return "messages: " + oldHeaderError{}.Reason() }

// Location returns no pointer, because the error is about a header.
func (oldHeaderError) Location() (pointer string, offset int64) { return "", -1 }

func (oldHeaderError) Reason() string {
	return "anthropic-version: the events of 2023-01-01 have another form; use 2023-06-01 or later"
}

func (oldHeaderError) ErrorCode() string { return "unsupported_version" }

func checkHeader(header http.Header) error {
	if slices.Contains(header.Values("Anthropic-Version"), "2023-01-01") {
		return oldHeaderError{}
	}
	return nil
}

// statusOf returns the status of an error. Clients retry later after 529, and at once after 503.
func statusOf(e *transform.Error) int {
	if e.Status == http.StatusServiceUnavailable {
		return anthropic.StatusOverloaded
	}
	return e.Status
}

// appendError appends an error as Anthropic's API reports it.
func appendError(dst []byte, e *transform.Error) []byte {
	body := anthropic.ErrorBody(anthropic.ErrorTypeOf(statusOf(e)), errorMessage(e), e.RequestID)
	body.Error.Details = errorDetails(e)
	encoded, err := anthropic.EncodeErrorResponse(body)
	if err != nil { // details are always JSON
		return append(dst,
			`{"type":"error","error":{"type":"api_error","message":"the request failed"}}`...)
	}
	return append(dst, encoded...)
}

// lengthCounts finds the limit and the prompt's token count in OpenAI's message.
var lengthCounts = regexp.MustCompile(`maximum context length is (\d+) tokens\D+(\d+) tokens`)

// errorMessage words an error so that Anthropic's clients react to it. Claude Code shortens the
// conversation after "prompt is too long".
func errorMessage(e *transform.Error) string {
	switch e.Code {
	case transform.CodeTooLong:
		if known := tooLongPrompt(e.Message); known != "" {
			return known
		}
		if counts := lengthCounts.FindStringSubmatch(e.Message); counts != nil {
			return "prompt is too long: " + counts[2] + " tokens > " + counts[1] + " maximum"
		}
		return "prompt is too long: " + e.Message
	case transform.CodeModelNotFound:
		return "model: " + e.Message
	}
	if isOfCapability(e) {
		return capabilityRejected + e.Message
	}
	return e.Message
}

// capabilityRejected begins the message of an error that a request causes with a feature which the
// server does not have. Claude Code sends such a request no second time
// (code.claude.com/docs/en/llm-gateway-protocol).
const capabilityRejected = "capability_rejected: "

// capabilityCodes are the codes of errors that name a feature which Gemini does not have. It is
// read-only.
var capabilityCodes = []string{"unsupported_value", "unsupported_parameter", "lossy_conversion",
	"not_implemented"}

// isOfCapability reports whether an error refuses a feature, or a member of a tool.
func isOfCapability(e *transform.Error) bool {
	return e.Status == http.StatusBadRequest &&
		(slices.Contains(capabilityCodes, e.Code) || strings.HasPrefix(e.Param, "/tools/"))
}

// errorDetails returns the code of an error, and the message that errorMessage has replaced. It
// returns nil for an error without a code.
func errorDetails(e *transform.Error) jsontext.Value {
	if e.Code == "" {
		return nil
	}
	details := struct {
		Code    string `json:"error_code"`
		Param   string `json:"param,omitzero"`
		Message string `json:"upstream_message,omitzero"`
	}{Code: e.Code, Param: e.Param}
	if errorMessage(e) != e.Message {
		details.Message = e.Message
	}
	encoded, err := json.Marshal(details, jsonx.Canonical, jsontext.AllowInvalidUTF8(true))
	if err != nil {
		return nil
	}
	return encoded
}

// formRequest implements [transform.Request].
type formRequest struct {
	in *anthropicapi.CreateMessageRequest
	// answered is the part of the request that the answer depends on. It is kept as long as a
	// stream lasts.
	answered anthropicapi.CreateMessageRequest
	asked    string
	size     int // of the body
	isStream bool
	isEmpty  bool // there is no request
}

func decodeForm(body []byte) (transform.Request, error) {
	in, err := anthropic.DecodeRequest(body)
	if err != nil {
		return nil, err
	}
	r := &formRequest{in: in, answered: *in, asked: in.Model, size: len(body),
		isStream: jsonx.Deref(in.Stream)}
	// These may be large.
	r.answered.Messages, r.answered.System = nil, wiretype.StringOr[[]anthropicapi.ContentBlock]{}
	return r, nil
}

func (r *formRequest) Model() string       { return r.asked }
func (r *formRequest) Streams() bool       { return r.isStream }
func (r *formRequest) CheckMembers() error { return nil }
func (r *formRequest) Body() any           { return r.in }

// Validate validates the request against the older API version, which accepts everything that the
// newer one accepts.
func (r *formRequest) Validate() error {
	return anthropic.ValidateRequest(r.in, anthropic.Version20230601)
}

func (r *formRequest) NotWhole() string {
	if r.isStream {
		return "/stream"
	}
	return ""
}

func (r *formRequest) ToGemini(to transform.Target) (*geminiapi.GenerateContentRequest,
	report.Report, error) {
	if to.Serves {
		r.in.Model, r.in.Stream = "", nil
	}
	opts := []request.Option{request.ForModel(to.Model), request.ForTime(to.Time)}
	if to.ForVertexAI {
		opts = append(opts, request.ForVertexAI())
	}
	if to.Count {
		opts = append(opts, request.ForTokenCount())
	}
	return request.ToGemini(r.in, opts...)
}

func (r *formRequest) Release() int64 {
	r.in = nil
	return transform.Held(r.size,
		func() ([]byte, error) { return anthropic.EncodeRequest(&r.answered) })
}

// options returns the options for converting the answer. The model name must equal the name in the
// request: Claude Code drops the thoughts of answers with another name, and their signatures.
func (r *formRequest) options(o *transform.Options) []Option {
	opts := append(make([]Option, 0, 8), WithModelName(cmp.Or(o.Model, r.asked)))
	if o.ID != "" {
		opts = append(opts, WithID(o.ID))
	}
	if !r.isEmpty {
		opts = append(opts, WithRequest(&r.answered))
	}
	if o.SignID != nil {
		opts = append(opts, WithSignaturesInIDs())
	}
	return opts
}

func (r *formRequest) AppendAnswer(dst []byte, answer *geminiapi.GenerateContentResponse,
	o *transform.Options) ([]byte, report.Report, error) {
	message, entries, err := FromGemini(answer, r.options(o)...)
	return appendMessage(dst, message, o, entries, err)
}

func (r *formRequest) AppendNormalized(dst []byte, answer *normalize.Response,
	o *transform.Options) ([]byte, report.Report, error) {
	message, entries, err := FromNormalized(answer, r.options(o)...)
	return appendMessage(dst, message, o, entries, err)
}

// appendMessage appends a message and passes on the report and the error of its conversion.
func appendMessage(dst []byte, m *anthropicapi.Message, o *transform.Options, entries report.Report,
	err error) ([]byte, report.Report, error) {
	add := func(m *anthropicapi.Message, added transform.Added) {
		m.Unknown = withExtension(m.Unknown, added)
		if added.Usage != nil {
			m.Usage.Unknown = jsonx.MergeObjects(m.Usage.Unknown, added.Usage)
		}
	}
	return answer.Append(dst, m, entries, err, o, add, anthropic.AppendResponse)
}

// withExtension returns unknown members with the extension that a server adds.
func withExtension(unknown jsontext.Value, added transform.Added) jsontext.Value {
	if added.Extension == nil {
		return unknown
	}
	return jsonx.MergeObjects(unknown,
		jsonx.Object("extra_content", jsonx.Object("gemwire", added.Extension)))
}

func (r *formRequest) Stream(o *transform.Options) transform.Stream {
	return &formStream{request: r, options: o}
}

// formStream implements [transform.Stream].
type formStream struct {
	request *formRequest
	options *transform.Options
	events  *Stream // nil before the answer starts
}

// source returns the converter of the answer. It is created when the answer starts, because the
// prompt's token count is not known earlier.
func (s *formStream) source() *Stream {
	if s.events == nil {
		// each event is written at once
		opts := append(s.request.options(s.options), WithReusedEvents(),
			WithInputTokens(s.options.InputTokens))
		if s.options.LossesOnly {
			opts = append(opts, WithLossesOnly())
		}
		s.events = NewStream(opts...)
	}
	return s.events
}

func (s *formStream) Push(dst []byte, chunk *geminiapi.GenerateContentResponse) ([]byte, error) {
	events, err := answer.PushStrict(s.source(), chunk, s.options)
	return answer.AppendEvents(dst, events, err, s.options, appendEvent)
}

func (s *formStream) Close(dst []byte, err error) ([]byte, error) {
	events, err := s.source().Close(err)
	if err != nil {
		return answer.AppendEvents(dst, events, err, s.options, appendEvent)
	}
	added, err := s.options.AddedBy(s.source().Report())
	if err != nil {
		return dst, err
	}
	for i := range events {
		if e := &events[i]; e.Type == anthropicapi.EventTypeMessageDelta {
			e.Unknown = withExtension(e.Unknown, added)
			if e.Usage != nil && added.Usage != nil {
				e.Usage.Unknown = jsonx.MergeObjects(e.Usage.Unknown, added.Usage)
			}
		}
	}
	return answer.AppendEvents(dst, events, nil, s.options, appendEvent)
}

func appendEvent(dst []byte, e *anthropicapi.StreamEvent) ([]byte, error) {
	dst, err := anthropic.AppendEvent(eventtext.AppendName(dst, string(e.Type)), e)
	return append(dst, eventtext.End...), err
}

func (s *formStream) Fail(dst []byte, err error) []byte {
	dst = eventtext.AppendName(dst, string(anthropicapi.EventTypeError))
	if e, ok := errors.AsType[*transform.Error](err); ok {
		dst = appendError(dst, e)
	} else if _, body := FromError(err); body != nil {
		data, failed := anthropic.EncodeErrorResponse(body)
		if failed == nil {
			dst = append(dst, data...)
		}
	}
	return append(dst, eventtext.End...)
}

// Heartbeat appends a ping, which is allowed anywhere in a stream.
func (s *formStream) Heartbeat(dst []byte) []byte {
	return append(append(eventtext.AppendName(dst, "ping"), `{"type":"ping"}`...), eventtext.End...)
}

func (s *formStream) Report() report.Report { return s.source().Report() }
func (s *formStream) Lost() report.Report   { return s.source().Lost() }

// counterparts are the pairs of members for [transform.Form].
var counterparts = transform.Counterparts{
	Request: [][2]string{
		{"/messages", "/contents"},
		{"/system", "/systemInstruction"},
		{"/tools", "/tools"},
		{"/tool_choice", "/toolConfig"},
		{"/max_tokens", "/generationConfig/maxOutputTokens"},
		{"/temperature", "/generationConfig/temperature"},
		{"/top_p", "/generationConfig/topP"},
		{"/top_k", "/generationConfig/topK"},
		{"/stop_sequences", "/generationConfig/stopSequences"},
		{"/thinking", "/generationConfig/thinkingConfig"},
		{"/output_config", "/generationConfig/responseJsonSchema"},
		{"/output_config", "/generationConfig/responseSchema"},
		{"/output_config", "/generationConfig/thinkingConfig"},
		{"/service_tier", "/serviceTier"},
		{"/metadata", "/labels"},
	},
	Response: [][2]string{
		{"/candidates/0/content", "/content"},
		{"/candidates/0/content", "/content_block"},
		{"/candidates/0/content", "/delta"},
		{"/candidates/0/finishReason", "/stop_reason"},
		{"/candidates/0/finishReason", "/delta/stop_reason"},
		{"/usageMetadata", "/usage"},
		{"/responseId", "/id"},
		{"/modelVersion", "/model"},
	},
}
