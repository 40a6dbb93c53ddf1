package gateway_test

import (
	"strings"
	"testing"

	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/geminitest"
	"github.com/gemwire/gemwire/server/gateway"
)

// storedForms are requests of all forms, with a place for further members of Google's form. A form
// without such a place cannot ask Google to store anything.
var storedForms = map[string]struct{ path, body, member string }{
	"chat":                {"/v1/chat/completions", `{"model":"gemini-3.5-flash","messages":[{"role":"user","content":"hello"}]%s}`, `,"extra_body":{"google":{"store":true}}`},
	"chat stream":         {"/v1/chat/completions", `{"model":"gemini-3.5-flash","stream":true,"messages":[{"role":"user","content":"hello"}]%s}`, `,"extra_body":{"google":{"store":true}}`},
	"responses":           {"/v1/responses", `{"model":"gemini-3.5-flash","input":"hello"%s}`, ``},
	"responses stream":    {"/v1/responses", `{"model":"gemini-3.5-flash","stream":true,"input":"hello"%s}`, ``},
	"messages":            {"/v1/messages", `{"model":"gemini-3.5-flash","max_tokens":9,"messages":[{"role":"user","content":"hello"}]%s}`, ``},
	"messages stream":     {"/v1/messages", `{"model":"gemini-3.5-flash","stream":true,"max_tokens":9,"messages":[{"role":"user","content":"hello"}]%s}`, ``},
	"native":              {"/v1beta/models/gemini-3.5-flash:generateContent", `{"contents":[{"role":"user","parts":[{"text":"hello"}]}]%s}`, `,"store":true`},
	"native stream":       {"/v1beta/models/gemini-3.5-flash:streamGenerateContent?alt=sse", `{"contents":[{"role":"user","parts":[{"text":"hello"}]}]%s}`, `,"store":true`},
	"native, of Vertex's": {"/v1/publishers/google/models/gemini-3.5-flash:generateContent", `{"contents":[{"role":"user","parts":[{"text":"hello"}]}]%s}`, `,"store":true`},
	"native batch": {"/v1beta/models/gemini-3.5-flash:batchGenerateContent",
		`{"batch":{"displayName":"d","inputConfig":{"requests":{"requests":[{"request":{"contents":[{"role":"user","parts":[{"text":"hello"}]}]%s}}]}}}}`,
		`,"store":true`},
}

func TestNothingIsStoredAtGoogleUnlessSomebodyAsksForIt(t *testing.T) {
	t.Parallel()
	const off, on = `"store":false`, `"store":true`
	for name, form := range storedForms {
		for storage, want := range map[gemini.Storage]string{"": off, gemini.StorageOff: off,
			gemini.StorageOn: on, gemini.StorageByProject: ""} {
			server := geminitest.NewServer(t)
			handler := gatewayOf(t, server, gateway.WithStorageAtGoogle(storage))
			sent := func(member string) string {
				answer := post(handler, form.path, strings.Replace(form.body, "%s", member, 1),
					"X-Goog-Api-Key", "any")
				requests := server.Requests()
				if answer.Code != 200 || len(requests) == 0 {
					t.Fatalf("%s: HTTP %d: %s", name, answer.Code, answer.Body)
				}
				return string(requests[len(requests)-1].Body)
			}
			if got := sent(""); strings.Count(got, `"store"`) != strings.Count(want, `"store"`) ||
				!strings.Contains(got, want) {
				t.Errorf("%s, %q: sent %s, want %q", name, storage, got, want)
			}
			if form.member == "" {
				continue
			}
			if got := sent(form.member); strings.Count(got, `"store"`) != 1 ||
				!strings.Contains(got, on) {
				t.Errorf("%s, %q: the client's word is not kept: %s", name, storage, got)
			}
		}
	}
}

func TestTheStoreOfOpenAIDoesNotAskGoogle(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"chat", "responses"} {
		server := geminitest.NewServer(t)
		form := storedForms[name]
		post(gatewayOf(t, server), form.path, strings.Replace(form.body, "%s", `,"store":true`, 1))
		if got := string(server.Requests()[0].Body); !strings.Contains(got, `"store":false`) {
			t.Errorf("%s: sent %s", name, got)
		}
	}
}

func TestOtherServersAreNotSentStore(t *testing.T) {
	t.Parallel()
	for _, path := range []string{gptPath, "/v1/chat/completions"} {
		s := &chatServer{}
		d := &diary{}
		body := `{"contents":[{"role":"user","parts":[{"text":"hello"}]}]}`
		if path != gptPath {
			body = `{"model":"gpt-5.1","messages":[{"role":"user","content":"hello"}]}`
		}
		answer := post(gatewayOfChat(t, s, gateway.WithObserver(d)), path, body)
		if _, sent := s.last(); answer.Code != 200 || strings.Contains(sent, "store") {
			t.Errorf("HTTP %d: sent %s", answer.Code, sent)
		}
		if end := d.last().end; end.Lost != 0 || end.Approximated != 0 {
			t.Errorf("%s: %+v", path, end)
		}
	}
}

func TestAnUnknownStorageIsRefused(t *testing.T) {
	t.Parallel()
	_, err := gateway.New(gateway.WithStorageAtGoogle("never"))
	if err == nil || err.Error() != `gateway: "never" is not a storage; use one of ["off" "on" "project"]` {
		t.Error(err)
	}
}
