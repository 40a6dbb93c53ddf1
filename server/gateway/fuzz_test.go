package gateway_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/internal/test/descriptiontest"
	"github.com/gemwire/gemwire/internal/test/openaitest"
)

// FuzzAnyBodyIsAnswered posts arbitrary data to the embedded server. The answer must conform to the
// description, or be a client error.
func FuzzAnyBodyIsAnswered(f *testing.F) {
	handler := newGateway(f)
	f.Add([]byte(hello))
	f.Add([]byte(streamed(lossyHello)))
	for _, request := range openaitest.Requests(f) {
		f.Add(request)
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		request := httptest.NewRequest(http.MethodPost, chatPath, strings.NewReader(string(body)))
		answer := httptest.NewRecorder()
		handler.ServeHTTP(answer, request)
		switch {
		case answer.Code == http.StatusOK &&
			strings.HasPrefix(answer.Header().Get("Content-Type"), "text/event-stream"):
			descriptiontest.OpenAIStream(t, answer.Body.Bytes())
		case answer.Code == http.StatusOK:
			descriptiontest.OpenAI(t, "CreateChatCompletionResponse", answer.Body.Bytes())
		case answer.Code >= 400 && answer.Code < 500:
			descriptiontest.OpenAI(t, "ErrorResponse", answer.Body.Bytes())
		default:
			t.Errorf("HTTP %d: %s", answer.Code, answer.Body)
		}
	})
}

// FuzzAnyEmbeddingsAreAnswered does the same for embeddings.
func FuzzAnyEmbeddingsAreAnswered(f *testing.F) {
	handler := newGateway(f)
	for _, body := range []string{
		`{"model":"gemini-embedding-001","input":"x","dimensions":4,"encoding_format":"base64","user":"u"}`,
		`{"model":"gemini-embedding-2","input":["x","y"],"dimensions":3}`,
		`{"model":"models/text-embedding-004","input":[[1,2],[3]]}`,
		`{"model":"gemini-embedding-001","input":[1,2,"x",null,{}]}`,
		`{"model":"../files","input":"x"}`, `{"model":"a/b c","input":"\ud800"}`, `{"input":`, `[]`,
		"",
	} {
		f.Add([]byte(body))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		answer := post(handler, embeddingsPath, string(body))
		switch {
		case answer.Code == http.StatusOK:
			descriptiontest.OpenAI(t, "CreateEmbeddingResponse", answer.Body.Bytes())
		case answer.Code >= 400 && answer.Code < 500:
			descriptiontest.OpenAI(t, "ErrorResponse", answer.Body.Bytes())
		default:
			t.Errorf("HTTP %d: %s", answer.Code, answer.Body)
		}
	})
}

// FuzzAnyModelIsDescribedOrNot asks for any model by its name.
func FuzzAnyModelIsDescribedOrNot(f *testing.F) {
	handler := newGateway(f)
	for _, name := range []string{"gemini-2.5-flash", "models/gemini-2.5-flash", "tunedModels/x",
		"..", "a%2Fb", "%00", "x:generateContent", "?"} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		address, err := url.Parse("http://localhost/v1/models/" + name)
		if err != nil {
			t.Skip()
		}
		request := httptest.NewRequest(http.MethodGet, "http://localhost/", nil)
		request.URL = address
		answer := httptest.NewRecorder()
		handler.ServeHTTP(answer, request)
		switch {
		case answer.Code == http.StatusOK &&
			strings.Contains(answer.Body.String(), `"object":"list"`):
			descriptiontest.OpenAI(t, "ListModelsResponse", answer.Body.Bytes())
		case answer.Code == http.StatusOK:
			descriptiontest.OpenAI(t, "Model", answer.Body.Bytes())
		case answer.Code == http.StatusNotFound, answer.Code == http.StatusBadRequest:
			descriptiontest.OpenAI(t, "ErrorResponse", answer.Body.Bytes())
		default:
			t.Errorf("HTTP %d: %s", answer.Code, answer.Body)
		}
	})
}
