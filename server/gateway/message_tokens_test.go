package gateway_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/internal/test/descriptiontest"
	"github.com/gemwire/gemwire/pkg/anthropic"
	"github.com/gemwire/gemwire/pkg/geminitest"
	"github.com/gemwire/gemwire/server/gateway"
)

const countPath = "/v1/messages/count_tokens"

// countOf returns the count of an answer.
func countOf(t testing.TB, answer *httptest.ResponseRecorder) int {
	t.Helper()
	if answer.Code != http.StatusOK {
		t.Fatalf("HTTP %d: %s", answer.Code, answer.Body)
	}
	descriptiontest.Anthropic(t, "MessageTokensCount", answer.Body.Bytes())
	count, err := anthropic.DecodeCount(answer.Body.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	return count.InputTokens
}

// The endpoint exists. It accepts the query that Claude Code sends, and a body as small as Claude
// Code's.
func TestTokensOfMessagesAreCounted(t *testing.T) {
	t.Parallel()
	long := `{"model":"gemini-3.6-flash[1m]","messages":[{"role":"user","content":"` +
		strings.Repeat("hello world ", 100) + `"}]}`
	for name, mode := range map[string]gateway.CountMode{"by Gemini": gateway.CountByGemini,
		"by an estimate": gateway.CountByEstimate} {
		server := geminitest.NewServer(t)
		handler := gatewayOf(t, server, gateway.WithTokenCount(mode),
			gateway.WithAliases(map[string]string{"haiku": "gemini-2.5-flash"}))
		short := countOf(t,
			post(handler, countPath+"?beta=true",
				`{"model":"haiku","messages":[{"role":"user","content":"hello"}]}`,
				"Anthropic-Beta", "token-counting-2024-11-01"))
		many := countOf(t, post(handler, countPath, long))
		if short < 1 || short > 10 || many < 150 || many > 700 {
			t.Errorf("%s: %d tokens of a word, %d of 200", name, short, many)
		}
		withTool := countOf(t,
			post(handler, countPath,
				`{"model":"haiku","messages":[{"role":"user","content":"hello"}],"tools":[{"name":"get_weather","description":"The weather in a city.","input_schema":{"type":"object","properties":{"city":{"type":"string"}}}}]}`))
		if withTool <= short+5 {
			t.Errorf("%s: %d tokens with a tool, %d without", name, withTool, short)
		}
		if asked := len(server.Requests()) > 0; asked != (mode == gateway.CountByGemini) {
			t.Errorf("%s: Gemini was asked: %t", name, asked)
		}
	}
}

func TestErrorsOfATokenCountUseAnthropicsTerms(t *testing.T) {
	t.Parallel()
	handler := newGateway(t)
	for body, text := range map[string]string{
		`{"messages":[{"role":"user","content":"x"}]}`: "/model",
		`{"model":"gemini-2.5-flash","messages":"x"}`:  "/messages",
		`{"model":`: "ends too early",
		`{"model":"gemini-2.5-flash","messages":[{"role":"user","content":[{"type":"image","source":{"type":"file","file_id":"f"}}]}]}`: "/messages/0/content/0",
	} {
		e := anthropicErrorOf(t, post(handler, countPath, body), http.StatusBadRequest)
		if e.Error.Type != "invalid_request_error" || !strings.Contains(e.Error.Message, text) {
			t.Errorf("%s: %+v", body, e.Error)
		}
	}
	e := anthropicErrorOf(t,
		post(handler, countPath, `{"model":"haiku","messages":[{"role":"user","content":"x"}]}`),
		http.StatusNotFound)
	if e.Error.Type != "not_found_error" || !strings.HasPrefix(e.Error.Message, "model: ") {
		t.Errorf("a model that is not there: %+v", e.Error)
	}
}

func TestTokensOfPiecesOfConversationsAreCounted(t *testing.T) {
	t.Parallel()
	handler := newGateway(t, gateway.WithTokenCount(gateway.CountByEstimate))
	for _, body := range []string{
		`{"model":"gemini-3.6-flash","tools":[{"name":"f","input_schema":{"type":"object"}}]}`,
		`{"model":"gemini-3.6-flash","messages":[{"role":"user","content":"x"},{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{}}]}]}`,
	} {
		if answer := post(handler, "/v1/messages/count_tokens", body); answer.Code != 200 ||
			!strings.Contains(answer.Body.String(), `"input_tokens":`) {
			t.Errorf("%s: HTTP %d: %s", body, answer.Code, answer.Body)
		}
	}
}

func TestAVersionWithEventsOfAnotherFormIsRefused(t *testing.T) {
	t.Parallel()
	handler := newGateway(t)
	for _, versions := range [][]string{{"2023-01-01"}, {"2023-06-01", "2023-01-01"}} {
		request := httptest.NewRequest("POST", "/v1/messages",
			strings.NewReader(`{"model":"gemini-3.6-flash","max_tokens":9,"stream":true,"messages":[{"role":"user","content":"x"}]}`))
		request.Header["Anthropic-Version"] = versions
		answer := httptest.NewRecorder()
		handler.ServeHTTP(answer, request)
		if answer.Code != 400 || !strings.Contains(answer.Body.String(), "anthropic-version") {
			t.Errorf("%q: HTTP %d: %s", versions, answer.Code, answer.Body)
		}
	}
}
