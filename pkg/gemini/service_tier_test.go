package gemini_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/gemini"
)

func TestTheServiceTierIsAHeaderOnVertexAIAndAMemberOnTheGeminiAPI(t *testing.T) {
	t.Parallel()
	token := gemini.WithTokenSource(oneToken("t"))
	for name, c := range map[string]struct {
		service        gemini.ClientOption
		tier           geminiapi.ServiceTier
		header, member string
	}{
		"flex on Vertex AI":          {gemini.WithVertexAI("p", ""), "flex", "flex", ""},
		"priority on Vertex AI":      {gemini.WithVertexAI("p", ""), "priority", "priority", ""},
		"standard on Vertex AI":      {gemini.WithVertexAI("p", ""), "standard", "", ""},
		"a new one on Vertex AI":     {gemini.WithVertexAI("p", ""), "express", "", `"serviceTier":"express"`},
		"flex on the Gemini API":     {gemini.WithAPIKey("key"), "flex", "", `"serviceTier":"flex"`},
		"priority on the Gemini API": {gemini.WithAPIKey("key"), "priority", "", `"serviceTier":"priority"`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got *http.Request
			var body []byte
			doer := gemini.DoerFunc(func(r *http.Request) (*http.Response, error) {
				got = r
				body, _ = io.ReadAll(r.Body)
				return &http.Response{StatusCode: 200, Header: http.Header{},
					Body: io.NopCloser(strings.NewReader(`{"candidates":[]}`))}, nil
			})
			opts := []gemini.ClientOption{c.service, gemini.WithHTTPClient(doer)}
			if strings.HasSuffix(name, "Vertex AI") {
				opts = append(opts, token)
			}
			request := &geminiapi.GenerateContentRequest{Model: new("gemini-3.6-flash"),
				ServiceTier: &c.tier}
			if _, err := newClient(t, opts...).GenerateContent(t.Context(), request); err != nil {
				t.Fatal(err)
			}
			if header := got.Header.Get("X-Vertex-AI-LLM-Shared-Request-Type"); header != c.header {
				t.Errorf("the header is %q, want %q", header, c.header)
			}
			if strings.Contains(string(body), "serviceTier") != (c.member != "") ||
				!strings.Contains(string(body), c.member) {
				t.Errorf("the body is %s", body)
			}
			if *request.ServiceTier != c.tier {
				t.Error("the caller's request has changed")
			}
		})
	}
}
