package gateway_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/internal/test/descriptiontest"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/geminitest"
	"github.com/gemwire/gemwire/pkg/openai/responses"
	"github.com/gemwire/gemwire/server/gateway"
	"github.com/gemwire/gemwire/server/gateway/responsestore"
)

// keeping returns a gateway with a response store and the fake server, unless other options are
// given.
func keeping(t testing.TB, server *geminitest.Server, opts ...gateway.Option) *gateway.Handler {
	t.Helper()
	store := responsestore.NewMemory(responsestore.Bounds{})
	return gatewayOf(t, server,
		append([]gateway.Option{gateway.WithResponseStore(store)}, opts...)...)
}

// do sends a request without a body.
func do(handler http.Handler, method, path string, headers ...string) *httptest.ResponseRecorder {
	request := httptest.NewRequest(method, path, nil)
	for i := 0; i < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
	}
	answer := httptest.NewRecorder()
	handler.ServeHTTP(answer, request)
	return answer
}

// lastPrompt returns the last request to the fake server.
func lastPrompt(t testing.TB, server *geminitest.Server) string {
	t.Helper()
	requests := server.Requests()
	body := requests[len(requests)-1].Body
	if _, err := gemini.DecodeRequest(body); err != nil {
		t.Fatal(err)
	}
	return string(body)
}

// wantInOrder checks that a text contains other texts in the given order.
func wantInOrder(t testing.TB, text string, parts ...string) {
	t.Helper()
	rest := text
	for _, part := range parts {
		_, behind, ok := strings.Cut(rest, part)
		if !ok {
			t.Errorf("%q is not there, or not in order: %s", part, text)
			return
		}
		rest = behind
	}
}

const weatherTool = `,"tools":[{"type":"function","name":"get_weather","parameters":{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}}]`

// For a chain of responses with calls in the middle, Gemini gets the whole conversation with
// signatures.
func TestAChainOfResponsesIsTheWholeConversation(t *testing.T) {
	t.Parallel()
	server := geminitest.NewServer(t)
	handler := keeping(t, server)
	first := responseOf(t,
		post(handler, responsesPath,
			asked("What is the weather in Porto?",
				`,"instructions":"Be brief.","tool_choice":"required"`+weatherTool)))
	var callID string
	for _, item := range first.Output {
		if item.Type == openaiapi.ResponseItemTypeFunctionCall {
			callID = item.CallID
		}
	}
	if callID == "" || !jsonx.Deref(first.Store) {
		t.Fatalf("no call, or not kept: %+v", first)
	}
	second := responseOf(t,
		post(handler, responsesPath,
			`{"model":"gemini-3.6-flash","previous_response_id":"`+first.ID+
				`","input":[{"type":"function_call_output","call_id":"`+callID+
				`","output":"sunny"}]`+weatherTool+`}`))
	if jsonx.Deref(second.PreviousResponseID) != first.ID {
		t.Errorf("the response continues %q", jsonx.Deref(second.PreviousResponseID))
	}
	responseOf(t, post(handler, responsesPath,
		`{"model":"gemini-3.6-flash","previous_response_id":"`+second.ID+
			`","input":"And tomorrow?"}`))
	prompt := lastPrompt(t, server)
	wantInOrder(t, prompt, "weather in Porto", "get_weather", `"thoughtSignature"`, "sunny",
		"And tomorrow?")
	if strings.Contains(prompt, "skip_thought_signature") {
		t.Errorf("a signature was lost: %s", prompt)
	}
	if strings.Contains(prompt, "Be brief.") {
		t.Errorf("the instructions of an earlier response are inherited: %s", prompt)
	}
}

// A response is stored when its last event is sent, and its chain then ends with it.
func TestAResponseIsKeptWhenItsStreamEnds(t *testing.T) {
	t.Parallel()
	server := geminitest.NewServer(t)
	handler := keeping(t, server)
	events := responseEventsOf(t,
		post(handler, responsesPath, asked("hello", `,"stream":true`)).Body.Bytes())
	id := events[len(events)-1].Response.ID
	if got := responseOf(t,
		do(handler, "GET", responsesPath+"/"+id)); responses.Text(got) != "You said: hello" ||
		!jsonx.Deref(got.Store) {
		t.Errorf("kept is %+v", got)
	}
	responseOf(t, post(handler, responsesPath, asked("again", `,"previous_response_id":"`+id+`"`)))
	wantInOrder(t, lastPrompt(t, server), `"hello"`, "You said: hello", `"again"`)

	deleted := do(handler, "DELETE", responsesPath+"/"+id)
	descriptiontest.OpenAI(t, "DeletedResponse", deleted.Body.Bytes())
	if deleted.Code != http.StatusOK {
		t.Errorf("HTTP %d: %s", deleted.Code, deleted.Body)
	}
	for name, answer := range map[string]*httptest.ResponseRecorder{
		"retrieving": do(handler, "GET", responsesPath+"/"+id),
		"deleting":   do(handler, "DELETE", responsesPath+"/"+id),
		"its input":  do(handler, "GET", responsesPath+"/"+id+"/input_items"),
	} {
		if e := errorOf(t, answer, http.StatusNotFound); !strings.Contains(e.Message, id) {
			t.Errorf("%s: %+v", name, e)
		}
	}
	e := errorOf(t, post(handler, responsesPath,
		asked("again", `,"previous_response_id":"`+id+`"`)), http.StatusBadRequest)
	if jsonx.Deref(e.Code) != "previous_response_not_found" ||
		jsonx.Deref(e.Param) != "previous_response_id" {
		t.Errorf("a chain over a deleted response: %+v", e)
	}
}

// A credential does not find responses that another credential has stored.
func TestResponsesBelongToTheirCredential(t *testing.T) {
	t.Parallel()
	server := geminitest.NewServer(t)
	handler := keeping(t, server, gateway.WithClientKeys(keysOf(t, "alice", "bob")))
	alice, bob := []string{"Authorization", "Bearer key-of-alice"},
		[]string{"X-Api-Key", "key-of-bob"}
	response := responseOf(t, post(handler, responsesPath, asked("hello", ""), alice...))
	for name, answer := range map[string]*httptest.ResponseRecorder{
		"retrieving": do(handler, "GET", responsesPath+"/"+response.ID, bob...),
		"deleting":   do(handler, "DELETE", responsesPath+"/"+response.ID, bob...),
		"input":      do(handler, "GET", responsesPath+"/"+response.ID+"/input_items", bob...),
		"an item": post(handler, responsesPath,
			`{"model":"gemini-3.6-flash","input":[{"type":"item_reference","id":"`+
				response.Output[0].ID+`"},{"role":"user","content":"x"}]}`, bob...),
	} {
		if e := errorOf(t, answer, http.StatusNotFound); strings.Contains(e.Message, "alice") {
			t.Errorf("%s: %+v", name, e)
		}
	}
	errorOf(t, post(handler, responsesPath, asked("x", `,"previous_response_id":"`+response.ID+`"`),
		bob...), http.StatusBadRequest)
	responseOf(t, do(handler, "GET", responsesPath+"/"+response.ID, alice...))
}

// The response's member store says whether the response is really stored, independent of the
// request.
func TestAResponseSaysWhetherItIsKept(t *testing.T) {
	t.Parallel()
	server := geminitest.NewServer(t)
	small := gatewayOf(t, server,
		gateway.WithResponseStore(responsestore.NewMemory(responsestore.Bounds{Bytes: 900})))
	for name, test := range map[string]struct {
		handler http.Handler
		members string
		want    bool
	}{
		"by default": {keeping(t, server), "", true}, "true": {keeping(t, server), `,"store":true`, true}, "false": {keeping(t, server), `,"store":false`, false},
		"too large for the store": {small, `,"store":true`, false},
	} {
		for _, stream := range []string{"", `,"stream":true`} {
			answer := post(test.handler, responsesPath, asked("hello", test.members+stream))
			var response *openaiapi.Response
			if stream == "" {
				response = responseOf(t, answer)
			} else {
				events := responseEventsOf(t, answer.Body.Bytes())
				response = events[len(events)-1].Response
			}
			status := http.StatusNotFound
			if test.want {
				status = http.StatusOK
			}
			if got := do(test.handler, "GET",
				responsesPath+"/"+response.ID); jsonx.Deref(response.Store) != test.want ||
				got.Code != status {
				t.Errorf("%s: says %v, and HTTP %d: %s", name, jsonx.Deref(response.Store),
					got.Code, got.Body)
			}
		}
	}
}

// A response that the limits of the store have removed is not found.
func TestResponsesBeyondTheLimitsAreNotFound(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		server := geminitest.NewServer(t)
		handler := gatewayOf(t, server,
			gateway.WithResponseStore(responsestore.NewMemory(responsestore.Bounds{Count: 2,
				Age: time.Hour})))
		var ids []string
		for i := range 3 {
			ids = append(ids,
				responseOf(t, post(handler, responsesPath, asked(fmt.Sprint("hello ", i), ""))).ID)
		}
		errorOf(t, do(handler, "GET", responsesPath+"/"+ids[0]), http.StatusNotFound)
		responseOf(t, do(handler, "GET", responsesPath+"/"+ids[2]))
		time.Sleep(time.Hour)
		errorOf(t, do(handler, "GET", responsesPath+"/"+ids[2]), http.StatusNotFound)
	})
}

// The input of a response, item by item.
func TestInputItemsHavePages(t *testing.T) {
	t.Parallel()
	handler := keeping(t, geminitest.NewServer(t))
	response := responseOf(t,
		post(handler, responsesPath,
			`{"model":"gemini-3.6-flash","input":[{"role":"user","content":"one"},{"role":"assistant","content":"two"},{"type":"message","role":"user","content":[{"type":"input_text","text":"three"}],"id":"msg_three"}]}`))
	list := func(query string) *openaiapi.ResponseItemList {
		answer := do(handler, "GET", responsesPath+"/"+response.ID+"/input_items"+query)
		descriptiontest.OpenAI(t, "ResponseItemList", answer.Body.Bytes())
		found := &openaiapi.ResponseItemList{}
		if err := found.UnmarshalJSON(answer.Body.Bytes()); err != nil ||
			answer.Code != http.StatusOK {
			t.Fatalf("HTTP %d: %s: %v", answer.Code, answer.Body, err)
		}
		return found
	}
	all := list("")
	if len(all.Data) != 3 || all.Data[0].ID != "msg_three" || all.HasMore ||
		all.FirstID != "msg_three" || all.LastID != all.Data[2].ID {
		t.Errorf("all are %+v", all)
	}
	if page := list("?limit=1&order=asc"); len(page.Data) != 1 ||
		page.Data[0].ID != all.Data[2].ID || !page.HasMore {
		t.Errorf("the oldest is %+v", page)
	}
	if page := list("?after=msg_three&limit=2"); len(page.Data) != 2 || page.HasMore {
		t.Errorf("the others are %+v", page)
	}
	if page := list("?limit=100"); len(page.Data) != 3 {
		t.Errorf("the largest page is %+v", page)
	}
	for query, status := range map[string]int{"?limit=0": 400, "?limit=101": 400, "?limit=x": 400,
		"?order=up": 400, "?after=nobody": 404} {
		errorOf(t, do(handler, "GET", responsesPath+"/"+response.ID+"/input_items"+query), status)
	}
}

func TestItemsAreNamedByReferences(t *testing.T) {
	t.Parallel()
	server := geminitest.NewServer(t)
	handler := keeping(t, server)
	first := responseOf(t, post(handler, responsesPath, asked("hello", "")))
	answer := post(handler, responsesPath,
		`{"model":"gemini-3.6-flash","input":[{"role":"user","content":"hello"},{"type":"item_reference","id":"`+
			first.Output[0].ID+`"},{"role":"user","content":"more"}]}`)
	second := responseOf(t, answer)
	wantInOrder(t, lastPrompt(t, server), `"hello"`, "You said: hello", `"more"`)
	if err := deleteOf(handler, responsesPath+"/"+first.ID); err != nil {
		t.Fatal(err)
	}
	// The input of a later response is stored with that response.
	responseOf(t, post(handler, responsesPath,
		asked("again", `,"previous_response_id":"`+second.ID+`"`)))
	wantInOrder(t, lastPrompt(t, server), `"hello"`, "You said: hello", `"more"`, `"again"`)
	e := errorOf(t, post(handler, responsesPath,
		`{"model":"gemini-3.6-flash","input":[{"role":"user","content":"x"},{"type":"item_reference","id":"msg_nobody"}]}`),
		http.StatusNotFound)
	if jsonx.Deref(e.Param) != "input[1]" || !strings.Contains(e.Message, "msg_nobody") {
		t.Errorf("an item that is not there: %+v", e)
	}
}

func deleteOf(handler http.Handler, path string) error {
	if answer := do(handler, "DELETE", path); answer.Code != http.StatusOK {
		return fmt.Errorf("HTTP %d: %s", answer.Code, answer.Body)
	}
	return nil
}

// A fault in the client's own items has its location in the request, even if stored items precede
// them.
func TestPlacesAreThoseOfTheRequest(t *testing.T) {
	t.Parallel()
	handler := keeping(t, geminitest.NewServer(t))
	first := responseOf(t, post(handler, responsesPath, asked("hello", "")))
	e := errorOf(t, post(handler, responsesPath,
		`{"model":"gemini-3.6-flash","previous_response_id":"`+first.ID+
			`","input":[{"type":"function_call","call_id":"c","name":"f","arguments":"{"}]}`),
		http.StatusBadRequest)
	if !strings.HasPrefix(jsonx.Deref(e.Param), "input[0]") {
		t.Errorf("got %+v, param %q", e, jsonx.Deref(e.Param))
	}
}

func TestConversationsAreContinued(t *testing.T) {
	t.Parallel()
	server := geminitest.NewServer(t)
	handler := keeping(t, server)
	made := post(handler, "/v1/conversations",
		`{"metadata":{"topic":"x"},"items":[{"role":"user","content":"my name is Ana"}]}`)
	id, _, _ := strings.Cut(strings.TrimPrefix(made.Body.String(), `{"id":"`), `"`)
	if made.Code != http.StatusOK || !strings.HasPrefix(id, "conv_") ||
		!strings.Contains(made.Body.String(), `"object":"conversation"`) ||
		!strings.Contains(made.Body.String(), `"topic":"x"`) {
		t.Fatalf("HTTP %d: %s", made.Code, made.Body)
	}
	path := "/v1/conversations/" + id
	for _, conversation := range []string{`"` + id + `"`, `{"id":"` + id + `"}`} {
		response := responseOf(t,
			post(handler, responsesPath, asked("hello", `,"conversation":`+conversation)))
		if response.Conversation == nil || response.Conversation.ID != id {
			t.Errorf("the response is of the conversation %+v", response.Conversation)
		}
	}
	wantInOrder(t, lastPrompt(t, server), "my name is Ana", `"hello"`, "You said: my name",
		`"hello"`)
	items := do(handler, "GET", path+"/items?order=asc&limit=2")
	wantInOrder(t, items.Body.String(), `"object":"list"`, "my name is Ana", `"hello"`,
		`"has_more":true`)
	added := post(handler, path+"/items",
		`{"items":[{"role":"user","content":"late","id":"msg_late"}]}`)
	wantInOrder(t, added.Body.String(), "late")
	wantInOrder(t, do(handler, "GET", path+"/items/msg_late").Body.String(), "late")
	if err := deleteOf(handler, path+"/items/msg_late"); err != nil {
		t.Error(err)
	}
	errorOf(t, do(handler, "GET", path+"/items/msg_late"), http.StatusNotFound)
	wantInOrder(t, post(handler, path, `{"metadata":{"topic":"y"}}`).Body.String(), `"topic":"y"`)
	wantInOrder(t, do(handler, "GET", path).Body.String(), id, `"topic":"y"`)
	wantInOrder(t, do(handler, "DELETE", path).Body.String(), id, `"conversation.deleted"`, "true")
	for _, answer := range []*httptest.ResponseRecorder{do(handler, "GET", path),
		do(handler, "GET", path+"/items"), post(handler, path+"/items",
			`{"items":[{"role":"user","content":"x"}]}`)} {
		errorOf(t, answer, http.StatusNotFound)
	}
	errorOf(t, post(handler, responsesPath, asked("x", `,"conversation":"`+id+`"`)),
		http.StatusNotFound)
	errorOf(t, post(handler, responsesPath,
		asked("x", `,"conversation":"`+id+`","previous_response_id":"resp_1"`)),
		http.StatusBadRequest)
	errorOf(t, post(handler, "/v1/conversations", `{"items":"x"}`), http.StatusBadRequest)
	response := responseOf(t, post(handler, responsesPath, asked("x", "")))
	errorOf(t, do(handler, "GET", "/v1/conversations/"+response.ID), http.StatusNotFound)
}
