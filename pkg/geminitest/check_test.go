package geminitest_test

import (
	"strings"
	"testing"

	"github.com/gemwire/gemwire/internal/test/corpustest"
	"github.com/gemwire/gemwire/internal/test/failuretest"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/geminitest"
	"github.com/google/go-cmp/cmp"
)

func checkResponse(t testing.TB, body []byte) { geminitest.CheckResponse(t, body) }
func checkStream(t testing.TB, body []byte)   { geminitest.CheckStream(t, body) }

const good = `{"candidates":[{"content":{"role":"model","parts":[{"text":"Hi"}]},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":3,"candidatesTokenCount":1,"totalTokenCount":4},"responseId":"a"}`

func TestChecksSayWhereAndWhatWouldBeRight(t *testing.T) {
	t.Parallel()
	request := func(model string, opts ...gemini.ValidateOption) func(testing.TB, []byte) {
		return func(t testing.TB, body []byte) { geminitest.CheckRequest(t, body, model, opts...) }
	}
	event := func(payload string) string { return "data: " + payload + "\r\n\r\n" }
	for name, test := range map[string]struct {
		check func(testing.TB, []byte)
		body  string
		want  []string
	}{
		"a request":                  {request(""), hello, nil},
		"a request that is not JSON": {request(""), `{`, []string{"gemini: request: offset 1: the input ends too early"}},
		"a request with an unknown name": {request(""), ask(`"stream":true`),
			[]string{"/stream: the API has no such member here and refuses the request"}},
		"a request for another model": {request("gemini-2.5-pro"),
			ask(`"generationConfig":{"thinkingConfig":{"thinkingBudget":0}}`),
			[]string{"/generationConfig/thinkingConfig/thinkingBudget: 0 is out of range for gemini-2.5-pro; must be from 128 to 32768, or -1 to let the model decide"}},
		"a request for Vertex AI": {request("", gemini.ForVertexAI()), ask(`"store":true`), []string{"/store: only the Gemini API has this; Vertex AI refuses it"}},
		"an answer":               {checkResponse, good, nil},
		"a refused prompt":        {checkResponse, `{"promptFeedback":{"blockReason":"SAFETY"}}`, nil},
		"an answer with an unknown name": {checkResponse,
			strings.Replace(good, "responseId", "response", 1),
			[]string{`/response: is not a known member of GenerateContentResponse; did you mean "responseId"?`}},
		"counts that do not add up": {checkResponse,
			strings.Replace(good, `"totalTokenCount":4`, `"totalTokenCount":5`, 1),
			[]string{"/usageMetadata/totalTokenCount: must be 4, the sum of prompt, candidates, thoughts and tool use, found 5"}},
		"an answer without an end": {checkResponse,
			strings.Replace(good, `,"finishReason":"STOP"`, ``, 1),
			[]string{"/candidates/0/finishReason: must say why the candidate ended"}},
		"an answer without candidates": {checkResponse, `{}`, []string{"/candidates: must hold a candidate, or promptFeedback a blockReason"}},
		"an error":                     {checkResponse, `{"error":{"code":404,"message":"no","status":"NOT_FOUND"}}`, []string{"must be an answer, not an error of the API: gemini: 404 NOT_FOUND: no"}},
		"a signature in another alphabet": {checkResponse,
			strings.Replace(good, `"text":"Hi"`, `"text":"Hi","thoughtSignature":"-_-_"`, 1),
			[]string{"/candidates/0/content/parts/0/thoughtSignature: must be standard base64 with padding, found \"-_-_\""}},
		"a stream": {checkStream, event(strings.Replace(good, `,"finishReason":"STOP"`, ``, 1)) + event(good), nil},
		"a list":   {checkStream, "[" + good + "]", nil},
		"a stream with an end missing": {checkStream,
			event(strings.Replace(good, `,"finishReason":"STOP"`, ``, 1)),
			[]string{"/1: the stream is truncated: no finish reason (line 3)"}},
		"chunks of two answers": {checkStream,
			event(strings.Replace(good, `,"finishReason":"STOP"`, ``, 1)) +
				event(strings.Replace(good, `"responseId":"a"`, `"responseId":"b"`, 1)),
			[]string{`/1/responseId: must be "a", as in earlier chunks (line 3)`}},
		"a misspelt member": {checkResponse, strings.Replace(good, `"text"`, `"txt"`, 1),
			[]string{`/candidates/0/content/parts/0/txt: is not a known member of Part; did you mean "text"?`}},
		"a count below 0 on another line": {checkResponse,
			strings.Replace(good, `"promptTokenCount":3,"candidatesTokenCount":1`,
				"\n\"promptTokenCount\":-3,\"candidatesTokenCount\":7", 1),
			[]string{"/usageMetadata/promptTokenCount: must be at least 0, found -3 (line 2)"}},
		"something unknown that is allowed": {func(t testing.TB, body []byte) { geminitest.CheckResponse(t, body, geminitest.AllowUnknown()) },
			strings.Replace(good, `"text":"Hi"`, `"text":"Hi","new":1`, 1), nil},
		"something between the events": {checkStream, "dat: x\r\n\r\n" + event(good), []string{`/0: `}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := &failuretest.Recorder{TB: t}
			test.check(r, []byte(test.body))
			if name == "something between the events" && len(r.Texts()) == 1 &&
				strings.HasPrefix(r.Texts()[0], test.want[0]) {
				return
			}
			if diff := cmp.Diff(test.want, r.Texts()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// Recordings of the API pass, except unknown members and what people wrote by hand.
func TestRecordedAnswersPassTheChecks(t *testing.T) {
	t.Parallel()
	for kind, check := range map[corpustest.Kind]func(testing.TB, []byte){
		corpustest.Response: checkResponse,
		corpustest.Stream:   checkStream,
	} {
		passed, count := 0, 0
		for _, p := range corpustest.Payloads(t, kind) {
			body := p.Read(t)
			if !strings.Contains(string(body), `"candidates"`) {
				continue
			}
			count++
			r := &failuretest.Recorder{TB: t}
			if check(r, body); len(r.Texts()) == 0 {
				passed++
			} else {
				t.Logf("%s: %s", p.Name, r.Texts()[0])
			}
		}
		t.Logf("%s: %d of %d", kind, passed, count)
		if !testing.Short() && passed < count*85/100 {
			t.Errorf("%s: %d of %d pass", kind, passed, count)
		}
	}
}
