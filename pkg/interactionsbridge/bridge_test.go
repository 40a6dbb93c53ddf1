package interactionsbridge_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/fakegemini"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/interactionsbridge"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/go-json-experiment/json/jsontext"
)

// paths are the paths that a server was asked for.
type paths struct {
	mu  sync.Mutex
	all []string
}

func (p *paths) list() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return strings.Join(p.all, " ")
}

// connect returns a client of a fake server through a bridge, and what the server was asked for.
func connect(t *testing.T, fixtures []*fakegemini.Fixture, opts ...interactionsbridge.Option) (
	*gemini.Client, *paths) {
	t.Helper()
	handler, err := fakegemini.NewHandler(fakegemini.WithScript(fixtures...))
	if err != nil {
		t.Fatal(err)
	}
	asked := &paths{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.mu.Lock()
		path := r.URL.Path
		if _, id, ok := strings.Cut(path, "v1_"); ok {
			_, rest, _ := strings.Cut(id, "/")
			path = "/ID/" + rest
		}
		asked.all = append(asked.all, r.Method+path)
		asked.mu.Unlock()
		handler.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	noWait := func(ctx context.Context, _ time.Duration) error { return ctx.Err() }
	opts = append([]interactionsbridge.Option{interactionsbridge.WithClock(nil, noWait)}, opts...)
	client, err := gemini.NewClient(gemini.WithAPIKey("k"), gemini.WithBaseURL(server.URL),
		gemini.WithMaxAttempts(1), gemini.WithMiddleware(interactionsbridge.Middleware(opts...)))
	if err != nil {
		t.Fatal(err)
	}
	return client, asked
}

func request(model, text string) *geminiapi.GenerateContentRequest {
	return &geminiapi.GenerateContentRequest{Model: &model,
		Contents: []geminiapi.Content{gemini.UserText(text)}}
}

func TestAModelOfInteractionsAnswersGenerateContent(t *testing.T) {
	t.Parallel()
	reply := []*fakegemini.Fixture{fakegemini.On().Reply(fakegemini.Text("Hello ", "there"))}
	var lost report.Report
	client, asked := connect(t, reply, interactionsbridge.ForAllModels(),
		interactionsbridge.WithReport(func(request, answer report.Report) {
			lost = append(request.Of(report.Lost), answer.Of(report.Lost)...)
		}))
	answer, err := client.GenerateContent(t.Context(), request("gemini-3.6-flash", "Hi"))
	if err != nil {
		t.Fatal(err)
	}
	whole, err := normalize.FromResponse(answer)
	if err != nil || whole.Text() != "Hello there" {
		t.Errorf("the answer is %+v, %v", answer, err)
	}
	var text strings.Builder
	for chunk, err := range client.StreamGenerateContent(t.Context(),
		request("gemini-3.6-flash", "Hi")) {
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range gemini.FirstCandidate(chunk).Content.Parts {
			if part.Text != nil {
				text.WriteString(*part.Text)
			}
		}
	}
	if text.String() != "Hello there" {
		t.Errorf("the streamed text is %q", text.String())
	}
	if got := asked.list(); got != "POST/v1beta/interactions POST/v1beta/interactions" {
		t.Errorf("the server was asked for %s", got)
	}
	if len(lost) > 0 {
		t.Errorf("the losses are %v", lost)
	}
}

// The default uses the Interactions API for a model that exists only there.
func TestAModelThatExistsOnlyThereIsFoundByItsName(t *testing.T) {
	t.Parallel()
	client, asked := connect(t,
		[]*fakegemini.Fixture{fakegemini.On(fakegemini.Model("gemini-omni-1.1-flash")).
			Reply(fakegemini.Text("Hello"))})
	answer, err := client.GenerateContent(t.Context(), request("gemini-omni-1.1-flash", "Hi"))
	if err != nil {
		t.Fatal(err)
	}
	whole, err := normalize.FromResponse(answer)
	if err != nil || whole.Text() != "Hello" {
		t.Errorf("the answer is %+v, %v", answer, err)
	}
	if got := asked.list(); got != "POST/v1beta/interactions" {
		t.Errorf("the server was asked for %s", got)
	}
}

func TestOtherModelsPassUnchanged(t *testing.T) {
	t.Parallel()
	client, asked := connect(t, nil)
	if _, err := client.GenerateContent(t.Context(), request("gemini-3.6-flash", "Hi")); err != nil {
		t.Fatal(err)
	}
	if got := asked.list(); got != "POST/v1beta/models/gemini-3.6-flash:generateContent" {
		t.Errorf("the server was asked for %s", got)
	}
}

func TestAnAgentRunsInTheBackgroundAndItsInteractionIsDeleted(t *testing.T) {
	t.Parallel()
	client, asked := connect(t,
		[]*fakegemini.Fixture{fakegemini.On().Reply(fakegemini.Text("A report"))})
	answer, err := client.GenerateContent(t.Context(), request("deep-research-preview-04-2026", "Go?"))
	if err != nil {
		t.Fatal(err)
	}
	whole, err := normalize.FromResponse(answer)
	if err != nil || whole.Text() != "A report" {
		t.Errorf("the answer is %+v, %v", answer, err)
	}
	const want = "POST/v1beta/interactions GET/ID/ GET/ID/ GET/ID/ DELETE/ID/"
	if got := asked.list(); got != want {
		t.Errorf("the server was asked for %s", got)
	}
}

func TestACallerWhoGivesUpCancelsTheAgent(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	client, asked := connect(t, nil,
		interactionsbridge.WithClock(nil, func(context.Context, time.Duration) error {
			cancel()
			return context.Canceled
		}))
	if _, err := client.GenerateContent(ctx, request("deep-research-preview-04-2026",
		"Go?")); !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v", err)
	}
	if got := asked.list(); !strings.HasSuffix(got, "POST/ID/cancel DELETE/ID/") {
		t.Errorf("the server was asked for %s", got)
	}
}

func TestSignaturesComeBackInAToolLoop(t *testing.T) {
	t.Parallel()
	calls := fakegemini.On().Reply(fakegemini.Call("weather", `{"city":"Porto"}`),
		fakegemini.Call("time", `{"b":1.0,"a":12345678901234567890}`))
	client, _ := connect(t, []*fakegemini.Fixture{calls}, interactionsbridge.ForAllModels())
	req := request("gemini-3.6-flash", "Weather and time?")
	object := jsontext.Value(`{"type":"object"}`)
	req.Tools = []geminiapi.Tool{{FunctionDeclarations: []geminiapi.FunctionDeclaration{
		{Name: new("weather"), ParametersJSONSchema: object},
		{Name: new("time"), ParametersJSONSchema: object}}}}
	for turn := range 3 {
		answer, err := client.GenerateContent(t.Context(), req)
		if err != nil {
			t.Fatalf("turn %d: %v", turn, err)
		}
		content := gemini.FirstCandidate(answer).Content
		var results []geminiapi.Part
		signed := false
		for i := range content.Parts {
			part := &content.Parts[i]
			if part.FunctionCall == nil {
				continue
			}
			signed = signed || part.ThoughtSignature != nil
			results = append(results, geminiapi.Part{FunctionResponse: &geminiapi.FunctionResponse{
				ID: part.FunctionCall.ID, Name: part.FunctionCall.Name,
				Response: jsontext.Value(`{"output":"ok"}`)}})
			part.Unknown = nil
		}
		if len(results) != 2 || !signed {
			t.Fatalf("turn %d: the parts are %+v", turn, content.Parts)
		}
		req.Contents = append(req.Contents, *content,
			geminiapi.Content{Role: new("user"), Parts: results})
	}
}

func TestAnErrorOfTheServerKeepsItsStatus(t *testing.T) {
	t.Parallel()
	client, _ := connect(t,
		[]*fakegemini.Fixture{fakegemini.On().Reply(fakegemini.RateLimited(0))},
		interactionsbridge.ForAllModels())
	_, err := client.GenerateContent(t.Context(), request("gemini-3.6-flash", "Hi"))
	if failed, ok := errors.AsType[*gemini.Error](err); !ok || failed.HTTPStatus != 429 {
		t.Errorf("the error is %v", err)
	}
	for _, err := range client.StreamGenerateContent(t.Context(), request("gemini-3.6-flash", "Hi")) {
		if failed, ok := errors.AsType[*gemini.Error](err); !ok || failed.HTTPStatus != 429 {
			t.Errorf("the error of the stream is %v", err)
		}
	}
}

func TestAWatchedCallIsRefusedForALoss(t *testing.T) {
	t.Parallel()
	client, asked := connect(t, nil, interactionsbridge.ForAllModels())
	req := request("gemini-3.6-flash", "Hi")
	req.GenerationConfig = &geminiapi.GenerationConfig{CandidateCount: new(2)}
	var lost report.Report
	ctx := interactionsbridge.WithWatch(t.Context(), &interactionsbridge.Watch{Strict: true,
		Request: func(entries report.Report) { lost = entries.Of(report.Lost) }})
	_, err := client.GenerateContent(ctx, req)
	failed, ok := errors.AsType[*gemini.Error](err)
	if !ok || failed.HTTPStatus != 400 || !lost.Covers("/generationConfig/candidateCount") {
		t.Errorf("the error is %v, the losses are %v", err, lost)
	}
	if got := asked.list(); got != "" {
		t.Errorf("the server was asked for %s", got)
	}
}

func TestAStreamCanBeClosedWhileItIsRead(t *testing.T) {
	t.Parallel()
	handler, err := fakegemini.NewHandler(fakegemini.WithScript(fakegemini.On().Reply(
		fakegemini.Text("Hello"), fakegemini.Pause(time.Hour), fakegemini.Text(" there"))))
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(handler)
	defer server.Close()
	doer := interactionsbridge.NewDoer(http.DefaultClient, interactionsbridge.ForAllModels())
	post, err := http.NewRequestWithContext(t.Context(), http.MethodPost,
		server.URL+"/v1beta/models/gemini-3.6-flash:streamGenerateContent?alt=sse",
		strings.NewReader(`{"contents":[{"parts":[{"text":"Hi"}]}]}`))
	if err != nil {
		t.Fatal(err)
	}
	post.Header.Set("X-Goog-Api-Key", "k")
	reply, err := doer.Do(post)
	if err != nil {
		t.Fatal(err)
	}
	begun := make(chan struct{})
	ended := make(chan error)
	go func() {
		buf := make([]byte, 4096)
		if _, err := reply.Body.Read(buf); err != nil {
			t.Error(err)
		}
		close(begun)
		for {
			if _, err := reply.Body.Read(buf); err != nil { // waits for the pause
				ended <- err
				return
			}
		}
	}()
	<-begun
	if err := reply.Body.Close(); err != nil {
		t.Error(err)
	}
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("the read ended with %v", err)
	}
}
