package gateway_test

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/internal/test/openaitest"
	"github.com/gemwire/gemwire/pkg/geminitest"
	"github.com/gemwire/gemwire/pkg/openai/responses"
	"github.com/gemwire/gemwire/server/gateway"
	"github.com/gemwire/gemwire/server/gateway/responsestore"
	"github.com/go-json-experiment/json"
)

const conversationsPath = "/v1/conversations"

// conversationOf creates a conversation with items and returns its id.
func conversationOf(t testing.TB, handler http.Handler, items string) string {
	t.Helper()
	answer := post(handler, conversationsPath, `{"items":[`+items+`]}`)
	var made struct {
		ID string `json:"id"`
	}
	if err := json.Unmarshal(answer.Body.Bytes(), &made); err != nil ||
		answer.Code != http.StatusOK {
		t.Fatalf("HTTP %d: %s", answer.Code, answer.Body)
	}
	return made.ID
}

// lastResponse returns the response at the end of a stream.
func lastResponse(t testing.TB, answer *httptest.ResponseRecorder) *openaiapi.Response {
	t.Helper()
	events := responseEventsOf(t, answer.Body.Bytes())
	return events[len(events)-1].Response
}

// A reference of 40 bytes names an item of any size, and each request may have any number of them.
func TestTheItemsThatARequestContinuesAreNoLargerThanABodyMayBe(t *testing.T) {
	t.Parallel()
	handler := keeping(t, geminitest.NewServer(t), gateway.WithMaxBodySize(100_000))
	large := `{"id":"msg_large","role":"user","content":"` + strings.Repeat("x", 30_000) + `"}`
	id := conversationOf(t, handler, large)
	reference := `{"type":"item_reference","id":"msg_large"}`
	responseOf(t, post(handler, responsesPath,
		`{"model":"gemini-3.6-flash","input":[`+reference+`,`+reference+`],"store":false}`))
	responseOf(t, post(handler, responsesPath, asked("go on", `,"conversation":"`+id+`"`)))
	for range 3 {
		if answer := post(handler, conversationsPath+"/"+id+"/items",
			`{"items":[`+large+`]}`); answer.Code != http.StatusOK {
			t.Fatalf("HTTP %d: %s", answer.Code, answer.Body)
		}
	}
	for name, body := range map[string]string{
		"references": `{"model":"gemini-3.6-flash","input":[` +
			strings.Repeat(reference+",", 9) + reference + `]}`,
		"a long one":        asked("go on", `,"conversation":"`+id+`"`),
		"in the background": asked("go on", `,"background":true,"conversation":"`+id+`"`),
		"one with reference": `{"model":"gemini-3.6-flash","conversation":"` + id + `","input":[` +
			reference + `]}`,
	} {
		if e := errorOf(t, post(handler, responsesPath, body),
			http.StatusBadRequest); jsonx.Deref(e.Code) != "context_length_exceeded" ||
			!strings.Contains(e.Message, "100000") {
			t.Errorf("%s: %+v", name, e)
		}
	}
}

// The stored items that requests in flight continue count against the common memory limit.
func TestContinuedResponsesCountAgainstTheMemoryLimit(t *testing.T) {
	t.Parallel()
	handler := keeping(t, geminitest.NewServer(t), gateway.WithMaxBodySize(100_000),
		gateway.WithMaxBytesInFlight(110_000))
	id := conversationOf(t, handler, `{"role":"user","content":"`+strings.Repeat("x", 60_000)+`"}`)
	responseOf(t, post(handler, responsesPath, asked("go on", `,"conversation":"`+id+`"`)))
	e := errorOf(t, post(handler, responsesPath,
		asked(strings.Repeat("y", 60_000), `,"conversation":"`+id+`"`)), http.StatusTooManyRequests)
	if !strings.Contains(e.Message, "memory") {
		t.Errorf("%+v", e)
	}
	// the room is given back
	responseOf(t, post(handler, responsesPath, asked("go on", `,"conversation":"`+id+`"`)))
}

func TestAResponseAndAConversationAreNotTakenForOneAnother(t *testing.T) {
	t.Parallel()
	handler := keeping(t, geminitest.NewServer(t))
	conversation := conversationOf(t, handler, `{"role":"user","content":"x"}`)
	response := responseOf(t, post(handler, responsesPath, asked("hello", ""))).ID
	if e := errorOf(t, post(handler, responsesPath,
		asked("x", `,"previous_response_id":"`+conversation+`"`)),
		http.StatusBadRequest); jsonx.Deref(e.Code) != "previous_response_not_found" {
		t.Errorf("%+v", e)
	}
	if e := errorOf(t, post(handler, responsesPath, asked("x", `,"conversation":"`+response+`"`)),
		http.StatusNotFound); jsonx.Deref(e.Param) != "conversation" {
		t.Errorf("%+v", e)
	}
	for _, request := range [][2]string{
		{"GET", responsesPath + "/" + conversation}, {"GET", responsesPath + "/" + conversation + "?stream=true"}, {"DELETE", responsesPath + "/" + conversation},
		{"POST", responsesPath + "/" + conversation + "/cancel"}, {"GET", responsesPath + "/" + conversation + "/input_items"},
		{"GET", conversationsPath + "/" + response}, {"DELETE", conversationsPath + "/" + response}, {"GET", conversationsPath + "/" + response + "/items"},
	} {
		errorOf(t, do(handler, request[0], request[1]), http.StatusNotFound)
	}
	for _, path := range []string{responsesPath + "/" + response,
		conversationsPath + "/" + conversation} {
		if answer := do(handler, "GET", path); answer.Code != http.StatusOK {
			t.Errorf("%s: HTTP %d: %s", path, answer.Code, answer.Body)
		}
	}
}

// Tools of an earlier request are distinguished in the same way as the request's own tools.
func TestCallsOfToolsFromEarlierItemsAreOnesOfThoseTools(t *testing.T) {
	t.Parallel()
	for _, stream := range []string{"", `,"stream":true`} {
		server := geminitest.NewServer(t, geminitest.WithScript(
			geminitest.On().Reply(geminitest.Text("Well.")).Times(1),
			geminitest.On().Reply(geminitest.Call("mail__send", `{"to":"Ana"}`),
				geminitest.Call("note", `{"input":"Dear"}`)).Times(1),
		))
		handler := keeping(t, server)
		first := responseOf(t,
			post(handler, responsesPath,
				`{"model":"gemini-3.6-flash","input":[{"role":"user","content":"hello"},{"type":"additional_tools","role":"developer","tools":[
			{"type":"namespace","name":"mail","description":"m","tools":[{"type":"function","name":"send"}]},{"type":"custom","name":"note"}]}]}`))
		answer := post(handler, responsesPath,
			asked("go on", `,"previous_response_id":"`+first.ID+`"`+stream))
		var second *openaiapi.Response
		if stream == "" {
			second = responseOf(t, answer)
		} else {
			second = lastResponse(t, answer)
		}
		var calls []string
		for _, item := range second.Output {
			if item.CallID != "" {
				calls = append(calls,
					string(item.Type)+" "+item.Namespace+" "+item.Name+" "+jsonx.Deref(item.Input))
			}
		}
		if got := strings.Join(calls,
			", "); got != "function_call mail send , custom_tool_call  note Dear" {
			t.Errorf("%q in %s", got, answer.Body)
		}
	}
}

// For failed streams. A failed turn is not part of the conversation, because the client retries.
func TestAStreamThatFailedIsKeptAsItSays(t *testing.T) {
	t.Parallel()
	server := geminitest.NewServer(t,
		geminitest.WithScript(geminitest.On().Reply(geminitest.Text("Half an "),
			geminitest.Pause(10*time.Millisecond), geminitest.Cut())))
	handler := keeping(t, server)
	id := conversationOf(t, handler, `{"role":"user","content":"x"}`)
	for _, members := range []string{"", `,"conversation":"` + id + `"`} {
		failed := lastResponse(t,
			post(handler, responsesPath, asked("hello", `,"stream":true`+members)))
		if failed.Status != openaiapi.ResponseStatusFailed || !jsonx.Deref(failed.Store) {
			t.Errorf("ended by %+v", failed)
		}
		if got := responseOf(t,
			do(handler, "GET",
				responsesPath+"/"+failed.ID)); got.Status != openaiapi.ResponseStatusFailed ||
			got.Error == nil {
			t.Errorf("kept is %+v", got)
		}
	}
	// in data, first_id, last_id
	if items := do(handler, "GET",
		conversationsPath+"/"+id+"/items").Body.String(); strings.Count(items, `"msg_`) != 3 {
		t.Errorf("the conversation has %s", items)
	}
}

// Codex retries after an unknown error code. It does not retry after invalid_prompt.
func TestAFailureOfTheClientsIsFinalInAStream(t *testing.T) {
	t.Parallel()
	refusal := geminitest.AsEvent(geminitest.Error(400, "INVALID_ARGUMENT",
		"Please use a valid role."))
	server := geminitest.NewServer(t,
		geminitest.WithScript(geminitest.On().Reply(geminitest.Text("Half an "),
			geminitest.Pause(10*time.Millisecond), refusal)))
	failed := lastResponse(t,
		post(gatewayOf(t, server), responsesPath, asked("hello", `,"stream":true`)))
	if e := failed.Error; e == nil || e.Code != openaiapi.ResponseErrorCodeInvalidPrompt ||
		e.Type != "invalid_request_error" || !strings.Contains(e.Message, "valid role") {
		t.Errorf("failed by %+v", e)
	}
}

func TestARequestForTheBackgroundIsCheckedAtOnce(t *testing.T) {
	t.Parallel()
	server := geminitest.NewServer(t)
	handler := keeping(t, server)
	e := errorOf(t, post(handler, responsesPath,
		`{"model":"gemini-3.6-flash","background":true,"input":[{"role":"user","content":"x"},{"type":"function_call","call_id":"c","name":"f","arguments":"{}"}]}`),
		http.StatusBadRequest)
	if jsonx.Deref(e.Param) != "input[1]" {
		t.Errorf("%+v", e)
	}
	errorOf(t, post(handler, responsesPath, asked("x", `,"background":true,"truncation":"auto"`),
		"X-Gemwire-Strict", "true"), http.StatusBadRequest)
	callers := keeping(t, server, gateway.WithCallersKey())
	errorOf(t, post(callers, responsesPath, asked("x", `,"background":true`)),
		http.StatusUnauthorized)
}

func TestConversationsTakeOnlyItemsThatResponsesCanContinue(t *testing.T) {
	t.Parallel()
	server := geminitest.NewServer(t)
	handler := keeping(t, server)
	id := conversationOf(t, handler, `{"id":"msg_1","role":"user","content":"hello"}`)
	for body, want := range map[string]struct {
		status int
		param  string
		text   string
	}{
		`{"items":[{"role":"user","content":"x"},{}]}`: {400, "items[1].type",
			"/items/1/type: must be set"},
		`{"items":[{"type":"item_reference","id":"msg_9"}]}`: {404, "items[0]", "msg_9"},
		`{"items":[{"type":"item_reference"}]}`: {400, "items[0].id",
			"/items/0/id: must be set"},
		`{"itms":[]}`: {400, "itms", "did you mean items?"},
		`{"items":[{"role":"user","content":5}]}`: {400, "items[0].content",
			"expected, found a number"},
		`{"metadata":{"a":1}}`: {400, "metadata.a",
			"a string was expected"},
		`{"items":[`: {400, "items", "ends too early"},
	} {
		for _, path := range []string{conversationsPath, conversationsPath + "/" + id + "/items"} {
			e := errorOf(t, post(handler, path, body), want.status)
			if jsonx.Deref(e.Param) != want.param || !strings.Contains(e.Message, want.text) {
				t.Errorf("%s: %+v, param %q", body, e, jsonx.Deref(e.Param))
			}
		}
	}
	copied := conversationOf(t, handler, `{"type":"item_reference","id":"msg_1"}`)
	responseOf(t, post(handler, responsesPath, asked("again", `,"conversation":"`+copied+`"`)))
	wantInOrder(t, lastPrompt(t, server), `"hello"`, `"again"`)

	open := conversationOf(t, handler,
		`{"type":"function_call","call_id":"c","name":"f","arguments":"{}"}`)
	e := errorOf(t, post(handler, responsesPath, asked("x", `,"conversation":"`+open+`"`)),
		http.StatusBadRequest)
	if jsonx.Deref(e.Param) != "conversation.items[0]" {
		t.Errorf("%+v, param %q", e, jsonx.Deref(e.Param))
	}
	errorOf(t, post(handler, responsesPath, asked("x", `,"conversation":{"id":""}`)),
		http.StatusBadRequest)
}

// brokenStore is a store whose disk is full.
type brokenStore struct{ responsestore.Store }

func (brokenStore) Put(context.Context, responsestore.Owner, ...responsestore.Write) error {
	return errors.New("no space left on device")
}

func TestTheOperatorGetsTheReasonWhyNothingIsKept(t *testing.T) {
	t.Parallel()
	for name, ask := range map[string]func(http.Handler) *httptest.ResponseRecorder{
		"whole": func(h http.Handler) *httptest.ResponseRecorder { return post(h, responsesPath, asked("hello", "")) },
		"streamed": func(h http.Handler) *httptest.ResponseRecorder {
			return post(h, responsesPath, asked("hello", `,"stream":true`))
		},
		"background": func(h http.Handler) *httptest.ResponseRecorder {
			return post(h, responsesPath, asked("hello", `,"background":true`))
		},
		"conversation": func(h http.Handler) *httptest.ResponseRecorder { return post(h, conversationsPath, `{}`) },
	} {
		var log strings.Builder
		store := brokenStore{responsestore.NewMemory(responsestore.Bounds{})}
		handler := newGateway(t, gateway.WithResponseStore(store),
			gateway.WithLogger(slog.New(slog.NewTextHandler(&log, nil))))
		answer := ask(handler)
		if !strings.Contains(log.String(), "no space left on device") ||
			strings.Contains(answer.Body.String(), "no space left") {
			t.Errorf("%s: HTTP %d: %s, and the log %q", name, answer.Code, answer.Body,
				log.String())
		}
	}
}

// A background response ends when its gateway closes, even if the store fails.
func TestAResponseThatIsLostWithItsGatewayIsNotWaitedFor(t *testing.T) {
	t.Parallel()
	store := responsestore.NewMemory(responsestore.Bounds{})
	handler := newGateway(t, gateway.WithResponseStore(store))
	body, err := responses.EncodeResponse(responseOf(t,
		post(handler, responsesPath, asked("hello", ""))))
	if err != nil {
		t.Fatal(err)
	}
	document := &responsestore.Document{ID: "resp_lost", IsRunning: true, JSON: body}
	if err := store.Put(t.Context(), responsestore.OwnerOf(""),
		responsestore.Write{Document: document}); err != nil {
		t.Fatal(err)
	}
	e := errorOf(t, post(handler, responsesPath, asked("x", `,"previous_response_id":"resp_lost"`)),
		http.StatusBadRequest)
	if !strings.Contains(e.Message, "stopped before the response was complete") {
		t.Errorf("%+v", e)
	}
}

func TestPathsAndQueriesAreReadAsTheyAreMeant(t *testing.T) {
	t.Parallel()
	handler := keeping(t, geminitest.NewServer(t))
	id := conversationOf(t, handler, `{"id":"msg 1/ü","role":"user","content":"x"}`)
	if answer := do(handler, "GET",
		conversationsPath+"/"+id+"/items/msg%201%2F%C3%BC"); answer.Code != http.StatusOK {
		t.Errorf("HTTP %d: %s", answer.Code, answer.Body)
	}
	for query, param := range map[string]string{"/resp_1?stream=maybe": "stream",
		"/resp_1/input_items?limit=many": "limit"} {
		e := errorOf(t, do(handler, "GET", responsesPath+query), http.StatusBadRequest)
		if jsonx.Deref(e.Param) != param || strings.Contains(e.Message, "strconv") {
			t.Errorf("%s: %+v", query, e)
		}
	}
}

// OpenAI refuses every unknown parameter. Here an unknown parameter is lost, unless it seems to
// mean a known one.
func TestAParameterOfAResponseThatIsMisnamedIsRefused(t *testing.T) {
	t.Parallel()
	handler := newGateway(t)
	for member, meant := range map[string]string{
		`"messages":[]`: "input", `"max_tokens":5`: "max_output_tokens",
		`"response_format":{"type":"json_object"}`: "text.format",
		`"reasoning_effort":"low"`:                 "reasoning.effort",
		`"temprature":1`:                           "temperature",
		`"previous_reponse_id":"x"`:                "previous_response_id",
	} {
		name, _, _ := strings.Cut(strings.Trim(member, `"`), `"`)
		for _, path := range []string{responsesPath, responsesPath + "/input_tokens"} {
			e := errorOf(t, post(handler, path, `{"model":"gemini-3.6-flash",`+member+`}`),
				http.StatusBadRequest)
			if jsonx.Deref(e.Code) != "unknown_parameter" || jsonx.Deref(e.Param) != name ||
				!strings.Contains(e.Message, "did you mean "+meant+"?") {
				t.Errorf("%s: %+v", member, e)
			}
		}
	}
	for _, member := range []string{`"safety_settings":[]`, `"top_k":3`, `"messages":null`,
		`"provider":{"order":["x"]}`, `"brand_new_switch":true`} {
		responseOf(t, post(handler, responsesPath, asked("hello", ","+member)))
	}
}

// Suggested members come from the API description.
func TestTheMembersOfAResponseThatMayBeMeantAreThoseOfTheDescription(t *testing.T) {
	t.Parallel()
	for name := range openaitest.Described(t, "CreateResponseRequest").Properties {
		e := errorOf(t, post(newGateway(t), responsesPath, asked("hello", `,"`+name+`x":1`)),
			http.StatusBadRequest)
		if !strings.Contains(e.Message, "did you mean "+name+"?") {
			t.Errorf("%s: %+v", name, e)
		}
	}
}

// Clients that send the whole conversation each time send the items with their ids.
func TestAnItemThatWasSentAgainIsDeletedFromItsConversation(t *testing.T) {
	t.Parallel()
	handler := keeping(t, geminitest.NewServer(t))
	item := `{"id":"msg_1","role":"user","content":"hello"}`
	path := conversationsPath + "/" + conversationOf(t, handler, item) + "/items/msg_1"
	again := responseOf(t,
		post(handler, responsesPath, `{"model":"gemini-3.6-flash","input":[`+item+`]}`))
	if answer := do(handler, "DELETE", path); answer.Code != http.StatusOK {
		t.Errorf("HTTP %d: %s", answer.Code, answer.Body)
	}
	errorOf(t, do(handler, "GET", path), http.StatusNotFound)
	if items := do(handler, "GET",
		responsesPath+"/"+again.ID+"/input_items"); !strings.Contains(items.Body.String(),
		"msg_1") {
		t.Errorf("the other one is gone: %s", items.Body)
	}
}

// A call without a name is not an answer. This is not the client's fault.
func TestACallWithoutANameIsABadAnswerOfTheUpstream(t *testing.T) {
	t.Parallel()
	handler := newGateway(t,
		gateway.WithUpstream(answering(`{"candidates":[{"content":{"parts":[{"functionCall":{"name":"","args":{}}}]},"finishReason":"STOP"}]}`)))
	for path, body := range map[string]string{responsesPath: asked("hello", ""), chatPath: hello} {
		if e := errorOf(t, post(handler, path, body),
			http.StatusBadGateway); jsonx.Deref(e.Code) != "bad_upstream_answer" {
			t.Errorf("%s: %+v", path, e)
		}
	}
}
