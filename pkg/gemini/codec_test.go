package gemini_test

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/wire"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
)

func TestDecodingAcceptsEveryFormAndEncodingWritesTheCanonicalOne(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, in, want string }{
		{"an empty object", ` {} `, `{}`},
		{"lists and objects that are empty stay", `{"candidates":[],"usageMetadata":{}}`, `{"candidates":[],"usageMetadata":{}}`},
		{"text and zeros stay",
			`{"candidates":[{"index":0,"content":{"parts":[{"text":"","thought":false}]}}]}`,
			`{"candidates":[{"content":{"parts":[{"text":"","thought":false}]},"index":0}]}`},
		{"white space goes", "{\n  \"responseId\" :\t\"a\" }\r\n", `{"responseId":"a"}`},
		{"snake_case names",
			`{"model_version":"m","candidates":[{"finish_reason":"STOP","content":{"parts":[{"inline_data":{"mime_type":"a/b"}}]}}]}`,
			`{"candidates":[{"content":{"parts":[{"inlineData":{"mimeType":"a/b"}}]},"finishReason":"STOP"}],"modelVersion":"m"}`},
		{"snake_case names and white space before the colon", "{\"response_id\"\n : \"a\"}", `{"responseId":"a"}`},
		{"a misspelt name is an unknown member",
			`{"candidates":[{"logprobsResult":{"chosenCandidates":[{"tokenID":7,"token":"a"}]}}]}`,
			`{"candidates":[{"logprobsResult":{"chosenCandidates":[{"token":"a","tokenID":7}]}}]}`},
		{"a misspelt name and text that looks like a snake_case member",
			`{"responseID":"b","candidates":[{"content":{"parts":[{"text":"\"finish_reason\": 1, a_b"}]}}]}`,
			`{"candidates":[{"content":{"parts":[{"text":"\"finish_reason\": 1, a_b"}]}}],"responseID":"b"}`},
		{"a misspelt name and a value with an underscore", `{"responseID":"b","modelVersion":"a_b"}`, `{"modelVersion":"a_b","responseID":"b"}`},
		{"unknown members keep their order, escapes, numbers and nulls",
			`{"z":null,"responseId":"a","b":{"y":1.50,"x":[null,12345678901234567890]},"\u0061":"\u00e9"}`,
			`{"responseId":"a","z":null,"b":{"y":1.50,"x":[null,12345678901234567890]},"\u0061":"\u00e9"}`},
		{"arguments keep their bytes",
			`{"candidates":[{"content":{"parts":[{"functionCall":{"args":{"b": 9007199254740993,"a":1E2,"c":"\u003cb\/>","d":null,"snake_case":{}}}}]}}]}`,
			`{"candidates":[{"content":{"parts":[{"functionCall":{"args":{"b":9007199254740993,"a":1E2,"c":"\u003cb\/>","d":null,"snake_case":{}}}}]}}]}`},
		{"a null member is absent", `{"responseId":null,"candidates":null,"usageMetadata":null,"modelVersion":"m"}`, `{"modelVersion":"m"}`},
		{"null arguments are absent",
			`{"candidates":[{"content":{"parts":[{"functionCall":{"name":"f","args":null}}]}}]}`,
			`{"candidates":[{"content":{"parts":[{"functionCall":{"name":"f"}}]}}]}`},
		{"null arguments are absent with other leniencies",
			`{"candidates":{"content":{"parts":{"function_call":{"name":"f","args" : null}}}}}`,
			`{"candidates":[{"content":{"parts":[{"functionCall":{"name":"f"}}]}}]}`},
		{"a null element is an empty one", `{"candidates":[null,{"content":{"parts":[null]}}]}`, `{"candidates":[{},{"content":{"parts":[{}]}}]}`},
		{"an object where a list belongs", `{"candidates":{"content":{"parts":{"text":"a"}}}}`, `{"candidates":[{"content":{"parts":[{"text":"a"}]}}]}`},
		{"an empty object where a list belongs", `{"candidates":{}}`, `{"candidates":[{}]}`},
		{"enum names in any case",
			`{"candidates":[{"finishReason":"max_tokens","safetyRatings":[{"category":"Harm_Category_Harassment","probability":"low"}]}]}`,
			`{"candidates":[{"finishReason":"MAX_TOKENS","safetyRatings":[{"category":"HARM_CATEGORY_HARASSMENT","probability":"LOW"}]}]}`},
		{"enum numbers",
			`{"candidates":[{"finishReason":1,"safetyRatings":[{"category":7,"probability":1}]}]}`,
			`{"candidates":[{"finishReason":"STOP","safetyRatings":[{"category":"HARM_CATEGORY_HARASSMENT","probability":"NEGLIGIBLE"}]}]}`},
		{"unknown enum values",
			`{"candidates":[{"finishReason":"Quantum_Noise"}],"promptFeedback":{"blockReason":99}}`,
			`{"candidates":[{"finishReason":"Quantum_Noise"}],"promptFeedback":{"blockReason":99}}`},
		{"whole numbers in other forms",
			`{"usageMetadata":{"promptTokenCount":40.0,"candidatesTokenCount":4e1,"totalTokenCount":"40","thoughtsTokenCount":"4.0e1"}}`,
			`{"usageMetadata":{"candidatesTokenCount":40,"promptTokenCount":40,"thoughtsTokenCount":40,"totalTokenCount":40}}`},
		{"fractions in quotes", `{"candidates":[{"avgLogprobs":"-0.25"}]}`, `{"candidates":[{"avgLogprobs":-0.25}]}`},
		{"numbers that JSON has no form for",
			`{"candidates":[{"avgLogprobs":"NaN","groundingMetadata":{"groundingSupports":[{"confidenceScores":["Infinity","-Infinity",1]}]}}]}`,
			`{"candidates":[{"avgLogprobs":"NaN","groundingMetadata":{"groundingSupports":[{"confidenceScores":["Infinity","-Infinity",1]}]}}]}`},
		{"signatures and data are opaque",
			`{"candidates":[{"content":{"parts":[{"thoughtSignature":"skip_thought_signature_validator","inlineData":{"data":"-_-_","mimeType":"a/b"}}]}}]}`,
			`{"candidates":[{"content":{"parts":[{"inlineData":{"mimeType":"a/b","data":"-_-_"},"thoughtSignature":"skip_thought_signature_validator"}]}}]}`},
		{"no HTML escapes",
			`{"candidates":[{"content":{"parts":[{"text":"a \u003c b \u0026\u0026 c > d \u2028"}]}}]}`,
			"{\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"a < b && c > d \u2028\"}]}}]}"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			response, err := gemini.DecodeResponse([]byte(tt.in))
			if err != nil {
				t.Fatal(err)
			}
			out, err := gemini.EncodeResponse(response)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, string(out)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestRequestsAcceptEveryForm(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, in, want string }{
		{"lone values for lists",
			`{"contents":{"role":"user","parts":{"text":"a"}},"tools":{"googleSearch":{}},"generationConfig":{"stopSequences":"END","responseModalities":"text"}}`,
			`{"contents":[{"parts":[{"text":"a"}],"role":"user"}],"generationConfig":{"responseModalities":["TEXT"],"stopSequences":["END"]},"tools":[{"googleSearch":{}}]}`},
		{"snake_case, but not in the names of properties and labels",
			`{"system_instruction":{"parts":[]},"labels":{"cost_center":"a"},"tools":[{"function_declarations":[{"name":"f","parameters":{"type":"object","properties":{"file_name":{"type":"string"}}}}]}]}`,
			`{"labels":{"cost_center":"a"},"systemInstruction":{"parts":[]},"tools":[{"functionDeclarations":[{"name":"f","parameters":{"properties":{"file_name":{"type":"STRING"}},"type":"OBJECT"}}]}]}`},
		{"64-bit integers keep their form",
			`{"generationConfig":{"responseSchema":{"minItems":"1","maxItems":3,"minLength":2.0}}}`,
			`{"generationConfig":{"responseSchema":{"maxItems":3,"minItems":"1","minLength":2.0}}}`},
		{"zeros are sent",
			`{"generationConfig":{"temperature":0,"topK":0.0,"thinkingConfig":{"thinkingBudget":0}},"safetySettings":null}`,
			`{"generationConfig":{"temperature":0,"thinkingConfig":{"thinkingBudget":0},"topK":0}}`},
		{"maps are sorted, free-form schemas are not",
			`{"generationConfig":{"responseSchema":{"properties":{"b":{},"a":{}}},"responseJsonSchema":{"properties":{"b":{},"a":{}}}}}`,
			`{"generationConfig":{"responseJsonSchema":{"properties":{"b":{},"a":{}}},"responseSchema":{"properties":{"a":{},"b":{}}}}}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			request, err := gemini.DecodeRequest([]byte(tt.in))
			if err != nil {
				t.Fatal(err)
			}
			out, err := gemini.EncodeRequest(request)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, string(out)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestMalformedResponsesAreRefusedWithPointerAndOffset(t *testing.T) {
	t.Parallel()
	const deep = 10_000
	tests := []struct {
		name, in string
		pointer  string
		offset   int64
		reason   string
	}{
		{"nothing", ``, "", 0, "the input is empty"},
		{"white space", " \n", "", 2, "the input is empty"},
		{"null", `null`, "", 0, "an object was expected, found null"},
		{"a list", ` []`, "", 1, "an object was expected, found a list"},
		{"a string", `"x"`, "", 0, "an object was expected, found a string"},
		{"a number", `-1`, "", 0, "an object was expected, found a number"},
		{"no JSON", `<html>`, "", 0, "not JSON"},
		{"a byte order mark", "\ufeff{}", "", 0, "not JSON"},
		{"candidates as a string", `{"candidates":"x"}`, "/candidates", 14, "a list was expected, found a string"},
		{"content as a list", `{"candidates":[{"content": [1]}]}`, "/candidates/0/content", 27, "an object was expected, found a list"},
		{"a part as a string", `{"candidates":[{"content":{"parts":["a"]}}]}`, "/candidates/0/content/parts/0", 36, "an object was expected, found a string"},
		{"text as a number", `{"candidates":[{"content":{"parts":[{"text":5}]}}]}`, "/candidates/0/content/parts/0/text", 44, "a string was expected, found a number"},
		{"a fault after something that needs the second pass", `{"candidates":{"content":{"parts":[{"text":5}]}}}`, "/candidates/content/parts/0/text", 43, "a string was expected, found a number"},
		{"an enum as a boolean", `{"candidates":[{"finishReason":true}]}`, "/candidates/0/finishReason", 31, "an enum name was expected, found a boolean"},
		{"a boolean as a string", `{"candidates":[{"content":{"parts":[{"thought":"true"}]}}]}`, "/candidates/0/content/parts/0/thought", 47, "a boolean was expected, found a string"},
		{"a fraction for a whole number", `{"usageMetadata":{"totalTokenCount":40.5}}`, "/usageMetadata/totalTokenCount", 36, "a whole number was expected, found a fraction"},
		{"a whole number out of range", `{"usageMetadata":{"totalTokenCount":1e30}}`, "/usageMetadata/totalTokenCount", 36, "a whole number was expected, found a number out of range"},
		{"a whole number in words", `{"usageMetadata":{"totalTokenCount":"ten"}}`, "/usageMetadata/totalTokenCount", 36, "a whole number was expected, found a string"},
		{"a number out of range", `{"candidates":[{"avgLogprobs":1e400}]}`, "/candidates/0/avgLogprobs", 30, "a number was expected, found a number out of range"},
		{"a number out of range in quotes", `{"candidates":[{"avgLogprobs":"1e400"}]}`, "/candidates/0/avgLogprobs", 30, "a number was expected, found a string"},
		{"a number in hexadecimal digits", `{"candidates":[{"avgLogprobs":"0x10"}]}`, "/candidates/0/avgLogprobs", 30, "a number was expected, found a string"},
		{"a known member twice", `{"responseId":"a","responseId":"b"}`, "/responseId", 18, "the member occurs twice"},
		{"a member in both spellings", `{"response_id":"a","responseId":"b"}`, "/responseId", 19, "the member occurs twice"},
		{"an unknown member twice", `{"x":1,"x":2}`, "/x", 7, "the member occurs twice"},
		{"a member twice deep in an unknown one", `{"x":{"y":[{"a":1,"a":2}]}}`, "/x/y/0/a", 18, "the member occurs twice"},
		{"invalid UTF-8 in a known member", "{\"responseId\":\"a\xff\"}", "/responseId", 16, "invalid UTF-8"},
		{"invalid UTF-8 in an unknown member", "{\"x\":\"a\xff\"}", "/x", 7, "invalid UTF-8"},
		{"invalid UTF-8 in a name", "{\"x\xff\":1}", "", 3, "invalid UTF-8"},
		{"too many levels of lists", `{"x":` + strings.Repeat("[", deep) + strings.Repeat("]", deep) + `}`, "/x" + strings.Repeat("/0", deep-1), 10_004, "nested too deeply"},
		{"too many levels of objects", strings.Repeat(`{"x":`, deep+1), strings.Repeat("/x", deep), 50_000, "nested too deeply"},
		{"cut in a string", `{"candidates":[{"content":{"parts":[{"text":"abc`, "/candidates/0/content/parts/0/text", 48, "the input ends too early"},
		{"cut after a name", `{"candidates"`, "/candidates", 13, "the input ends too early"},
		{"cut in a number", `{"usageMetadata":{"totalTokenCount":4`, "/usageMetadata", 37, "the input ends too early"},
		{"cut in free-form JSON", `{"candidates":[{"content":{"parts":[{"functionCall":{"args":{"a":[1,`, "/candidates/0/content/parts/0/functionCall/args/a", 68, "the input ends too early"},
		{"a second value", `{} {}`, "", 3, "data after the end of the payload"},
		{"text after the value", `{}x`, "", 2, "data after the end of the payload"},
		{"a name without quotes", `{a:1}`, "", 1, "not JSON"},
		{"a number as a name", `{1:2}`, "", 1, "a member name was expected"},
		{"a comma too many", `{"a":[1,]}`, "/a", 8, "not JSON"},
		{"a leading zero", `{"a":01}`, "", 6, "not JSON"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			response, err := gemini.DecodeResponse([]byte(tt.in))
			malformed, ok := errors.AsType[*wire.MalformedError](err)
			if !ok {
				t.Fatalf("error %v, response %v", err, response)
			}
			if response != nil {
				t.Error("a response with the error")
			}
			got := wire.MalformedError{Payload: "response", Pointer: malformed.Pointer,
				Offset: malformed.Offset, Message: malformed.Message}
			want := wire.MalformedError{Payload: "response", Pointer: tt.pointer, Offset: tt.offset,
				Message: tt.reason}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
			if truncated := strings.Contains(tt.reason, "early") ||
				strings.Contains(tt.reason, "empty"); errors.Is(err,
				io.ErrUnexpectedEOF) != truncated {
				t.Errorf("errors.Is(%v, io.ErrUnexpectedEOF) is not %v", err, truncated)
			}
			if twice := strings.Contains(tt.reason, "twice"); errors.Is(err,
				jsontext.ErrDuplicateName) != twice {
				t.Errorf("errors.Is(%v, jsontext.ErrDuplicateName) is not %v", err, twice)
			}
			if len(err.Error()) > 400 {
				t.Errorf("an error text of %d bytes", len(err.Error()))
			}
		})
	}
}

func TestErrorTextsNameTheLocationAndQuoteNothing(t *testing.T) {
	t.Parallel()
	tests := []struct{ in, want string }{
		{`{"candidates":[{"content": ["secret"]}]}`, "gemini: response: /candidates/0/content: offset 27: an object was expected, found a list"},
		{`"secret"`, "gemini: response: offset 0: an object was expected, found a string"},
		{`{"usageMetadata":{"totalTokenCount":"secret"}}`, "gemini: response: /usageMetadata/totalTokenCount: offset 36: a whole number was expected, found a string"},
		{`{"candidates":[{"finishReason":["secret"]}]}`, "gemini: response: /candidates/0/finishReason: offset 31: an enum name was expected, found a list"},
		{`{"responseId": secret}`, "gemini: response: /responseId: offset 15: not JSON"},
	}
	for _, tt := range tests {
		if _, err := gemini.DecodeResponse([]byte(tt.in)); err == nil || err.Error() != tt.want {
			t.Errorf("%s\n got %v\nwant %s", tt.in, err, tt.want)
		}
	}
}

func TestEveryDecoderNamesItsPayload(t *testing.T) {
	t.Parallel()
	decoders := map[string]func([]byte) error{
		"request":              func(b []byte) error { _, err := gemini.DecodeRequest(b); return err },
		"response":             func(b []byte) error { _, err := gemini.DecodeResponse(b); return err },
		"countTokens request":  func(b []byte) error { _, err := gemini.DecodeCountTokensRequest(b); return err },
		"countTokens response": func(b []byte) error { _, err := gemini.DecodeCountTokensResponse(b); return err },
		"Model":                func(b []byte) error { _, err := gemini.Decode[geminiapi.Model](b); return err },
		"CachedContent":        func(b []byte) error { _, err := gemini.Decode[geminiapi.CachedContent](b); return err },
	}
	for payload, decode := range decoders {
		malformed, ok := errors.AsType[*wire.MalformedError](decode([]byte(`[]`)))
		if !ok || malformed.Payload != payload {
			t.Errorf("%s: %v", payload, malformed)
		}
	}
}

func TestReadersDecodeLikeBytes(t *testing.T) {
	t.Parallel()
	const in = `{"responseId":"a"}`
	response, err := gemini.ReadResponse(iotest.OneByteReader(strings.NewReader(in)))
	if err != nil || *response.ResponseID != "a" {
		t.Errorf("response %v, error %v", response, err)
	}
	request, err := gemini.ReadRequest(strings.NewReader(`{"model":"m"}`))
	if err != nil || *request.Model != "m" {
		t.Errorf("request %v, error %v", request, err)
	}
	if _, err := gemini.ReadResponse(strings.NewReader(in[:5])); !errors.Is(err,
		io.ErrUnexpectedEOF) {
		t.Errorf("half a response: %v", err)
	}
	broken := errors.New("connection reset")
	if _, err := gemini.ReadRequest(iotest.ErrReader(broken)); !errors.Is(err, broken) {
		t.Errorf("a reader's own error is lost: %v", err)
	}
}

func TestDecodedPayloadsShareNoMemoryWithTheInput(t *testing.T) {
	t.Parallel()
	data := []byte(`{"responseId":"abc","x":{"y":1},"candidates":[{"content":{"parts":[{"functionCall":{"args":{"a":"b"}}}]}}]}`)
	response, err := gemini.DecodeResponse(data)
	if err != nil {
		t.Fatal(err)
	}
	before, err := gemini.EncodeResponse(response)
	if err != nil {
		t.Fatal(err)
	}
	for i := range data {
		data[i] = 'X'
	}
	after, err := gemini.EncodeResponse(response)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(before), string(after)); diff != "" {
		t.Error(diff)
	}
}

// Protocol buffers write the only value of NullValue as null. Everywhere else null means absent.
func TestANullValueIsAValue(t *testing.T) {
	t.Parallel()
	for _, form := range []string{`null`, `"NULL_VALUE"`, `0`} {
		body := `{"candidates":[{"content":{"parts":[{"functionCall":{"partialArgs":[{"jsonPath":"$.a","nullValue":` +
			form + `}]}}]}}]}`
		r, err := gemini.DecodeResponse([]byte(body))
		if err != nil {
			t.Fatalf("%s: %v", form, err)
		}
		got := r.Candidates[0].Content.Parts[0].FunctionCall.PartialArgs[0].NullValue
		if got == nil {
			t.Errorf("%s was read as absent", form)
		}
	}
}
