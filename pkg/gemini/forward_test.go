package gemini_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/pkg/gemini"
)

func TestForwardedRequestsGoWhereTheServiceHasThem(t *testing.T) {
	t.Parallel()
	vertex := []gemini.ClientOption{gemini.WithVertexAI("p", "europe-west4"),
		gemini.WithTokenSource(oneToken("t"))}
	for name, tc := range map[string]struct {
		opts    []gemini.ClientOption
		request gemini.ForwardRequest
		want    string
	}{
		"a method of a model":        {nil, gemini.ForwardRequest{Model: "gemini-2.5-flash", Verb: "countTokens", Query: "a=b"}, "https://generativelanguage.googleapis.com/v1beta/models/gemini-2.5-flash:countTokens?a=b"},
		"in another version":         {nil, gemini.ForwardRequest{Model: "gemini-2.5-flash", Verb: "countTokens", Version: "v1alpha"}, "https://generativelanguage.googleapis.com/v1alpha/models/gemini-2.5-flash:countTokens"},
		"a path":                     {nil, gemini.ForwardRequest{Path: "/upload/v1beta/files", Query: "upload_id=1"}, "https://generativelanguage.googleapis.com/upload/v1beta/files?upload_id=1"},
		"a path of a gateway":        {[]gemini.ClientOption{gemini.WithBaseURL("https://x.example/g/")}, gemini.ForwardRequest{Path: "/v1beta/files"}, "https://x.example/g/v1beta/files"},
		"a model of Vertex AI":       {vertex, gemini.ForwardRequest{Model: "gemini-2.5-flash", Verb: "generateContent"}, "https://europe-west4-aiplatform.googleapis.com/v1/projects/p/locations/europe-west4/publishers/google/models/gemini-2.5-flash:generateContent"},
		"a path of another location": {vertex, gemini.ForwardRequest{Path: "/v1/projects/p/locations/us-east1/cachedContents"}, "https://us-east1-aiplatform.googleapis.com/v1/projects/p/locations/us-east1/cachedContents"},
	} {
		server := &recordingDoer{answers: []string{"{}"}}
		client := newClient(t, append(tc.opts, gemini.WithHTTPClient(server))...)
		tc.request.Method, tc.request.Header = http.MethodPost, http.Header{"X-Own": {"1"}}
		tc.request.Body = []byte("body as it is")
		reply, err := client.Forward(t.Context(), &tc.request)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		body, _ := io.ReadAll(reply)
		_ = reply.Close()
		sent := server.requests[0]
		if got := sent.URL.String(); got != tc.want {
			t.Errorf("%s: sent to %s, expected %s", name, got, tc.want)
		}
		if string(body) != "{}" || reply.HTTPStatus != 200 || server.bodies[0] != "body as it is" ||
			sent.Header.Get("X-Own") != "1" || sent.Header.Get("User-Agent") != "" {
			t.Errorf("%s: sent %q %v, answered %q", name, server.bodies[0], sent.Header, body)
		}
		if sent.Header.Get("X-Goog-Api-Key") == "" && sent.Header.Get("Authorization") == "" {
			t.Errorf("%s: sent without a credential", name)
		}
	}
}

func TestForwardedPathsLeadToNoOtherPlace(t *testing.T) {
	t.Parallel()
	server := &recordingDoer{answers: []string{"{}"}}
	client := newClient(t, gemini.WithHTTPClient(server), gemini.WithVertexAI("p", ""),
		gemini.WithTokenSource(oneToken("t")))
	for _, path := range []string{"/v1/../x", "/v1/%2e%2e/x", "/v1//x", "/v1/%00",
		"/v1/projects/p/locations/evil.example/x", "/v1/%zz"} {
		if _, err := client.Forward(t.Context(),
			&gemini.ForwardRequest{Method: http.MethodGet, Path: path}); err == nil ||
			len(server.requests) > 0 {
			t.Errorf("%s was sent: %v", path, err)
		}
	}
}

func TestForwardedErrorsQuoteNoKey(t *testing.T) {
	t.Parallel()
	client := newClient(t, gemini.WithAPIKey("secret-of-the-client"),
		gemini.WithHTTPClient(gemini.DoerFunc(body(400, "application/json",
			`{"error":"secret-of-the-client is not valid"}`))))
	reply, err := client.Forward(t.Context(),
		&gemini.ForwardRequest{Method: http.MethodGet, Path: "/v1beta/models"})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = reply.Close() }()
	text, _ := io.ReadAll(reply)
	if reply.HTTPStatus != 400 || strings.Contains(string(text), "secret-of") ||
		!strings.Contains(string(text), "is not valid") || reply.Size != int64(len(text)) {
		t.Errorf("%d: %s", reply.HTTPStatus, text)
	}
}
