package gateway_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/internal/test/descriptiontest"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/geminitest"
	"github.com/gemwire/gemwire/pkg/openai"
	"github.com/gemwire/gemwire/server/gateway"
	"github.com/go-json-experiment/json/jsontext"
)

// get sends a GET request to the gateway without a network.
func get(handler http.Handler, path string, headers ...string) *httptest.ResponseRecorder {
	request := httptest.NewRequest(http.MethodGet, path, nil)
	for i := 0; i < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
	}
	answer := httptest.NewRecorder()
	handler.ServeHTTP(answer, request)
	return answer
}

// namesOf returns the models of a list.
func namesOf(t testing.TB, answer *httptest.ResponseRecorder) []string {
	t.Helper()
	if answer.Code != http.StatusOK {
		t.Fatalf("HTTP %d: %s", answer.Code, answer.Body)
	}
	descriptiontest.OpenAI(t, "ListModelsResponse", answer.Body.Bytes())
	list, err := openai.DecodeModels(answer.Body.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, model := range list.Data {
		if model.Object != "model" || model.OwnedBy == "" {
			t.Errorf("not a model: %+v", model)
		}
		names = append(names, model.ID)
	}
	return names
}

// A list without pages.
func TestModelsAreThoseOfTheUpstreamThatCanBeAskedAndTheAliasesBeforeThem(t *testing.T) {
	t.Parallel()
	server := geminitest.NewServer(t)
	handler := gatewayOf(t, server,
		gateway.WithAliases(map[string]string{"smart": "gemini-2.5-pro",
			"fast": "gemini-2.5-flash"}),
		gateway.WithDefaultModel("smart"))
	names := namesOf(t, get(handler, "/v1/models"))
	if len(names) < 10 || names[0] != "fast" || names[1] != "smart" {
		t.Errorf("got %v", names)
	}
	for name, want := range map[string]bool{
		"gemini-2.5-flash": true, "gemini-embedding-001": true, "models/gemini-2.5-flash": false,
	} {
		if slices.Contains(names, name) != want {
			t.Errorf("%s is among the names: %v", name, !want)
		}
	}
	for _, name := range names {
		if strings.HasPrefix(name, "imagen") || strings.HasPrefix(name, "veo") {
			t.Errorf("%s does not answer here", name)
		}
	}
}

// Every client requests the list first (any-llm#935).
func TestTheListOfModelsIsFetchedOnceInFiveMinutes(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		server := geminitest.NewServer(t)
		handler := gatewayOf(t, server)
		var clients sync.WaitGroup
		for range 20 {
			clients.Go(func() { namesOf(t, get(handler, "/v1/models")) })
		}
		clients.Wait()
		if n := listings(server); n != 1 {
			t.Errorf("asked %d times", n)
		}
		time.Sleep(6 * time.Minute)
		namesOf(t, get(handler, "/v1/models"))
		synctest.Wait() // for the request in the background
		if n := listings(server); n != 2 {
			t.Errorf("after six minutes asked %d times", n)
		}
	})
}

// listings counts the requests for the list of models.
func listings(server *geminitest.Server) (count int) {
	for _, request := range server.Requests() {
		if request.URL.Path == "/v1beta/models" {
			count++
		}
	}
	return count
}

func TestModelsOfAnUpstreamThatFailsAreThoseThatWereGiven(t *testing.T) {
	t.Parallel()
	failing := gateway.Upstream{
		Service:  gateway.GeminiAPI,
		Accounts: []gateway.Account{gateway.KeyAccount("one", "key-of-one")},
		HTTPClient: gemini.DoerFunc(func(*http.Request) (*http.Response, error) {
			answer := httptest.NewRecorder()
			answer.WriteHeader(http.StatusServiceUnavailable)
			_, _ = answer.WriteString(`{"error":{"code":503,"status":"UNAVAILABLE","message":"overloaded"}}`)
			return answer.Result(), nil
		}),
	}
	handler := newGateway(t, gateway.WithUpstream(failing),
		gateway.WithAliases(map[string]string{"gpt-4o": "gemini-2.5-flash"}))
	if got := namesOf(t, get(handler, "/v1/models")); !slices.Equal(got, []string{"gpt-4o"}) {
		t.Errorf("got %v", got)
	}
	errorOf(t, get(newGateway(t, gateway.WithUpstream(failing)), "/v1/models"),
		http.StatusServiceUnavailable)
}

func TestModelsOfVertexAIAreThoseThatWereGiven(t *testing.T) {
	t.Parallel()
	server := geminitest.NewServer(t)
	handler := newGateway(t, gateway.WithUpstream(gateway.Upstream{
		Service:    gateway.VertexAI,
		Accounts:   []gateway.Account{gateway.VertexAccount("p-1", "", tokens("token-of-vertex"))},
		HTTPClient: server.HTTPClient(), BaseURL: "https://vertex.example",
	}), gateway.WithAliases(map[string]string{"gpt-4o": "gemini-2.5-flash"}),
		gateway.WithDefaultModel("gpt-4o"),
		gateway.WithFallbacks(map[string][]string{"gemini-2.5-pro": {"gemini-2.5-flash"}}))
	if got := namesOf(t, get(handler, "/v1/models")); !slices.Equal(got,
		[]string{"gpt-4o", "gemini-2.5-flash", "gemini-2.5-pro"}) {
		t.Errorf("got %v", got)
	}
	for name, status := range map[string]int{"gpt-4o": 200, "gemini-3.6-flash": 200,
		"no-such-model": 404} {
		if got := get(handler, "/v1/models/"+name); got.Code != status {
			t.Errorf("%s: HTTP %d: %s", name, got.Code, got.Body)
		}
	}
}

// A model is found by the name that the client uses for it (CLIProxyAPI#3965).
func TestAModelIsDescribedUnderTheNameThatWasAskedFor(t *testing.T) {
	t.Parallel()
	server := geminitest.NewServer(t, geminitest.WithModels("tunedModels/mine"))
	handler := gatewayOf(t, server,
		gateway.WithAliases(map[string]string{"google/best": "gemini-2.5-pro"}))
	for path, name := range map[string]string{
		"gemini-2.5-flash":          "gemini-2.5-flash",
		"models/gemini-2.5-flash":   "models/gemini-2.5-flash",
		"models%2Fgemini-2.5-flash": "models/gemini-2.5-flash",
		"google/best":               "google/best",
		"google%2Fbest":             "google/best",
	} {
		for _, base := range []string{"/v1", "/v1beta/openai"} {
			answer := get(handler, base+"/models/"+path)
			if answer.Code != http.StatusOK {
				t.Errorf("%s: HTTP %d: %s", path, answer.Code, answer.Body)
				continue
			}
			descriptiontest.OpenAI(t, "Model", answer.Body.Bytes())
			if model, err := openai.DecodeModel(answer.Body.Bytes()); err != nil ||
				model.ID != name {
				t.Errorf("%s: %s", path, answer.Body)
			}
		}
	}
}

func TestAModelThatIsMissingIsNotFound(t *testing.T) {
	t.Parallel()
	handler := newGateway(t)
	for _, path := range []string{"gpt-4o", "google/gpt-4o", "models/", "..%2Ffiles", "x?y",
		"a%20b"} {
		e := errorOf(t, get(handler, "/v1/models/"+path), http.StatusNotFound)
		if code := jsonx.Deref(e.Code); code != "model_not_found" && code != "unknown_url" ||
			e.Type != "invalid_request_error" {
			t.Errorf("%s: %+v", path, e)
		}
	}
}

// Most users request another provider's model, or misspell a name.
func TestModelThatIsMissingIsAnsweredWithWhatMayHaveBeenMeant(t *testing.T) {
	t.Parallel()
	aliases := gateway.WithAliases(map[string]string{"smart": "gemini-2.5-pro"})
	handler := newGateway(t, aliases)
	for name, want := range map[string]string{
		"gemni-2.5-flash":       "; did you mean gemini-2.5-flash?",
		"google/gemni-2.5-flas": "; did you mean gemini-2.5-flash?",
		"smrt":                  "; did you mean smart?",
		"gemini-2.5-po":         "; did you mean gemini-2.5-pro?",
		"gemini-2.0-flash":      "; gemini-2.0-flash was shut down on 2026-06-01; Google names gemini-3.5-flash-lite in its place",
		"gemini-2.0-flsh":       "; did you mean gemini-2.5-flash?",
		"gpt-4o":                "; GET /v1/models lists the models, and gemwire serve --alias gpt-4o=MODEL maps this name to one of them",
		"rm -rf $HOME":          "--alias NAME=MODEL maps",
	} {
		for path, body := range map[string]string{
			chatPath:       strings.Replace(hello, "gemini-2.5-flash", name, 1),
			chatPath + "?": streamed(strings.Replace(hello, "gemini-2.5-flash", name, 1)),
			embeddingsPath: `{"model":"` + name + `","input":"x"}`,
		} {
			if e := errorOf(t, post(handler, path, body),
				http.StatusNotFound); jsonx.Deref(e.Code) != "model_not_found" ||
				!strings.Contains(e.Message, want) {
				t.Errorf("%s: %s: %q %s", path, name, jsonx.Deref(e.Code), e.Message)
			}
		}
		if e := errorOf(t, get(handler, "/v1/models/"+url.PathEscape(name)),
			http.StatusNotFound); !strings.Contains(e.Message, want) {
			t.Errorf("%s: %s", name, e.Message)
		}
	}
}

// TestEveryFormSuggestsTheSameForAModelThatIsMissing holds the message of each path that names a
// model, in its form's own envelope.
func TestEveryFormSuggestsTheSameForAModelThatIsMissing(t *testing.T) {
	t.Parallel()
	handler := newGateway(t)
	for name, want := range map[string]string{
		"gemini-3-pro":     "; did you mean gemini-3.1-pro-preview?",
		"gemini-2.0-flash": "; gemini-2.0-flash was shut down on 2026-06-01; Google names gemini-3.5-flash-lite in its place",
		"gemini-3.6-falsh": "; did you mean gemini-3.6-flash?",
		"gpt-4o":           "; GET /v1/models lists the models, and gemwire serve --alias gpt-4o=MODEL maps this name to one of them",
	} {
		requests := generatingRequests(name)
		requests["embedding"] = [2]string{embeddingsPath, `{"model":"` + name + `","input":"x"}`}
		requests["interaction"] = [2]string{"/v1beta/interactions",
			`{"model":"` + name + `","input":"x","store":false}`}
		requests["token count, native"] = [2]string{"/v1beta/models/" + name + ":countTokens",
			`{"contents":[{"parts":[{"text":"Hi."}]}]}`}
		requests["stream in a list"] = [2]string{"/v1beta/models/" + name + ":streamGenerateContent",
			`{"contents":[{"parts":[{"text":"Hi."}]}]}`}
		answers := map[string]*httptest.ResponseRecorder{
			"model":         get(handler, "/v1/models/"+name),
			"model, native": get(handler, "/v1beta/models/"+name),
			"model of Anthropic's": get(handler, "/v1/models/"+name, "Anthropic-Version",
				"2023-06-01"),
		}
		for form, request := range requests {
			answers[form] = post(handler, request[0], request[1])
		}
		for form, answer := range answers {
			if body := answer.Body.String(); answer.Code != http.StatusNotFound ||
				!strings.Contains(body, want+`"`) || !jsontext.Value(body).IsValid() {
				t.Errorf("%s, %s: HTTP %d: %s", name, form, answer.Code, body)
			}
		}
	}
}

func TestAHintOnGooglesPathsSuggestsNoModelThatTheKeyMayNotUse(t *testing.T) {
	t.Parallel()
	handler := newGateway(t,
		gateway.WithAliases(map[string]string{"secret-project": "gemini-3.6-flash"}),
		gateway.WithClientKeys(keysOf(t, `alice,"models":["gemini-3.1-pro-preview","secret-projec"]`)))
	answer := post(handler, "/v1beta/models/secret-projec:generateContent",
		`{"contents":[{"parts":[{"text":"Hi."}]}]}`, "X-Goog-Api-Key", "key-of-alice")
	if body := answer.Body.String(); answer.Code != http.StatusNotFound ||
		strings.Contains(body, "secret-project") {
		t.Errorf("HTTP %d: %s", answer.Code, body)
	}
}

// The hint contains a command. The command may contain only a name that a shell does not change.
func TestAHintRepeatsNamesOfSixtyFourBytesAtMost(t *testing.T) {
	t.Parallel()
	handler := newGateway(t)
	for size, isRepeated := range map[int]bool{64: true, 65: false} {
		name := "other-" + strings.Repeat("x", size-len("other-"))
		e := errorOf(t, post(handler, chatPath, strings.Replace(hello, "gemini-2.5-flash", name, 1)),
			http.StatusNotFound)
		if got := strings.Contains(e.Message, "--alias "+name+"=MODEL"); got != isRepeated {
			t.Errorf("%d bytes: %s", size, e.Message)
		}
	}
}

func TestModelsOfOthersAreNotHintedAt(t *testing.T) {
	t.Parallel()
	handler := newGateway(t,
		gateway.WithAliases(map[string]string{"secret-project": "gemini-2.5-pro"}),
		gateway.WithClientKeys(keysOf(t,
			`alice,"models":["gemini-2.5-flash","secret-projec","gemini-x"]`)))
	for _, name := range []string{"secret-projec", "gemini-x"} {
		e := errorOf(t, post(handler, chatPath, strings.Replace(hello, "gemini-2.5-flash", name, 1),
			"Authorization", "Bearer key-of-alice"), http.StatusNotFound)
		if strings.Contains(e.Message, "secret-project?") {
			t.Errorf("%s", e.Message)
		}
	}
}

// A refusal for another reason, and a list that does not arrive, add no delay.
func TestHintsAreLeftOutWhereTheyWouldMislead(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		server := geminitest.NewServer(t,
			geminitest.WithScript(geminitest.On().Reply(geminitest.Error(404, "NOT_FOUND",
				"the cache is not there")).Times(9)))
		e := errorOf(t, post(gatewayOf(t, server), chatPath, hello), http.StatusNotFound)
		if e.Message != "the cache is not there" {
			t.Errorf("a cache: %s", e.Message)
		}
		notFound := gemini.DoerFunc(func(r *http.Request) (*http.Response, error) {
			if r.Method == http.MethodGet { // the list
				<-r.Context().Done()
				return nil, r.Context().Err()
			}
			return &http.Response{StatusCode: 404, Header: http.Header{}, Body: http.NoBody}, nil
		})
		silent := newGateway(t, gateway.WithUpstream(gateway.Upstream{
			Service: gateway.GeminiAPI, Accounts: []gateway.Account{gateway.KeyAccount("one", "k")},
			HTTPClient: notFound,
		}))
		begin := time.Now()
		e = errorOf(t, post(silent, chatPath, strings.Replace(hello, "2.5-flash", "2.5-flsh", 1)),
			http.StatusNotFound)
		if waited := time.Since(begin); waited > 2*time.Second ||
			!strings.HasSuffix(e.Message, "; did you mean gemini-2.5-flash?") {
			t.Errorf("after %s: %s", waited, e.Message)
		}
	})
}
