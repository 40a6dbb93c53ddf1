package interactions

import (
	"cmp"
	"errors"
	"io"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/internal/eventtext"
	"github.com/gemwire/gemwire/internal/jsonx"
	wire "github.com/gemwire/gemwire/pkg/interactions"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform"
	"github.com/gemwire/gemwire/pkg/transform/interactions/request"
	"github.com/gemwire/gemwire/pkg/transform/internal/answer"
	"github.com/gemwire/gemwire/pkg/transform/internal/copyevents"
	"github.com/go-json-experiment/json/jsontext"
)

// Form returns the Interactions API as a form, for tables of forms.
func Form() *transform.Form {
	return &transform.Form{
		Name: "interactions", Paths: []string{"/v1beta/interactions", "/v1/interactions"},
		IDHeader: "X-Request-Id",
		Decode:   decodeForm,
		Memory:   transform.StoredInteractions,
		New: func() transform.Request {
			return &formRequest{in: &interactionsapi.CreateInteractionRequest{}, isEmpty: true}
		},
		AppendError: appendError,
		Request: transform.Document{
			Name:       "interactions-request",
			About:      "body of a request to Google's Interactions API",
			CheckAbout: "decodes, and follows the rules of the Interactions API for requests",
			Is:         isRequest,
			Recode:     copyevents.Recoder(wire.DecodeRequest, wire.EncodeRequest),
		},
		Response: transform.Document{
			Name: "interactions-response", About: "an interaction of that API",
			CheckAbout: "is what Google's Interactions API sends",
			Is: func(names map[string]bool, _ string) bool {
				return names["steps"] && names["status"]
			},
			Mark: "status", Kinds: []string{"interaction"},
			Recode: copyevents.Recoder(wire.DecodeResponse, wire.EncodeResponse),
			Check:  wire.CheckResponse,
		},
		Stream: transform.Document{
			Name: "interactions-stream", About: "events of a streamed interaction",
			CheckAbout: "has events that the Interactions API sends, in their order",
			Is: func(names map[string]bool, _ string) bool {
				return names["eventtype"] && names["interaction"]
			},
			Copy:  copyevents.Copier(wire.NewStreamReader, newEventWriter),
			Check: wire.CheckStream,
		},
		Counterparts: counterparts,
	}
}

// isRequest reports whether a request with an input has a member that only the Interactions API
// has.
func isRequest(names map[string]bool, _ string) bool {
	return names["input"] && !names["steps"] &&
		(names["generationconfig"] || names["systeminstruction"] || names["agent"] ||
			names["responseformat"] || names["previousinteractionid"] || names["agentconfig"] ||
			names["responsemodalities"])
}

// newEventWriter returns functions that write the body of a streamed interaction. An error of the
// server is written as an event.
func newEventWriter(out io.Writer) (write func(*interactionsapi.StreamEvent) error,
	fail func(error) (bool, error)) {
	body := wire.NewStreamWriter(out)
	return func(e *interactionsapi.StreamEvent) error { return body.Write(*e) },
		func(err error) (bool, error) {
			failure, ok := errors.AsType[*wire.Error](err)
			if !ok {
				return false, nil
			}
			return true, body.Fail(&failure.Response)
		}
}

// codes maps the codes of errors that the Interactions API words differently. It is never written
// to.
var codes = map[string]string{
	transform.CodeModelNotFound: wire.CodeModelNotFound,
	transform.CodeTooLong:       wire.CodeInvalidRequest,
	"unknown_parameter":         wire.CodeParameterUnknown,
	transform.TypeQuota:         wire.CodeQuotaExceeded,
}

// codeOf returns the code of an error.
func codeOf(e *transform.Error) string { return cmp.Or(codes[e.Code], wire.CodeOf(e.Status)) }

// appendError appends an error as the Interactions API reports it.
func appendError(dst []byte, e *transform.Error) []byte {
	body, err := wire.EncodeErrorResponse(wire.ErrorBody(codeOf(e), e.Message))
	if err != nil { // there are no free-form members
		return append(dst, `{"error":{"message":"the request failed","code":"internal"}}`...)
	}
	return append(dst, body...)
}

// Continuation is implemented by the requests of [Form].
type Continuation interface {
	// Continue sets the steps of the interaction that the request continues, as
	// [request.WithHistory] does. A server that stores interactions calls it before the request is
	// converted.
	Continue(steps []interactionsapi.Step)
}

// formRequest implements [transform.Request] and [Continuation].
type formRequest struct {
	in *interactionsapi.CreateInteractionRequest
	// answered is the part of the request that the answer depends on. It is kept as long as a
	// stream lasts.
	answered interactionsapi.CreateInteractionRequest
	asked    string
	size     int // of the body
	isStream bool
	isEmpty  bool // there is no request

	history    []interactionsapi.Step
	hasHistory bool
}

func decodeForm(body []byte) (transform.Request, error) {
	in, err := wire.DecodeRequest(body)
	if err != nil {
		return nil, err
	}
	return &formRequest{
		in: in, asked: jsonx.Deref(in.Model), size: len(body), isStream: jsonx.Deref(in.Stream),
		answered: interactionsapi.CreateInteractionRequest{Model: in.Model, Agent: in.Agent,
			PreviousInteractionID: in.PreviousInteractionID},
	}, nil
}

func (r *formRequest) Model() string       { return r.asked }
func (r *formRequest) Streams() bool       { return r.isStream }
func (r *formRequest) CheckMembers() error { return nil }
func (r *formRequest) Body() any           { return r.in }
func (r *formRequest) Validate() error     { return wire.ValidateRequest(r.in) }

func (r *formRequest) Continue(steps []interactionsapi.Step) {
	r.history, r.hasHistory = steps, true
}

func (r *formRequest) NotWhole() string {
	switch {
	case r.isStream:
		return "/stream"
	case jsonx.Deref(r.in.Background):
		return "/background"
	default:
		return ""
	}
}

func (r *formRequest) ToGemini(to transform.Target) (*geminiapi.GenerateContentRequest,
	report.Report, error) {
	opts := []request.Option{request.ForModel(to.Model), request.ForTime(to.Time)}
	if to.Serves {
		r.in.Model, r.in.Stream = nil, nil
	}
	if to.ForVertexAI {
		opts = append(opts, request.ForVertexAI())
	}
	if to.Stores {
		opts = append(opts, request.WithStore())
	}
	if r.hasHistory {
		opts = append(opts, request.WithHistory(r.history))
	}
	return request.ToGemini(r.in, opts...)
}

func (r *formRequest) Release() int64 {
	r.in, r.history = nil, nil
	return transform.Held(r.size,
		func() ([]byte, error) { return wire.EncodeRequest(&r.answered) })
}

// options returns the options for converting the answer.
func (r *formRequest) options(o *transform.Options) []Option {
	opts := make([]Option, 0, 8)
	if !r.isEmpty {
		opts = append(opts, WithRequest(&r.answered))
	}
	opts = append(opts, WithModelName(o.Model), WithID(o.ID))
	if !r.isEmpty && !o.Stored && o.ID == "" { // a server answers and stores nothing
		opts = append(opts, WithoutID())
	}
	if !o.Created.IsZero() {
		opts = append(opts, WithCreated(o.Created))
	}
	if o.WithoutExtensions {
		opts = append(opts, WithoutExtensions())
	}
	return opts
}

func (r *formRequest) AppendAnswer(dst []byte, answer *geminiapi.GenerateContentResponse,
	o *transform.Options) ([]byte, report.Report, error) {
	out, entries, err := FromGemini(answer, r.options(o)...)
	return appendInteraction(dst, out, o, entries, err)
}

func (r *formRequest) AppendNormalized(dst []byte, answer *normalize.Response,
	o *transform.Options) ([]byte, report.Report, error) {
	out, entries, err := FromNormalized(answer, r.options(o)...)
	return appendInteraction(dst, out, o, entries, err)
}

// appendInteraction appends an interaction and passes on the report and the error of its
// conversion.
func appendInteraction(dst []byte, in *interactionsapi.Interaction, o *transform.Options,
	entries report.Report, err error) ([]byte, report.Report, error) {
	return answer.Append(dst, in, entries, err, o, addServer, wire.AppendResponse)
}

// addServer adds the members of a server to an interaction.
func addServer(in *interactionsapi.Interaction, added transform.Added) {
	if added.Extension != nil {
		in.Unknown = withServerExtension(in.Unknown, added.Extension)
	}
	if added.Usage != nil && in.Usage != nil {
		in.Usage.Unknown = jsonx.MergeObjects(in.Usage.Unknown, added.Usage)
	}
}

// withServerExtension returns unknown members with the extension of a server, next to that of
// Google.
func withServerExtension(unknown, server jsontext.Value) jsontext.Value {
	extra := jsonx.Object("gemwire", server)
	if unknown != nil {
		extra = jsonx.MergeObjects(jsonx.Member(unknown, "extra_content"), extra)
	}
	return jsonx.MergeObjects(unknown, jsonx.Object("extra_content", extra))
}

func (r *formRequest) Stream(o *transform.Options) transform.Stream {
	opts := r.options(o)
	if !o.Stored { // each event is written at once, and not kept
		opts = append(opts, WithReusedEvents())
	}
	if o.LossesOnly {
		opts = append(opts, WithLossesOnly())
	}
	return &formStream{events: NewStream(opts...), options: o}
}

// formStream implements [transform.Stream].
type formStream struct {
	events  *Stream
	options *transform.Options
}

func (s *formStream) Push(dst []byte, chunk *geminiapi.GenerateContentResponse) ([]byte, error) {
	events, err := answer.PushStrict(s.events, chunk, s.options)
	return answer.AppendEvents(dst, events, err, s.options, appendEvent)
}

func (s *formStream) Close(dst []byte, err error) ([]byte, error) {
	events, err := s.events.Close(err)
	if err != nil {
		return answer.AppendEvents(dst, events, err, s.options, appendEvent)
	}
	added, err := s.options.AddedBy(s.events.Report())
	if err != nil {
		return dst, err
	}
	for i := range events {
		if events[i].EventType == interactionsapi.EventTypeInteractionCompleted {
			addServer(events[i].Interaction, added)
		}
	}
	return answer.AppendEvents(dst, events, nil, s.options, appendEvent)
}

// appendEvent appends an event with its name. The last event has the mark of the end after it.
func appendEvent(dst []byte, e *interactionsapi.StreamEvent) ([]byte, error) {
	before := dst
	dst, err := wire.AppendEvent(eventtext.AppendName(dst, string(e.EventType)), e)
	if err != nil {
		return before, err
	}
	dst = append(dst, eventtext.End...)
	if e.EventType == interactionsapi.EventTypeInteractionCompleted {
		dst = append(dst, eventtext.Name+"done\n"+eventtext.DoneMark...)
	}
	return dst, nil
}

func (s *formStream) Fail(dst []byte, err error) []byte {
	body := &interactionsapi.ErrorResponse{}
	if e, ok := errors.AsType[*transform.Error](err); ok {
		body = wire.ErrorBody(codeOf(e), e.Message)
	} else if _, converted := FromError(err); converted != nil {
		body = converted
	}
	data, failed := wire.EncodeErrorResponse(body)
	if failed != nil {
		data = []byte(`{}`)
	}
	data = jsonx.MergeObjects(data, jsonx.Object("event_type", jsontext.Value(`"error"`)))
	dst = append(eventtext.AppendName(dst, string(interactionsapi.EventTypeError)), data...)
	return append(dst, eventtext.End...)
}

// Heartbeat appends a comment, which clients skip.
func (s *formStream) Heartbeat(dst []byte) []byte { return eventtext.AppendComment(dst) }

func (s *formStream) Report() report.Report { return s.events.Report() }
func (s *formStream) Lost() report.Report   { return s.events.Lost() }

// counterparts are the pairs of members for [transform.Form].
var counterparts = transform.Counterparts{
	Request: [][2]string{
		{"/input", "/contents"},
		{"/system_instruction", "/systemInstruction"},
		{"/tools", "/tools"},
		{"/generation_config", "/generationConfig"},
		{"/generation_config/tool_choice", "/toolConfig"},
		{"/generation_config/max_output_tokens", "/generationConfig/maxOutputTokens"},
		{"/generation_config/temperature", "/generationConfig/temperature"},
		{"/generation_config/top_p", "/generationConfig/topP"},
		{"/generation_config/seed", "/generationConfig/seed"},
		{"/generation_config/stop_sequences", "/generationConfig/stopSequences"},
		{"/generation_config/thinking_level", "/generationConfig/thinkingConfig"},
		{"/generation_config/thinking_summaries", "/generationConfig/thinkingConfig"},
		{"/generation_config/speech_config", "/generationConfig/speechConfig"},
		{"/response_format", "/generationConfig/responseJsonSchema"},
		{"/response_format", "/generationConfig/responseSchema"},
		{"/response_modalities", "/generationConfig/responseModalities"},
		{"/safety_settings", "/safetySettings"},
		{"/service_tier", "/serviceTier"},
		{"/labels", "/labels"},
		{"/store", "/store"},
	},
	Response: [][2]string{
		{"/candidates/0/content", "/steps"},
		{"/candidates/0/content", "/step"},
		{"/candidates/0/content", "/delta"},
		{"/candidates/0/finishReason", "/status"},
		{"/candidates/0/finishReason", "/interaction/status"},
		{"/usageMetadata", "/usage"},
		{"/usageMetadata", "/interaction/usage"},
		{"/responseId", "/id"},
		{"/modelVersion", "/model"},
		{"/createTime", "/created"},
	},
}
