package cli_test

import (
	"strings"
	"testing"

	"github.com/gemwire/gemwire/internal/test/corpustest"
	"github.com/gemwire/gemwire/internal/test/leaftest"
)

// Converting another vendor's format to itself reads it and writes it in the form of the vendor's
// server.
func TestFormsOfVendorsAreConvertedToThemselves(t *testing.T) {
	t.Parallel()
	tests := map[string]string{
		"responses-request":  `{"model":"m","input":"Hello.","colour":"green"}`,
		"responses-response": `{"id":"resp_1","object":"response","created_at":1,"status":"completed","model":"m","output":[],"colour":"green"}`,
		"responses-stream":   "event: response.created\ndata: {\"type\":\"response.created\",\"sequence_number\":0,\"response\":{\"id\":\"resp_1\",\"output\":[]}}\n\nevent: response.completed\ndata: {\"type\":\"response.completed\",\"sequence_number\":1,\"response\":{\"id\":\"resp_1\",\"output\":[]}}\n\n",
		"messages-request":   `{"model":"m","max_tokens":5,"system":"Be kind.","messages":[{"role":"user","content":"Hello."}]}`,
		"messages-response":  `{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[{"type":"text","text":"Hi."}],"stop_reason":"end_turn","stop_sequence":null,"usage":{"input_tokens":1,"output_tokens":1}}`,
		"messages-stream":    "event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"id\":\"msg_1\",\"type\":\"message\",\"role\":\"assistant\",\"content\":[],\"model\":\"m\",\"usage\":{\"input_tokens\":1,\"output_tokens\":1}}}\n\nevent: message_stop\ndata: {\"type\":\"message_stop\"}\n\n",
	}
	for format, document := range tests {
		once := convert(t, document, format, format)
		if once.code != 0 || once.stderr != "" {
			t.Errorf("%s: %+v", format, once)
			continue
		}
		if again := convert(t, once.stdout, format, format); again.stdout != once.stdout {
			t.Errorf("%s: %s becomes %s", format, once.stdout, again.stdout)
		}
		guessed := gemwire(t, document, "convert", "--to", format)
		if guessed.stdout != once.stdout {
			t.Errorf("%s: without --from: %+v", format, guessed)
		}
	}
}

func TestErrorsOfVendorsEndTheirStreams(t *testing.T) {
	t.Parallel()
	const start = "event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"id\":\"msg_1\",\"type\":\"message\",\"role\":\"assistant\",\"content\":[],\"model\":\"m\",\"stop_reason\":null,\"stop_sequence\":null,\"usage\":{\"input_tokens\":1,\"output_tokens\":1}}}\n\n"
	const failure = "event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"Overloaded\"}}\n\n"
	if got := convert(t, start+failure, "messages-stream", "messages-stream"); got.code != 0 ||
		!strings.Contains(got.stdout, "overloaded_error") {
		t.Errorf("%+v", got)
	}
	if got := gemwire(t, start+failure, "validate", "--as", "messages-stream"); got.code != 0 ||
		got.stdout != "" {
		t.Errorf("%+v", got)
	}
	if got := convert(t, start, "messages-stream", "messages-stream"); got.code != 1 ||
		!strings.Contains(got.stderr, "truncated") {
		t.Errorf("%+v", got)
	}
	if got := gemwire(t, start+start+failure, "validate", "--as",
		"messages-stream"); got.code != 1 || !strings.HasPrefix(got.stdout, "-: /1: ") {
		t.Errorf("%+v", got)
	}
}

func TestEventsOutOfOrderAreFound(t *testing.T) {
	t.Parallel()
	const lone = "event: response.output_text.delta\ndata: {\"type\":\"response.output_text.delta\",\"sequence_number\":0,\"item_id\":\"msg_1\",\"output_index\":0,\"content_index\":0,\"delta\":\"a\",\"logprobs\":[]}\n\n"
	if got := gemwire(t, lone, "validate", "--as", "responses-stream"); got.code != 1 ||
		!strings.HasPrefix(got.stdout, "-: /0: ") {
		t.Errorf("%+v", got)
	}
}

func TestRequestsOfVendorsAreValidated(t *testing.T) {
	t.Parallel()
	for format, test := range map[string]struct{ right, wrong, place string }{
		"responses-request": {`{"model":"m","input":"Hello."}`, `{"model":"m","input":[{"role":"tool","content":"a"}]}`, "/input/0/role"},
		"messages-request":  {`{"model":"m","max_tokens":5,"messages":[{"role":"user","content":"Hello."}]}`, `{"model":"m","messages":[]}`, "/max_tokens"},
	} {
		if got := gemwire(t, test.right, "validate", "--as", format); got.code != 0 ||
			got.stdout != "" {
			t.Errorf("%s: %+v", format, got)
		}
		if got := gemwire(t, test.wrong, "validate", "--as", format); got.code != 1 ||
			!strings.Contains(got.stdout, test.place) {
			t.Errorf("%s: %+v", format, got)
		}
	}
}

func TestARequestForMessagesIsConverted(t *testing.T) {
	t.Parallel()
	const document = `{"model":"gemini-3.6-flash","max_tokens":5,"system":"Be kind.","messages":[{"role":"user","content":"Hello."}],"metadata":{"user_id":"u"},"container":"c"}`
	got := gemwire(t, document, "convert", "--to", "gemini-request")
	if got.code != 0 || !strings.Contains(got.stdout,
		`"systemInstruction":{"parts":[{"text":"Be kind."}]}`) ||
		!strings.Contains(got.stderr, "1 value lost") {
		t.Errorf("%+v", got)
	}
	if got := gemwire(t, document, "convert", "--to", "gemini-request",
		"--strict"); got.code != 1 || !strings.Contains(got.stderr, "/container") {
		t.Errorf("%+v", got)
	}
}

// Recorded data of real clients and servers is read and written again without a loss.
func TestRecordedFormsOfVendorsAreConvertedToThemselves(t *testing.T) {
	t.Parallel()
	kinds := map[corpustest.Kind]string{corpustest.Request: "-request",
		corpustest.Response: "-response", corpustest.Stream: "-stream"}
	for _, api := range []string{"responses", "messages"} {
		for kind, suffix := range kinds {
			failed, all := 0,
				leaftest.Sample(corpustest.ClientPayloads(t, api, kind), leaftest.Enough(60))
			for _, p := range all {
				if got := convert(t, string(p.Read(t)), api+suffix, api+suffix,
					"--strict"); got.code != 0 {
					failed++
					t.Logf("%s: %s", p.Name, got.stderr)
				}
			}
			if failed > len(all)/10+1 { // recordings of errors, and of what other servers say
				t.Errorf("%s%s: %d of %d fail", api, suffix, failed, len(all))
			}
		}
	}
}

// Each answer of Gemini becomes a valid answer of each vendor, whole and streamed.
func TestAnswersBecomeValidFormsOfVendors(t *testing.T) {
	t.Parallel()
	for _, form := range []string{"responses", "messages"} {
		for _, name := range []string{"response-text.json", "response-tool-calls.json",
			"response-grounded.json", "response-thinking.json", "response-blocked.json"} {
			whole := gemwire(t, "", "convert", "--quiet", "--from", "gemini-response", "--to",
				form+"-response", payload(name))
			if whole.code != 0 || whole.stderr != "" {
				t.Errorf("%s: %s: %+v", form, name, whole)
				continue
			}
			if got := gemwire(t, whole.stdout, "validate", "--as",
				form+"-response"); got.code != 0 {
				t.Errorf("%s: %s: %+v\n%s", form, name, got, whole.stdout)
			}
		}
		for _, name := range []string{"stream-text.sse", "stream-tool-calls.sse",
			"stream-code-execution.sse"} {
			stream := gemwire(t, "", "convert", "--quiet", "--from", "gemini-stream", "--to",
				form+"-stream", payload(name))
			if stream.code != 0 || stream.stderr != "" {
				t.Errorf("%s: %s: %+v", form, name, stream)
				continue
			}
			if got := gemwire(t, stream.stdout, "validate", "--as", form+"-stream"); got.code != 0 {
				t.Errorf("%s: %s: %+v\n%s", form, name, got, stream.stdout)
			}
		}
	}
}

// A failed stream ends with an error in its form, so it is valid.
func TestStreamsThatFailEndInErrorsOfVendors(t *testing.T) {
	t.Parallel()
	for _, form := range []string{"responses-stream", "messages-stream"} {
		for name, args := range map[string][]string{"an error of the server": {payload("stream-error.sse")},
			"a loss": {"--strict", "--no-extensions", payload("stream-code-execution.sse")}} {
			got := gemwire(t, "",
				append([]string{"convert", "--from", "gemini-stream", "--to", form}, args...)...)
			if got.code != 1 ||
				!strings.Contains(got.stdout, "event: error\n") &&
					!strings.Contains(got.stdout, "response.failed") {
				t.Errorf("%s: %s: %+v", form, name, got)
				continue
			}
			if checked := gemwire(t, got.stdout, "validate", "--as", form); checked.code != 0 {
				t.Errorf("%s: %s: %+v\n%s", form, name, checked, got.stdout)
			}
		}
	}
}
