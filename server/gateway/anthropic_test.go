package gateway_test

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/anthropicapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/internal/test/descriptiontest"
	"github.com/gemwire/gemwire/pkg/anthropic"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/gemini/models"
	"github.com/gemwire/gemwire/pkg/geminitest"
	"github.com/gemwire/gemwire/server/gateway"
)

// anthropicClient are headers that identify an Anthropic client.
var anthropicClient = []string{"Anthropic-Version", "2023-06-01"}

// anthropicErrorOf returns the error of an answer, which must be an error.
func anthropicErrorOf(t testing.TB, answer *httptest.ResponseRecorder,
	status int) *anthropicapi.ErrorResponse {
	t.Helper()
	if answer.Code != status {
		t.Errorf("HTTP %d, expected %d: %s", answer.Code, status, answer.Body)
	}
	descriptiontest.Anthropic(t, "ErrorResponse", answer.Body.Bytes())
	body, err := anthropic.DecodeErrorResponse(answer.Body.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	if id := jsonx.Deref(body.RequestID); id == "" || id != answer.Header().Get("Request-Id") {
		t.Errorf("the request is %q in the body and %q in the header", id,
			answer.Header().Get("Request-Id"))
	}
	return body
}

// anthropicModels returns a page of models.
func anthropicModels(t testing.TB,
	answer *httptest.ResponseRecorder) *anthropicapi.ListModelsResponse {
	t.Helper()
	if answer.Code != http.StatusOK {
		t.Fatalf("HTTP %d: %s", answer.Code, answer.Body)
	}
	descriptiontest.Anthropic(t, "ListModelsResponse", answer.Body.Bytes())
	list, err := anthropic.DecodeModels(answer.Body.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func idsOf(list *anthropicapi.ListModelsResponse) (ids []string) {
	for _, model := range list.Data {
		ids = append(ids, model.ID)
	}
	return ids
}

func TestModelsAreListedByWhoAsks(t *testing.T) {
	t.Parallel()
	handler := gatewayOf(t, geminitest.NewServer(t),
		gateway.WithAliases(map[string]string{"claude-fast": "gemini-2.5-flash"}))
	all := namesOf(t, get(handler, "/v1/models"))
	if got := idsOf(anthropicModels(t,
		get(handler, "/v1/models?limit=1000", anthropicClient...))); !slices.Equal(got, all) {
		t.Errorf("a client of Anthropic's finds %q, others %q", got, all)
	}
	own := idsOf(anthropicModels(t,
		get(handler, "/v1/models?limit=1000", "User-Agent", "claude-cli/2.1.220 (external, cli)",
			"Authorization", "Bearer x")))
	if !slices.Contains(own, "claude-fast") || !slices.Contains(own, "claude-gemini-2.5-flash") ||
		slices.Contains(own, "claude-claude-fast") {
		t.Errorf("Claude Code, which keeps names with claude, finds %q", own)
	}
}

func TestModelsForAnthropicsClientsHavePages(t *testing.T) {
	t.Parallel()
	aliases := map[string]string{}
	for _, name := range []string{"a", "b", "c", "d", "e"} {
		aliases[name] = "gemini-2.5-flash"
	}
	handler := gatewayOf(t, geminitest.NewServer(t), gateway.WithAliases(aliases),
		gateway.WithClientKeys(keysOf(t, `bob,"models":["a","b","c","d","e"]`)))
	for query, want := range map[string]string{
		"?limit=2": "a b more", "?limit=2&after_id=b": "c d more", "?limit=2&after_id=d": "e",
		"?limit=9": "a b c d e", "": "a b c d e",
		"?limit=2&before_id=d": "b c more", "?limit=2&before_id=c": "a b", "?before_id=a": "",
		"?after_id=nobody": "", "?before_id=nobody": "",
	} {
		list := anthropicModels(t,
			get(handler, "/v1/models"+query, "Anthropic-Version", "2026-10-21", "X-Api-Key",
				"key-of-bob"))
		got := strings.Join(idsOf(list), " ")
		if list.HasMore {
			got += " more"
		}
		if got != want {
			t.Errorf("%s: %q, expected %q", query, got, want)
		}
		if len(list.Data) > 0 &&
			(jsonx.Deref(list.FirstID) != list.Data[0].ID ||
				jsonx.Deref(list.LastID) != list.Data[len(list.Data)-1].ID) {
			t.Errorf("%s: the page does not say where it begins and ends", query)
		}
	}
	for _, query := range []string{"?limit=0", "?limit=1001", "?limit=many"} {
		if e := anthropicErrorOf(t,
			get(handler, "/v1/models"+query, "Anthropic-Version", "2023-06-01", "Authorization",
				"Bearer key-of-bob"),
			http.StatusBadRequest); e.Error.Type != "invalid_request_error" {
			t.Errorf("%s: %+v", query, e)
		}
	}
}

func TestAModelIsDescribedForAnthropicsClients(t *testing.T) {
	t.Parallel()
	handler := gatewayOf(t, geminitest.NewServer(t),
		gateway.WithAliases(map[string]string{"sonnet": "gemini-2.5-pro"}))
	for _, name := range []string{"gemini-2.5-flash", "sonnet", "claude-gemini-2.5-flash",
		"sonnet[1m]"} {
		answer := get(handler, "/v1/models/"+name, anthropicClient...)
		if answer.Code != http.StatusOK {
			t.Fatalf("%s: HTTP %d: %s", name, answer.Code, answer.Body)
		}
		descriptiontest.Anthropic(t, "Model", answer.Body.Bytes())
		model, err := anthropic.DecodeModel(answer.Body.Bytes())
		if err != nil || model.ID != name {
			t.Errorf("%s: %+v, %v", name, model, err)
		}
	}
	e := anthropicErrorOf(t, get(handler, "/v1/models/haiku", anthropicClient...),
		http.StatusNotFound)
	if e.Error.Type != "not_found_error" || !strings.HasPrefix(e.Error.Message, "model: ") {
		t.Errorf("a model that is not there: %+v", e)
	}
}

// A model's limits come from the upstream, or else from the table. They are omitted if they are
// unknown.
func TestAModelForAnthropicsClientsHasItsLimits(t *testing.T) {
	t.Parallel()
	alias := gateway.WithAliases(map[string]string{"haiku": "gemini-2.0-flash", "opus": "gpt-5.1",
		"gemini-2.5-pro": "gpt-5.1"})
	listing := gemini.DoerFunc(func(*http.Request) (*http.Response, error) {
		return chatReply(200,
				`{"models":[{"name":"models/gemini-9","inputTokenLimit":7,"outputTokenLimit":5},{"name":"models/gemini-2.0-flash","outputTokenLimit":4096}]}`),
			nil
	})
	lists := newGateway(t, alias, gateway.WithUpstream(gateway.Upstream{
		Service: gateway.GeminiAPI, Accounts: []gateway.Account{gateway.KeyAccount("p", "k")},
		HTTPClient: listing,
	}))
	s := &chatServer{}
	for name, tc := range map[string]struct {
		handler *gateway.Handler
		model   string
		want    models.Limits
	}{
		"the upstream's":             {lists, "gemini-9", models.Limits{Input: 7, Output: 5}},
		"half of them the table's":   {lists, "gemini-2.0-flash", models.Limits{Input: 1 << 20, Output: 4096}},
		"an alias":                   {lists, "haiku", models.Limits{Input: 1 << 20, Output: 4096}},
		"a name for Claude Code":     {lists, "claude-gemini-9", models.Limits{Input: 7, Output: 5}},
		"the table's":                {gatewayOf(t, geminitest.NewServer(t)), "gemini-2.5-flash-image", models.Limits{Input: 32768, Output: 32768}},
		"another maker's":            {gatewayOfChat(t, s, alias), "opus", models.Limits{}},
		"an alias with a known name": {gatewayOfChat(t, s, alias), "gemini-2.5-pro", models.Limits{}},
	} {
		list := anthropicModels(t,
			get(tc.handler, "/v1/models?limit=1000", "Anthropic-Version", "2023-06-01",
				"User-Agent", "claude-cli/2.1.220"))
		one, err := anthropic.DecodeModel(get(tc.handler, "/v1/models/"+tc.model,
			anthropicClient...).Body.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		at := slices.Index(idsOf(list), tc.model)
		if at < 0 {
			t.Fatalf("%s: %s is not in %q", name, tc.model, idsOf(list))
		}
		for _, model := range []*anthropicapi.Model{one, &list.Data[at]} {
			in, _ := model.MaxInputTokens.Value()
			out, _ := model.MaxTokens.Value()
			if got := (models.Limits{Input: in, Output: out}); got != tc.want {
				t.Errorf("%s: got %+v, want %+v", name, got, tc.want)
			}
		}
	}
}

// Unknown paths are answered in the client's own error envelope, and the warm-up of a connection is
// answered.
func TestUnknownPathsAreNotFoundInTheClientsEnvelope(t *testing.T) {
	t.Parallel()
	handler := newGateway(t)
	for _, request := range []struct {
		method, path string
		headers      []string
		message      string
	}{
		{"POST", "/v1/messages/batches", nil, "/v1/messages/batches"},
		{"GET", "/v1/messages/batches/b1/results?beta=true", nil, "/v1/messages/batches/b1/results"},
		{"GET", "/v1/messages", nil, "GET /v1/messages"},
		{"GET", "/v1/files", anthropicClient, "/v1/files"},
		{"POST", "/v1/v1/messages", anthropicClient, "use /v1/messages: the base URL of this client must not end in /v1"},
		{"POST", "/v1beta/messages", anthropicClient, "use /v1/messages: the base URL"},
		{"POST", "/api/event_logging", []string{"User-Agent", "claude-cli/2.1.220"}, "/api/event_logging"},
	} {
		r := httptest.NewRequest(request.method, request.path, nil)
		for i := 0; i < len(request.headers); i += 2 {
			r.Header.Set(request.headers[i], request.headers[i+1])
		}
		answer := httptest.NewRecorder()
		handler.ServeHTTP(answer, r)
		if e := anthropicErrorOf(t, answer,
			http.StatusNotFound); e.Error.Type != "not_found_error" ||
			!strings.Contains(e.Error.Message, request.message) {
			t.Errorf("%s %s: %+v", request.method, request.path, e)
		}
	}
	for _, path := range []string{"/", "/api/hello"} {
		answer := httptest.NewRecorder()
		handler.ServeHTTP(answer, httptest.NewRequest(http.MethodHead, path, nil))
		if answer.Code != http.StatusOK || answer.Body.Len() != 0 {
			t.Errorf("HEAD %s: HTTP %d: %s", path, answer.Code, answer.Body)
		}
	}
}
