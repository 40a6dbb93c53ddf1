package gateway_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/geminitest"
	"github.com/gemwire/gemwire/server/gateway"
	"github.com/gemwire/gemwire/server/gateway/exchange"
)

const (
	nativeHello = `{"contents":[{"role":"user","parts":[{"text":"hello"}]}]}`
	nativeWhole = "/v1beta/models/gemini-2.5-flash:generateContent"
	nativeSSE   = "/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse"
)

func TestNativeMethodsPassThroughByteForByteButForStore(t *testing.T) {
	t.Parallel()
	server := geminitest.NewServer(t)
	d := &diary{wantsBodies: true}
	handler := gatewayOf(t, server, gateway.WithObserver(d))
	for _, path := range []string{
		nativeWhole, nativeSSE, "/v1beta/models/gemini-2.5-flash:streamGenerateContent",
		"/v1beta/models/gemini-2.5-flash:countTokens",
		"/v1/models/gemini-2.5-flash:generateContent",
		"/v1alpha/models/gemini-2.5-flash:generateContent",
		"/v1/projects/p/locations/l/publishers/google/models/gemini-2.5-flash:generateContent",
		"/v1/publishers/google/models/gemini-2.5-flash:streamGenerateContent?alt=sse",
	} {
		answer := post(handler, path, nativeHello, "X-Goog-Api-Key", "the-clients",
			"X-Goog-Api-Client", "genai-js/1", "Accept-Encoding", "br")
		requests := server.Requests()
		request := requests[len(requests)-1]
		direct := post(server, request.URL.String(), nativeHello, "X-Goog-Api-Key", "any")
		// Ids and signatures depend on the request, so both answers are equal.
		if answer.Code != 200 || answer.Body.String() != direct.Body.String() ||
			answer.Header().Get("Content-Type") != direct.Header().Get("Content-Type") {
			t.Errorf("%s: HTTP %d, %v\n%s\nexpected\n%s", path, answer.Code, answer.Header(),
				answer.Body, direct.Body)
		}
		sent := nativeHello
		if !strings.HasSuffix(path, ":countTokens") {
			sent = `{"store":false,` + nativeHello[1:]
		}
		if string(request.Body) != sent ||
			request.Header.Get("X-Goog-Api-Client") != "genai-js/1" ||
			request.Header.Get("Accept-Encoding") == "br" {
			t.Errorf("%s: sent %s with %v", path, request.Body, request.Header)
		}
		if end := d.last().end; end.Model != "gemini-2.5-flash" ||
			end.UpstreamModel != "gemini-2.5-flash" || end.Status != 200 ||
			d.last().start.Form != "native" ||
			(end.Usage.TotalTokens == 0) != strings.Contains(path, "countTokens") ||
			end.Stream != strings.Contains(path, "stream") ||
			end.BytesOut != int64(answer.Body.Len()) {
			t.Errorf("%s: ended with %+v", path, end)
		}
		if told := d.last().told(); !strings.HasPrefix(told,
			"client request, upstream request, upstream response") ||
			!strings.Contains(strings.Join(d.last().lines, "\n"),
				"upstream request POST https://gemini.example/v1") {
			t.Errorf("%s: got %s", path, told)
		}
		if all := strings.Join(d.last().lines, "\n"); strings.Contains(all, "the-clients") ||
			strings.Contains(all, "key-of-one") {
			t.Errorf("%s: a key is shown: %s", path, all)
		}
	}
}

func TestNativeMethodsHaveAliasesAccountsAndFallbacks(t *testing.T) {
	inTime(t, func(t *testing.T) {
		u := &keyedUpstream{}
		handler := keyedGateway(t, u, []string{"one", "two"},
			gateway.WithAliases(map[string]string{"mine": "gemini-2.5-flash"}),
			gateway.WithFallbacks(map[string][]string{"gemini-2.5-flash": {"gemini-2.5-pro"}}))
		u.set("key-a", usedUpFor(perMinute, 9))
		u.set("gemini-2.5-flash", broken)
		answer := post(handler, strings.Replace(nativeSSE, "gemini-2.5-flash", "mine", 1),
			nativeHello)
		if answer.Code != 200 || answer.Header().Get("X-Gemwire-Model") != "gemini-2.5-pro" ||
			!strings.Contains(answer.Body.String(), "by key-b") {
			t.Errorf("HTTP %d, %v: %s", answer.Code, answer.Header(), answer.Body)
		}
		wantAsked(t, u, "one is used up, the model broken", "key-a"+flash, "key-b"+flash,
			"key-b"+flash, "key-a gemini-2.5-pro", "key-b gemini-2.5-pro")
	})
}

func TestNativeFailuresAreThoseOfGoogle(t *testing.T) {
	inTime(t, func(t *testing.T) {
		u := &keyedUpstream{}
		handler := keyedGateway(t, u, []string{"one"}, gateway.WithMaxBodySize(1000))
		for name, tc := range map[string]struct {
			upstream cannedAnswer
			path     string
			body     string
			status   int
			want     string
		}{
			"a refusal":           {wrong, nativeWhole, nativeHello, 400, wrong.body},
			"of a stream":         {wrong, nativeSSE, nativeHello, 400, wrong.body},
			"a quota":             {usedUpFor(perMinute, 9), nativeWhole, nativeHello, 429, usedUpFor(perMinute, 9).body},
			"a quota that rests":  {usedUpFor(perMinute, 9), nativeSSE, nativeHello, 429, usedUpFor(perMinute, 9).body},
			"a page":              {cannedAnswer{502, "<html><title>Bad</title>"}, nativeWhole, nativeHello, 502, `"status":"UNAVAILABLE"`},
			"a body that is long": {wrong, nativeWhole, strings.Repeat(" ", 1001), 413, `"status":"INVALID_ARGUMENT"`},
			"the gateway's key":   {refusedKey, nativeWhole, nativeHello, 403, `"status":"PERMISSION_DENIED"`},
		} {
			time.Sleep(2 * time.Minute)
			u.set("key-a", tc.upstream)
			answer := post(handler, tc.path, tc.body)
			if answer.Code != tc.status || !strings.Contains(answer.Body.String(), tc.want) ||
				answer.Header().Get("Content-Type") != "application/json" {
				t.Errorf("%s: HTTP %d: %s", name, answer.Code, answer.Body)
			}
		}
	})
}

// An error in a stream that has begun is forwarded, or the connection is cut. Google's clients
// recognise no other end.
func TestNativeStreamThatBreaksDoesNotLookComplete(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]geminitest.Block{"error": geminitest.AsEvent(geminitest.Unavailable()),
		"cut": geminitest.Cut(), "reset": geminitest.Reset()} {
		upstream := geminitest.NewServer(t,
			geminitest.WithScript(geminitest.On().Reply(geminitest.Text("some "),
				geminitest.Text("words"), fault).Times(3)))
		d := &diary{}
		server := httptest.NewServer(gatewayOf(t, upstream, gateway.WithObserver(d)))
		reply, err := http.Post(server.URL+nativeSSE, "application/json",
			strings.NewReader(nativeHello))
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(reply.Body)
		_ = reply.Body.Close()
		server.Close()
		if (err == nil) != (name == "error") || !strings.Contains(string(body), "some") ||
			name == "error" && !strings.Contains(string(body), `"error"`) {
			t.Errorf("%s: %v, %s", name, err, body)
		}
		if d.last().end.ErrorMessage == "" {
			t.Errorf("%s: ended with %+v", name, d.last().end)
		}
	}
}

// Google quotes keys in errors, such as "Consumer 'api_key:AIza...' has been suspended".
func TestNativeStreamsQuoteNoKey(t *testing.T) {
	t.Parallel()
	key := "AIza" + strings.Repeat("k", 35)
	upstream := geminitest.NewServer(t, geminitest.WithScript(geminitest.On().Reply(
		geminitest.Text("some "), geminitest.Text("words"),
		geminitest.AsEvent(geminitest.Error(403, "PERMISSION_DENIED",
			"Consumer 'api_key:"+key+"' has been suspended.")))))
	answer := post(gatewayOf(t, upstream), nativeSSE, nativeHello)
	if body := answer.Body.String(); strings.Contains(body, key) ||
		!strings.Contains(body, "words") || !strings.Contains(body, "has been suspended") {
		t.Error(body)
	}
}

func TestNativeSignaturesAreObserved(t *testing.T) {
	t.Parallel()
	server := geminitest.NewServer(t)
	d := &diary{wantsBodies: true}
	handler := gatewayOf(t, server, gateway.WithObserver(d))
	post(handler, "/v1beta/models/gemini-3.6-flash:generateContent",
		`{"contents":[{"role":"user","parts":[{"text":"get_weather please"}]}],"tools":[{"functionDeclarations":[{"name":"get_weather"}]}]}`)
	if s := d.last().signatures; len(s) == 0 || s[0].Carrier != exchange.CarrierNative ||
		s[0].Side != exchange.Upstream {
		t.Errorf("the signatures are %+v", s)
	}
}

// serve returns a gateway that listens on a port. Its fake server does not listen.
func serve(t testing.TB, opts ...gateway.Option) (*httptest.Server, *geminitest.Server) {
	t.Helper()
	upstream := geminitest.NewServer(t)
	server := httptest.NewServer(gatewayOf(t, upstream, opts...))
	t.Cleanup(server.Close)
	return server, upstream
}

func TestFilesOfTheNativeClientPassThrough(t *testing.T) {
	t.Parallel()
	server, _ := serve(t)
	client, err := gemini.NewClient(gemini.WithAPIKey("any-key-of-the-client"),
		gemini.WithBaseURL(server.URL))
	if err != nil {
		t.Fatal(err)
	}
	file, err := client.Files.Upload(t.Context(), strings.NewReader(strings.Repeat("text ", 1000)),
		&geminiapi.File{MIMEType: new("text/plain")})
	if err != nil {
		t.Fatal(err)
	}
	got, err := client.Files.Get(t.Context(), *file.Name)
	if err != nil || *got.Name != *file.Name {
		t.Errorf("got %v, %v", got, err)
	}
	if err := client.Files.Delete(t.Context(), *file.Name); err != nil {
		t.Error(err)
	}
	if _, err := client.Files.Get(t.Context(),
		*file.Name); gemini.CategoryOf(err) != gemini.CategoryAuth &&
		gemini.CategoryOf(err) != gemini.CategoryNotFound {
		t.Errorf("a file that was deleted: %v", err)
	}
	for _, err := range client.Models.List(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		break
	}
}

func TestEmbeddedUpstreamHasWhatLiesAtAProjectOfVertexAI(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(newGateway(t))
	t.Cleanup(server.Close)
	client, err := gemini.NewClient(gemini.WithVertexAI("p", "europe-west4"),
		gemini.WithTokenSource(fixedToken("of-the-client")), gemini.WithBaseURL(server.URL))
	if err != nil {
		t.Fatal(err)
	}
	content := gemini.UserText(strings.Repeat("word ", 5000))
	cache, err := client.CachedContents.Create(t.Context(), &geminiapi.CachedContent{
		Model:    new("projects/p/locations/europe-west4/publishers/google/models/gemini-2.5-flash"),
		Contents: []geminiapi.Content{content},
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := client.CachedContents.Get(t.Context(), *cache.Name); err != nil {
		t.Error(err)
	}
	if err := client.CachedContents.Delete(t.Context(), *cache.Name); err != nil {
		t.Error(err)
	}
}

func TestFilesAreDownloadedThroughTheGateway(t *testing.T) {
	t.Parallel()
	const film = "made by a model"
	upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.RequestURI() {
		case "/v1beta/files/f:download?alt=media": // as Google does
			w.Header().Set("Location",
				"http://"+r.Host+"/download/v1beta/files/f:download?alt=media")
			w.WriteHeader(http.StatusFound)
		case "/download/v1beta/files/f:download?alt=media":
			w.Header().Set("Content-Disposition", `attachment; filename="film.mp4"`)
			http.ServeContent(w, r, "film.mp4", time.Time{}, strings.NewReader(film))
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(upstream.Close)
	d := &diary{}
	handler := newGateway(t, gateway.WithObserver(d), gateway.WithUpstream(gateway.Upstream{
		Service: gateway.GeminiAPI, BaseURL: upstream.URL,
		Accounts: []gateway.Account{gateway.KeyAccount("one", "key-of-one")},
	}))
	const path = "/download/v1beta/files/f:download?alt=media"
	redirect := get(handler, "/v1beta/files/f:download?alt=media")
	if got := redirect.Header().Get("Location"); redirect.Code != http.StatusFound || got != path {
		t.Errorf("HTTP %d to %s", redirect.Code, got)
	}
	for span, want := range map[string]string{"": film, "bytes=5-6": film[5:7]} {
		answer := get(handler, path, "Range", span)
		if answer.Body.String() != want || answer.Code/100 != 2 ||
			answer.Header().Get("Content-Type") != "video/mp4" ||
			answer.Header().Get("Content-Disposition") == "" {
			t.Errorf("%q: HTTP %d, %v: %s", span, answer.Code, answer.Header(), answer.Body)
		}
		if end := d.last().end; end.Status != answer.Code || end.BytesOut != int64(len(want)) {
			t.Errorf("ended with %+v", end)
		}
	}
	if answer := get(handler,
		"/download/v1beta/files/none:download?alt=media"); answer.Code != http.StatusNotFound {
		t.Errorf("HTTP %d for a file that there is not", answer.Code)
	}
}

func TestVertexAIIsCalledForTheGeminiAPIsPaths(t *testing.T) {
	t.Parallel()
	server := geminitest.NewServer(t)
	handler := newGateway(t, gateway.WithUpstream(gateway.Upstream{
		Service: gateway.VertexAI, HTTPClient: server.HTTPClient(),
		Accounts: []gateway.Account{gateway.VertexAccount("p", "europe-west4", fixedToken("t"))},
	}))
	for path, want := range map[string]string{
		nativeWhole: "/v1/projects/p/locations/europe-west4/publishers/google/models/gemini-2.5-flash:generateContent",
		nativeSSE:   "/v1/projects/p/locations/europe-west4/publishers/google/models/gemini-2.5-flash:streamGenerateContent?alt=sse",
		"/v1beta/models/gemini-2.5-flash:countTokens":                                               "/v1/projects/p/locations/europe-west4/publishers/google/models/gemini-2.5-flash:countTokens",
		"/v1beta1/projects/other/locations/l/publishers/google/models/gemini-2.5-flash:countTokens": "/v1beta1/projects/p/locations/europe-west4/publishers/google/models/gemini-2.5-flash:countTokens",
		chatPath: "/v1/projects/p/locations/europe-west4/publishers/google/models/gemini-2.5-flash:generateContent",
	} {
		body := nativeHello
		if path == chatPath {
			body = hello
		}
		answer := post(handler, path, body)
		requests := server.Requests()
		if got := requests[len(requests)-1].URL.RequestURI(); got != want || answer.Code != 200 {
			t.Errorf("%s: HTTP %d by %s, expected %s", path, answer.Code, got, want)
		}
	}
}

func TestGooglesOwnPathsOfOpenAIsAPIAreServed(t *testing.T) {
	t.Parallel()
	completionOf(t, post(newGateway(t), "/v1beta/openai/chat/completions", hello))
	errorOf(t, post(newGateway(t), "/v1beta/openai/images/generations", hello), http.StatusNotFound)
}

// A method of a location has no model, and its path ends with the location.
func TestAMethodOfALocationIsPassedOn(t *testing.T) {
	t.Parallel()
	u := &keyedUpstream{}
	handler := keyedGateway(t, u, []string{"one"})
	const locations = "/v1beta1/projects/p/locations/"
	if answer := post(handler, locations+"global:evaluateInstances", `{}`); answer.Code !=
		http.StatusOK {
		t.Errorf("HTTP %d: %s", answer.Code, answer.Body)
	}
	wantAsked(t, u, "evaluateInstances", "key-a global")
	answer := post(handler, locations+"EU_x:evaluateInstances", `{}`)
	if answer.Code != http.StatusBadRequest ||
		!strings.Contains(answer.Body.String(), "only lower-case letters") {
		t.Errorf("HTTP %d: %s", answer.Code, answer.Body)
	}
}
