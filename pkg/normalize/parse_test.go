package normalize_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// summary has the values that the table of TestParse compares.
type summary struct {
	Model            string
	Finish           normalize.FinishReason
	Blocks           []string
	Input            int
	Output           int
	Thinking         int
	Total            int
	ThoughtSignature string
	Ignored          []string
}

func summarize(r *normalize.Response) summary {
	out := summary{
		Model:            r.Model,
		Finish:           r.FinishReason(),
		Input:            r.Usage.InputTokens,
		Output:           r.Usage.OutputTokens,
		Thinking:         r.Usage.ThinkingTokens,
		Total:            r.Usage.TotalTokens,
		ThoughtSignature: r.ThoughtSignature,
		Ignored:          r.Ignored,
	}
	for _, b := range r.Blocks() {
		line := string(b.Type)
		if b.ToolCall != nil {
			line += ": " + b.ToolCall.Name + string(b.ToolCall.Arguments)
		} else if b.Text != "" {
			line += ": " + b.Text
		}
		out.Blocks = append(out.Blocks, line)
	}
	return out
}

func TestParse(t *testing.T) {
	t.Parallel()
	unknown := normalize.FinishUnknown
	tests := []struct {
		name, in string
		want     summary
	}{
		{
			"text with a model and counts",
			`{"modelVersion":"gemini-2.5-flash","candidates":[{"content":{"parts":[{"text":"Hello world"}]},"finishReason":"STOP"}],
			  "usageMetadata":{"promptTokenCount":10,"candidatesTokenCount":5,"thoughtsTokenCount":0,"totalTokenCount":15}}`,
			summary{Model: "gemini-2.5-flash", Finish: normalize.FinishStop,
				Blocks: []string{"text: Hello world"}, Input: 10, Output: 5, Total: 15},
		},
		{
			// 10+20+8 is not 30, so these counts do not follow Google's accounting. The thoughts
			// are assumed to be part of the candidates' tokens.
			"a thought before the answer",
			`{"modelVersion":"gemini-3","candidates":[{"content":{"parts":[{"text":"Let me think...","thought":true},{"text":"The answer is 42"}]},"finishReason":"STOP"}],
			  "usageMetadata":{"promptTokenCount":10,"candidatesTokenCount":20,"thoughtsTokenCount":8,"totalTokenCount":30}}`,
			summary{
				Model: "gemini-3", Finish: normalize.FinishStop,
				Blocks: []string{"thinking: Let me think...", "text: The answer is 42"},
				Input:  10, Output: 12, Thinking: 8, Total: 30,
			},
		},
		{
			// Gemini ends a turn of calls with STOP. The caller must run the calls, so the
			// normalised reason says so, in whole responses and in streams.
			"a function call",
			`{"modelVersion":"gemini-2.5-pro","candidates":[{"content":{"parts":[{"functionCall":{"name":"get_weather","args":{"city": "London", "units": "metric"}}}]},"finishReason":"STOP"}],
			  "usageMetadata":{"promptTokenCount":15,"candidatesTokenCount":10,"totalTokenCount":25}}`,
			summary{
				Model: "gemini-2.5-pro", Finish: normalize.FinishToolUse,
				Blocks: []string{`tool_call: get_weather{"city":"London","units":"metric"}`},
				Input:  15, Output: 10, Total: 25,
			},
		},
		{"no candidate in the list", `{"candidates":[],"usageMetadata":{"totalTokenCount":0}}`, summary{Finish: unknown}},
		{"no list of candidates", `{"usageMetadata":{"totalTokenCount":5}}`, summary{Finish: unknown, Total: 5}},
		{"empty object", `{}`, summary{Finish: unknown}},
		{"no parts", `{"candidates":[{"content":{"parts":[]},"finishReason":"STOP"}]}`, summary{Finish: normalize.FinishStop}},
		{"thought is false", withParts(`{"text":"Normal text","thought":false}`), summary{Finish: unknown, Blocks: []string{"text: Normal text"}}},
		{"thought is null", withParts(`{"text":"Normal text","thought":null}`), summary{Finish: unknown, Blocks: []string{"text: Normal text"}}},
		{
			"thought is not a boolean", withParts(`{"text":"Normal text","thought":"yes"}`),
			summary{Finish: unknown, Blocks: []string{"text: Normal text"},
				Ignored: []string{"/candidates/0/content/parts/0/thought"}},
		},
		{"call without arguments", withParts(`{"functionCall":{"name":"list_files"}}`), summary{Finish: unknown, Blocks: []string{"tool_call: list_files{}"}}},
		{"call with null for arguments", withParts(`{"functionCall":{"name":"list_files","args":null}}`), summary{Finish: unknown, Blocks: []string{"tool_call: list_files{}"}}},
		{
			"call with a list for arguments",
			withParts(`{"functionCall":{"name":"list_files","args":[1]}}`),
			summary{Finish: unknown, Blocks: []string{"tool_call: list_files{}"},
				Ignored: []string{"/candidates/0/content/parts/0/functionCall/args"}},
		},
		{"a call wins over text", withParts(`{"text":"calling","thought":true,"functionCall":{"name":"f"}}`), summary{Finish: unknown, Blocks: []string{"tool_call: f{}"}}},
		{"a call in snake_case", withParts(`{"function_call":{"name":"f"}}`), summary{Finish: unknown, Blocks: []string{"tool_call: f{}"}}},
		{"signature at the root", `{"thoughtSignature":"enc_sig_abc123","candidates":[]}`, summary{Finish: unknown, ThoughtSignature: "enc_sig_abc123"}},
		{"signature at the first candidate", `{"candidates":[{"thoughtSignature":"enc_sig_abc123"}]}`, summary{Finish: unknown, ThoughtSignature: "enc_sig_abc123"}},
		{"signature at the root wins", `{"thoughtSignature":"a","candidates":[{"thoughtSignature":"b"}]}`, summary{Finish: unknown, ThoughtSignature: "a"}},
		{"empty signature at the root", `{"thoughtSignature":"","candidates":[{"thoughtSignature":"b"}]}`, summary{Finish: unknown, ThoughtSignature: "b"}},
		{"signature is not a string", `{"thoughtSignature":7,"candidates":[{"thoughtSignature":{}}]}`, summary{Finish: unknown}},
		{
			"feedback without a block reason",
			`{"promptFeedback":{"other":"x"},"candidates":[{"content":{"parts":[{"text":"Hi"}]}}]}`,
			summary{Finish: unknown, Blocks: []string{"text: Hi"}},
		},
		{"error is null", `{"error":null,"candidates":[{"content":{"parts":[{"text":"Hi"}]}}]}`, summary{Finish: unknown, Blocks: []string{"text: Hi"}}},
		{
			"model is not a string",
			`{"modelVersion":123,"candidates":[{"content":{"parts":[{"text":"Hi"}]}}]}`,
			summary{Finish: unknown, Blocks: []string{"text: Hi"},
				Ignored: []string{"/modelVersion"}},
		},
		{"only a prompt count", `{"usageMetadata":{"promptTokenCount":10}}`, summary{Finish: unknown, Input: 10}},
		{
			"thoughts among the candidates' tokens",
			`{"usageMetadata":{"promptTokenCount":100,"candidatesTokenCount":50,"thoughtsTokenCount":10,"totalTokenCount":150}}`,
			summary{Finish: unknown, Input: 100, Output: 40, Thinking: 10, Total: 150},
		},
		{
			// Many readers always subtract the thoughts from the candidates' tokens. Here 50+120+20
			// is the total, so there is nothing to subtract.
			"thoughts next to the candidates' tokens",
			`{"usageMetadata":{"promptTokenCount":50,"candidatesTokenCount":120,"thoughtsTokenCount":20,"totalTokenCount":190}}`,
			summary{Finish: unknown, Input: 50, Output: 120, Thinking: 20, Total: 190},
		},
		{
			"counts are null",
			`{"usageMetadata":{"promptTokenCount":null,"candidatesTokenCount":null,"thoughtsTokenCount":null,"totalTokenCount":null}}`,
			summary{Finish: unknown},
		},
		{
			"counts are words",
			`{"usageMetadata":{"promptTokenCount":"ten","candidatesTokenCount":{},"totalTokenCount":[]}}`,
			summary{Finish: unknown, Ignored: []string{
				"/usageMetadata/promptTokenCount", "/usageMetadata/candidatesTokenCount",
				"/usageMetadata/totalTokenCount",
			}},
		},
		{
			// The codec reads the numbers that protocol buffers allow in quotes.
			"counts are quoted numbers",
			`{"usageMetadata":{"promptTokenCount":"10","totalTokenCount":"10"}}`,
			summary{Finish: unknown, Input: 10, Total: 10},
		},
		{
			"no prompt count",
			`{"usageMetadata":{"candidatesTokenCount":20,"thoughtsTokenCount":5,"totalTokenCount":25}}`,
			summary{Finish: unknown, Output: 15, Thinking: 5, Total: 25},
		},
		{
			// Subtracting would give -5 here. A count is never below 0. Google's sum shows that the
			// thoughts are the whole output, so nothing is subtracted.
			"no candidates count",
			`{"usageMetadata":{"promptTokenCount":10,"thoughtsTokenCount":5,"totalTokenCount":15}}`,
			summary{Finish: unknown, Input: 10, Thinking: 5, Total: 15},
		},
		{
			"no thoughts count",
			`{"usageMetadata":{"promptTokenCount":10,"candidatesTokenCount":15,"totalTokenCount":25}}`,
			summary{Finish: unknown, Input: 10, Output: 15, Total: 25},
		},
		{"candidates are no list", `{"candidates":"not an array"}`, summary{Finish: unknown, Ignored: []string{"/candidates"}}},
		{"a candidate is not an object", `{"candidates":["x"]}`, summary{Finish: unknown, Ignored: []string{"/candidates/0"}}},
		{"candidate without content", `{"candidates":[{"finishReason":"STOP"}]}`, summary{Finish: normalize.FinishStop}},
		{"content without parts", `{"candidates":[{"content":{"other":"x"},"finishReason":"STOP"}]}`, summary{Finish: normalize.FinishStop}},
		{
			"parts are no list",
			`{"candidates":[{"content":{"parts":"not an array"},"finishReason":"STOP"}]}`,
			summary{Finish: normalize.FinishStop, Ignored: []string{"/candidates/0/content/parts"}},
		},
		{
			"a part is not an object", withParts(`"x",{"text":"Hi"}`),
			summary{Finish: unknown, Blocks: []string{"text: Hi"},
				Ignored: []string{"/candidates/0/content/parts/0"}},
		},
		{
			// If an element cannot be read, its whole list is dropped, because without the element
			// the others would have another meaning.
			"an index is not a number",
			`{"candidates":[{"groundingMetadata":{"groundingSupports":[{"groundingChunkIndices":[0,"x"]}]}}]}`,
			summary{Finish: unknown,
				Ignored: []string{"/candidates/0/groundingMetadata/groundingSupports/0/groundingChunkIndices"}},
		},
		{
			"four kinds of parts in order",
			withParts(`{"text":"a"},{"text":"b","thought":true},{"functionCall":{"name":"test_tool","args":{"x":1}}},{"text":"c"}`),
			summary{Finish: unknown,
				Blocks: []string{"text: a", "thinking: b", `tool_call: test_tool{"x":1}`,
					"text: c"}},
		},
		{
			// A part of an unknown kind is neither dropped nor an empty block: it becomes a block
			// of a separate type that keeps the content of the part. An empty part is not counted.
			"a part of an unknown kind", withParts(`{"someOtherField":1},{"text":"Hello world"}`),
			summary{Finish: unknown, Blocks: []string{"unknown", "text: Hello world"}},
		},
		{"a part that says nothing", withParts(`{},{"text":"Hello world"}`), summary{Finish: unknown, Blocks: []string{"text: Hello world"}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			out, err := normalize.Parse([]byte(tt.in), fixedIDs)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, summarize(out), cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			if err := normalize.Validate(out); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestParseReportsErrors(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, in, want string
		is             error
	}{
		{"prose", `not valid json`, "Invalid JSON response", normalize.ErrInvalidJSON},
		{"broken object", `{invalid json`, "Invalid JSON response", normalize.ErrInvalidJSON},
		{"broken after a member of a wrong type", `{"modelVersion":1,`, "Invalid JSON response", normalize.ErrInvalidJSON},
		{"broken list", `[1,`, "Invalid JSON response", normalize.ErrInvalidJSON},
		{"nothing", ``, "Invalid JSON response", normalize.ErrInvalidJSON},
		{"list", `[]`, "Root is not an object", normalize.ErrNotObject},
		{"string", `"hello"`, "Root is not an object", normalize.ErrNotObject},
		{"null", `null`, "Root is not an object", normalize.ErrNotObject},
		{"error", `{"error":{"code":403,"message":"API key invalid","status":"PERMISSION_DENIED"}}`, "API error: API key invalid", &gemini.Error{HTTPStatus: 403, Status: "PERMISSION_DENIED"}},
		{"error without a message", `{"error":{"code":500}}`, "API error: Unknown error", &gemini.Error{HTTPStatus: 500}},
		{"error with a number for a message", `{"error":{"code":500,"message":7}}`, "API error: Unknown error", &gemini.Error{HTTPStatus: 500}},
		{"error in a list", `[{"error":{"code":404,"message":"no such model","status":"NOT_FOUND"}}]`, "API error: no such model", &gemini.Error{Status: "NOT_FOUND"}},
		{"error next to candidates", `{"candidates":[{}],"error":{"code":500,"message":"late"}}`, "API error: late", &gemini.Error{HTTPStatus: 500}},
		{"error wins over a block", `{"promptFeedback":{"blockReason":"SAFETY"},"error":{"code":500,"message":"late"}}`, "API error: late", &gemini.Error{HTTPStatus: 500}},
		{"blocked", `{"promptFeedback":{"blockReason":"SAFETY"}}`, "Prompt blocked: SAFETY", nil},
		{"blocked for a new reason", `{"promptFeedback":{"blockReason":"MOOD"}}`, "Prompt blocked: MOOD", nil},
		{"blocked with a message", `{"promptFeedback":{"blockReason":"SAFETY","blockReasonMessage":"not so"}}`, "Prompt blocked: SAFETY: not so", nil},
		{"blocked for null", `{"promptFeedback":{"blockReason":null}}`, "Prompt blocked: Unknown reason", nil},
		{"blocked for null in snake_case", `{"prompt_feedback":{"block_reason":null}}`, "Prompt blocked: Unknown reason", nil},
		{"blocked for an object", `{"promptFeedback":{"blockReason":{}}}`, "Prompt blocked: Unknown reason", nil},
		{"call without a name", withParts(`{"text":"a"},{"functionCall":{"args":{}}}`), "/candidates/0/content/parts/1/functionCall: functionCall missing 'name' field", nil},
		{"call with an empty name", withParts(`{"functionCall":{"name":""}}`), "functionCall missing 'name' field", nil},
		{"call with a number for a name", withParts(`{"functionCall":{"name":42}}`), "/candidates/0/content/parts/0/functionCall/name: functionCall 'name' is not a string", nil},
		{"call in snake_case with a number for a name", withParts(`{"function_call":{"name":42}}`), "functionCall 'name' is not a string", nil},
		{"text is a number", withParts(`{"text":42}`), "/candidates/0/content/parts/0/text: Part 'text' is not a string", nil},
		{"text is a number in a lone part", `{"candidates":{"content":{"parts":{"text":42}}}}`, "Part 'text' is not a string", nil},
		{"far too much of a wrong type", withParts(strings.Repeat(`{"thought":"yes"},`, 99) + `{}`), "64 members are of a wrong type", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			out, err := normalize.Parse([]byte(tt.in))
			if err == nil || !strings.Contains(err.Error(), tt.want) ||
				!strings.HasPrefix(err.Error(), "normalize: ") {
				t.Fatalf("the error is %v, want one with %q", err, tt.want)
			}
			if out != nil {
				t.Error("there is a response next to the error")
			}
			if tt.is != nil && !errors.Is(err, tt.is) {
				t.Errorf("%v is not %v", err, tt.is)
			}
		})
	}
}

func TestParseSharesNoMemoryWithItsInput(t *testing.T) {
	t.Parallel()
	body := []byte(`{"modelVersion":"m","x":{"y":[1,2]},"candidates":[{"content":{"parts":[
		{"functionCall":{"id":"1","name":"f","args":{"a":1}}},{"functionResponse":{"response":{"b":2}}},{"new":3}]}}]}`)
	out, err := normalize.Parse(body)
	if err != nil {
		t.Fatal(err)
	}
	before := asJSON(t, out)
	for i := range body {
		body[i] = ' '
	}
	equalJSON(t, asJSON(t, out), before)
}

func TestParseIgnoresAlikeInTheBlockedResponse(t *testing.T) {
	t.Parallel()
	_, err := normalize.Parse([]byte(`{"modelVersion":7,"promptFeedback":{"blockReason":"OTHER"}}`))
	blocked, ok := errors.AsType[*normalize.BlockedError](err)
	if !ok {
		t.Fatalf("the error is %v", err)
	}
	if diff := cmp.Diff([]string{"/modelVersion"}, blocked.Response.Ignored); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
