package fakegemini_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/fakegemini"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/geminitest"
	"github.com/google/go-cmp/cmp"
)

// For any request, the answer is a valid answer or a valid error, and whole and streamed answers
// have the same content.
func FuzzServer(f *testing.F) {
	for _, body := range []string{
		hello, ``, `{}`, `[]`, `{"contents":`, `null`,
		turns(question, call, result),
		ask(`"tools":[{"functionDeclarations":[{"name":"Hi","parameters":{"type":"OBJECT","properties":{"a":{"type":"STRING"}},"required":["a"]}}]}]`),
		ask(`"generationConfig":{"responseMimeType":"application/json","responseJsonSchema":{"type":"array","items":{"$ref":"#"},"minItems":2}}`),
		ask(`"generationConfig":{"thinkingConfig":{"includeThoughts":true},"candidateCount":3,"maxOutputTokens":2,"stopSequences":["a"],"responseLogprobs":true,"logprobs":2}`),
		ask(`"tools":[{"googleSearch":{}},{"codeExecution":{}},{"urlContext":{}}]`),
		turns(`{"parts":[{"text":"[block prompt: x]"}]}`),
		turns(`{"parts":[{"text":"[words 50]"}]}`),
		`{"contents":[{"parts":[{"text":"a","inline_data":{"data":"!"}}]}],"tools":{"functionDeclarations":{"parameters":{"properties":{"a":{"x":1}}}}}}`,
	} {
		f.Add(body)
	}
	handler, err := fakegemini.NewHandler(geminitest.WithoutRequestLog())
	if err != nil {
		f.Fatal(err)
	}
	const models = "/v1beta/models/gemini-2.5-flash:"
	const vertex = "/v1/publishers/google/models/gemini-3.6-flash:"
	f.Fuzz(func(t *testing.T, body string) {
		for _, base := range []string{models, vertex} {
			whole, events := serve(handler, base+"generateContent", body),
				serve(handler, base+"streamGenerateContent?alt=sse", body)
			if whole.Code != events.Code {
				t.Fatalf("whole has the status %d, streamed %d", whole.Code, events.Code)
			}
			if whole.Code != http.StatusOK {
				checkError(t, whole)
				checkError(t, events)
				continue
			}
			geminitest.CheckResponse(t, whole.Body.Bytes())
			geminitest.CheckStream(t, events.Body.Bytes())
			if diff := cmp.Diff(texts(t, whole.Body.String()),
				texts(t, events.Body.String())); diff != "" {
				t.Errorf("whole and streamed differ: %s", diff)
			}
		}
	})
}

func serve(handler http.Handler, path, body string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, request(path, []byte(body)))
	return w
}

func checkError(t *testing.T, w *httptest.ResponseRecorder) {
	t.Helper()
	err := gemini.DecodeError(w.Code, w.Header(), w.Body.Bytes())
	if !err.FromAPI() || !err.Status.Valid() || err.HTTPStatus != w.Code || err.Message == "" ||
		gemini.HTTPStatusOf(err.Status) != w.Code {
		t.Errorf("not an error of the API: %d %s", w.Code, w.Body)
	}
}

// texts are the texts of the candidates of an answer.
func texts(t *testing.T, body string) []string {
	t.Helper()
	var out []string
	for _, c := range whole(t, body).Candidates {
		text := ""
		if c.Content != nil {
			for i := range c.Content.Parts {
				text += partText(&c.Content.Parts[i])
			}
		}
		out = append(out, text)
	}
	return out
}

func partText(p *geminiapi.Part) string {
	switch {
	case p.Text != nil:
		return *p.Text
	case p.FunctionCall != nil:
		return *p.FunctionCall.Name + "()"
	default:
		return "?"
	}
}
