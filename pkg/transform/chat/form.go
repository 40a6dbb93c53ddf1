package chat

import (
	"cmp"
	"errors"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/eventtext"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/openai"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform"
	"github.com/gemwire/gemwire/pkg/transform/chat/request"
	"github.com/gemwire/gemwire/pkg/transform/internal/answer"
	"github.com/gemwire/gemwire/pkg/transform/internal/copyevents"
	"github.com/gemwire/gemwire/pkg/transform/internal/openaianswer"
	"github.com/go-json-experiment/json/jsontext"
)

// Form returns chat completions as a form, for tables of forms.
func Form() *transform.Form {
	return &transform.Form{
		Name:     "chat_completions",
		Paths:    []string{"/v1/chat/completions", "/v1beta/openai/chat/completions"},
		IDHeader: "X-Request-Id", TimeHeader: "Openai-Processing-Ms",
		Decode:      decodeForm,
		New:         func() transform.Request { return &formRequest{in: &openaiapi.CreateChatCompletionRequest{}} },
		AppendError: openaianswer.AppendError, Broken: transform.BrokenSilent,
		Memory: transform.CallSignatures,
		Request: transform.Document{
			Name: "openai-request", About: "body of a chat_completions request",
			CheckAbout: "decodes, and follows the rules of chat_completions for requests",
			Is:         func(names map[string]bool, _ string) bool { return names["messages"] },
			Recode:     copyevents.Recoder(openai.DecodeRequest, openai.EncodeRequest),
		},
		Response: transform.Document{
			Name: "openai-response", About: "a chat completion",
			CheckAbout: "is what OpenAI's chat_completions sends",
			Is:         func(names map[string]bool, _ string) bool { return names["choices"] },
			Mark:       "choices", Kinds: []string{"chat.completion", "chat.completion.chunk"},
			Recode: copyevents.Recoder(openai.DecodeResponse, openai.EncodeResponse),
			Check:  openai.CheckResponse,
		},
		Stream: transform.Document{
			Name: "openai-stream", About: "chat completion chunks as server-sent events",
			CheckAbout: "has chunks that chat_completions sends, and ends in [DONE] or an error",
			Is:         func(names map[string]bool, _ string) bool { return names["choices"] },
			Copy:       copyStream, Check: openai.CheckStream,
		},
		Counterparts: counterparts,
	}
}

// formRequest implements [transform.Request].
type formRequest struct {
	in                     *openaiapi.CreateChatCompletionRequest
	asked                  string
	tools                  toolNames
	isStream, includeUsage bool
}

func decodeForm(body []byte) (transform.Request, error) {
	in, err := openai.DecodeRequest(body)
	if err != nil {
		return nil, err
	}
	r := &formRequest{in: in, asked: in.Model, tools: toolNamesOf(in),
		isStream: jsonx.Deref(in.Stream)}
	if in.StreamOptions != nil {
		r.includeUsage = jsonx.Deref(in.StreamOptions.IncludeUsage)
	}
	return r, nil
}

func (r *formRequest) Model() string   { return r.asked }
func (r *formRequest) Streams() bool   { return r.isStream }
func (r *formRequest) Validate() error { return openai.ValidateRequest(r.in) }
func (r *formRequest) Body() any       { return r.in }

func (r *formRequest) NotWhole() string {
	if r.isStream {
		return "/stream"
	}
	return ""
}

// CheckMembers refuses all unknown members, as OpenAI does. An error that follows from one, such as
// missing messages, would be misleading. Members of other servers are lost instead if only their
// shape is unknown. Nested unknown members are lost too, because clients of other servers send
// many.
func (r *formRequest) CheckMembers() error {
	for _, name := range request.UnknownMembers(r.in) {
		if !openai.IsForeignMember(name) {
			return transform.NewMemberError(name, knownMembers)
		}
	}
	return nil
}

// knownMembers lists the members of a request. It is never modified.
var knownMembers = []string{
	"audio", "enable_thinking", "extra_body", "frequency_penalty", "function_call", "functions",
	"logit_bias", "logprobs",
	"max_completion_tokens", "max_tokens", "messages", "metadata", "modalities", "model",
	"moderation", "n",
	"parallel_tool_calls", "prediction", "presence_penalty", "prompt_cache_key",
	"prompt_cache_options",
	"prompt_cache_retention", "random_seed", "reasoning", "reasoning_effort", "response_format",
	"safety_identifier",
	"seed", "service_tier", "stop", "store", "stream", "stream_options", "temperature", "thinking",
	"thinking_budget",
	"tool_choice", "tools", "top_logprobs", "top_p", "user", "verbosity", "web_search_options",
}

func (r *formRequest) ToGemini(to transform.Target) (*geminiapi.GenerateContentRequest,
	report.Report, error) {
	if to.Serves {
		r.in.Model, r.in.Stream, r.in.StreamOptions = "", nil, nil
	}
	opts := []request.Option{request.ForModel(to.Model), request.ForTime(to.Time)}
	if to.ForVertexAI {
		opts = append(opts, request.ForVertexAI())
	}
	return request.ToGemini(r.in, opts...)
}

func (r *formRequest) Release() int64 {
	r.in = nil
	return 0
}

func (r *formRequest) options(o *transform.Options) []Option {
	opts := append(make([]Option, 0, 8), WithModelName(cmp.Or(o.Model, r.asked)))
	if o.ID != "" {
		opts = append(opts, WithID(o.ID))
	}
	if !o.Created.IsZero() {
		opts = append(opts, WithCreated(o.Created))
	}
	if o.SignID != nil {
		opts = append(opts, WithSignatureCarrier(o.SignID))
	}
	if r.tools != nil {
		opts = append(opts, func(o *options) { o.tools = r.tools })
	}
	if o.WithoutExtensions {
		opts = append(opts, WithoutExtensions())
	}
	return opts
}

func (r *formRequest) AppendAnswer(dst []byte, answer *geminiapi.GenerateContentResponse,
	o *transform.Options) ([]byte, report.Report, error) {
	completion, entries, err := FromGemini(answer, r.options(o)...)
	return appendCompletion(dst, completion, o, entries, err)
}

func (r *formRequest) AppendNormalized(dst []byte, answer *normalize.Response,
	o *transform.Options) ([]byte, report.Report, error) {
	completion, entries, err := FromNormalized(answer, r.options(o)...)
	return appendCompletion(dst, completion, o, entries, err)
}

// appendCompletion appends a completion and passes on the report and the error of its conversion.
func appendCompletion(dst []byte, c *openaiapi.CreateChatCompletionResponse, o *transform.Options,
	entries report.Report, err error) ([]byte, report.Report, error) {
	add := func(c *openaiapi.CreateChatCompletionResponse, added transform.Added) {
		openaianswer.AddMembers(&c.ExtraContent, unknownOf(c.Usage), added)
	}
	return answer.Append(dst, c, entries, err, o, add, openai.AppendResponse)
}

// unknownOf returns the location of a usage's unknown members, or nil if there is no usage.
func unknownOf(usage *openaiapi.CompletionUsage) *jsontext.Value {
	if usage == nil {
		return nil
	}
	return &usage.Unknown
}

func (r *formRequest) Stream(o *transform.Options) transform.Stream {
	opts := append(r.options(o), WithReusedEvents()) // each is written at once
	if r.includeUsage || o.Usage {
		opts = append(opts, WithUsage())
	}
	if o.LossesOnly {
		opts = append(opts, WithLossesOnly())
	}
	return &formStream{Stream: NewStream(opts...), options: o,
		model: cmp.Or(o.Model, r.asked, "gemini")}
}

// formStream implements [transform.Stream].
type formStream struct {
	*Stream
	options *transform.Options
	model   string
}

func (s *formStream) Push(dst []byte, chunk *geminiapi.GenerateContentResponse) ([]byte, error) {
	// Ungrounded is known when the request was converted, which is after the stream was made.
	s.keepsShape = s.options.Ungrounded
	chunks, err := answer.PushStrict(s.Stream, chunk, s.options)
	return answer.AppendEvents(dst, chunks, err, s.options, appendEvent)
}

func (s *formStream) Close(dst []byte, err error) ([]byte, error) {
	chunks, err := s.Stream.Close(err)
	if err == nil && len(chunks) > 0 {
		added, refused := s.options.AddedBy(s.Report())
		if refused != nil {
			return dst, refused
		}
		last := &chunks[len(chunks)-1]
		openaianswer.AddMembers(&last.ExtraContent, unknownOf(last.Usage), added)
	}
	if dst, err = answer.AppendEvents(dst, chunks, err, s.options, appendEvent); err != nil {
		return dst, err
	}
	return append(dst, eventtext.DoneMark...), nil
}

func appendEvent(dst []byte, c *chunk) ([]byte, error) {
	dst, err := openai.AppendChunk(append(dst, eventtext.Start...), c)
	return append(dst, eventtext.End...), err
}

func (s *formStream) Fail(dst []byte, err error) []byte {
	dst = append(dst, eventtext.Start...)
	if e, ok := errors.AsType[*transform.Error](err); ok {
		dst = openaianswer.AppendError(dst, e)
	} else if _, body := FromError(err); body != nil {
		data, failed := openai.EncodeErrorResponse(body)
		if failed == nil {
			dst = append(dst, data...)
		}
	}
	return append(dst, eventtext.End...)
}

// Heartbeat appends a chunk without choices, like the chunk with the usage.
func (s *formStream) Heartbeat(dst []byte) []byte {
	next, err := openai.AppendChunk(append(dst, eventtext.Start...),
		&openaiapi.CreateChatCompletionStreamResponse{
			ID: s.options.ID, Object: openaiapi.ObjectTypeChatCompletionChunk,
			Created: s.options.Created.Unix(),
			Model:   s.model, Choices: []openaiapi.ChunkChoice{},
		})
	if err != nil { // a name is not UTF-8
		return eventtext.AppendComment(dst)
	}
	return append(next, eventtext.End...)
}

// counterparts are the pairs of members for [transform.Form].
var counterparts = transform.Counterparts{
	Request: [][2]string{
		{"/messages", "/contents"},
		{"/messages", "/systemInstruction"},
		{"/tools", "/tools"},
		{"/functions", "/tools"},
		{"/web_search_options", "/tools"},
		{"/tool_choice", "/toolConfig"},
		{"/function_call", "/toolConfig"},
		{"/parallel_tool_calls", "/toolConfig"},
		{"/max_tokens", "/generationConfig/maxOutputTokens"},
		{"/max_completion_tokens", "/generationConfig/maxOutputTokens"},
		{"/temperature", "/generationConfig/temperature"},
		{"/top_p", "/generationConfig/topP"},
		{"/n", "/generationConfig/candidateCount"},
		{"/seed", "/generationConfig/seed"},
		{"/random_seed", "/generationConfig/seed"},
		{"/stop", "/generationConfig/stopSequences"},
		{"/presence_penalty", "/generationConfig/presencePenalty"},
		{"/frequency_penalty", "/generationConfig/frequencyPenalty"},
		{"/logprobs", "/generationConfig/responseLogprobs"},
		{"/top_logprobs", "/generationConfig/logprobs"},
		{"/reasoning_effort", "/generationConfig/thinkingConfig"},
		{"/reasoning", "/generationConfig/thinkingConfig"},
		{"/thinking", "/generationConfig/thinkingConfig"},
		{"/response_format", "/generationConfig/responseJsonSchema"},
		{"/response_format", "/generationConfig/responseSchema"},
		{"/response_format", "/generationConfig/responseMimeType"},
		{"/modalities", "/generationConfig/responseModalities"},
		{"/audio", "/generationConfig/speechConfig"},
		{"/service_tier", "/serviceTier"},
		{"/metadata", "/labels"},
	},
	Response: [][2]string{
		{"/candidates/*/content", "/choices/*/message"},
		{"/candidates/*/content", "/choices/*/delta"},
		{"/candidates/*/finishReason", "/choices/*/finish_reason"},
		{"/candidates/*/groundingMetadata", "/choices/*/message/annotations"},
		{"/candidates/*/groundingMetadata", "/choices/*/delta/annotations"},
		{"/candidates/*/citationMetadata", "/choices/*/message/annotations"},
		{"/candidates/*/logprobsResult", "/choices/*/logprobs"},
		{"/candidates/*/safetyRatings", "/choices/*"},
		{"/candidates/*", "/choices/*"},
		{"/promptFeedback", "/choices/0/message/refusal"},
		{"/promptFeedback", "/choices/0"},
		{"/usageMetadata", "/usage"},
		{"/responseId", "/id"},
		{"/createTime", "/created"},
		{"/modelVersion", "/model"},
	},
}
