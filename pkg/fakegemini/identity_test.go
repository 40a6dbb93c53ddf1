package fakegemini_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/geminitest"
	"github.com/google/go-cmp/cmp"
)

func TestWhoMayCall(t *testing.T) {
	t.Parallel()
	const project = "/v1beta1/projects/p/locations/global/publishers/google/models/gemini-2.5-flash:generateContent"
	const unregistered = "Method doesn't allow unregistered callers (callers without established identity). Please use API Key or other form of API consumer identity to call this API."
	for name, test := range map[string]struct {
		path, header, value string
		status              int
		message             string
		details             []string
	}{
		"a key":                 {oldPath, "X-Goog-Api-Key", "good", 200, "", nil},
		"a key in the address":  {oldPath + "?key=good", "", "", 200, "", nil},
		"a token":               {oldPath, "Authorization", "Bearer x", 200, "", nil},
		"nothing":               {oldPath, "", "", 403, unregistered, nil},
		"a bad key":             {oldPath, "X-Goog-Api-Key", "bad", 400, "API key not valid. Please pass a valid API key.", []string{"ErrorInfo", "LocalizedMessage"}},
		"a token for a project": {project, "Authorization", "Bearer x", 200, "", nil},
		"a key for a project":   {project, "X-Goog-Api-Key", "good", 401, "API keys are not supported by this API. Expected OAuth2 access token or other authentication credentials that assert a principal. See https://cloud.google.com/docs/authentication", []string{"ErrorInfo"}},
		"a key in express mode": {vertexPath, "X-Goog-Api-Key", "good", 200, "", nil},
		"nothing for a project": {project, "", "", 401, "Request is missing required authentication credential. Expected OAuth 2 access token, login cookie or other valid authentication credential. See https://developers.google.com/identity/sign-in/web/devconsole-project.", []string{"ErrorInfo"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			srv := geminitest.NewServer(t, geminitest.WithAPIKeys("good"))
			header := http.Header{}
			if test.header != "" {
				header.Set(test.header, test.value)
			}
			reply, body := send(t, srv, test.path, header, hello)
			if reply.StatusCode != test.status {
				t.Fatalf("got %s: %s", reply.Status, body)
			}
			if test.status == http.StatusOK {
				return
			}
			got := gemini.DecodeError(reply.StatusCode, reply.Header, []byte(body))
			var kinds []string
			for _, detail := range got.Details {
				kinds = append(kinds,
					strings.TrimPrefix(*detail.Type, "type.googleapis.com/google.rpc."))
			}
			if diff := cmp.Diff(test.message, got.Message) +
				cmp.Diff(test.details, kinds); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestModelsThatDoNotExist(t *testing.T) {
	t.Parallel()
	srv := geminitest.NewServer(t, geminitest.WithModels("mine"))
	for path, want := range map[string]string{
		"/v1beta/models/mine:generateContent":                                  "",
		"/v1beta/tunedModels/x:generateContent":                                "",
		"/v1/models/gemini-5.0-flash:generateContent":                          "models/gemini-5.0-flash is not found for API version v1, or is not supported for generateContent. Call ListModels to see the list of available models and their supported methods.",
		"/v1beta/models/gemini-embedding-001:generateContent":                  "models/gemini-embedding-001 is not found for API version v1beta, or is not supported for generateContent. Call ListModels to see the list of available models and their supported methods.",
		"/v1beta/models/custom-gemini-2.0-flash:streamGenerateContent?alt=sse": "models/custom-gemini-2.0-flash is not found for API version v1beta, or is not supported for generateContent. Call ListModels to see the list of available models and their supported methods.",
		"/v1/publishers/google/models/gpt-4:generateContent":                   "Publisher Model `publishers/google/models/gpt-4` was not found or your project does not have access to it. Please ensure you are using a valid model version. For more information, see: https://cloud.google.com/vertex-ai/generative-ai/docs/learn/model-versions",
	} {
		reply, body := post(t, srv, path, hello)
		if want == "" {
			if reply.StatusCode != http.StatusOK {
				t.Errorf("%s: got %s", path, body)
			}
			continue
		}
		got := gemini.DecodeError(reply.StatusCode, reply.Header, []byte(body))
		if got.HTTPStatus != http.StatusNotFound || got.Status != "NOT_FOUND" ||
			got.Message != want {
			t.Errorf("%s: got %s", path, body)
		}
	}
}

func TestPathsThatDoNotExistAreAPage(t *testing.T) {
	t.Parallel()
	reply, body := post(t, geminitest.NewServer(t), "/v1beta/nothing", hello)
	if reply.StatusCode != http.StatusNotFound ||
		!strings.HasPrefix(reply.Header.Get("Content-Type"), "text/html") ||
		!strings.Contains(body, "404") {
		t.Errorf("got %s, %s", reply.Status, body)
	}
}

func TestAServerDoesNotShowItsKeys(t *testing.T) {
	t.Parallel()
	srv := geminitest.NewServer(t, geminitest.WithAPIKeys("s3cr3t"))
	for _, value := range []any{srv, srv.Handler} {
		if text := fmt.Sprintf("%v %+v %#v", value, value, value); strings.Contains(text,
			"s3cr3t") {
			t.Errorf("%T shows it: %s", value, text)
		}
	}
}
