package geminitest_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/internal/corpustest"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/geminitest"
	"github.com/google/go-cmp/cmp"
)

// witness is a test that remembers what it fails with.
type witness struct {
	testing.TB
	errors []string
}

func (r *witness) Helper()           {}
func (r *witness) Error(args ...any) { r.errors = append(r.errors, fmt.Sprint(args...)) }
func (r *witness) Errorf(format string, args ...any) {
	r.errors = append(r.errors, fmt.Sprintf(format, args...))
}

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
		"a request":                 {request(""), hello, nil},
		"a request that is no JSON": {request(""), `{`, []string{"gemini: request: offset 1: the input ends too early"}},
		"a request with an unknown name": {request(""), ask(`"stream":true`),
			[]string{"/stream: the API has no such member here and refuses the request"}},
		"a request for another model": {request("gemini-2.5-pro"), ask(`"generationConfig":{"thinkingConfig":{"thinkingBudget":0}}`),
			[]string{"/generationConfig/thinkingConfig/thinkingBudget: 0 is out of range for gemini-2.5-pro; must be from 128 to 32768, or -1 to let the model decide"}},
		"a request for Vertex AI": {request("", gemini.ForVertexAI()), ask(`"store":true`), []string{"/store: only the Gemini API has this; Vertex AI refuses it"}},
		"an answer":               {geminitest.CheckResponse, good, nil},
		"a refused prompt":        {geminitest.CheckResponse, `{"promptFeedback":{"blockReason":"SAFETY"}}`, nil},
		"an answer with an unknown name": {geminitest.CheckResponse, strings.Replace(good, "responseId", "response", 1),
			[]string{"/response: the API is not known to have such a member here"}},
		"counts that do not add up": {geminitest.CheckResponse, strings.Replace(good, `"totalTokenCount":4`, `"totalTokenCount":5`, 1),
			[]string{"/usageMetadata/totalTokenCount: must be 4, the sum of prompt, candidates, thoughts and tool use; found 5"}},
		"an answer without an end": {geminitest.CheckResponse, strings.Replace(good, `,"finishReason":"STOP"`, ``, 1),
			[]string{"/candidates/0/finishReason: must say why the candidate ended"}},
		"an answer without candidates": {geminitest.CheckResponse, `{}`, []string{"/candidates: must hold a candidate, or promptFeedback a blockReason"}},
		"an error":                     {geminitest.CheckResponse, `{"error":{"code":404,"message":"no","status":"NOT_FOUND"}}`, []string{"the answer is an error: gemini: 404 NOT_FOUND: no"}},
		"a signature in another alphabet": {geminitest.CheckResponse, strings.Replace(good, `"text":"Hi"`, `"text":"Hi","thoughtSignature":"-_-_"`, 1),
			[]string{"/candidates/0/content/parts/0/thoughtSignature: must be standard base64 with padding"}},
		"a stream": {geminitest.CheckStream, event(strings.Replace(good, `"STOP"`, `null`, 1)) + event(good), nil},
		"a list":   {geminitest.CheckStream, "[" + good + "]", nil},
		"a stream with an end missing": {geminitest.CheckStream, event(strings.Replace(good, `,"finishReason":"STOP"`, ``, 1)),
			[]string{"chunk 1: gemini: stream: truncated at byte 180 after 1 event: no finish reason"}},
		"chunks of two answers": {geminitest.CheckStream, event(strings.Replace(good, `"STOP"`, `null`, 1)) + event(strings.Replace(good, `"responseId":"a"`, `"responseId":"b"`, 1)),
			[]string{`/1: must be a chunk of the response "a of ", is one of "b of "`}},
		"something between the events": {geminitest.CheckStream, "dat: x\r\n\r\n" + event(good), []string{`/0: `}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := &witness{TB: t}
			test.check(r, []byte(test.body))
			if name == "something between the events" && len(r.errors) == 1 && strings.HasPrefix(r.errors[0], test.want[0]) {
				return
			}
			if diff := cmp.Diff(test.want, r.errors); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// What was recorded from the API passes, but for what no description has and what people wrote by hand.
func TestRecordedAnswersPassTheChecks(t *testing.T) {
	t.Parallel()
	for kind, check := range map[corpustest.Kind]func(testing.TB, []byte){
		corpustest.Response: geminitest.CheckResponse,
		corpustest.Stream:   geminitest.CheckStream,
	} {
		passed, count := 0, 0
		for _, p := range corpustest.Payloads(t, kind) {
			body := p.Read(t)
			if !strings.Contains(string(body), `"candidates"`) {
				continue
			}
			count++
			r := &witness{TB: t}
			if check(r, body); len(r.errors) == 0 {
				passed++
			} else {
				t.Logf("%s: %s", p.Name, r.errors[0])
			}
		}
		t.Logf("%s: %d of %d", kind, passed, count)
		if !testing.Short() && passed < count*85/100 {
			t.Errorf("%s: %d of %d pass", kind, passed, count)
		}
	}
}
