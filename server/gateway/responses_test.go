package gateway_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/internal/test/descriptiontest"
	"github.com/gemwire/gemwire/pkg/geminitest"
	"github.com/gemwire/gemwire/pkg/openai/responses"
	"github.com/gemwire/gemwire/server/gateway"
)

const responsesPath = "/v1/responses"

// asked returns a request of one text, with other members.
func asked(text, members string) string {
	return `{"model":"gemini-3.6-flash","input":"` + text + `"` + members + `}`
}

// responseOf returns the response of an answer, which has to be one.
func responseOf(t testing.TB, answer *httptest.ResponseRecorder) *openaiapi.Response {
	t.Helper()
	if answer.Code != http.StatusOK {
		t.Fatalf("HTTP %d: %s", answer.Code, answer.Body)
	}
	descriptiontest.OpenAI(t, "Response", answer.Body.Bytes())
	response, err := responses.DecodeResponse(answer.Body.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	if err := responses.ValidateResponse(response); err != nil {
		t.Errorf("%v: %s", err, answer.Body)
	}
	return response
}

// responseEventsOf returns the events of a stream, with heartbeats. They have to be in order.
func responseEventsOf(t testing.TB, body []byte) []openaiapi.ResponseEvent {
	t.Helper()
	var out []openaiapi.ResponseEvent
	for _, event := range descriptiontest.NamedEvents(t, body) {
		decoded, err := responses.DecodeEvent([]byte(event.Data))
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, *decoded)
	}
	if err := responses.CheckSequence(out); err != nil {
		t.Errorf("%v: %s", err, body)
	}
	return out
}

func TestResponsesAreAnswered(t *testing.T) {
	t.Parallel()
	handler := newGateway(t, gateway.WithAliases(map[string]string{"gpt-5.6": "gemini-3.6-flash"}))
	answer := post(handler, responsesPath,
		`{"model":"gpt-5.6","input":"hello","metadata":{"a":"b"},"store":true}`)
	response := responseOf(t, answer)
	if got := responses.Text(response); got != "You said: hello" || response.Model != "gpt-5.6" ||
		response.Metadata["a"] != "b" {
		t.Errorf("answered %s", answer.Body)
	}
	if response.Store == nil || *response.Store {
		t.Error("the response says that it is kept")
	}
	for name, want := range map[string]string{"X-Gemwire-Model": "gemini-3.6-flash",
		"Content-Type": "application/json"} {
		if got := answer.Header().Get(name); got != want {
			t.Errorf("%s is %q", name, got)
		}
	}
	if !strings.HasPrefix(answer.Header().Get("X-Request-Id"), "req_") ||
		!strings.HasPrefix(response.ID, "resp_") {
		t.Errorf("the ids are %q and %q", answer.Header().Get("X-Request-Id"), response.ID)
	}
}

func TestResponsesAreStreamed(t *testing.T) {
	t.Parallel()
	answer := post(newGateway(t), responsesPath, asked("hello [words 50]", `,"stream":true`))
	events := responseEventsOf(t, answer.Body.Bytes())
	last := events[len(events)-1]
	if last.Type != openaiapi.ResponseEventTypeCompleted ||
		len(strings.Fields(responses.Text(last.Response))) < 40 ||
		last.Response.Model != "gemini-3.6-flash" {
		t.Errorf("the stream ends by %+v", last)
	}
	if strings.Contains(answer.Body.String(), "[DONE]") ||
		answer.Header().Get("Content-Type") != "text/event-stream; charset=utf-8" {
		t.Errorf("%v: %s", answer.Header(), answer.Body)
	}
}

// Without a store, requests that need it are refused with the code and the member. Nothing is
// ignored.
func TestWithoutAStoreNothingIsPassedOver(t *testing.T) {
	t.Parallel()
	handler := newGateway(t)
	for name, test := range map[string]struct {
		body        string
		status      int
		code, param string
		message     string
	}{
		"previous response": {asked("x", `,"previous_response_id":"resp_1"`), 400, "previous_response_not_found", "previous_response_id", "--store"},
		"item reference":    {`{"model":"gemini-3.6-flash","input":[{"type":"item_reference","id":"msg_1"}]}`, 404, "item_not_found", "input[0]", "--store"},
		"background":        {asked("x", `,"background":true`), 400, "", "background", "--store"},
		"conversation":      {asked("x", `,"conversation":"conv_1"`), 400, "", "conversation", "--store"},
		"prompt":            {asked("x", `,"prompt":{"id":"p"}`), 400, "", "prompt", ""},
	} {
		e := errorOf(t, post(handler, responsesPath, test.body), test.status)
		if jsonx.Deref(e.Code) != test.code && test.code != "" ||
			!strings.HasPrefix(jsonx.Deref(e.Param), test.param) ||
			!strings.Contains(e.Message, test.message) {
			t.Errorf("%s: %+v, param %s", name, e, jsonx.Deref(e.Param))
		}
	}
	for _, request := range [][2]string{
		{"GET", "/resp_1"}, {"DELETE", "/resp_1"}, {"POST", "/resp_1/cancel"}, {"GET", "/resp_1/input_items"}, {"GET", "/resp_1?stream=true"},
	} {
		answer := httptest.NewRecorder()
		handler.ServeHTTP(answer, httptest.NewRequest(request[0], responsesPath+request[1], nil))
		errorOf(t, answer, http.StatusNotFound)
	}
	for _, request := range [][2]string{{"POST", ""}, {"GET", "/conv_1"}, {"GET", "/conv_1/items"},
		{"DELETE", "/conv_1/items/msg_1"}} {
		answer := httptest.NewRecorder()
		handler.ServeHTTP(answer,
			httptest.NewRequest(request[0], "/v1/conversations"+request[1], nil))
		errorOf(t, answer, http.StatusNotFound)
	}
}

func TestInputTokensAreCounted(t *testing.T) {
	t.Parallel()
	for _, mode := range []gateway.CountMode{gateway.CountByGemini, gateway.CountByEstimate} {
		answer := post(gatewayOf(t, geminitest.NewServer(t), gateway.WithTokenCount(mode)),
			responsesPath+"/input_tokens",
			`{"model":"gemini-3.6-flash","input":[{"role":"user","content":"hello world"}],"instructions":"Be brief."}`)
		descriptiontest.OpenAI(t, "CountInputTokensResponse", answer.Body.Bytes())
		if answer.Code != http.StatusOK ||
			!strings.Contains(answer.Body.String(), `"object":"response.input_tokens"`) {
			t.Errorf("%s: HTTP %d: %s", mode, answer.Code, answer.Body)
		}
	}
}
