package fakegemini_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/geminitest"
	"github.com/google/go-cmp/cmp"
)

func TestUnknownModelIsNotFoundInTheWordsOfTheService(t *testing.T) {
	t.Parallel()
	const hello = `{"contents":[{"role":"user","parts":[{"text":"Hi"}]}]}`
	gone := func(model, method string) string {
		return "models/" + model +
			" is not found for API version v1beta, or is not supported for " + method +
			". Call ListModels to see the list of available models and their supported methods."
	}
	vertex := func(resource string) string {
		return "Publisher Model `" + resource +
			"` was not found or your project does not have access to it. Please ensure you are using a valid model version. " +
			"For more information, see: https://cloud.google.com/vertex-ai/generative-ai/docs/learn/model-versions"
	}
	srv := geminitest.NewServer(t)
	for _, test := range []struct{ method, path, body, want string }{
		{"POST", "/v1beta/models/gemini-3.5-falsh:generateContent", hello, gone("gemini-3.5-falsh", "generateContent")},
		{"POST", "/v1beta/models/gemini-3.5-falsh:streamGenerateContent?alt=sse", hello, gone("gemini-3.5-falsh", "generateContent")},
		{"POST", "/v1beta/models/gemini-3.5-falsh:countTokens", hello, gone("gemini-3.5-falsh", "countTokens")},
		{"POST", "/v1beta/models/gemini-embeding-001:embedContent", `{"content":{"parts":[{"text":"a"}]}}`, gone("gemini-embeding-001", "embedContent")},
		{"POST", "/v1beta/models/gemini-embeding-001:batchEmbedContents", `{"requests":[]}`, gone("gemini-embeding-001", "batchEmbedContents")},
		{"POST", "/v1beta/models/gemini-3.5-falsh:batchGenerateContent", `{"batch":{}}`, gone("gemini-3.5-falsh", "batchGenerateContent")},
		{"POST", "/v1beta/models/gemini-embeding-001:asyncBatchEmbedContent", `{"batch":{}}`, gone("gemini-embeding-001", "asyncBatchEmbedContent")},
		{"POST", "/v1beta/cachedContents", `{"model":"models/gemini-3.5-falsh","contents":[]}`, gone("gemini-3.5-falsh", "createCachedContent")},
		{"GET", "/v1beta/models/gemini-3.5-falsh", "", "Model is not found: models/gemini-3.5-falsh for api version v1beta"},
		{"POST", "/v1beta/models/gemini-2.0-flash:generateContent", hello, gone("gemini-2.0-flash", "generateContent")},
		{"GET", "/v1beta/models/gemini-2.0-flash", "", "Model is not found: models/gemini-2.0-flash for api version v1beta"},
		{"POST", "/v1beta/models/gemini-2.5-flash:embedContent", `{"content":{"parts":[{"text":"a"}]}}`, gone("gemini-2.5-flash", "embedContent")},
		{"POST", "/v1beta/models/gemini-embedding-001:generateContent", hello, gone("gemini-embedding-001", "generateContent")},
		{"POST", "/v1beta/models/gemini-3.5-falsh:generateContent", `{"contents":`, gone("gemini-3.5-falsh", "generateContent")},
		{"POST", "/v1beta/models/meta%2Fllama:generateContent", hello, gone("meta/llama", "generateContent")},
		{"POST", "/v1/publishers/google/models/gemini-3.5-falsh:generateContent", hello, vertex("publishers/google/models/gemini-3.5-falsh")},
		{"POST", "/v1beta1/projects/p/locations/global/publishers/google/models/gemini-3.5-falsh:streamGenerateContent",
			hello,
			vertex("projects/p/locations/global/publishers/google/models/gemini-3.5-falsh")},
		{"POST", "/v1beta1/projects/p/locations/global/publishers/google/models/text-embeding-005:predict",
			`{"instances":[{"content":"a"}]}`,
			vertex("projects/p/locations/global/publishers/google/models/text-embeding-005")},
	} {
		request, err := http.NewRequest(test.method, srv.URL()+test.path,
			strings.NewReader(test.body))
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(test.path, "/projects/") {
			request.Header.Set("Authorization", "Bearer any")
		} else {
			request.Header.Set("X-Goog-Api-Key", "any")
		}
		failed := refusalOf(t, srv.HTTPClient(), request)
		if failed.HTTPStatus != http.StatusNotFound ||
			failed.Status != geminiapi.ErrorStatusNotFound {
			t.Errorf("%s: %d %s", test.path, failed.HTTPStatus, failed.Status)
		}
		if diff := cmp.Diff(test.want, failed.Message); diff != "" {
			t.Errorf("%s: %s", test.path, diff)
		}
	}
}

// refusalOf returns the error that answers a request.
func refusalOf(t *testing.T, client *http.Client, request *http.Request) *gemini.Error {
	t.Helper()
	reply, err := client.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer reply.Body.Close()
	var body strings.Builder
	if err := reply.Write(&body); err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(body.String(), "\r\n\r\n")
	return gemini.DecodeError(reply.StatusCode, reply.Header,
		[]byte(text[strings.IndexByte(text, '{'):strings.LastIndexByte(text, '}')+1]))
}

// answers reports whether a server answers for a model.
func answers(t *testing.T, srv *geminitest.Server, model string) bool {
	t.Helper()
	_, err := srv.Client(gemini.WithModel(model)).GenerateContent(t.Context(),
		&geminiapi.GenerateContentRequest{
			Contents: []geminiapi.Content{gemini.UserText("Hi")},
		})
	return err == nil
}

func TestModelsAreAddedByAnOptionAndByAScript(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "script.yaml")
	const file = "models: [of-a-script]\nfixtures:\n- match: {model: of-no-one}\n  reply: {blocks: [{text: Hi}]}\n"
	if err := os.WriteFile(path, []byte(file), 0o600); err != nil {
		t.Fatal(err)
	}
	srv := geminitest.NewServer(t, geminitest.WithModels("of-an-option"),
		geminitest.WithScriptFile(path))
	for model, want := range map[string]bool{"of-an-option": true, "of-a-script": true,
		"of-no-one": false} {
		if got := answers(t, srv, model); got != want {
			t.Errorf("%s answers: %v", model, got)
		}
	}
}

func TestModelsAreThoseOfTheServersClock(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		day, model, answering string
	}{
		{"2026-05-31", "gemini-2.0-flash", "gemini-2.0-flash"},
		{"2026-06-01", "gemini-2.0-flash", ""},
		{"2026-07-20", "gemini-3.6-flash", ""},
		{"2026-07-21", "gemini-3.6-flash", "gemini-3.6-flash"},
		{"2026-10-07", "gemini-3.5-flash", "gemini-3.5-flash"},
		{"2026-10-08", "gemini-3.5-flash", "gemini-3.6-flash"},
		{"2026-11-30", "gemini-2.5-flash", "gemini-2.5-flash"},
		{"2026-12-01", "gemini-2.5-flash", "gemini-3.5-flash-lite"},
	} {
		day, err := time.Parse(time.DateOnly, test.day)
		if err != nil {
			t.Fatal(err)
		}
		srv := geminitest.NewServer(t, geminitest.WithClock(func() time.Time { return day }),
			geminitest.WithScript(geminitest.On(geminitest.Prompt("script")).Reply(geminitest.Text("Hi"))))
		for _, prompt := range []string{"Hi", "script"} {
			response, err := srv.Client(gemini.WithModel(test.model)).GenerateContent(t.Context(),
				&geminiapi.GenerateContentRequest{
					Contents: []geminiapi.Content{gemini.UserText(prompt)},
				})
			got := ""
			if err == nil {
				got = *response.ModelVersion
			}
			if got != test.answering {
				t.Errorf("%s on %s, asked %s: answered by %q, want %q (%v)", test.model, test.day,
					prompt, got, test.answering, err)
			}
		}
	}
}

func TestScriptedFixtureDoesNotAnswerForAModelThatDoesNotExist(t *testing.T) {
	t.Parallel()
	embed := geminitest.On(geminitest.Operation("embedContent")).Reply(
		geminitest.Chunk(`{"embedding":{"values":[1]}}`))
	srv := geminitest.NewServer(t, geminitest.WithScript(embed))
	for model, want := range map[string]string{"gemini-embedding-2": "<nil>",
		"gemini-embedding-3": "404"} {
		_, err := srv.Client().EmbedContent(t.Context(), &geminiapi.EmbedContentRequest{
			Model: new("models/" + model), Content: new(gemini.UserText("a")),
		})
		if !strings.Contains(fmt.Sprint(err), want) {
			t.Errorf("%s: %v", model, err)
		}
	}
}

func TestServerInABubbleHasModels(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		srv := geminitest.NewServer(t)
		if !answers(t, srv, "gemini-3.6-flash") {
			t.Error("the model does not exist in a bubble")
		}
	})
}
