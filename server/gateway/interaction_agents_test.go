package gateway_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/geminitest"
	"github.com/gemwire/gemwire/pkg/interactions"
	"github.com/gemwire/gemwire/server/gateway"
)

// researcher is an agent that runs in the background. Other agents do not.
const (
	researcher = "deep-research-preview-04-2026"
	coder      = "antigravity-preview-05-2026"
)

// researching returns a request for deep research, with its settings.
func researching() *interactionsapi.CreateInteractionRequest {
	return &interactionsapi.CreateInteractionRequest{
		Agent:      new(interactionsapi.AgentName(researcher)),
		Input:      interactions.InputOf(interactions.UserText("What is new?")),
		Background: new(true), Store: new(true),
		AgentConfig: &interactionsapi.AgentConfig{Type: new(interactionsapi.AgentTypeDeepResearch),
			ThinkingSummaries: new(interactionsapi.ThinkingSummariesAuto)}}
}

// reporting returns a server that answers with a report.
func reporting(t testing.TB) *geminitest.Server {
	return geminitest.NewServer(t,
		geminitest.WithScript(geminitest.On().Reply(geminitest.Text("A ", "report"))))
}

// askedOf returns the requests that a server got, with ID in place of ids.
func askedOf(server *geminitest.Server) (out []string) {
	for _, r := range server.Requests() {
		out = append(out, r.Method+" "+idInPath.ReplaceAllString(r.URL.RequestURI(), "/ID"))
	}
	return out
}

// The client polls, follows, cancels and deletes the interaction by Google's id.
func TestAnInteractionOfAnAgentIsPassedOn(t *testing.T) {
	t.Parallel()
	server := reporting(t)
	service := interactionsOf(t, gatewayOf(t, server))
	begun, err := service.Create(t.Context(), researching())
	if err != nil {
		t.Fatal(err)
	}
	id := jsonx.Deref(begun.ID)
	if !strings.HasPrefix(id, "v1_") || string(jsonx.Deref(begun.Agent)) != researcher ||
		begun.Status != interactionsapi.InteractionStatusInProgress {
		t.Fatalf("at first it is %+v", begun)
	}
	sent := string(server.Requests()[0].Body)
	if !strings.Contains(sent, `"thinking_summaries":"auto"`) ||
		!strings.Contains(sent, `"store":true`) {
		t.Errorf("the server got %s", sent)
	}
	statuses := map[interactionsapi.InteractionStatus]bool{}
	for range 3 {
		got, err := service.Get(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		statuses[got.Status] = true
		if got.Status == interactionsapi.InteractionStatusCompleted &&
			interactions.Text(got) != "A report" {
			t.Errorf("at last it is %+v", got)
		}
	}
	if len(statuses) != 2 || !statuses[interactionsapi.InteractionStatusCompleted] {
		t.Errorf("the polls see %v", statuses)
	}
	all := collected(t, service.Events(t.Context(), id, ""))
	rest := collected(t, service.Events(t.Context(), id, "3"))
	if interactions.Text(folded(t, all)) != "A report" || len(rest) != len(all)-3 {
		t.Errorf("%d events, and %d after the third", len(all), len(rest))
	}
	if err := service.Delete(t.Context(), id); err != nil {
		t.Error(err)
	}
	_, err = service.Get(t.Context(), id)
	wantReason(t, err, http.StatusNotFound, interactions.CodeNotFound)
	want := []string{"POST /v1beta/interactions", "GET /v1beta/interactions/ID",
		"GET /v1beta/interactions/ID", "GET /v1beta/interactions/ID",
		"GET /v1beta/interactions/ID?alt=sse&stream=true",
		"GET /v1beta/interactions/ID?alt=sse&last_event_id=3&stream=true",
		"DELETE /v1beta/interactions/ID", "GET /v1beta/interactions/ID"}
	if got := askedOf(server); !slices.Equal(got, want) {
		t.Errorf("the server was asked for %q", got)
	}
}

func TestAnInteractionOfAnAgentIsCancelled(t *testing.T) {
	t.Parallel()
	service := interactionsOf(t, keeping(t, reporting(t)))
	begun, err := service.Create(t.Context(), researching())
	if err != nil {
		t.Fatal(err)
	}
	got, err := service.Cancel(t.Context(), jsonx.Deref(begun.ID))
	if err != nil || got.Status != interactionsapi.InteractionStatusCancelled {
		t.Errorf("it is %+v, %v", got, err)
	}
	_, err = service.Cancel(t.Context(), jsonx.Deref(begun.ID)) // Google's own error
	wantReason(t, err, http.StatusBadRequest, interactions.CodeFailedPrecondition)
}

func TestAStreamOfAnAgentIsPassedOnToItsEnd(t *testing.T) {
	t.Parallel()
	watcher := &diary{wantsBodies: true}
	handler := gatewayOf(t, reporting(t), gateway.WithObserver(watcher))
	for name, body := range map[string]string{
		"in the background": `{"agent":"` + researcher + `","input":"hello","background":true,"stream":true}`,
		"at once":           `{"agent":"` + coder + `","input":"hello","environment":"remote","stream":true}`,
	} {
		answer := post(handler, interactionPaths[0], body)
		got := answer.Body.String()
		if answer.Code != http.StatusOK ||
			answer.Header().Get("Content-Type") != "text/event-stream" ||
			!strings.HasSuffix(got, "event: done\ndata: [DONE]\n\n") {
			t.Errorf("%s: HTTP %d: %s", name, answer.Code, got)
		}
		whole := folded(t, interactionEventsIn(t, got))
		if interactions.Text(whole) != "A report" || whole.Usage == nil {
			t.Errorf("%s: it is %+v", name, whole)
		}
		end := watcher.last().end
		if end.Usage.TotalTokens != *whole.Usage.TotalTokens || !end.Stream {
			t.Errorf("%s: the log has %+v", name, end)
		}
	}
}

// An agent that does not run in the background stores nothing, unless the client asks.
func TestAnAgentStoresOnlyWhatTheClientAsksFor(t *testing.T) {
	t.Parallel()
	for asked, want := range map[string]string{
		``:               `"store":false`,
		`,"store":false`: `"store":false`,
		`,"store":true`:  `"store":true`,
	} {
		server := reporting(t)
		answer := post(gatewayOf(t, server), interactionPaths[1],
			`{"agent":"`+coder+`","input":"hello","environment":"remote"`+asked+`}`)
		made := interactionIn(t, answer)
		sent := string(server.Requests()[0].Body)
		if !strings.Contains(sent, want) || strings.Count(sent, `"store"`) != 1 {
			t.Errorf("%s: the server got %s", asked, sent)
		}
		if isStored := want == `"store":true`; (made.ID != nil) != isStored {
			t.Errorf("%s: the id is %v", asked, made.ID)
		}
	}
}

func TestAnAliasMayNameAnAgent(t *testing.T) {
	t.Parallel()
	server := reporting(t)
	handler := gatewayOf(t, server, gateway.WithAliases(map[string]string{"research": researcher}))
	answer := post(handler, interactionPaths[0],
		`{"agent":"research","input":"hello","background":true}`)
	if made := interactionIn(t, answer); string(jsonx.Deref(made.Agent)) != researcher ||
		answer.Header().Get("X-Gemwire-Model") != researcher {
		t.Errorf("it is %+v", made)
	}
}

func TestAnAgentIsRefusedWhereTheUpstreamHasNone(t *testing.T) {
	t.Parallel()
	server := reporting(t)
	one := []gateway.Account{gateway.KeyAccount("one", "key-of-one")}
	for want, upstream := range map[string]gateway.Upstream{
		"chat_completions": {Service: gateway.OpenAI, BaseURL: "https://chat.example/v1",
			Accounts: one},
		"express mode": {Service: gateway.VertexAIExpress, Accounts: one},
		"upstream_api": {Service: gateway.GeminiAPI, Accounts: one,
			API: gateway.APIGenerateContent},
	} {
		upstream.HTTPClient = server.HTTPClient()
		handler := newGateway(t, gateway.WithUpstream(upstream))
		answer := post(handler, interactionPaths[0],
			`{"agent":"`+researcher+`","input":"hello","background":true}`)
		if answer.Code != http.StatusBadRequest || !strings.Contains(answer.Body.String(), want) ||
			!strings.Contains(answer.Body.String(), "set model") {
			t.Errorf("%s: HTTP %d: %s", want, answer.Code, answer.Body)
		}
		interactionsEnvelope(t, answer.Body.Bytes())
		if got := do(handler, "GET",
			interactionPaths[0]+"/v1_abc"); got.Code != http.StatusNotFound {
			t.Errorf("%s: HTTP %d: %s", want, got.Code, got.Body)
		}
	}
	if got := askedOf(server); got != nil {
		t.Errorf("the server was asked for %q", got)
	}
}

// Google's errors reach the client as Google words them.
func TestAnErrorAboutAnAgentIsPassedOn(t *testing.T) {
	t.Parallel()
	handler := gatewayOf(t, reporting(t))
	for _, body := range []string{
		`{"agent":"` + researcher + `","input":"hello","background":false}`,
		`{"agent":"` + researcher + `","input":"hello","background":true,"nonsense":1}`,
	} {
		answer := post(handler, interactionPaths[0], body)
		if answer.Code != http.StatusBadRequest ||
			!strings.Contains(answer.Body.String(), "'") { // quotes of Google's messages
			t.Errorf("HTTP %d: %s", answer.Code, answer.Body)
		}
		interactionsEnvelope(t, answer.Body.Bytes())
	}
	both := post(handler, interactionPaths[0],
		`{"agent":"`+researcher+`","model":"gemini-3.6-flash","input":"hello"}`)
	if both.Code != http.StatusBadRequest || !strings.Contains(both.Body.String(), "/agent") {
		t.Errorf("an agent and a model: HTTP %d: %s", both.Code, both.Body)
	}
}

// Interactions of all clients are in one project of Google. The gateway remembers whose they are.
func TestAnInteractionOfAnAgentBelongsToItsClient(t *testing.T) {
	t.Parallel()
	keys := gateway.WithClientKeys(keysOf(t, "alice", "bob",
		`carol,"models":["gemini-3.6-flash"]`))
	handler := keeping(t, reporting(t), keys)
	as := func(name string) gemini.Interactions {
		return interactionsOf(t, handler, gemini.WithAPIKey("key-of-"+name))
	}
	made, err := as("alice").Create(t.Context(), researching())
	if err != nil {
		t.Fatal(err)
	}
	id := jsonx.Deref(made.ID)
	bob := as("bob")
	_, err = bob.Get(t.Context(), id)
	wantReason(t, err, http.StatusNotFound, interactions.CodeNotFound)
	_, err = bob.Cancel(t.Context(), id)
	wantReason(t, err, http.StatusNotFound, interactions.CodeNotFound)
	wantReason(t, bob.Delete(t.Context(), id), http.StatusNotFound, interactions.CodeNotFound)
	for _, err := range bob.Events(t.Context(), id, "") {
		wantReason(t, err, http.StatusNotFound, interactions.CodeNotFound)
	}
	if _, err := as("alice").Get(t.Context(), id); err != nil {
		t.Error(err)
	}
	_, err = as("carol").Create(t.Context(), researching())
	wantReason(t, err, http.StatusNotFound, interactions.CodeModelNotFound)
	if err := as("alice").Delete(t.Context(), id); err != nil {
		t.Error(err)
	}

	forgetful := interactionsOf(t, gatewayOf(t, reporting(t), keys),
		gemini.WithAPIKey("key-of-alice"))
	_, err = forgetful.Create(t.Context(), researching())
	wantReason(t, err, http.StatusBadRequest, interactions.CodeInvalidRequest)
	if err != nil && !strings.Contains(err.Error(), "--store") {
		t.Errorf("the error does not name the setting: %v", err)
	}
}

func TestAnAgentOfVertexAIIsCalledInTheProject(t *testing.T) {
	t.Parallel()
	server := reporting(t)
	handler := newGateway(t, gateway.WithUpstream(gateway.Upstream{Service: gateway.VertexAI,
		HTTPClient: server.HTTPClient(), BaseURL: "https://vertex.example",
		Accounts: []gateway.Account{gateway.VertexAccount("p", "", fixedToken("t"))}}))
	made := interactionIn(t, post(handler, interactionPaths[1],
		`{"agent":"`+researcher+`","input":"hello","background":true}`))
	interactionIn(t, do(handler, "GET", interactionPaths[1]+"/"+jsonx.Deref(made.ID)))
	const at = " /v1beta1/projects/p/locations/global/interactions"
	if got, want := askedOf(server), []string{"POST" + at, "GET" + at + "/ID"}; !slices.Equal(got,
		want) {
		t.Errorf("the server was asked for %q", got)
	}
}

func TestAProgramGetsNoAgentInTheBackground(t *testing.T) {
	t.Parallel()
	handler := gatewayOf(t, reporting(t))
	in := &gateway.Request{Path: interactionPaths[0],
		Body: []byte(`{"agent":"` + researcher + `","input":"hello","background":true}`)}
	if _, err := handler.Answer(t.Context(), in); err == nil ||
		!strings.Contains(err.Error(), "background") {
		t.Errorf("the error is %v", err)
	}
	if _, err := handler.Convert(t.Context(), in); err == nil ||
		!strings.Contains(err.Error(), "agents") {
		t.Errorf("the error of a conversion is %v", err)
	}
	in.Body = []byte(`{"agent":"` + coder + `","input":"hello","environment":"remote"}`)
	if answer, err := handler.Answer(t.Context(), in); err != nil ||
		!strings.Contains(string(answer.Body), "report") || answer.Usage.TotalTokens == 0 {
		t.Errorf("the answer is %+v, %v", answer, err)
	}
}
