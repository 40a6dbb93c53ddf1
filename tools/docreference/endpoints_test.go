package docreference

import (
	"fmt"
	"maps"
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
	"github.com/gemwire/gemwire/server/usage"
	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"
)

type endpoint struct{ method, path, meaning string }

// endpointGroups are the paths of the gateway. The page fails if a gateway does not serve one of
// them, or if the code has a route that is not among them.
var endpointGroups = []struct {
	title, about string
	endpoints    []endpoint
}{
	{"OpenAI", "The same paths are below `/v1beta/openai`, where Google has its own endpoint for OpenAI's clients.", []endpoint{
		{"POST", "/v1/chat/completions", "chat_completions, whole and streamed"},
		{"POST", "/v1/responses", "the Responses API, whole and streamed"},
		{"GET", "/v1/responses", "the Responses API by [WebSocket](../websocket.md); 426 without an upgrade"},
		{"POST", "/v1/responses/input_tokens", "counts the tokens of an input"},
		{"POST", "/v1/responses/compact", "shortens a conversation ([compaction](../compaction.md))"},
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
		{"HEAD", "/v1/models", "the headers of the list, such as its `etag`"},
		{"HEAD", "/v1/models/{model}", "the headers of a model"},
		{"GET", "/v1/files", "the files of batches"},
		{"POST", "/v1/files", "uploads a file"},
		{"GET", "/v1/files/{file_id}", "a file"},
		{"DELETE", "/v1/files/{file_id}", "deletes a file"},
		{"GET", "/v1/files/{file_id}/content", "the content of a file"},
		{"GET", "/v1/batches", "the batches"},
		{"POST", "/v1/batches", "creates a batch of chat_completions, responses, embeddings or messages"},
		{"GET", "/v1/batches/{batch_id}", "a batch"},
		{"POST", "/v1/batches/{batch_id}/cancel", "cancels a batch"},
		{"GET", "/v1/organization/usage/completions", "the usage of all client keys per day, for an [admin key](../spending.md)"},
		{"GET", "/v1/organization/usage/embeddings", "the same for embeddings"},
		{"GET", "/v1/organization/costs", "the costs of all client keys per day, for an admin key"},
		{"GET", "/v1/organization/usage/rows", "all numbers of the usage from the day `from` to the day `until`, for an admin key"},
	}},
	{"Anthropic", "The version in `anthropic-version` and `?beta=true` do not change the answer.", []endpoint{
		{"POST", "/v1/messages", "Messages, whole and streamed. `max_tokens` may be left out"},
		{"POST", "/v1/messages/count_tokens", "counts the tokens of a prompt (setting `count_tokens`)"},
		{"GET", "/v1/models", "with the header `anthropic-version`: the models in Anthropic's format, in pages"},
		{"HEAD", "/", "200, for the connection that Claude Code opens before its first request"},
		{"HEAD", "/api/hello", "the same"},
	}},
	{"Interactions", "Google's Interactions API, for every upstream. The same paths are below `/v1`. Interactions of [agents](../interactions.md#agents-through-the-gateway) are at Google, and need no store.", []endpoint{
		{"POST", "/v1beta/interactions", "an interaction, whole and streamed; of an agent, if `agent` is set"},
		{"GET", "/v1beta/interactions/{id}", "a stored interaction, with `?include_input=true` also its input; or with `?stream=true&last_event_id=N` the rest of its stream"},
		{"DELETE", "/v1beta/interactions/{id}", "deletes a stored interaction"},
		{"POST", "/v1beta/interactions/{id}/cancel", "cancels an interaction that runs in the background"},
	}},
	{"Google", "The gateway passes these requests through, with its accounts, limits and log.", []endpoint{
		{"POST", "/v1beta/models/{model}:generateContent", "an answer"},
		{"POST", "/v1beta/models/{model}:streamGenerateContent", "an answer as a stream"},
		{"POST", "/v1beta/models/{model}:countTokens", "counts the tokens of a prompt"},
		{"POST", "/v1beta/models/{model}:embedContent", "an embedding"},
		{"GET", "/v1beta/models", "the models, and the aliases"},
		{"ANY", "/v1beta/...", "all other methods and resources: files, caches, batches"},
		{"ANY", "/v1alpha/...", "the same of another version"},
		{"ANY", "/v1beta1/...", "the same of another version"},
		{"POST", "/v1/models/{model}:generateContent", "and the other methods of models, in version v1"},
		{"ANY", "/v1/tunedModels/...", "tuned models in version v1"},
		{"ANY", "/upload/...", "uploads"},
		{"ANY", "/download/...", "downloads"},
		{"ANY", "/v1/projects/...", "Vertex AI"},
		{"ANY", "/v1/publishers/...", "Vertex AI by an API key"},
	}},
}

// probes are the paths that gemwire serve adds to the gateway.
var probes = []endpoint{
	{"GET", "/healthz", "200 while the process runs. No model is called"},
	{"GET", "/readyz", "200 while the gateway takes requests. It fails as soon as a shutdown begins"},
	{"GET", "/metrics", "[metrics](metrics.md) for Prometheus; needs `metrics`"},
	{"GET", "/", "in a browser: how to connect clients"},
}

// missingSetting is in the message of an operation that needs a setting.
var missingSetting = regexp.MustCompile(`\(--(store)( FOLDER or URLs)?\)`)

func endpointsPage(t *testing.T) string {
	book, err := usage.Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = book.Close(t.Context()) })
	handler, err := gateway.New(gateway.WithForms(forms.All()), gateway.WithUsage(book))
	if err != nil {
		t.Fatal(err)
	}
	defer handler.Close()
	// ask reports whether the gateway serves a path, and the setting that the operation needs.
	ask := func(method, path string) (bool, string) {
		target := regexp.MustCompile(`\{[a-z_]+\}`).ReplaceAllString(path, "gemini-3.6-flash")
		target = strings.Replace(target, "...", "x", 1)
		request := httptest.NewRequest(strings.Replace(method, "ANY", "GET", 1), "http://127.0.0.1"+target, strings.NewReader("{}"))
		request.Header.Set("Content-Type", "application/json")
		answer := httptest.NewRecorder()
		handler.ServeHTTP(answer, request)
		body := answer.Body.String()
		if needed := missingSetting.FindStringSubmatch(body); needed != nil {
			return true, strings.ReplaceAll(needed[1], "-", "_")
		}
		return answer.Code < 500 && !strings.Contains(body, `"unknown_url"`) && answer.Code != http.StatusMethodNotAllowed, ""
	}
	if isServed, _ := ask("GET", "/v1/nothing"); isServed {
		t.Error("the gateway serves every path")
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
			isServed, setting := ask(e.method, e.path)
			if !isServed {
				t.Errorf("the gateway does not serve %s %s", e.method, e.path)
			}
			if setting != "" {
				meaning += "; needs `" + setting + "`"
			}
			b.WriteString(row(strings.Replace(e.method, "ANY", "any", 1), code(e.path), meaning))
		}
	}
	for _, operation := range describedOperations(t) {
		method, path, _ := strings.Cut(operation, " ")
		if isServed, _ := ask(method, path); isServed && !listed[operation] && !listed["GET "+path] {
			t.Errorf("the gateway serves %s, which the page lacks", operation)
		}
	}
	for _, route := range routesInCode(t) {
		if !slices.ContainsFunc(slices.Collect(maps.Keys(listed)), func(operation string) bool { return isRouteOf(route, operation) }) {
			t.Errorf("the code has the route %s, which the page lacks", route)
		}
	}
	b.WriteString("\n## Probes, metrics and page\n\n" + head("method", "path", "answer"))
	for _, e := range probes {
		b.WriteString(row(e.method, code(e.path), e.meaning))
	}
	return b.String()
}

var (
	routeInCode  = regexp.MustCompile(`router\.(Get|Post|Delete|Head|HandleFunc)\((base ?\+ ?)?"([^"]+)"`)
	prefixesInGo = regexp.MustCompile(`(?s)var Paths = \[\]string\{(.*?)\n\}`)
	quoted       = regexp.MustCompile(`"([^"]+)"`)
)

// routesInCode returns the routes that the gateway adds by their paths. The routes of descriptions
// are not among them.
func routesInCode(t *testing.T) []string {
	t.Helper()
	folder := filepath.Join(root, "server", "gateway")
	files, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, file := range files {
		for _, match := range routeInCode.FindAllStringSubmatch(source(t, file), -1) {
			path := match[3]
			if match[2] != "" {
				path = "/v1" + path
			}
			if path != "/v1beta/openai/*" { // which refuses what is not there
				out = append(out, strings.Replace(strings.ToUpper(match[1]), "HANDLEFUNC", "ANY", 1)+" "+path)
			}
		}
	}
	prefixes := prefixesInGo.FindStringSubmatch(source(t, filepath.Join(folder, "internal", "native", "header.go")))
	if len(out) < 10 || prefixes == nil {
		t.Fatalf("the code has only the routes %q", out)
	}
	for _, match := range quoted.FindAllStringSubmatch(prefixes[1], -1) {
		out = append(out, "ANY "+match[1])
	}
	return out
}

// isRouteOf reports whether a route of the code serves an operation of the page. A "*" at the end
// of a route stands for the rest of a path, which the page shows as "..." or as names.
func isRouteOf(route, operation string) bool {
	prefix, isPrefix := strings.CutSuffix(route, "*")
	if !isPrefix {
		return route == operation
	}
	rest, ok := strings.CutPrefix(operation, prefix)
	return ok && (rest == "..." || strings.HasPrefix(rest, "{"))
}

// source returns a file of Go.
func source(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestProbesAreThoseOfTheCode compares the page with the paths that the command adds to the
// gateway.
func TestProbesAreThoseOfTheCode(t *testing.T) {
	t.Parallel()
	own := map[string]bool{}
	for _, file := range []string{"routes.go", "server.go", "welcome.go", "health.go"} {
		text := source(t, filepath.Join(root, "server", "cli", "serve", file))
		for _, match := range regexp.MustCompile(`(?:"(/[a-z]+)":|own\["(/[a-z]+)"\]|URL\.Path == "(/)")`).FindAllStringSubmatch(text, -1) {
			own[match[1]+match[2]+match[3]] = true
		}
	}
	listed := map[string]bool{}
	for _, probe := range probes {
		listed[probe.path] = true
	}
	if diff := cmp.Diff(own, listed); diff != "" {
		t.Errorf("the code (-) and the page (+) have other paths:\n%s", diff)
	}
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
