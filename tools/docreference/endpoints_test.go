package docreference

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/pkg/transform/forms"
	"github.com/gemwire/gemwire/server/gateway"
	"go.yaml.in/yaml/v3"
)

type endpoint struct{ method, path, meaning string }

// endpointGroups are the paths of the gateway. The test asks a gateway for each of them, and for
// each path of the descriptions.
var endpointGroups = []struct {
	title, about string
	endpoints    []endpoint
}{
	{"OpenAI", "The same paths are below `/v1beta/openai`, where Google has its own endpoint for OpenAI's clients.", []endpoint{
		{"POST", "/v1/chat/completions", "chat_completions, whole and streamed"},
		{"POST", "/v1/responses", "the Responses API, whole and streamed"},
		{"POST", "/v1/responses/input_tokens", "counts the tokens of an input"},
		{"GET", "/v1/responses/{response_id}", "a stored response, or with `?stream=true&starting_after=N` the rest of its stream"},
		{"DELETE", "/v1/responses/{response_id}", "deletes a stored response"},
		{"POST", "/v1/responses/{response_id}/cancel", "cancels a background response"},
		{"GET", "/v1/responses/{response_id}/input_items", "the input of a stored response"},
		{"POST", "/v1/conversations", "creates a conversation"},
		{"GET", "/v1/conversations/{id}", "a conversation"},
		{"POST", "/v1/conversations/{id}", "changes the metadata of a conversation"},
		{"DELETE", "/v1/conversations/{id}", "deletes a conversation"},
		{"GET", "/v1/conversations/{id}/items", "the items of a conversation"},
		{"POST", "/v1/conversations/{id}/items", "adds items to a conversation"},
		{"GET", "/v1/conversations/{id}/items/{item}", "an item of a conversation"},
		{"DELETE", "/v1/conversations/{id}/items/{item}", "deletes an item of a conversation"},
		{"POST", "/v1/embeddings", "embeddings as floats or base64, with `dimensions`"},
		{"GET", "/v1/models", "the models of the upstream, and the aliases"},
		{"GET", "/v1/models/{model}", "a model"},
		{"GET", "/v1/files", "the files of batches"},
		{"POST", "/v1/files", "uploads a file"},
		{"GET", "/v1/files/{file_id}", "a file"},
		{"DELETE", "/v1/files/{file_id}", "deletes a file"},
		{"GET", "/v1/files/{file_id}/content", "the content of a file"},
		{"GET", "/v1/batches", "the batches"},
		{"POST", "/v1/batches", "creates a batch of chat_completions, responses, embeddings or messages"},
		{"GET", "/v1/batches/{batch_id}", "a batch"},
		{"POST", "/v1/batches/{batch_id}/cancel", "cancels a batch"},
	}},
	{"Anthropic", "The version in `anthropic-version` and `?beta=true` do not change the answer.", []endpoint{
		{"POST", "/v1/messages", "Messages, whole and streamed. `max_tokens` may be left out"},
		{"POST", "/v1/messages/count_tokens", "counts the tokens of a prompt (setting `count_tokens`)"},
		{"GET", "/v1/models", "with the header `anthropic-version`: the models in Anthropic's format, in pages"},
	}},
	{"Google", "The gateway passes these requests through, with its accounts, limits and log.", []endpoint{
		{"POST", "/v1beta/models/{model}:generateContent", "an answer"},
		{"POST", "/v1beta/models/{model}:streamGenerateContent", "an answer as a stream"},
		{"POST", "/v1beta/models/{model}:countTokens", "counts the tokens of a prompt"},
		{"POST", "/v1beta/models/{model}:embedContent", "an embedding"},
		{"GET", "/v1beta/models", "the models, and the aliases"},
		{"ANY", "/v1beta/...", "all other methods and resources: files, caches, batches, interactions"},
		{"ANY", "/v1alpha/...", "the same of another version"},
		{"ANY", "/upload/...", "uploads"},
		{"ANY", "/download/...", "downloads"},
		{"ANY", "/v1/projects/...", "Vertex AI"},
		{"ANY", "/v1/publishers/...", "Vertex AI by an API key"},
	}},
}

// needs are the paths that need a setting.
var needs = regexp.MustCompile(`^/v1/(responses/\{|conversations|files|batches)`)

func endpointsPage(t *testing.T) string {
	handler, err := gateway.New(gateway.WithForms(forms.All()))
	if err != nil {
		t.Fatal(err)
	}
	defer handler.Close()
	served := func(method, path string) bool {
		target := regexp.MustCompile(`\{[a-z_]+\}`).ReplaceAllString(path, "gemini-3.6-flash")
		request := httptest.NewRequest(method, "http://127.0.0.1"+target, strings.NewReader("{}"))
		request.Header.Set("Content-Type", "application/json")
		answer := httptest.NewRecorder()
		handler.ServeHTTP(answer, request)
		return answer.Code < 500 && !strings.Contains(answer.Body.String(), `"unknown_url"`) && answer.Code != http.StatusMethodNotAllowed
	}
	var b strings.Builder
	b.WriteString("# Endpoints\n\n```sh\ncurl http://127.0.0.1:8080/v1/models\n```\n\n" +
		"A base URL for OpenAI's clients ends in `/v1`. A base URL for Anthropic's and Google's clients does not.\n" +
		"A path that is not on this page is a 404 in OpenAI's error envelope.\n")
	listed := map[string]bool{}
	for _, group := range endpointGroups {
		fmt.Fprintf(&b, "\n## %s\n\n%s\n\n%s", group.title, group.about, head("method", "path", "answer"))
		for _, e := range group.endpoints {
			listed[e.method+" "+e.path] = true
			meaning := e.meaning
			if needs.MatchString(e.path) {
				setting := "response_store"
				if strings.Contains(e.path, "files") || strings.Contains(e.path, "batches") {
					setting = "bulk_store"
				}
				meaning += "; needs `" + setting + "`"
			} else if e.method != "ANY" && !served(e.method, e.path) {
				t.Errorf("the gateway does not serve %s %s", e.method, e.path)
			}
			b.WriteString(row(strings.Replace(e.method, "ANY", "any", 1), code(e.path), meaning))
		}
	}
	for _, operation := range describedOperations(t) {
		method, path, _ := strings.Cut(operation, " ")
		if !listed[operation] && !listed["GET "+path] && served(method, path) {
			t.Errorf("the gateway serves %s, which the page lacks", operation)
		}
	}
	b.WriteString("\n## Probes, metrics and page\n\n" + head("method", "path", "answer") +
		row("GET", "`/healthz`", "200 while the process runs. No model is called") +
		row("GET", "`/readyz`", "200 while the gateway takes requests. It fails as soon as a shutdown begins") +
		row("GET", "`/metrics`", "[metrics](metrics.md) for Prometheus") +
		row("GET", "`/`", "in a browser: how to connect clients"))
	return b.String()
}

// describedOperations returns the operations of OpenAI's and Anthropic's descriptions.
func describedOperations(t *testing.T) []string {
	var out []string
	for _, file := range []string{"openai.yaml", "anthropic.yaml"} {
		data, err := os.ReadFile(filepath.Join(root, "api", "openapi", file))
		if err != nil {
			t.Fatal(err)
		}
		var description struct {
			Paths map[string]map[string]any `yaml:"paths"`
		}
		if err := yaml.Unmarshal(data, &description); err != nil {
			t.Fatal(err)
		}
		for path, operations := range description.Paths {
			for method := range operations {
				if method != "parameters" {
					out = append(out, strings.ToUpper(method)+" /v1"+path)
				}
			}
		}
	}
	slices.Sort(out)
	return out
}
