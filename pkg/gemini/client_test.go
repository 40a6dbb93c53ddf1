package gemini_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/streamhook"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/validation"
	"github.com/go-json-experiment/json/jsontext"
)

const answer = `{"candidates":[{"content":{"role":"model","parts":[{"text":"Hi"}]},"finishReason":"STOP"}]}`

// prompt is a request to a model, "" for none.
func prompt(model string) *geminiapi.GenerateContentRequest {
	req := &geminiapi.GenerateContentRequest{Contents: []geminiapi.Content{gemini.UserText("Hello")}}
	if model != "" {
		req.Model = &model
	}
	return req
}

// recordingDoer is a Doer that answers from memory and stores the requests.
type recordingDoer struct {
	answers  []string // one for each request, the last one for all that follow
	requests []*http.Request
	bodies   []string
}

func (w *recordingDoer) Do(request *http.Request) (*http.Response, error) {
	w.requests = append(w.requests, request)
	body := ""
	if request.Body != nil {
		data, err := io.ReadAll(request.Body)
		if err != nil {
			return nil, err
		}
		body = string(data)
	}
	w.bodies = append(w.bodies, body)
	text := w.answers[min(len(w.requests), len(w.answers))-1]
	return httpReply(200, "application/json", text), nil
}

func httpReply(status int, contentType, body string) *http.Response {
	return &http.Response{
		StatusCode: status, Header: http.Header{"Content-Type": {contentType}}, ContentLength: -1,
		Body: io.NopCloser(strings.NewReader(body)),
	}
}

func newClient(t *testing.T, opts ...gemini.ClientOption) *gemini.Client {
	t.Helper()
	client, err := gemini.NewClient(append([]gemini.ClientOption{gemini.WithAPIKey("k-secret")},
		opts...)...)
	if err != nil {
		t.Fatal(err)
	}
	return client
}

func TestTheModelIsInTheAddressAndContentsInTheBody(t *testing.T) {
	t.Parallel()
	type opts = []gemini.ClientOption
	vertex := opts{gemini.WithVertexAI("p", "europe-west4"), gemini.WithTokenSource(oneToken("t"))}
	express := opts{gemini.WithVertexAIExpress()}
	const own = "https://generativelanguage.googleapis.com/v1beta/"
	const regional = "https://europe-west4-aiplatform.googleapis.com/v1/projects/p/locations/europe-west4/"
	for _, tt := range []struct {
		model string
		opts  opts
		want  string
	}{
		{"gemini-3.6-flash", nil, own + "models/gemini-3.6-flash"},
		{"models/gemini-3.6-flash", nil, own + "models/gemini-3.6-flash"},
		{"tunedModels/mine", nil, own + "tunedModels/mine"},
		{"publishers/google/models/gemini-3.6-flash", nil, own + "models/gemini-3.6-flash"},
		{"a b?c:d%", nil, own + "models/a%20b%3Fc%3Ad%25"},
		{"", opts{gemini.WithModel("gemini-x")}, own + "models/gemini-x"},
		{"m", opts{gemini.WithAPIVersion("v1alpha")}, "https://generativelanguage.googleapis.com/v1alpha/models/m"},
		{"m", opts{gemini.WithBaseURL("https://gateway.example/google/"), gemini.WithAPIVersion("")}, "https://gateway.example/google/models/m"},
		{"gemini-3.6-flash", vertex, regional + "publishers/google/models/gemini-3.6-flash"},
		{"models/gemini-3.6-flash", vertex, regional + "publishers/google/models/gemini-3.6-flash"},
		{"meta/llama-4", vertex, regional + "publishers/meta/models/llama-4"},
		{"endpoints/12", vertex, regional + "endpoints/12"},
		{"projects/q/locations/us-central1/endpoints/12", vertex, "https://us-central1-aiplatform.googleapis.com/v1/projects/q/locations/us-central1/endpoints/12"},
		{"m", append(vertex, gemini.WithVertexAI("p", "")), "https://aiplatform.googleapis.com/v1/projects/p/locations/global/publishers/google/models/m"},
		{"m", append(vertex, gemini.WithVertexAI("p", "eu")), "https://aiplatform.eu.rep.googleapis.com/v1/projects/p/locations/eu/publishers/google/models/m"},
		{"m", express, "https://aiplatform.googleapis.com/v1/publishers/google/models/m"},
	} {
		doer := &recordingDoer{answers: []string{answer}}
		client := newClient(t, append(tt.opts, gemini.WithHTTPClient(doer))...)
		if _, err := client.GenerateContent(t.Context(), prompt(tt.model)); err != nil {
			t.Errorf("%s: %v", tt.model, err)
			continue
		}
		if got := doer.requests[0].URL.String(); got != tt.want+":generateContent" {
			t.Errorf("%s: got %s, want %s", tt.model, got, tt.want)
		}
		want := `{"contents":[{"parts":[{"text":"Hello"}],"role":"user"}]`
		if strings.Contains(tt.want, "aiplatform.") {
			want += "}" // Vertex AI has no member store.
		} else {
			want += `,"store":false}`
		}
		if got := doer.bodies[0]; got != want {
			t.Errorf("%s: the body is %s, want %s", tt.model, got, want)
		}
	}
}

func TestContentsAreSentEvenIfThereAreNone(t *testing.T) {
	t.Parallel()
	doer := &recordingDoer{answers: []string{answer}}
	client := newClient(t, gemini.WithHTTPClient(doer), gemini.WithModel("m"))
	if _, err := client.GenerateContent(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	if doer.bodies[0] != `{"contents":[],"store":false}` {
		t.Error(doer.bodies[0])
	}
}

func TestAModelOfTheOtherServiceIsRefusedBeforeAnythingIsSent(t *testing.T) {
	t.Parallel()
	vertex := []gemini.ClientOption{gemini.WithVertexAI("p", ""),
		gemini.WithTokenSource(oneToken("t"))}
	for model, opts := range map[string][]gemini.ClientOption{
		"projects/p/locations/l/models/x":                   nil,
		"projects/p/locations/l/publishers/google/models/x": nil,
		"foo/publishers/google/models/x":                    nil,
		"meta/x":                                            nil,
		"models/x/y":                                        nil,
		"tunedModels/x":                                     vertex,
		"foo/publishers/google/models/y":                    vertex,
	} {
		doer := &recordingDoer{answers: []string{answer}}
		_, err := newClient(t,
			append(opts, gemini.WithHTTPClient(doer))...).GenerateContent(t.Context(),
			prompt(model))
		refused, ok := errors.AsType[*gemini.ModelError](err)
		if !ok || refused.Model != model || len(doer.requests) != 0 {
			t.Errorf("%s: %v, %d requests", model, err, len(doer.requests))
		}
	}
}

func TestWithoutAModelNothingIsSent(t *testing.T) {
	t.Parallel()
	doer := &recordingDoer{}
	client := newClient(t, gemini.WithHTTPClient(doer))
	_, err := client.GenerateContent(t.Context(), prompt(""))
	if !errors.Is(err, gemini.ErrModelRequired) || err.Error() != "gemini: Model is required" {
		t.Error(err)
	}
	for chunk, err := range client.StreamGenerateContent(t.Context(), prompt("")) {
		if chunk != nil || !errors.Is(err, gemini.ErrModelRequired) {
			t.Error(chunk, err)
		}
	}
	for _, model := range []string{"..", "models/../files/x", "a//b", "models/", "a\nb",
		"meta/llama-4"} {
		if _, err := client.GenerateContent(t.Context(), prompt(model)); err == nil {
			t.Errorf("%q is taken", model)
		}
	}
	if len(doer.requests) > 0 {
		t.Errorf("%d requests were sent", len(doer.requests))
	}
}

func TestAStreamIsYieldedByItsChunks(t *testing.T) {
	t.Parallel()
	doer := &recordingDoer{answers: []string{"data: " +
		`{"candidates":[{"content":{"parts":[{"text":"a"}]}}]}` + "\r\n\r\ndata: " + answer +
		"\r\n\r\n"}}
	client := newClient(t, gemini.WithHTTPClient(doer))
	var texts []string
	for chunk, err := range client.StreamGenerateContent(t.Context(), prompt("m")) {
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, *chunk.Candidates[0].Content.Parts[0].Text)
	}
	if got := strings.Join(texts, ","); got != "a,Hi" {
		t.Error(got)
	}
	if got := doer.requests[0].URL; got.RawQuery != "alt=sse" ||
		!strings.HasSuffix(got.Path, "/models/m:streamGenerateContent") {
		t.Error(got)
	}
}

func TestTokensAreCountedInTheFormOfTheService(t *testing.T) {
	t.Parallel()
	turns := []geminiapi.Content{gemini.UserText("x")}
	bare := &geminiapi.CountTokensRequest{Contents: turns, Model: new("m")}
	whole := &geminiapi.CountTokensRequest{GenerateContentRequest: &geminiapi.GenerateContentRequest{
		Model: new("m"), Contents: turns, SystemInstruction: gemini.SystemInstruction("s"),
	}}
	spelt := &geminiapi.CountTokensRequest{Model: new("m"), Contents: turns,
		SystemInstruction: gemini.SystemInstruction("s")}
	const contents, system = `"contents":[{"parts":[{"text":"x"}],"role":"user"}]`,
		`"systemInstruction":{"parts":[{"text":"s"}]}`
	const inWhole = `{"generateContentRequest":{` + contents + `,"model":"models/m",` + system +
		`}}`
	for _, tt := range []struct {
		name         string
		req          *geminiapi.CountTokensRequest
		want, vertex string
	}{
		{"contents", bare, `{` + contents + `}`, `{` + contents + `}`},
		{"a whole request", whole, inWhole, `{` + contents + `,` + system + `}`},
		{"its members", spelt, inWhole, `{` + contents + `,` + system + `}`},
	} {
		doer := &recordingDoer{answers: []string{`{"totalTokens": 7}`}}
		client := newClient(t, gemini.WithHTTPClient(doer))
		got, err := client.CountTokens(t.Context(), tt.req)
		if err != nil || *got.TotalTokens != 7 {
			t.Fatal(got, err)
		}
		express, err := client.With(gemini.WithVertexAIExpress())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := express.CountTokens(t.Context(), tt.req); err != nil {
			t.Fatal(err)
		}
		if doer.bodies[0] != tt.want || doer.bodies[1] != tt.vertex {
			t.Errorf("%s: %s", tt.name, doer.bodies)
		}
		if !strings.HasSuffix(doer.requests[0].URL.Path, "/models/m:countTokens") {
			t.Error(doer.requests[0].URL)
		}
	}
}

func TestHeadersQueryAndBodyAreOpen(t *testing.T) {
	t.Parallel()
	doer := &recordingDoer{answers: []string{answer}}
	client := newClient(t, gemini.WithHTTPClient(doer), gemini.WithHeader("X-One", "1"),
		gemini.WithUserAgent("app/2"))
	_, err := client.GenerateContent(t.Context(), prompt("m"), gemini.WithHeader("X-Two", "2"),
		gemini.WithQuery("fields", "candidates"),
		gemini.WithBodyMember("/generationConfig/newThing", jsontext.Value(`{"a":1}`)))
	if err != nil {
		t.Fatal(err)
	}
	got := doer.requests[0]
	if h := got.Header; h.Get("X-One") != "1" || h.Get("X-Two") != "2" ||
		h.Get("User-Agent") != "app/2 gemwire" || h.Get("X-Goog-Api-Key") != "k-secret" {
		t.Error(h)
	}
	if got.URL.RawQuery != "fields=candidates" {
		t.Error(got.URL)
	}
	if !strings.HasSuffix(doer.bodies[0], `,"generationConfig":{"newThing":{"a":1}}}`) {
		t.Error(doer.bodies[0])
	}
	if _, err := client.GenerateContent(t.Context(), prompt("m")); err != nil ||
		doer.requests[1].Header.Get("X-Two") != "" {
		t.Error("an option of a call holds for the next one", err)
	}
}

func TestMiddlewareSeesEachAttemptWithoutTheKey(t *testing.T) {
	t.Parallel()
	var order []string
	mark := func(name string) gemini.Middleware {
		return func(next gemini.Doer) gemini.Doer {
			return gemini.DoerFunc(func(r *http.Request) (*http.Response, error) {
				order = append(order, name)
				for header, values := range r.Header {
					if strings.Contains(strings.Join(values, ""), "k-secret") {
						t.Errorf("%s shows the key in %s", name, header)
					}
				}
				return next.Do(r)
			})
		}
	}
	doer := &recordingDoer{answers: []string{answer}}
	client := newClient(t, gemini.WithHTTPClient(doer), gemini.WithMiddleware(mark("a"), mark("b")))
	if _, err := client.GenerateContent(t.Context(), prompt("m"),
		gemini.WithMiddleware(mark("c"))); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(order, ""); got != "abc" {
		t.Error(got)
	}
}

func TestAMiddlewareCannotTakeTheKeyElsewhere(t *testing.T) {
	t.Parallel()
	doer := &recordingDoer{answers: []string{answer}}
	elsewhere := func(next gemini.Doer) gemini.Doer {
		return gemini.DoerFunc(func(r *http.Request) (*http.Response, error) {
			r = r.Clone(r.Context())
			r.URL.Host = "elsewhere.example"
			return next.Do(r)
		})
	}
	client := newClient(t, gemini.WithHTTPClient(doer), gemini.WithMiddleware(elsewhere))
	if _, err := client.GenerateContent(t.Context(), prompt("m")); err == nil ||
		len(doer.requests) > 0 {
		t.Errorf("sent %d times: %v", len(doer.requests), err)
	}
}

func TestARedirectIsNotFollowed(t *testing.T) {
	t.Parallel()
	var keys []string
	target := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		keys = append(keys, r.Header.Get("X-Goog-Api-Key"))
	}))
	defer target.Close()
	server := httptest.NewServer(http.RedirectHandler(target.URL+"/login?secret=1",
		http.StatusFound))
	defer server.Close()
	own := &http.Client{}
	for _, opts := range [][]gemini.ClientOption{nil, {gemini.WithHTTPClient(own)}} {
		client := newClient(t, append(opts, gemini.WithBaseURL(server.URL))...)
		_, err := client.GenerateContent(t.Context(), prompt("m"))
		var reported *gemini.Error
		if !errors.As(err, &reported) || reported.HTTPStatus != http.StatusFound ||
			strings.Contains(err.Error(), "secret") {
			t.Error(err)
		}
	}
	if len(keys) > 0 || own.CheckRedirect != nil {
		t.Error("the redirect was followed, or the caller's client changed")
	}
}

func TestOneClientAndOneRequestServeManyCallsAtOnce(t *testing.T) {
	t.Parallel()
	var count atomic.Int64
	server := gemini.DoerFunc(func(r *http.Request) (*http.Response, error) {
		r.Header.Set("X-Changed", "by the Doer")
		r.URL.Path = "/changed"
		switch n := count.Add(1); {
		case n%7 == 0:
			return apiError(429, "RESOURCE_EXHAUSTED", "")(r)
		case r.URL.RawQuery != "":
			return httpReply(200, "text/event-stream", "data: "+answer+"\n\n"), nil
		default:
			return httpReply(200, "application/json", answer), nil
		}
	})
	client := newClient(t, gemini.WithAPIKeys("a", "b", "c"), gemini.WithHTTPClient(server),
		gemini.WithHeader("X-One", "1"),
		gemini.WithBackoff(0, 0), gemini.WithMaxAttempts(20), gemini.WithRequestValidation())
	req := prompt("m")
	req.GenerationConfig = &geminiapi.GenerationConfig{Temperature: new(0.5)}
	before, err := gemini.EncodeRequest(req)
	if err != nil {
		t.Fatal(err)
	}
	var calls sync.WaitGroup
	for i := range 50 {
		calls.Go(func() {
			if _, err := client.GenerateContent(t.Context(), req,
				gemini.WithHeader("X-Two", strconv.Itoa(i))); err != nil {
				t.Error(err)
			}
			for _, err := range client.StreamGenerateContent(t.Context(), req) {
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	calls.Wait()
	if after, err := gemini.EncodeRequest(req); err != nil || string(after) != string(before) {
		t.Errorf("the request became %s, %v", after, err)
	}
}

func TestARequestIsCheckedWhenAsked(t *testing.T) {
	t.Parallel()
	server := &recordingDoer{answers: []string{answer}}
	client := newClient(t, gemini.WithHTTPClient(server))
	bad := &geminiapi.GenerateContentRequest{Model: new("m")}
	_, err := client.GenerateContent(t.Context(), bad, gemini.WithRequestValidation())
	if _, ok := errors.AsType[*validation.Error](err); !ok || len(server.requests) > 0 {
		t.Error(err)
	}
	onlyVertex := prompt("gemini-3.6-flash")
	onlyVertex.Labels = map[string]string{"a": "b"}
	strict := newClient(t, gemini.WithHTTPClient(server), gemini.WithVertexAIExpress(),
		gemini.WithRequestValidation())
	if _, err := strict.GenerateContent(t.Context(), onlyVertex); err != nil {
		t.Error(err)
	}
	if _, err := client.GenerateContent(t.Context(), bad); err != nil {
		t.Error("it is checked unasked:", err)
	}
}

func TestTheRawReplyIsKeptOnRequest(t *testing.T) {
	t.Parallel()
	stream := "data: " + answer + "\r\n\r\n"
	var raw gemini.RawResponse
	client := newClient(t, gemini.WithHTTPClient(&recordingDoer{answers: []string{answer, stream}}))
	if _, err := client.GenerateContent(t.Context(), prompt("m"),
		gemini.WithRawResponse(&raw)); err != nil || string(raw.Body) != answer ||
		raw.HTTPStatus != 200 {
		t.Error(raw, err)
	}
	for range client.StreamGenerateContent(t.Context(), prompt("m"), gemini.WithRawResponse(&raw)) {
		continue
	}
	if string(raw.Body) != stream || raw.Header.Get("Content-Type") != "application/json" {
		t.Error(raw)
	}
	refusing := newClient(t, gemini.WithHTTPClient(gemini.DoerFunc(body(400, "text/plain", "no"))))
	if _, err := refusing.GenerateContent(t.Context(), prompt("m"),
		gemini.WithRawResponse(&raw)); err == nil || string(raw.Body) != "no" ||
		raw.HTTPStatus != 400 {
		t.Error(raw, err)
	}
}

func TestEachOfSeveralRawRepliesIsKept(t *testing.T) {
	t.Parallel()
	stream := "data: " + answer + "\r\n\r\n"
	var first, second gemini.RawResponse
	client := newClient(t, gemini.WithHTTPClient(&recordingDoer{answers: []string{answer, stream}}))
	one, other := gemini.WithRawResponse(&first), gemini.WithRawResponse(&second)
	if _, err := client.GenerateContent(t.Context(), prompt("m"), one, other,
		gemini.WithRawResponse(nil)); err != nil {
		t.Fatal(err)
	}
	if string(first.Body) != answer || string(second.Body) != answer || second.HTTPStatus != 200 {
		t.Error(first, second)
	}
	for range client.StreamGenerateContent(t.Context(), prompt("m"), one, other) {
		continue
	}
	if string(first.Body) != stream || string(second.Body) != stream {
		t.Error(first, second)
	}
}

func TestParametersAreNotDoubled(t *testing.T) {
	t.Parallel()
	sent := &recordingDoer{answers: []string{"data: " + answer + "\n\n"}}
	client := newClient(t, gemini.WithHTTPClient(sent), gemini.WithQuery("a", "1"),
		gemini.WithQuery("a", "2"))
	for want, opts := range map[string][]gemini.CallOption{
		"a=1&a=2&alt=sse":  nil,
		"a=1&a=2&alt=json": {gemini.WithQuery("alt", "json")},
	} {
		for range client.StreamGenerateContent(t.Context(), prompt("m"), opts...) {
			continue
		}
		if got := sent.requests[len(sent.requests)-1].URL.RawQuery; got != want {
			t.Errorf("sent %s, expected %s", got, want)
		}
	}
	doer := &replies{list: []*http.Response{httpReply(200, "video/mp4", "bytes")}}
	client = newClient(t, gemini.WithHTTPClient(doer), gemini.WithQuery("alt", "json"),
		gemini.WithQuery("b", "3"))
	if _, err := client.Files.Download(t.Context(), "files/f", io.Discard); err != nil {
		t.Fatal(err)
	}
	if got := doer.requests[0].URL.RawQuery; got != "alt=media&b=3" {
		t.Errorf("downloaded by %s", got)
	}
}

func TestAClientThatWasNotMadeSaysSo(t *testing.T) {
	t.Parallel()
	var none *gemini.Client
	for _, client := range []*gemini.Client{none, {}} {
		if _, err := client.GenerateContent(t.Context(), prompt("m")); err == nil ||
			client.String() != "gemini.Client(nil)" {
			t.Error(client, err)
		}
	}
}

func TestNilIsNoPanic(t *testing.T) {
	t.Parallel()
	for _, doer := range []gemini.Doer{nil, (*http.Client)(nil)} {
		if _, err := gemini.NewClient(gemini.WithAPIKey("k"),
			gemini.WithHTTPClient(doer)); err == nil {
			t.Error("no Doer is taken for one")
		}
	}
	client := newClient(t, nil, gemini.WithMiddleware(nil), gemini.WithObserver(nil),
		gemini.WithHTTPClient(&recordingDoer{answers: []string{answer}}))
	if _, err := client.GenerateContent(t.Context(), prompt("m"), nil); err != nil {
		t.Error(err)
	}
	if _, err := client.CountTokens(t.Context(), nil); !errors.Is(err, gemini.ErrModelRequired) {
		t.Error(err)
	}
}

func TestNilForWhatAnOptionSetsIsNoPanic(t *testing.T) {
	t.Parallel()
	_, err := gemini.NewClient(gemini.WithVertexAI("p", ""), gemini.WithTokenSource(nil))
	if fmt.Sprint(err) != "gemini: WithTokenSource: the source is nil" {
		t.Error(err)
	}
	server := newSchedule(apiError(503, "UNAVAILABLE", ""), body(200, "application/json", answer))
	client := newClient(t, gemini.WithHTTPClient(server),
		gemini.WithBackoff(time.Nanosecond, time.Nanosecond), gemini.WithClock(nil, nil))
	if _, err := client.GenerateContent(t.Context(), prompt("m")); err != nil {
		t.Error(err)
	}
	if _, err := client.Files.Upload(t.Context(), nil, nil); !strings.Contains(fmt.Sprint(err),
		"gemini: uploadFile: no content") {
		t.Error(err)
	}
}

func TestAnInvalidHeaderIsRefusedBeforeAnythingIsSent(t *testing.T) {
	t.Parallel()
	for name, bad := range map[string]gemini.ClientOption{
		"nothing":      gemini.WithHeader("", ""),
		"a space":      gemini.WithHeader("X Team", "blue"),
		"a colon":      gemini.WithHeader("X-Team:", "blue"),
		"a letter":     gemini.WithHeader("X-Größe", "1"),
		"a line":       gemini.WithHeader("X-Team", "s-secret\r\nX-Other: 1"),
		"a zero":       gemini.WithHeader("X-Team", "s-secret\x00"),
		"a user agent": gemini.WithUserAgent("app\n"),
		"a key":        gemini.WithAPIKey("s-secret\n"),
	} {
		server := newSchedule(body(200, "application/json", answer))
		_, err := gemini.NewClient(gemini.WithAPIKey("k"), bad)
		errs := []error{err}
		if ofCall, isBoth := bad.(gemini.CallOption); isBoth {
			_, err := newClient(t, gemini.WithHTTPClient(server)).GenerateContent(t.Context(),
				prompt("m"), ofCall)
			errs = append(errs, err)
		}
		for _, err := range errs {
			if err == nil || strings.Contains(err.Error(), "secret") ||
				gemini.CategoryOf(err) != gemini.CategoryUnknown {
				t.Errorf("%s: %v", name, err)
			}
		}
		if len(server.at) != 0 {
			t.Errorf("%s: %d requests", name, len(server.at))
		}
	}
	newClient(t, gemini.WithHeader("X-Team_1.a", "blue\tand größer")) // does not fail
}

func TestACredentialOrATypeThatNoHeaderHoldsIsNotSent(t *testing.T) {
	t.Parallel()
	server := newSchedule(body(200, "application/json", answer))
	vertex := newClient(t, gemini.WithHTTPClient(server), gemini.WithVertexAI("p", ""),
		gemini.WithTokenSource(oneToken("s-secret\n")))
	if _, err := vertex.GenerateContent(t.Context(), prompt("m")); err == nil ||
		strings.Contains(err.Error(), "secret") {
		t.Error(err)
	}
	client := newClient(t, gemini.WithHTTPClient(server))
	if _, err := client.Files.Upload(t.Context(), strings.NewReader("x"),
		&geminiapi.File{MIMEType: new("text/plain\n")}); err == nil {
		t.Error("a type of two lines is sent")
	}
	if len(server.at) != 0 {
		t.Errorf("%d requests", len(server.at))
	}
}

// oneToken is a source of one token.
type oneToken string

func (t oneToken) Token(context.Context) (string, error) { return string(t), nil }

func TestAByteOrderMarkIsPassedOver(t *testing.T) {
	t.Parallel()
	server := &recordingDoer{answers: []string{"\ufeff" +
		`{"candidates":[{"content":{"parts":[{"text":"Hello"}]},"finishReason":"STOP"}]}`}}
	answer, err := newClient(t, gemini.WithHTTPClient(server)).GenerateContent(t.Context(),
		prompt("m"))
	if err != nil || *answer.Candidates[0].Content.Parts[0].Text != "Hello" {
		t.Error(err)
	}
}

func TestChunksOfAStreamAreObservedAsTheyArrive(t *testing.T) {
	t.Parallel()
	const first, second = `{ "candidates": [{"content": {"parts": [{"text": "a"}]}}] }`,
		`{"candidates":[{"finishReason":"STOP"}]}`
	client := newClient(t,
		gemini.WithHTTPClient(&recordingDoer{answers: []string{"data: " + first + "\n\ndata: " +
			second + "\n\n"}}))
	var told []string
	ctx := streamhook.With(t.Context(),
		streamhook.Hooks{Chunk: func(chunk []byte) { told = append(told, string(chunk)) }})
	for _, err := range client.StreamGenerateContent(ctx, prompt("m")) {
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(told) != 2 || told[0] != first || told[1] != second {
		t.Errorf("got %q", told)
	}
}

func TestAStreamReportsAChunkBeforeItReadsTheNext(t *testing.T) {
	t.Parallel()
	const chunk, last = `data: {"candidates":[{"content":{"parts":[{"text":"a"}]}}]}` + "\n\n",
		`data: {"candidates":[{"finishReason":"STOP"}]}` + "\n\n"
	server := gemini.DoerFunc(func(*http.Request) (*http.Response, error) {
		reply := httpReply(200, "text/event-stream", "")
		reply.Body = io.NopCloser(io.MultiReader(strings.NewReader(chunk+chunk),
			strings.NewReader(last)))
		return reply, nil
	})
	var order []string
	ctx := streamhook.With(t.Context(),
		streamhook.Hooks{BeforeRead: func() { order = append(order, "wait") }})
	for _, err := range newClient(t, gemini.WithHTTPClient(server)).StreamGenerateContent(ctx,
		prompt("m")) {
		if err != nil {
			t.Fatal(err)
		}
		order = append(order, "chunk")
	}
	if got, want := strings.Join(order, " "), "wait chunk chunk wait chunk wait"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
