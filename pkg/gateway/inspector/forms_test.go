package inspector_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/pkg/gateway"
	"github.com/gemwire/gemwire/pkg/gateway/inspector"
)

// Every form is shown beside Gemini's, event by event, and can be copied and replayed.
func TestAllFormsAreShownCopiedAndReplayed(t *testing.T) {
	t.Parallel()
	var handler *gateway.Handler
	b := open(t, inspector.WithBodies(), inspector.WithGatewayURL("http://127.0.0.1:8080"), inspector.WithReplay(http.HandlerFunc(
		func(w http.ResponseWriter, r *http.Request) { handler.ServeHTTP(w, r) })))
	handler, err := gateway.New(gateway.WithObserver(b.Inspector), gateway.WithAllowedHosts("*"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(handler.Close)
	for i, form := range []struct{ path, body, event string }{
		{"/v1/responses", `{"model":"gemini-3.5-flash","stream":true,"input":"hello [words 20]","max_tool_calls":3}`, `{"type":"response.output_text.delta"`},
		{"/v1/messages", `{"model":"gemini-3.5-flash","stream":true,"max_tokens":100,"messages":[{"role":"user","content":"hello [words 20]"}],"speed":"fast","metadata":{"user_id":"x"}}`, `{"type":"content_block_delta"`},
		{"/v1/chat/completions", `{"model":"gemini-3.5-flash","stream":true,"messages":[{"role":"user","content":"hello [words 20]"}]}`, `"delta":{`},
	} {
		request := httptest.NewRequest(http.MethodPost, form.path, strings.NewReader(form.body))
		request.Header.Set("Content-Type", "application/json")
		handler.ServeHTTP(httptest.NewRecorder(), request)
		number := 2*i + 1
		d := b.detail(number)
		if d.Client.Request == nil || d.Client.Request.Body != form.body || len(d.Tries) != 1 || len(d.Client.Chunks) < 3 || d.Summary.Tokens.Output == 0 {
			t.Fatalf("%s: %+v", form.path, d)
		}
		var events int
		for j, chunk := range d.Client.Chunks {
			if strings.Contains(chunk.Data, form.event) {
				events++
			}
			if strings.HasPrefix(chunk.Data, "event:") || j > 0 && chunk.At < d.Client.Chunks[j-1].At {
				t.Errorf("%s: event %d is %+v", form.path, j, chunk)
			}
		}
		if events == 0 {
			t.Errorf("%s: no event is %s: %+v", form.path, form.event, d.Client.Chunks)
		}
		if command := b.get(fmt.Sprintf("/api/exchanges/%d/curl/client", number)); !strings.Contains(command, "http://127.0.0.1:8080"+form.path) {
			t.Errorf("%s: %s", form.path, command)
		}
		want := fmt.Sprintf(`{"number":%d,"status":200,"broke":false}`, number+1)
		if _, _, answer := b.do(http.MethodPost, fmt.Sprintf("/api/exchanges/%d/replay", number), `{}`); answer != want {
			t.Errorf("%s: replayed as %s, expected %s", form.path, answer, want)
		}
		for _, f := range d.Findings {
			if f.Side == "client" && f.Here == nil {
				t.Errorf("%s: %s is not found in the request", form.path, f.Pointer)
			}
		}
	}
}
