package responses

import (
	"cmp"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/internal/nearest"
	"github.com/gemwire/gemwire/pkg/normalize"
	responseswire "github.com/gemwire/gemwire/pkg/openai/responses"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform"
	"github.com/gemwire/gemwire/pkg/transform/internal/answer"
	"github.com/gemwire/gemwire/pkg/transform/internal/copyevents"
	"github.com/gemwire/gemwire/pkg/transform/internal/openaianswer"
	"github.com/gemwire/gemwire/pkg/transform/responses/request"
	"github.com/gemwire/gemwire/pkg/wiretype"
	"github.com/go-json-experiment/json/jsontext"
)

// Form returns the Responses API as a form, for tables of forms.
func Form() *transform.Form {
	return &transform.Form{
		Name: "responses", Paths: []string{"/v1/responses", "/v1beta/openai/responses"},
		CountName:  "input_tokens",
		CountPaths: []string{"/v1/responses/input_tokens", "/v1beta/openai/responses/input_tokens"},
		IDHeader:   "X-Request-Id", TimeHeader: "Openai-Processing-Ms",
		Decode:      decodeForm,
		New:         func() transform.Request { return &formRequest{in: &openaiapi.CreateResponseRequest{}, isEmpty: true} },
		DecodeCount: decodeCount, AppendCount: appendCount,
		AppendError: func(dst []byte,
			e *transform.Error) []byte {
			return openaianswer.AppendError(dst, inTerms(e))
		},
		HasHeartbeat: true, Memory: transform.StoredResponses,
		Request: transform.Document{
			Name: "responses-request", About: "body of a request to OpenAI's Responses API",
			CheckAbout: "decodes, and follows the rules of the Responses API for requests",
			Is: func(names map[string]bool, _ string) bool {
				return names["input"] && !names["output"] && !names["messages"] && !names["choices"]
			},
			Recode: copyevents.Recoder(responseswire.DecodeRequest, responseswire.EncodeRequest),
		},
		Response: transform.Document{
			Name: "responses-response", About: "a response of that API",
			CheckAbout: "is what OpenAI's Responses API sends",
			Is: func(names map[string]bool,
				_ string) bool {
				return names["output"] && names["model"]
			},
			Mark: "output", Kinds: []string{"response"},
			Recode: copyevents.Recoder(responseswire.DecodeResponse, responseswire.EncodeResponse),
			Check:  responseswire.CheckResponse,
		},
		Stream: transform.Document{
			Name: "responses-stream", About: "events of a streamed response",
			CheckAbout: "has events that the Responses API sends, in the order that its clients require",
			Is: func(_ map[string]bool,
				kind string) bool {
				return strings.HasPrefix(kind, "response.")
			},
			Copy:  copyevents.Copier(responseswire.NewStreamReader, newEventWriter),
			Check: responseswire.CheckStream,
		},
		Counterparts: counterparts,
	}
}

// codeOverloaded is the code of an overloaded server in an HTTP error. As the code of a failed
// response it ends the work of codex (0.169), so there it is codeRetried.
const (
	codeOverloaded = "server_is_overloaded"
	codeRetried    = "server_error"
)

// inTerms words an error so that clients of the Responses API react to it.
func inTerms(e *transform.Error) *transform.Error {
	out := *e
	if e.Status == http.StatusServiceUnavailable {
		out.Code = codeOverloaded
	}
	if e.Status == http.StatusTooManyRequests && e.RetryAfter > 0 &&
		!strings.Contains(e.Message, "try again in") {
		out.Message += "; try again in " +
			strconv.FormatFloat(e.RetryAfter.Seconds(), 'f', -1, 64) + "s"
	}
	return &out
}

// formRequest implements [transform.Request].
type formRequest struct {
	in *openaiapi.CreateResponseRequest
	// answered is the part of the request that the answer depends on. It is kept as long as a
	// stream lasts.
	answered openaiapi.CreateResponseRequest
	asked    string
	unknown  jsontext.Value
	size     int // of the body
	isStream bool
	isEmpty  bool // there is no request
}

func decodeForm(body []byte) (transform.Request, error) {
	in, err := responseswire.DecodeRequest(body)
	if err != nil {
		return nil, err
	}
	r := &formRequest{
		in: in, answered: *in, asked: jsonx.Deref(in.Model), unknown: in.Unknown, size: len(body),
		isStream: jsonx.Deref(in.Stream),
	}
	return r, nil
}

func decodeCount(body []byte) (transform.Request, error) {
	in, err := responseswire.DecodeCountRequest(body)
	if err != nil {
		return nil, err
	}
	return &formRequest{asked: jsonx.Deref(in.Model), unknown: in.Unknown,
		in: &openaiapi.CreateResponseRequest{
			Conversation: in.Conversation, Input: in.Input, Instructions: in.Instructions,
			ParallelToolCalls:  in.ParallelToolCalls,
			PreviousResponseID: in.PreviousResponseID, Reasoning: in.Reasoning, Text: in.Text,
			ToolChoice: in.ToolChoice,
			Tools:      in.Tools, Truncation: in.Truncation,
		}}, nil
}

func appendCount(dst []byte, tokens int) ([]byte, error) {
	body, err := responseswire.EncodeCount(
		&openaiapi.CountInputTokensResponse{Object: openaiapi.ObjectTypeResponseInputTokens,
			InputTokens: tokens})
	return append(dst, body...), err
}

// declaringItems returns the items of an input that declare tools. Calls are identified by these
// tools.
func declaringItems(input wiretype.StringOr[[]openaiapi.ResponseItem]) wiretype.StringOr[[]openaiapi.ResponseItem] {
	items, _ := input.AsValue()
	var out []openaiapi.ResponseItem
	for i := range items {
		if kind := items[i].Type; kind == openaiapi.ResponseItemTypeAdditionalTools ||
			kind == openaiapi.ResponseItemTypeToolSearchOutput {
			out = append(out, items[i])
		}
	}
	if out == nil {
		return wiretype.StringOr[[]openaiapi.ResponseItem]{}
	}
	return wiretype.ValueOf(out)
}

func (r *formRequest) Model() string   { return r.asked }
func (r *formRequest) Streams() bool   { return r.isStream }
func (r *formRequest) Validate() error { return responseswire.ValidateRequest(r.in) }
func (r *formRequest) Body() any       { return r.in }

func (r *formRequest) NotWhole() string {
	switch {
	case jsonx.Deref(r.answered.Background):
		return "/background"
	case r.isStream:
		return "/stream"
	default:
		return ""
	}
}

// CheckMembers refuses an unknown member that seems to mean another one: a misspelled one, or one
// with its name in chat completions. Other unknown members are lost instead, because agents send
// new members of OpenAI's API from the first day. So are members that only a request for a response
// has, in a request for its input tokens.
func (r *formRequest) CheckMembers() error {
	for _, name := range request.UnknownMembers(r.unknown) {
		if slices.Contains(knownMembers, name) {
			continue
		}
		if meant := cmp.Or(chatNames[name], nearest.Name(name, knownMembers)); meant != "" {
			return &transform.MemberError{Name: name, Meant: meant}
		}
	}
	return nil
}

// chatNames maps chat completions names of request members to their names here. It is never
// modified.
var chatNames = map[string]string{
	"function_call":         "tool_choice",
	"functions":             "tools",
	"max_completion_tokens": "max_output_tokens",
	"max_tokens":            "max_output_tokens",
	"messages":              "input",
	"reasoning_effort":      "reasoning.effort",
	"response_format":       "text.format",
	"verbosity":             "text.verbosity",
}

// knownMembers lists the members of a request. It is never modified.
var knownMembers = []string{
	"access_programs", "background", "client_metadata", "context_management", "conversation",
	"extra_body", "image", "include", "input", "instructions",
	"max_output_tokens", "max_tool_calls", "metadata", "model", "moderation", "parallel_tool_calls",
	"previous_response_id",
	"prompt", "prompt_cache_key", "prompt_cache_options", "prompt_cache_retention", "reasoning",
	"safety_identifier",
	"service_tier", "store", "stream", "stream_options", "temperature", "text", "tool_choice",
	"tools", "top_logprobs",
	"top_p", "truncation", "user",
}

func (r *formRequest) ToGemini(to transform.Target) (*geminiapi.GenerateContentRequest,
	report.Report, error) {
	if to.Serves {
		r.in.Model, r.in.Stream, r.in.StreamOptions = nil, nil, nil
	}
	opts := []request.Option{request.ForModel(to.Model), request.ForTime(to.Time)}
	if to.ForVertexAI {
		opts = append(opts, request.ForVertexAI())
	}
	if to.Stores {
		opts = append(opts, request.WithStore())
	}
	return request.ToGemini(r.in, opts...)
}

func (r *formRequest) Release() int64 {
	r.in = nil
	return transform.Held(r.size,
		func() ([]byte, error) { return responseswire.EncodeRequest(&r.answered) })
}

func (r *formRequest) options(o *transform.Options) []Option {
	if r.in != nil {
		r.answered.Input = declaringItems(r.in.Input) // a server may have added items
	}
	opts := append(make([]Option, 0, 8), WithID(o.ID), WithModelName(cmp.Or(o.Model, r.asked)))
	if !o.Created.IsZero() {
		opts = append(opts, WithCreated(o.Created))
	}
	if !r.isEmpty {
		opts = append(opts, WithRequest(&r.answered))
	}
	if o.Stored {
		opts = append(opts, WithStore())
	}
	if o.FirstItems != nil {
		opts = append(opts, WithFirstItems(o.FirstItems))
	}
	if o.WithoutExtensions {
		opts = append(opts, WithoutExtensions())
	}
	return opts
}

func (r *formRequest) AppendAnswer(dst []byte, answer *geminiapi.GenerateContentResponse,
	o *transform.Options) ([]byte, report.Report, error) {
	response, entries, err := FromGemini(answer, r.options(o)...)
	return appendResponse(dst, response, o, entries, err)
}

func (r *formRequest) AppendNormalized(dst []byte, answer *normalize.Response,
	o *transform.Options) ([]byte, report.Report, error) {
	response, entries, err := FromNormalized(answer, r.options(o)...)
	return appendResponse(dst, response, o, entries, err)
}

// appendResponse appends a response and passes on the report and the error of its conversion.
func appendResponse(dst []byte, response *openaiapi.Response, o *transform.Options,
	entries report.Report, err error) ([]byte, report.Report, error) {
	return answer.Append(dst, response, entries, err, o, addMembers, responseswire.AppendResponse)
}

// addMembers adds a server's members to a complete response.
func addMembers(response *openaiapi.Response, added transform.Added) {
	var usage *jsontext.Value
	if response.Usage != nil {
		usage = &response.Usage.Unknown
	}
	openaianswer.AddMembers(&response.ExtraContent, usage, added)
}

func (r *formRequest) Stream(o *transform.Options) transform.Stream {
	opts := append(r.options(o), WithReusedEvents()) // each is written at once
	if o.LossesOnly {
		opts = append(opts, WithLossesOnly())
	}
	return &formStream{events: NewStream(opts...), options: o,
		inBackground: o.Stored && jsonx.Deref(r.answered.Background)}
}

// counterparts are the pairs of members for [transform.Form].
var counterparts = transform.Counterparts{
	Request: [][2]string{
		{"/input", "/contents"},
		{"/input", "/systemInstruction"},
		{"/instructions", "/systemInstruction"},
		{"/tools", "/tools"},
		{"/tool_choice", "/toolConfig"},
		{"/parallel_tool_calls", "/toolConfig"},
		{"/max_output_tokens", "/generationConfig/maxOutputTokens"},
		{"/temperature", "/generationConfig/temperature"},
		{"/top_p", "/generationConfig/topP"},
		{"/top_logprobs", "/generationConfig/logprobs"},
		{"/reasoning", "/generationConfig/thinkingConfig"},
		{"/text", "/generationConfig/responseJsonSchema"},
		{"/text", "/generationConfig/responseSchema"},
		{"/text", "/generationConfig/responseMimeType"},
		{"/service_tier", "/serviceTier"},
		{"/metadata", "/labels"},
	},
	Response: [][2]string{
		{"/candidates/0/content", "/output"},
		{"/candidates/0/content", "/response/output"},
		{"/candidates/0/content", "/item"},
		{"/candidates/0/content", "/delta"},
		{"/candidates/0/finishReason", "/status"},
		{"/candidates/0/finishReason", "/response/status"},
		{"/usageMetadata", "/usage"},
		{"/usageMetadata", "/response/usage"},
		{"/responseId", "/id"},
		{"/modelVersion", "/model"},
	},
}
