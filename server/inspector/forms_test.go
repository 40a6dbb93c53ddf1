package inspector_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/server/gateway"
	"github.com/gemwire/gemwire/server/inspector"
)

// Every form is shown next to Gemini's form, event by event, and can be copied and replayed.
func TestAllFormsAreShownCopiedAndReplayed(t *testing.T) {
	t.Parallel()
	var handler *gateway.Handler
	b := open(t, inspector.WithBodies(), inspector.WithGatewayURL("http://127.0.0.1:8080"),
		inspector.WithReplay(http.HandlerFunc(
			func(w http.ResponseWriter, r *http.Request) { handler.ServeHTTP(w, r) })))
	handler, err := gateway.New(gateway.WithObserver(b.Inspector), gateway.WithAllowedHosts("*"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(handler.Close)
	for i, form := range []struct{ path, body, event string }{
		{"/v1/responses", `{"model":"gemini-3.6-flash","stream":true,"input":"hello [words 20]","max_tool_calls":3}`, `{"type":"response.output_text.delta"`},
		{"/v1/messages", `{"model":"gemini-3.6-flash","stream":true,"max_tokens":100,"messages":[{"role":"user","content":"hello [words 20]"}],"speed":"fast","metadata":{"user_id":"x"}}`, `{"type":"content_block_delta"`},
		{"/v1/chat/completions", `{"model":"gemini-3.6-flash","stream":true,"messages":[{"role":"user","content":"hello [words 20]"}]}`, `"delta":{`},
	} {
		request := httptest.NewRequest(http.MethodPost, form.path, strings.NewReader(form.body))
		request.Header.Set("Content-Type", "application/json")
		handler.ServeHTTP(httptest.NewRecorder(), request)
		number := 2*i + 1
		d := b.detail(number)
		if d.Client.Request == nil || d.Client.Request.Body != form.body || len(d.Tries) != 1 ||
			len(d.Client.Chunks) < 3 || d.Summary.Tokens.Output == 0 {
			t.Fatalf("%s: %+v", form.path, d)
		}
		var events int
		for j, chunk := range d.Client.Chunks {
			if strings.Contains(chunk.Data, form.event) {
				events++
			}
			if strings.HasPrefix(chunk.Data, "event:") ||
				j > 0 && chunk.At < d.Client.Chunks[j-1].At {
				t.Errorf("%s: event %d is %+v", form.path, j, chunk)
			}
		}
		if events == 0 {
			t.Errorf("%s: no event is %s: %+v", form.path, form.event, d.Client.Chunks)
		}
		if command := b.get(fmt.Sprintf("/api/exchanges/%d/curl/client",
			number)); !strings.Contains(command, "http://127.0.0.1:8080"+form.path) {
			t.Errorf("%s: %s", form.path, command)
		}
		want := fmt.Sprintf(`{"number":%d,"id":"req_`, number+1)
		if _, _, answer := b.do(http.MethodPost, fmt.Sprintf("/api/exchanges/%d/replay", number),
			`{}`); !strings.HasPrefix(answer, want) {
			t.Errorf("%s: replayed as %s, expected %s", form.path, answer, want)
		}
		for _, f := range d.Findings {
			if f.Side == "client" && f.Here == nil {
				t.Errorf("%s: %s is not found in the request", form.path, f.Pointer)
			}
		}
	}
}

// openAI answers like a server of chat_completions.
func openAI(r *http.Request) (*http.Response, error) {
	const head = `"id":"c1","created":1700000000,"model":"gpt-5.1","choices":[{"index":0,`
	body, _ := io.ReadAll(r.Body)
	answer := httptest.NewRecorder()
	answer.Header().Set("Content-Type", "application/json")
	if !strings.Contains(string(body), `"stream":true`) {
		_, _ = answer.WriteString(`{"object":"chat.completion",` + head +
			`"message":{"role":"assistant","content":"Hi there"},"finish_reason":"stop"}],"system_fingerprint":"fp"}`)
		return answer.Result(), nil
	}
	answer.Header().Set("Content-Type", "text/event-stream")
	for _, choice := range []string{`"delta":{"content":"Hi there"},"finish_reason":null`,
		`"delta":{},"finish_reason":"stop"`} {
		_, _ = answer.WriteString(`data: {"object":"chat.completion.chunk",` + head + choice +
			"}]}\n\n")
	}
	_, _ = answer.WriteString("data: [DONE]\n\n")
	return answer.Result(), nil
}

// With an upstream of chat_completions, the page shows the upstream's form. It also shows Gemini's
// form between the two if the client uses another form.
func TestTheRequestToAServerOfChatCompletionsIsShown(t *testing.T) {
	t.Parallel()
	b := open(t, inspector.WithBodies())
	handler, err := gateway.New(gateway.WithObserver(b.Inspector), gateway.WithAllowedHosts("*"),
		gateway.WithUpstream(gateway.Upstream{
			Service: gateway.OpenAI, BaseURL: "https://chat.example/v1",
			HTTPClient: gemini.DoerFunc(openAI),
		}))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(handler.Close)
	for i, form := range []struct {
		path, body string
		here       string // what of the request is lost, where there is one
		isBetween  bool
	}{
		{"/v1beta/models/gpt-5.1:generateContent", `{"contents":[{"role":"user","parts":[{"text":"hello there"}]}],"generationConfig":{"topK":3}}`, "/generationConfig/topK", false},
		{"/v1beta/models/gpt-5.1:streamGenerateContent?alt=sse", `{"contents":[{"role":"user","parts":[{"text":"hello there"}]}],"generationConfig":{"topK":3}}`, "/generationConfig/topK", false},
		{"/v1/messages", `{"model":"gpt-5.1","max_tokens":100,"messages":[{"role":"user","content":"hello there"}]}`, "", true},
	} {
		request := httptest.NewRequest(http.MethodPost, form.path, strings.NewReader(form.body))
		request.Header.Set("Content-Type", "application/json")
		handler.ServeHTTP(httptest.NewRecorder(), request)
		d := b.detail(i + 1)
		if len(d.Tries) != 1 || d.Tries[0].Request == nil ||
			!strings.HasPrefix(d.Tries[0].Request.Body,
				`{"model":"gpt-5.1","messages":[{"role":"user","content":"hello there"}]`) ||
			!d.Summary.IsOpenAI {
			t.Fatalf("%s: %+v", form.path, d)
		}
		if isBetween := d.Tries[0].Between != nil; isBetween != form.isBetween ||
			isBetween && !strings.Contains(d.Tries[0].Between.Request.Body, `"contents"`) {
			t.Errorf("%s: between is %+v", form.path, d.Tries[0].Between)
		}
		if said := d.Tries[0].Response.Body +
			fmt.Sprint(d.Tries[0].Chunks); !strings.Contains(said, `"content":"Hi there"`) {
			t.Errorf("%s: answered %s", form.path, said)
		}
		for _, f := range d.Findings {
			if f.Kind == "lost" && f.Side == "client" && (f.Here == nil || *f.Here != form.here) {
				t.Errorf("%s: %s is not found in the request", form.path, f.Pointer)
			}
		}
		if command := b.get(fmt.Sprintf("/api/exchanges/%d/curl/upstream",
			i+1)); !strings.Contains(command, "'https://chat.example/v1/chat/completions'") ||
			!strings.Contains(command, "Authorization: Bearer $OPENAI_API_KEY") {
			t.Errorf("%s: %s", form.path, command)
		}
		if script := b.get(fmt.Sprintf("/api/exchanges/%d/fixture", i+1)); !strings.Contains(script,
			`"contains": "hello there"`) || !strings.Contains(script, `"text": "Hi there"`) {
			t.Errorf("%s: %s", form.path, script)
		}
	}
	d := b.detail(1)
	var there string
	for _, f := range d.Findings {
		if f.Pointer == "/system_fingerprint" && f.Here != nil {
			there = *f.Here
		}
	}
	if there != "/system_fingerprint" {
		t.Errorf("what of the answer is lost is not found in it: %+v", d.Findings)
	}
}

// For a request that the Interactions API answers, the page shows that form. It also shows Gemini's
// form between the two if the client uses another form.
func TestRequestsToTheInteractionsAPIAreShown(t *testing.T) {
	t.Parallel()
	b := open(t, inspector.WithBodies())
	handler, err := gateway.New(gateway.WithObserver(b.Inspector), gateway.WithAllowedHosts("*"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(handler.Close)
	const native = `{"contents":[{"role":"user","parts":[{"text":"hello there"}]}]}`
	for i, form := range []struct {
		path, body string
		isBetween  bool
	}{
		{"/v1beta/models/gemini-omni-1.1-flash:generateContent", native, false},
		{"/v1beta/models/gemini-omni-1.1-flash:streamGenerateContent?alt=sse", native, false},
		{"/v1/messages", `{"model":"gemini-omni-1.1-flash","max_tokens":100,"messages":[{"role":"user","content":"hello there"}]}`, true},
	} {
		request := httptest.NewRequest(http.MethodPost, form.path, strings.NewReader(form.body))
		request.Header.Set("Content-Type", "application/json")
		handler.ServeHTTP(httptest.NewRecorder(), request)
		d := b.detail(i + 1)
		if len(d.Tries) != 1 || d.Tries[0].Request == nil || d.Tries[0].Response == nil ||
			!strings.Contains(d.Tries[0].Request.Body, `"type":"user_input"`) ||
			!d.Summary.IsInteractions || d.Summary.IsOpenAI {
			t.Fatalf("%s: %+v", form.path, d)
		}
		if isBetween := d.Tries[0].Between != nil; isBetween != form.isBetween ||
			isBetween && !strings.Contains(d.Tries[0].Between.Request.Body, `"contents"`) {
			t.Errorf("%s: between is %+v", form.path, d.Tries[0].Between)
		}
		if said := d.Tries[0].Response.Body +
			fmt.Sprint(d.Tries[0].Chunks); !strings.Contains(said, "hello there") {
			t.Errorf("%s: answered %s", form.path, said)
		}
		if command := b.get(fmt.Sprintf("/api/exchanges/%d/curl/upstream",
			i+1)); !strings.Contains(command, "/v1beta/interactions") {
			t.Errorf("%s: %s", form.path, command)
		}
		if script := b.get(fmt.Sprintf("/api/exchanges/%d/fixture", i+1)); !strings.Contains(script,
			`"contains": "hello there"`) || !strings.Contains(script, `"text":`) {
			t.Errorf("%s: %s", form.path, script)
		}
	}
}

// A call without its signature is sent with a placeholder, so only the signature is lost.
func TestACallWithoutItsSignatureIsOneLossAndHasNoSignature(t *testing.T) {
	t.Parallel()
	b, post := served(t)
	post("/v1/responses", `{"model":"gemini-3.6-flash","input":[
		{"role":"user","content":"weather?"},
		{"type":"function_call","call_id":"c1","name":"weather","arguments":"{}"},
		{"type":"function_call_output","call_id":"c1","output":"sunny"}],
		"tools":[{"type":"function","name":"weather","parameters":{"type":"object"}}]}`)
	var d struct {
		Findings []struct {
			Kind, Pointer, Detail string
			Signature             bool
		}
	}
	b.into("/api/exchanges/1", &d)
	lost := 0
	for _, f := range d.Findings {
		if f.Signature {
			lost++
		}
		if f.Kind == "added" && strings.Contains(f.Detail, "placeholder") ||
			f.Signature && (f.Kind != "lost" || !strings.HasPrefix(f.Pointer, "/input/1")) {
			t.Errorf("%+v", f)
		}
	}
	if lost != 1 {
		t.Errorf("%d signatures are lost: %+v", lost, d.Findings)
	}
	for _, m := range b.view(1).Messages {
		for _, p := range m.Parts {
			if p.Signature != "" {
				t.Errorf("the placeholder is shown as the signature %s", p.Signature)
			}
		}
	}
}

// The client's own messages and model are shown if the gateway cannot read the request.
func TestARefusedRequestShowsWhatTheClientAsked(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ path, body, model, text, note string }{
		{"/v1/chat/completions", `{"model":"gemini-3.6-flash","temperature":"hot","messages":[
			{"role":"system","content":"Be brief."},{"role":"user","content":[{"type":"text",
			"text":"weather?"}]}]}`, "gemini-3.6-flash", "weather?", "messages of the client's"},
		{"/v1/responses", `{"model":"gemini-3.6-flash","temperature":"hot","input":"weather?"}`,
			"gemini-3.6-flash", "weather?", "messages of the client's"},
		{"/v1/chat/completions", `{"model":`, "", "", "cannot be read"},
	} {
		b, post := refusing(t)
		post(test.path, test.body)
		v, s := b.view(1), b.understood(1).Summary
		if s.Model != test.model || s.Preview != test.text || !strings.Contains(v.Note, test.note) ||
			!strings.Contains(v.Note, "The gateway refused the request.") ||
			!strings.Contains(v.text(), test.text) {
			t.Errorf("%s: %+v, %q, %s", test.body, s, v.Note, v.text())
		}
	}
}

// The default of the setting store_at_google adds a member that the client did not send.
func TestAnAddedStoreIsReported(t *testing.T) {
	t.Parallel()
	b, post := served(t)
	for n, test := range []struct {
		body string
		want bool
	}{
		{`{"model":"gemini-3.6-flash","messages":[{"role":"user","content":"hi"}]}`, true},
		{`{"model":"gemini-3.6-flash","store":false,"messages":[{"role":"user","content":"hi"}]}`,
			false},
	} {
		post("/v1/chat/completions", test.body)
		var d struct{ StoreAdded bool }
		if b.into(fmt.Sprintf("/api/exchanges/%d", n+1), &d); d.StoreAdded != test.want {
			t.Errorf("%s: %v", test.body, d.StoreAdded)
		}
	}
}

// A picture that stays in the JSON is shown from there.
func TestASmallPictureHasItsData(t *testing.T) {
	t.Parallel()
	b, post := served(t)
	post("/v1/chat/completions", `{"model":"gemini-3.6-flash","messages":[{"role":"user","content":[
		{"type":"image_url","image_url":{"url":"data:image/png;base64,iVBORw0KGgo="}}]}]}`)
	for _, m := range b.view(1).Messages {
		for _, p := range m.Parts {
			if p.Kind == "media" && p.Data == "iVBORw0KGgo=" {
				return
			}
		}
	}
	t.Errorf("the picture is missing: %+v", b.view(1).Messages)
}
