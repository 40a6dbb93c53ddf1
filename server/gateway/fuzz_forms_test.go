package gateway_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/internal/test/descriptiontest"
	"github.com/gemwire/gemwire/server/gateway"
	"github.com/gemwire/gemwire/server/gateway/responsestore"
)

// FuzzAnyResponseIsAnswered posts arbitrary data to the Responses API with a store. The answer must
// be a response, its events in order, or a client error.
func FuzzAnyResponseIsAnswered(f *testing.F) {
	handler := newGateway(f,
		gateway.WithResponseStore(responsestore.NewMemory(responsestore.Bounds{Count: 20})))
	for _, body := range []string{
		asked("hello", ""), asked("hello", `,"stream":true`+weatherTool),
		asked("hello", `,"previous_response_id":"resp_1"`),
		`{"model":"gemini-3.6-flash","input":[{"role":"user","content":"x"},{"type":"reasoning","summary":[],"encrypted_content":"gemwire1_x"},{"type":"function_call","call_id":"c","name":"f","arguments":"{}"},{"type":"function_call_output","call_id":"c","output":"y"}]}`,
		`{"model":"gemini-3.6-flash","input":[{"id":"msg_1"}]}`, `{"input":[{}]}`,
		`{"model":"gemini-3.6-flash","input":"\ud800","store":false}`,
	} {
		f.Add([]byte(body))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		if strings.Contains(string(body), "background") { // it continues after the test
			return
		}
		answer := post(handler, responsesPath, string(body))
		switch {
		case answer.Code == http.StatusOK &&
			strings.HasPrefix(answer.Header().Get("Content-Type"), "text/event-stream"):
			responseEventsOf(t, answer.Body.Bytes())
		case answer.Code == http.StatusOK:
			responseOf(t, answer)
		case answer.Code >= 400 && answer.Code < 500:
			descriptiontest.OpenAI(t, "ErrorResponse", answer.Body.Bytes())
		default:
			t.Errorf("HTTP %d: %s", answer.Code, answer.Body)
		}
	})
}

// FuzzAnyMessageIsAnswered does the same for Messages, and counts the tokens of each.
func FuzzAnyMessageIsAnswered(f *testing.F) {
	handler := newGateway(f, gateway.WithTokenCount(gateway.CountByEstimate))
	for _, body := range []string{
		said("hello", ""), streamed(said("hello", "")),
		said("hello", `,"thinking":{"type":"enabled","budget_tokens":1024},"system":[{"type":"text","text":"x"}]`),
		`{"model":"gemini-3.6-flash","max_tokens":1,"messages":[{"role":"user","content":"x"},{"role":"assistant","content":[{"type":"thinking","thinking":"","signature":"gemwire1_x"},{"type":"tool_use","id":"toolu_1","name":"f","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"y"}]}]}`,
		`{"model":"a[1m]","messages":[]}`,
		`{"model":"gemini-3.6-flash","max_tokens":0,"messages":[{"role":"system","content":"x"}]}`,
	} {
		f.Add([]byte(body))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		if answer := post(handler, countPath, string(body)); answer.Code == http.StatusOK {
			countOf(t, answer)
		} else if answer.Code >= 500 {
			t.Errorf("counting: HTTP %d: %s", answer.Code, answer.Body)
		}
		answer := post(handler, messagesPath, string(body))
		switch {
		case answer.Code == http.StatusOK &&
			strings.HasPrefix(answer.Header().Get("Content-Type"), "text/event-stream"):
			messageEventsOf(t, answer.Body.Bytes())
		case answer.Code == http.StatusOK:
			messageOf(t, answer)
		case answer.Code >= 400 && answer.Code < 500:
			descriptiontest.Anthropic(t, "ErrorResponse", answer.Body.Bytes())
		default:
			t.Errorf("HTTP %d: %s", answer.Code, answer.Body)
		}
	})
}
