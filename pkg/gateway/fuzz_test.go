package gateway_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/internal/descriptiontest"
	"github.com/gemwire/gemwire/internal/openaitest"
)

// FuzzAnyBodyIsAnswered posts anything to the embedded server: an answer that the description knows, or an error that is
// the client's.
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
		case answer.Code == http.StatusOK && strings.HasPrefix(answer.Header().Get("Content-Type"), "text/event-stream"):
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
