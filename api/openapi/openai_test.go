package openapi_test

import (
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/pkg/wiretype"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/go-playground/validator/v10"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// outputs are the bodies that a server of chat_completions answers with.
var outputs = []any{
	openaiapi.CreateChatCompletionResponse{},
	openaiapi.CreateChatCompletionStreamResponse{},
	openaiapi.CreateEmbeddingResponse{},
	openaiapi.ListModelsResponse{},
	openaiapi.ErrorResponse{},
	openaiapi.Response{},
	openaiapi.ResponseEvent{},
	openaiapi.ResponseItemList{},
	openaiapi.DeletedResponse{},
	openaiapi.CountInputTokensResponse{},
	openaiapi.CompactedResponse{},
	openaiapi.File{},
	openaiapi.ListFilesResponse{},
	openaiapi.DeletedFile{},
	openaiapi.Batch{},
	openaiapi.ListBatchesResponse{},
}

// A type, a role or a name says nothing when it is empty: only such a member, whose empty text the
// validator refuses, may be left out although the format requires it.
func TestOutputHoldsItsRequiredMembersEvenWhenTheyAreZero(t *testing.T) {
	t.Parallel()
	schemas := readDocument(t, "openai.yaml").Components.Schemas
	for typ := range structsOf(outputs) {
		var zero map[string]jsontext.Value
		out, err := json.Marshal(reflect.Zero(typ).Interface())
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(out, &zero); err != nil {
			t.Fatal(err)
		}
		var members []string
		for name := range zero {
			members = append(members, name)
		}
		slices.Sort(members)
		required := slices.Sorted(slices.Values(schemas[typ.Name()].Required))
		required = slices.DeleteFunc(required,
			func(name string) bool { return zero[name] == nil && isInvalidWhenEmpty(typ, name) })
		if diff := cmp.Diff(required, members, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s, when zero, is %s (-required +written):\n%s", typ.Name(), out, diff)
		}
	}
}

// isInvalidWhenEmpty reports whether a member is a text that the validator's tag wants to be there.
func isInvalidWhenEmpty(typ reflect.Type, member string) bool {
	for i := range typ.NumField() {
		field := typ.Field(i)
		if name, _, _ := strings.Cut(field.Tag.Get("json"), ","); name != member ||
			field.Type.Kind() != reflect.String {
			continue
		}
		rule, _, _ := strings.Cut(field.Tag.Get("validate"), "=")
		return slices.Contains([]string{"required", "eq", "oneof"}, rule)
	}
	return false
}

func TestNullableMembersAreNullAndListsAreLists(t *testing.T) {
	t.Parallel()
	tests := []struct {
		value any
		want  string
	}{
		{openaiapi.Choice{}, `{"index":0,"message":{"content":null,"refusal":null},"logprobs":null,"finish_reason":""}`},
		{openaiapi.ChunkChoice{}, `{"index":0,"delta":{},"finish_reason":null}`},
		{openaiapi.ChoiceLogprobs{}, `{"content":null,"refusal":null}`},
		{openaiapi.TokenLogprob{}, `{"token":"","logprob":0,"bytes":null,"top_logprobs":[]}`},
		{openaiapi.CompletionUsage{}, `{"prompt_tokens":0,"completion_tokens":0,"total_tokens":0}`},
		{openaiapi.ErrorResponse{}, `{"error":{"message":"","type":"","param":null,"code":null}}`},
		{openaiapi.ListModelsResponse{}, `{"data":[]}`},
		{openaiapi.CreateChatCompletionResponse{}, `{"id":"","object":"","created":0,"model":"","choices":[]}`},
	}
	for _, tt := range tests {
		out, err := json.Marshal(tt.value)
		if err != nil {
			t.Fatal(err)
		}
		if string(out) != tt.want {
			t.Errorf("%T is\n%s, want\n%s", tt.value, out, tt.want)
		}
	}
}

func TestEveryListOfObjectsInAnOutputIsValidated(t *testing.T) {
	t.Parallel()
	for typ := range structsOf(outputs) {
		for i := range typ.NumField() {
			field := typ.Field(i)
			if kind := field.Type.Kind(); kind != reflect.Slice && kind != reflect.Map {
				continue
			}
			if field.Type.Elem().Kind() != reflect.Struct {
				continue
			}
			tag := field.Tag.Get("validate")
			if tag == "-" {
				// Gemini's own objects, and what a response repeats of its request, are passed
				// through.
				continue
			}
			if !slices.Contains(strings.Split(tag, ","), "dive") {
				t.Errorf("%s.%s: the validator does not look into the list", typ.Name(), field.Name)
			}
		}
	}
}

// completion is an answer with something of everything.
const completion = `{
	"id": "resp-1", "object": "chat.completion", "created": 0, "model": "gemini-3.6-flash",
	"choices": [{
		"index": 0,
		"message": {
			"role": "assistant", "content": "Sunny in 東京.", "refusal": null, "reasoning_content": "Look it up.",
			"tool_calls": [{
				"id": "gemini-call-resp-1-0-1", "type": "function",
				"function": {"name": "get_weather", "arguments": "{\"city\":\"東京\",\"days\":9007199254740993}"},
				"extra_content": {"google": {"thought_signature": "c2lnLV8="}}
			}],
			"annotations": [{"type": "url_citation", "url_citation": {"start_index": 0, "end_index": 12, "url": "https://example.org/weather", "title": ""}}],
			"audio": {"id": "audio-1", "data": "UklGRg==", "expires_at": 0, "transcript": ""},
			"images": [{"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0="}, "index": 0}],
			"extra_content": {"google": {
				"safety_ratings": [{"category": "HARM_CATEGORY_HARASSMENT", "probability": "NEGLIGIBLE"}],
				"avg_logprobs": -0.125,
				"parts": [{"index": 2, "part": {"executableCode": {"language": "PYTHON", "code": "1+1"}}}],
				"brand_new": {"big": 9007199254740993}
			}}
		},
		"logprobs": {
			"content": [{"token": "東", "logprob": -0.5, "bytes": [230, 157, 177], "top_logprobs": [{"token": "", "logprob": -9999, "bytes": null}]}],
			"refusal": null
		},
		"finish_reason": "tool_calls",
		"native_finish_reason": "STOP"
	}],
	"usage": {
		"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0,
		"prompt_tokens_details": {"cached_tokens": 0}, "completion_tokens_details": {"reasoning_tokens": 0}
	},
	"service_tier": "default"
}`

// chunk is an event of a stream with something of everything.
const chunk = `{
	"id": "resp-1", "object": "chat.completion.chunk", "created": 1767225600, "model": "gemini-3.6-flash",
	"choices": [{
		"index": 0,
		"delta": {
			"role": "assistant", "content": "",
			"tool_calls": [{"index": 0, "id": "call-1", "type": "function", "function": {"name": "get_weather", "arguments": ""}}],
			"annotations": [{"type": "url_citation", "url_citation": {"start_index": 3, "end_index": 3, "url": "https://example.org", "title": "Example"}}],
			"images": [{"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0="}, "index": 0}]
		},
		"finish_reason": null
	}]
}`

// request has every kind of message, part, tool and union.
const request = `{
	"model": "gemini-3.6-flash",
	"messages": [
		{"role": "developer", "content": [{"type": "text", "text": "Be brief."}]},
		{"role": "user", "name": "ann", "content": [
			{"type": "text", "text": ""},
			{"type": "image_url", "image_url": {"url": "gs://bucket/a.png", "detail": "low"}},
			{"type": "input_audio", "input_audio": {"data": "UklGRg==", "format": "ogg"}},
			{"type": "file", "file": {"filename": "a.pdf", "file_data": "data:application/pdf;base64,JVBERg=="}},
			{"type": "video_url", "video_url": {"url": "gs://bucket/a.mp4"}, "extra_content": {"google": {"video_metadata": {"fps": 0.5}}}},
			{"type": "brand_new", "brand_new": {"a": [1, 2.50]}}
		]},
		{"role": "assistant", "tool_calls": [
			{"id": "a", "type": "function", "function": {"name": "f", "arguments": ""}, "extra_content": {"vertex": {"thought_signature": "-_8="}}},
			{"id": "b", "type": "custom", "custom": {"name": "g", "input": "x"}}
		]},
		{"role": "tool", "tool_call_id": "a", "content": "", "extra_content": {"google": {"parts": [{"inlineData": {"mimeType": "image/png", "data": "iVBORw0="}}]}}},
		{"role": "assistant", "content": "", "refusal": "No.", "audio": {"id": "audio-1"}},
		{"role": "function", "name": "f", "content": "1"}
	],
	"temperature": 0, "n": 0, "stream": false, "seed": 9007199254740993, "stop": ["a", "b"],
	"logit_bias": {"50256": -100}, "metadata": {"k": ""},
	"response_format": {"type": "json_schema", "json_schema": {"name": "s", "schema": {"type": "object", "z": 1, "a": 9007199254740993}, "strict": false}},
	"tools": [
		{"type": "function", "function": {"name": "f", "parameters": {"type": "object", "properties": {"z": {}, "a": {}}}}},
		{"type": "custom", "custom": {"name": "g", "format": {"type": "grammar", "grammar": {"definition": "start: /x/", "syntax": "lark"}}}}
	],
	"tool_choice": {"type": "allowed_tools", "allowed_tools": {"mode": "auto", "tools": [{"type": "function", "function": {"name": "f"}}]}},
	"function_call": "none",
	"audio": {"voice": {"id": "voice_1"}, "format": "wav"},
	"prediction": {"type": "content", "content": "same"},
	"web_search_options": {},
	"extra_body": {"google": {"thinking_config": {"thinking_budget": 0}, "tools": [{"googleSearch": {}}], "brand_new": true}},
	"brand_new": {"b": 1, "a": 2}
}`

func TestRoundTripKeepsEveryMember(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, in string
		into     any
	}{
		{"a completion", completion, &openaiapi.CreateChatCompletionResponse{}},
		{"a chunk", chunk, &openaiapi.CreateChatCompletionStreamResponse{}},
		{"a request", request, &openaiapi.CreateChatCompletionRequest{}},
		{"a request with strings for unions", `{"stop":"a","tool_choice":"validated","response_format":"text/x.enum","function_call":{"name":"f"},"messages":[{"role":"user","content":"hi"}]}`, &openaiapi.CreateChatCompletionRequest{}},
		{"an embedding request of one text", `{"model":"m","input":"a"}`, &openaiapi.CreateEmbeddingRequest{}},
		{"an embedding request of texts", `{"model":"m","input":["a","b"]}`, &openaiapi.CreateEmbeddingRequest{}},
		{"an embedding request of tokens", `{"model":"m","input":[1,2]}`, &openaiapi.CreateEmbeddingRequest{}},
		{"an embedding request of token lists", `{"model":"m","input":[[1,2],[3]]}`, &openaiapi.CreateEmbeddingRequest{}},
		{"an embedding in base64", `{"object":"list","data":[{"object":"embedding","index":0,"embedding":"AACAPw=="}],"model":"m","usage":{"prompt_tokens":1,"total_tokens":1}}`, &openaiapi.CreateEmbeddingResponse{}},
		{"an error", `{"error":{"message":"m","type":"invalid_request_error","param":null,"code":"model_not_found"}}`, &openaiapi.ErrorResponse{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if err := json.Unmarshal([]byte(tt.in), tt.into); err != nil {
				t.Fatal(err)
			}
			out, err := json.Marshal(tt.into)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(canonical(t, tt.in), canonical(t, string(out))); diff != "" {
				t.Errorf("encoded differs from decoded (-in +out):\n%s", diff)
			}
		})
	}
}

func TestOutputIsWrittenInOpenAIsOrder(t *testing.T) {
	t.Parallel()
	for _, in := range []struct {
		text string
		into any
	}{
		{completion, &openaiapi.CreateChatCompletionResponse{}},
		{chunk, &openaiapi.CreateChatCompletionStreamResponse{}},
	} {
		if err := json.Unmarshal([]byte(in.text), in.into); err != nil {
			t.Fatal(err)
		}
		out, err := json.Marshal(in.into)
		if err != nil {
			t.Fatal(err)
		}
		want := []string{`{"id":`, `,"object":`, `,"created":`, `,"model":`,
			`,"choices":[{"index":`, `"finish_reason":`}
		at := 0
		for _, w := range want {
			i := strings.Index(string(out[at:]), w)
			if i < 0 {
				t.Fatalf("%s does not follow in %s", w, out)
			}
			at += i
		}
	}
}

func TestValidatorAcceptsGoodOutput(t *testing.T) {
	t.Parallel()
	for _, in := range []struct {
		text string
		into any
	}{
		{completion, &openaiapi.CreateChatCompletionResponse{}},
		{chunk, &openaiapi.CreateChatCompletionStreamResponse{}},
		{`{"id":"r","object":"chat.completion.chunk","created":1,"model":"m","choices":[],"usage":{"prompt_tokens":0,"completion_tokens":0,"total_tokens":0}}`, &openaiapi.CreateChatCompletionStreamResponse{}},
		{`{"object":"list","data":[{"id":"m","object":"model","created":0,"owned_by":"google"}]}`, &openaiapi.ListModelsResponse{}},
		{`{"object":"list","data":[{"object":"embedding","index":0,"embedding":[0.5]}],"model":"m","usage":{"prompt_tokens":0,"total_tokens":0}}`, &openaiapi.CreateEmbeddingResponse{}},
		{`{"error":{"message":"m","type":"t","param":null,"code":null}}`, &openaiapi.ErrorResponse{}},
	} {
		if err := json.Unmarshal([]byte(in.text), in.into); err != nil {
			t.Fatal(err)
		}
		if err := validate().Struct(in.into); err != nil {
			t.Errorf("%T: %v", in.into, err)
		}
	}
}

func TestValidatorRefusesBrokenCompletions(t *testing.T) {
	t.Parallel()
	type response = openaiapi.CreateChatCompletionResponse
	call := func(r *response) *openaiapi.ToolCall { return &r.Choices[0].Message.ToolCalls[0] }
	citation := func(r *response) *openaiapi.URLCitation {
		return &r.Choices[0].Message.Annotations[0].URLCitation
	}
	token := func(r *response) *openaiapi.TokenLogprob { return &r.Choices[0].Logprobs.Content[0] }
	tests := []struct {
		wantAt string
		spoil  func(*response)
	}{
		{"id", func(r *response) { r.ID = "" }},
		{"object", func(r *response) { r.Object = openaiapi.ObjectTypeChatCompletionChunk }},
		{"created", func(r *response) { r.Created = -1 }},
		{"model", func(r *response) { r.Model = "" }},
		{"choices[0].index", func(r *response) { r.Choices[0].Index = -1 }},
		{"choices[0].finish_reason", func(r *response) { r.Choices[0].FinishReason = "STOP" }},
		{"choices[0].finish_reason", func(r *response) { r.Choices[0].FinishReason = "" }},
		{"choices[0].message.role", func(r *response) { r.Choices[0].Message.Role = openaiapi.RoleUser }},
		{"choices[0].message.tool_calls[0].id", func(r *response) { call(r).ID = "" }},
		{"choices[0].message.tool_calls[0].type", func(r *response) { call(r).Type = "" }},
		{"choices[0].message.tool_calls[0].function", func(r *response) { call(r).Function = nil }},
		{"choices[0].message.tool_calls[0].custom", func(r *response) { call(r).Type = openaiapi.ToolTypeCustom }},
		{"choices[0].message.tool_calls[0].function.name", func(r *response) { call(r).Function.Name = "" }},
		{"choices[0].message.tool_calls[0].function.arguments", func(r *response) { call(r).Function.Arguments = "" }},
		{"choices[0].message.tool_calls[0].function.arguments", func(r *response) { call(r).Function.Arguments = `{"a":` }},
		{"choices[0].message.annotations[0].type", func(r *response) { r.Choices[0].Message.Annotations[0].Type = "" }},
		{"choices[0].message.annotations[0].url_citation.url", func(r *response) { citation(r).URL = "" }},
		{"choices[0].message.annotations[0].url_citation.start_index", func(r *response) { citation(r).StartIndex = -1 }},
		{"choices[0].message.annotations[0].url_citation.end_index", func(r *response) { citation(r).StartIndex = 13 }},
		{"choices[0].message.audio.id", func(r *response) { r.Choices[0].Message.Audio.ID = "" }},
		{"choices[0].message.images[0].image_url", func(r *response) { r.Choices[0].Message.Images[0].ImageURL = nil }},
		{"choices[0].message.images[0].image_url.url", func(r *response) { r.Choices[0].Message.Images[0].ImageURL.URL = wiretype.MediaURL{} }},
		{"choices[0].message.images[0].index", func(r *response) { *r.Choices[0].Message.Images[0].Index = -1 }},
		{"choices[0].message.extra_content.google.parts[0].index", func(r *response) { *r.Choices[0].Message.ExtraContent.Google.Parts[0].Index = -1 }},
		{"choices[0].logprobs.content[0].bytes[1]", func(r *response) { token(r).Bytes[1] = 256 }},
		{"choices[0].logprobs.content[0].top_logprobs[0].bytes[0]", func(r *response) { token(r).TopLogprobs[0].Bytes = wiretype.NullableList[int]{-1} }},
		{"usage.total_tokens", func(r *response) { r.Usage.TotalTokens = -1 }},
		{"usage.prompt_tokens_details.cached_tokens", func(r *response) { *r.Usage.PromptTokensDetails.CachedTokens = -1 }},
		{"usage.completion_tokens_details.reasoning_tokens", func(r *response) { *r.Usage.CompletionTokensDetails.ReasoningTokens = -1 }},
	}
	for _, tt := range tests {
		t.Run(tt.wantAt, func(t *testing.T) {
			t.Parallel()
			var r response
			if err := json.Unmarshal([]byte(completion), &r); err != nil {
				t.Fatal(err)
			}
			tt.spoil(&r)
			wantViolation(t, &r, tt.wantAt)
		})
	}
}

func TestValidatorRefusesBrokenChunks(t *testing.T) {
	t.Parallel()
	type response = openaiapi.CreateChatCompletionStreamResponse
	tests := []struct {
		wantAt string
		spoil  func(*response)
	}{
		{"object", func(r *response) { r.Object = openaiapi.ObjectTypeChatCompletion }},
		{"choices[0].index", func(r *response) { r.Choices[0].Index = -1 }},
		{"choices[0].finish_reason", func(r *response) { r.Choices[0].FinishReason = new(openaiapi.FinishReason("error")) }},
		{"choices[0].delta.role", func(r *response) { *r.Choices[0].Delta.Role = openaiapi.RoleTool }},
		{"choices[0].delta.tool_calls[0].index", func(r *response) { r.Choices[0].Delta.ToolCalls[0].Index = -1 }},
		{"choices[0].delta.tool_calls[0].type", func(r *response) { *r.Choices[0].Delta.ToolCalls[0].Type = openaiapi.ToolTypeCustom }},
		{"choices[0].delta.annotations[0].url_citation.url", func(r *response) { r.Choices[0].Delta.Annotations[0].URLCitation.URL = "" }},
		{"choices[0].delta.images[0].type", func(r *response) { r.Choices[0].Delta.Images[0].Type = "" }},
	}
	for _, tt := range tests {
		t.Run(tt.wantAt, func(t *testing.T) {
			t.Parallel()
			var r response
			if err := json.Unmarshal([]byte(chunk), &r); err != nil {
				t.Fatal(err)
			}
			tt.spoil(&r)
			wantViolation(t, &r, tt.wantAt)
		})
	}
}

// wantViolation wants the validator to refuse v at one place, a path of JSON names.
func wantViolation(t *testing.T, v any, at string) {
	t.Helper()
	err := validate().Struct(v)
	violations, ok := err.(validator.ValidationErrors)
	if !ok {
		t.Fatalf("error %v, want a violation at %s", err, at)
	}
	for _, violation := range violations {
		if _, path, _ := strings.Cut(violation.Namespace(), "."); path == at {
			return
		}
	}
	t.Errorf("violations %v, want one at %s", violations, at)
}

// validate returns a validator that names places by their JSON names.
var validate = sync.OnceValue(func() *validator.Validate {
	v := validator.New(validator.WithRequiredStructEnabled())
	v.RegisterTagNameFunc(func(f reflect.StructField) string {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		return name
	})
	return v
})

// structsOf returns the generated struct types that the values are made of, themselves included.
func structsOf(values []any) map[reflect.Type]bool {
	seen := map[reflect.Type]bool{}
	var visit func(reflect.Type)
	visit = func(typ reflect.Type) {
		switch typ.Kind() {
		case reflect.Slice, reflect.Map, reflect.Pointer:
			visit(typ.Elem())
			return
		}
		generated := typ.PkgPath() == reflect.TypeFor[openaiapi.Choice]().PkgPath()
		if typ.Kind() != reflect.Struct || !generated || seen[typ] {
			return
		}
		seen[typ] = true
		for i := range typ.NumField() {
			if typ.Field(i).Tag.Get("validate") != "-" { // what a response repeats of its request
				visit(typ.Field(i).Type)
			}
		}
	}
	for _, v := range values {
		visit(reflect.TypeOf(v))
	}
	return seen
}

// canonical returns JSON text with its members sorted and its fractions in one form; the digits of
// whole numbers stay.
func canonical(t *testing.T, text string) string {
	t.Helper()
	value := jsontext.Value(text)
	if err := value.Format(jsontext.CanonicalizeRawInts(false),
		jsontext.CanonicalizeRawFloats(true), jsontext.ReorderRawObjects(true),
		jsontext.WithIndent("  ")); err != nil {
		t.Fatal(err)
	}
	return string(value)
}
