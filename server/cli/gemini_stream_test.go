package cli_test

import (
	"fmt"
	"strings"
	"testing"
)

// The chunks of a stream that seems complete before its error, and the error in the output.
const (
	completeStream = firstChunk + lastChunk
	errorEvent     = `data: {"error":{"code":503,"message":"busy","status":"UNAVAILABLE"}}` + "\n\n"
)

func TestAnErrorInAGeminiStreamIsWrittenAsAnEventOfTheDocumentedForm(t *testing.T) {
	t.Parallel()
	const status = `{"code":503,"message":"busy","status":"UNAVAILABLE"}`
	tests := map[string]struct{ input, want string }{
		"an envelope":                      {`data: {"error": ` + status + "}\n\n", errorEvent},
		"a bare envelope":                  {"{\n  \"error\": " + status + "\n}\n", errorEvent},
		"a bare envelope after spaces":     {`  {"error":` + status + "}\n", errorEvent},
		"a list":                           {`data: [{"error":` + status + "}]\n\n", errorEvent},
		"a bare list":                      {"[{\n  \"error\": " + status + "\n}]\n", errorEvent},
		"a list with more after the error": {`data: [{"error":` + status + "},7]\n\n", errorEvent},
		"the type of the event":            {"event: error\ndata: " + status + "\n\n", errorEvent},
		"the type of the event, with more": {
			"event: error\ndata: {\"error\":null,\"code\":503,\"responseId\":\"r\",\"message\":\"busy\"}\n\n",
			`data: {"responseId":"r","error":{"error":null,"code":503,"message":"busy"}}` + "\n\n",
		},
		"a text":           {`data: {"error":"bo\u006fm"}` + "\n\n", `data: {"error":{"message":"boom"}}` + "\n\n"},
		"a text with more": {`data: {"error":"invalid_grant","error_description":"expired"}` + "\n\n", `data: {"error":{"message":"invalid_grant"},"error_description":"expired"}` + "\n\n"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := convert(t, completeStream+test.input, "gemini-stream", "gemini-stream")
			chunks := convert(t, completeStream, "gemini-stream", "gemini-stream").stdout
			if want := (result{0, chunks + test.want, ""}); got != want {
				t.Errorf("got  %+v\nwant %+v", got, want)
			}
			if again := convert(t, got.stdout, "gemini-stream", "gemini-stream"); again != got {
				t.Errorf("of the output: %+v", again)
			}
			if found := gemwire(t, got.stdout, "validate", "--as",
				"gemini-stream"); found != (result{}) {
				t.Errorf("validate: %+v", found)
			}
			got = convert(t, completeStream+test.input, "gemini-stream", "openai-stream")
			if got.code != 1 || strings.Contains(got.stdout, "[DONE]") ||
				!strings.HasPrefix(got.stderr, "gemwire: -: /2: not an answer but an error: ") {
				t.Errorf("to OpenAI: %+v", got)
			}
		})
	}
}

func TestAnErrorWithoutAMessageIsWrittenAsItIs(t *testing.T) {
	t.Parallel()
	for _, event := range []string{`{"error":{}}`, `{"error":true}`, `{"error":{"code":503}}`} {
		got := convert(t, "data: "+event+"\n\n", "gemini-stream", "gemini-stream")
		if want := (result{0, "data: " + event + "\n\n", ""}); got != want {
			t.Errorf("%+v", got)
		}
	}
}

func TestAnErrorThatIsNoEventIsPrinted(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ input, want string }{
		"a page":            {"<html><title>502 Bad Gateway</title>", "502 Bad Gateway"},
		"a text":            {"Service Unavailable\n", "Service Unavailable"},
		"a member twice":    {`data: [{"error":{"code":500,"code":500,"message":"Internal."}}]`, "500: Internal."},
		"an envelope twice": {`data: {"error":{"message":"a"},"error":{"message":"Internal."}}`, "Internal."},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := convert(t, test.input, "gemini-stream", "gemini-stream")
			if want := (result{1, "",
				"gemwire: -: not an answer but an error: " + test.want + "\n"}); got != want {
				t.Errorf("got  %+v\nwant %+v", got, want)
			}
		})
	}
}

func TestADamagedLineOfJSONIsPrintedWithItsLocation(t *testing.T) {
	t.Parallel()
	one := strings.TrimSpace(strings.TrimPrefix(firstChunk, "data: ")) + "\n"
	last := strings.TrimSpace(strings.TrimPrefix(lastChunk, "data: ")) + "\n"
	for name, test := range map[string]struct {
		input  string
		offset int
	}{
		"without its first byte": {one + one[1:] + last, len(one)},
		"after a text":           {one + "xx" + one + last, len(one)},
		"after an array":         {"[" + one + "]xx" + last, len(one) + 2},
		"in a second array":      {one + "[x" + last + "]", len(one) + 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := convert(t, test.input, "gemini-stream", "gemini-stream")
			if want := fmt.Sprintf("gemwire: -: /1: offset %d: ", test.offset); got.code != 1 ||
				!strings.HasPrefix(got.stderr, want) {
				t.Errorf("%+v", got)
			}
		})
	}
}

func TestAnErrorMemberThatSaysNothingIsKept(t *testing.T) {
	t.Parallel()
	const chunk = `data: {"candidates":[{"finishReason":"STOP"}],"error":false}` + "\n\n"
	if got, want := convert(t, chunk, "gemini-stream", "gemini-stream"),
		(result{0, chunk, ""}); got != want {
		t.Errorf("%+v", got)
	}
}

func TestNumbersOfEnumsAreNamedWholeAndStreamed(t *testing.T) {
	t.Parallel()
	const answer = `{"candidates":[{"content":{"parts":[{"text":"a"}]},"finishReason":1,"safetyRatings":[{"severity":3,"probability":987}]}],"usageMetadata":{"trafficType":1}}`
	const want = `{"candidates":[{"content":{"parts":[{"text":"a"}]},"finishReason":"STOP","safetyRatings":[{"probability":987,"severity":"HARM_SEVERITY_MEDIUM"}]}],"usageMetadata":{"trafficType":"ON_DEMAND"}}` +
		"\n"
	if got := convert(t, answer, "gemini-response",
		"gemini-response"); got != (result{0, want, ""}) {
		t.Errorf("whole: %+v", got)
	}
	if got := convert(t, "data: "+answer+"\n\n", "gemini-stream",
		"gemini-response"); got != (result{0, want, ""}) {
		t.Errorf("streamed: %+v", got)
	}
}

func TestInvalidValuesAreTheSameWholeAndStreamed(t *testing.T) {
	t.Parallel()
	const answer = `"candidates":[{"content":{"parts":[{"text":"a"}]},"finishReason":"STOP"}]}`
	for body, isAnswer := range map[string]bool{
		`{"modelVersion":123,` + answer:           true,
		`{"promptFeedback":"x",` + answer:         true,
		`{"promptFeedback":{"blockReason":null}}`: true, // a refusal
		`{"candidates":[{"content":{"parts":[{"text":"a","thought":"yes"}]},"finishReason":"STOP"}]}`: true,
		`{"candidates":[{"content":{"parts":[{"functionCall":{}}]},"finishReason":"STOP"}]}`:          false,
		`{"candidates":[{"content":{"parts":[{"text":7}]},"finishReason":"STOP"}]}`:                   false,
	} {
		for _, to := range []string{"gemini-response", "normalized", "openai-response"} {
			if to == "gemini-response" && strings.Contains(body, "functionCall") {
				continue // which holds what it is
			}
			whole := convert(t, body, "gemini-response", to, "--quiet")
			streamed := convert(t, "data: "+body+"\n\n", "gemini-stream", to, "--quiet")
			if whole.stdout != streamed.stdout || whole.code != streamed.code ||
				(whole.code == 0) != isAnswer {
				t.Errorf("%s to %s\n%+v\n%+v", body, to, whole, streamed)
			}
			whole = convert(t, body, "gemini-response", to, "--strict")
			streamed = convert(t, "data: "+body+"\n\n", "gemini-stream", to, "--strict")
			if whole.code != streamed.code {
				t.Errorf("%s to %s, strictly\n%+v\n%+v", body, to, whole, streamed)
			}
		}
		whole, streamed := gemwire(t, body, "validate", "--as", "gemini-response"),
			gemwire(t, "data: "+body+"\n\n", "validate", "--as", "gemini-stream")
		if whole.code != streamed.code {
			t.Errorf("validate %s\n%+v\n%+v", body, whole, streamed)
		}
	}
}
