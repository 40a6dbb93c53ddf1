package gateway_test

import (
	"context"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/geminitest"
	"github.com/gemwire/gemwire/server/gateway"
	"github.com/gemwire/gemwire/server/gateway/responsestore"
)

// watchedStore is a store that records all writes.
type watchedStore struct {
	*responsestore.Memory
	mu      sync.Mutex
	written strings.Builder
}

func (s *watchedStore) Put(ctx context.Context, owner responsestore.Owner,
	writes ...responsestore.Write) error {
	s.mu.Lock()
	for i := range writes {
		if document := writes[i].Document; document != nil {
			s.written.Write(document.JSON)
		}
		for _, entry := range writes[i].Entries {
			s.written.Write(entry.JSON)
		}
	}
	s.mu.Unlock()
	return s.Memory.Put(ctx, owner, writes...)
}

// A request's credentials for MCP servers are only for that request. They reach Gemini, but no
// store and no list.
func TestCredentialsForMCPServersAreNotStored(t *testing.T) {
	t.Parallel()
	const mcp = `{"type":"mcp","server_label":"docs","server_url":"https://user:secret-1@mcp.example/v1?key=secret-2#secret-3","authorization":"secret-4",` +
		`"headers":{"x-key":"secret-5"},"require_approval":"never"}`
	input := `[{"type":"additional_tools","role":"developer","tools":[` + mcp +
		`]},{"type":"additional_tools","role":"developer","tools":[{"type":"namespace","name":"n","description":"d","tools":[` +
		strings.ReplaceAll(mcp, "secret", "inner-secret") +
		`]}]},{"role":"user","content":"hello"}]`
	store := &watchedStore{Memory: responsestore.NewMemory(responsestore.Bounds{})}
	server := geminitest.NewServer(t,
		geminitest.WithScript(geminitest.On().Reply(geminitest.Text("done")).Unchecked().Times(9)))
	handler := gatewayOf(t, server, gateway.WithResponseStore(store))
	conversation := post(handler, "/v1/conversations",
		`{"items":`+strings.Replace(input, `,{"role"`, `,{"type":"message","role"`, 1)+`}`)
	if conversation.Code != http.StatusOK {
		t.Fatalf("HTTP %d: %s", conversation.Code, conversation.Body)
	}
	for _, members := range []string{``, `,"stream":true`, `,"background":true`} {
		answer := post(handler, responsesPath,
			`{"model":"gemini-3.6-flash","input":`+input+`,"tools":[`+mcp+`]`+members+`}`)
		if answer.Code != http.StatusOK {
			t.Fatalf("HTTP %d: %s", answer.Code, answer.Body)
		}
	}
	response := responseOf(t,
		post(handler, responsesPath, `{"model":"gemini-3.6-flash","input":`+input+`}`))
	listed := do(handler, "GET", responsesPath+"/"+response.ID+"/input_items").Body.String()
	store.mu.Lock()
	written := store.written.String()
	store.mu.Unlock()
	if strings.Contains(listed, "secret") || strings.Contains(written, "secret") {
		t.Errorf("listed %s, written %s", listed, written)
	}
	for what, text := range map[string]string{"listed": listed, "written": written} {
		if !strings.Contains(text, `"server_url":"https://mcp.example/v1"`) {
			t.Errorf("%s is nothing of the server: %s", what, text)
		}
	}
	if asked := lastPrompt(t, server); !strings.Contains(asked, "secret-4") {
		t.Errorf("Gemini was asked %s", asked)
	}
}

// An item that a later response repeated is still there when that response is deleted.
func TestAnItemOutlivesALaterResponseThatRepeatsIt(t *testing.T) {
	t.Parallel()
	server := geminitest.NewServer(t)
	handler := keeping(t, server)
	first := responseOf(t, post(handler, responsesPath, asked("hello", "")))
	item := first.Output[0]
	if item.Type != openaiapi.ResponseItemTypeMessage {
		item = first.Output[1]
	}
	reference := `{"model":"gemini-3.6-flash","input":[{"type":"item_reference","id":"` + item.ID +
		`"},{"role":"user","content":"go on"}]}`
	// its input includes the item
	second := responseOf(t, post(handler, responsesPath, reference))
	if answer := do(handler, "DELETE", responsesPath+"/"+second.ID); answer.Code != http.StatusOK {
		t.Fatalf("HTTP %d: %s", answer.Code, answer.Body)
	}
	responseOf(t, post(handler, responsesPath, reference))
	wantInOrder(t, lastPrompt(t, server), "You said: hello", "go on")
}

// A reference to a missing item has the same code with a store and without.
func TestAMissingItemHasOneCode(t *testing.T) {
	t.Parallel()
	body := `{"model":"gemini-3.6-flash","input":[{"type":"item_reference","id":"msg_1"}]}`
	for name, handler := range map[string]http.Handler{"with a store": keeping(t,
		geminitest.NewServer(t)), "without": newGateway(t)} {
		if e := errorOf(t, post(handler, responsesPath, body),
			http.StatusNotFound); jsonx.Deref(e.Code) != "item_not_found" ||
			jsonx.Deref(e.Param) != "input[0]" {
			t.Errorf("%s: %+v", name, e)
		}
	}
}

// A model may quote the request's credentials for an MCP server. The client receives them, but no
// store does.
func TestSecretsThatAModelQuotesAreNotKept(t *testing.T) {
	t.Parallel()
	const token, header = "token-of-mcp-0123456789", "header-of-mcp-0123456789"
	tool := `{"type":"mcp","server_label":"d","server_url":"https://mcp.example/","require_approval":"never","authorization":"` +
		token +
		`","headers":{"x-key":"` + header + `","x-kind":"message"}}`
	for _, members := range []string{``, `,"stream":true`, `,"background":true`,
		`,"background":true,"stream":true`} {
		store := &watchedStore{Memory: responsestore.NewMemory(responsestore.Bounds{})}
		server := geminitest.NewServer(t,
			geminitest.WithScript(geminitest.On().Reply(geminitest.Text("I have "+token+" and "),
				geminitest.Text(header+".")).Unchecked()))
		handler := gatewayOf(t, server, gateway.WithResponseStore(store),
			gateway.WithClientKeys(keysOf(t, "client-with-the-number-1")))
		conversation := post(handler, "/v1/conversations", `{}`, "Authorization",
			"Bearer key-of-client-with-the-number-1")
		id := responseIDs.FindStringSubmatch(strings.Replace(conversation.Body.String(), `"conv_`,
			`"resp_conv_`, 1))
		if id == nil {
			t.Fatalf("HTTP %d: %s", conversation.Code, conversation.Body)
		}
		answer := post(handler, responsesPath,
			`{"model":"gemini-3.6-flash","input":"my key is key-of-client-with-the-number-1","conversation":"`+
				strings.TrimPrefix(id[1], "resp_")+`","tools":[`+tool+`]`+members+`}`,
			"Authorization",
			"Bearer key-of-client-with-the-number-1")
		if answer.Code != http.StatusOK {
			t.Fatalf("HTTP %d: %s", answer.Code, answer.Body)
		}
		if err := handler.Shutdown(t.Context()); err != nil {
			t.Error(err)
		}
		store.mu.Lock()
		written := store.written.String()
		store.mu.Unlock()
		for _, secret := range []string{token, header, "key-of-client"} {
			if strings.Contains(written, secret) {
				t.Errorf("%s: %s is kept: %s", members, secret, written)
			}
		}
		if !strings.Contains(written, "I have REDACTED and") ||
			!strings.Contains(written, `"type":"message"`) {
			t.Errorf("%s: kept is %s", members, written)
		}
	}
}
