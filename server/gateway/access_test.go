package gateway_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/geminitest"
	"github.com/gemwire/gemwire/server/gateway"
	"github.com/gemwire/gemwire/server/gateway/clientkey"
)

// routes has a path of every form, and a path of no form.
var routes = []struct{ method, path, body string }{
	{"POST", chatPath, hello},
	{"POST", embeddingsPath, `{"model":"gemini-embedding-001","input":"x","dimensions":4}`},
	{"GET", "/v1/models", ""},
	{"GET", "/v1/models/gemini-2.5-flash", ""},
	{"POST", "/v1beta/models/gemini-2.5-flash:generateContent", `{"contents":[{"role":"user","parts":[{"text":"hello"}]}]}`},
	{"GET", "/v1beta/models", ""},
	{"GET", "/v1beta/files", ""},
	{"POST", "/v1/nothing", "{}"},
}

// ask sends a request to a route under a host, with headers.
func ask(handler http.Handler, route int, host string,
	headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(routes[route].method, routes[route].path,
		strings.NewReader(routes[route].body))
	r.Host = host
	if routes[route].method == http.MethodPost {
		r.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	answer := httptest.NewRecorder()
	handler.ServeHTTP(answer, r)
	return answer
}

// isLastRoute reports whether a route is the path of no form.
func isLastRoute(route int) bool { return route == len(routes)-1 }

func TestNamesOfOthersAreRefusedOnEveryRoute(t *testing.T) {
	t.Parallel()
	server := geminitest.NewServer(t)
	handler, err := gateway.New(gateway.WithUpstream(upstreamOf(server)),
		gateway.WithAllowedHosts("gateway.example.com"))
	if err != nil {
		t.Fatal(err)
	}
	defer handler.Close()
	for i, route := range routes {
		if answer := ask(handler, i,
			"evil.example:8080"); answer.Code != http.StatusMisdirectedRequest ||
			!strings.Contains(answer.Body.String(), "--allowed-hosts") {
			t.Errorf("%s: HTTP %d: %s", route.path, answer.Code, answer.Body)
		}
		for _, host := range []string{"127.0.0.1:8080", "localhost:8080", "gateway.example.com"} {
			answer := ask(handler, i, host)
			if want := http.StatusOK; answer.Code != want && !isLastRoute(i) {
				t.Errorf("%s at %s: HTTP %d: %s", route.path, host, answer.Code, answer.Body)
			}
			if answer.Header().Get("X-Content-Type-Options") != "nosniff" ||
				answer.Header().Get("Access-Control-Allow-Origin") != "" {
				t.Errorf("%s: the header is %v", route.path, answer.Header())
			}
		}
	}
	errorOf(t, ask(handler, 0, "evil.example"), http.StatusMisdirectedRequest)
}

func TestPagesOfOtherSitesAreRefusedOnEveryRouteThatDoesSomething(t *testing.T) {
	t.Parallel()
	server := geminitest.NewServer(t)
	handler := gatewayOf(t, server)
	for i, route := range routes {
		if route.method != http.MethodPost {
			continue
		}
		answer := ask(handler, i, "127.0.0.1:8080", "Origin", "https://evil.example",
			"Sec-Fetch-Site", "cross-site", "Content-Type", "text/plain")
		if answer.Code != http.StatusForbidden ||
			answer.Header().Get("Access-Control-Allow-Origin") != "" {
			t.Errorf("%s: HTTP %d: %s", route.path, answer.Code, answer.Body)
		}
	}
	e := errorOf(t, ask(handler, 0, "127.0.0.1:8080", "Content-Type", "text/plain"),
		http.StatusUnsupportedMediaType)
	if jsonx.Deref(e.Code) != "unsupported_media_type" {
		t.Errorf("%+v", e)
	}
	if n := len(server.Requests()); n != 0 {
		t.Errorf("Gemini was called %d times", n)
	}
}

// An SDK in a browser sends a preflight request without a key, and reads headers of the answer
// (ollama#4388 and others).
func TestPagesOfAllowedSitesCallTheGatewayWithAKey(t *testing.T) {
	t.Parallel()
	handler := newGateway(t, gateway.WithAllowedOrigins("https://app.example.com"),
		gateway.WithClientKeys(keysOf(t, "alice")))
	page := []string{"Origin", "https://app.example.com", "Sec-Fetch-Site", "cross-site"}
	for i := range routes {
		r := httptest.NewRequest(http.MethodOptions, routes[i].path, nil)
		r.Header.Set("Origin", "https://app.example.com")
		r.Header.Set("Access-Control-Request-Method", routes[i].method)
		r.Header.Set("Access-Control-Request-Headers", "authorization,x-stainless-lang")
		answer := httptest.NewRecorder()
		handler.ServeHTTP(answer, r)
		if answer.Code != http.StatusNoContent ||
			answer.Header().Get("Access-Control-Allow-Headers") != "authorization,x-stainless-lang" {
			t.Errorf("%s: HTTP %d: %v", routes[i].path, answer.Code, answer.Header())
		}
		for _, key := range []string{"key-of-alice", "wrong"} {
			header := ask(handler, i, "127.0.0.1",
				append(page, "Authorization", "Bearer "+key)...).Header()
			for _, name := range []string{"X-Request-Id", "Retry-After", "X-Gemwire-Losses"} {
				if !strings.Contains(header.Get("Access-Control-Expose-Headers"), name) ||
					header.Get("Access-Control-Allow-Origin") != "https://app.example.com" {
					t.Errorf("%s by %s: the header is %v", routes[i].path, key, header)
				}
			}
		}
	}
	other := httptest.NewRequest(http.MethodOptions, chatPath, nil)
	other.Header.Set("Origin", "https://evil.example")
	other.Header.Set("Access-Control-Request-Method", "POST")
	answer := httptest.NewRecorder()
	handler.ServeHTTP(answer, other)
	if answer.Code < 400 || answer.Header().Get("Access-Control-Allow-Origin") != "" {
		t.Errorf("another site: HTTP %d: %v", answer.Code, answer.Header())
	}
}

// keysOf returns keys "key-of-NAME" with members of their entries, such as `alice,"models":["x"]`.
func keysOf(t testing.TB, entries ...string) *clientkey.Keys {
	t.Helper()
	var file []string
	for _, entry := range entries {
		name, members, _ := strings.Cut(entry, ",")
		if members != "" {
			members = "," + members
		}
		file = append(file,
			fmt.Sprintf(`{"name":%q,"hash":%q%s}`, name, clientkey.Hash("key-of-"+name), members))
	}
	keys, err := clientkey.Read([]byte(`{"keys":[` + strings.Join(file, ",") + `]}`))
	if err != nil {
		t.Fatal(err)
	}
	return keys
}

func TestClientsNeedAKeyOnEveryRoute(t *testing.T) {
	t.Parallel()
	server := geminitest.NewServer(t)
	observed := &diary{}
	handler := gatewayOf(t, server, gateway.WithClientKeys(keysOf(t, "alice", "bob")),
		gateway.WithObserver(observed))
	for i, route := range routes {
		for _, header := range [][]string{nil, {"Authorization", "Bearer wrong"},
			{"Authorization", "key-of-bob"}, {"Authorization",
				"Bearer " + clientkey.Hash("key-of-bob")}} {
			if answer := ask(handler, i, "127.0.0.1",
				header...); answer.Code != http.StatusUnauthorized ||
				answer.Header().Get("Www-Authenticate") != "Bearer" {
				t.Errorf("%s by %v: HTTP %d: %s", route.path, header, answer.Code, answer.Body)
			}
		}
		for _, header := range [][]string{{"Authorization", "Bearer key-of-bob"},
			{"X-Api-Key", "key-of-bob"}, {"X-Goog-Api-Key", "key-of-bob"}} {
			answer := ask(handler, i, "127.0.0.1", header...)
			if answer.Code != http.StatusOK && !isLastRoute(i) ||
				observed.last().start.ClientName != "bob" {
				t.Errorf("%s by %v: HTTP %d: %s, got %q", route.path, header, answer.Code,
					answer.Body, observed.last().start.ClientName)
			}
		}
	}
	e := errorOf(t, ask(handler, 0, "127.0.0.1"), http.StatusUnauthorized)
	if e.Type != "invalid_request_error" || jsonx.Deref(e.Code) != "invalid_api_key" {
		t.Errorf("%+v", e)
	}
	e = errorOf(t, ask(handler, 0, "127.0.0.1", "Authorization", "Bearer other"),
		http.StatusUnauthorized)
	if !strings.Contains(e.Message, "send a client key of this gateway") {
		t.Errorf("an unknown key: %+v", e)
	}
	for _, request := range server.Requests() {
		if strings.Contains(fmt.Sprint(request.Header, request.URL), "key-of-bob") {
			t.Errorf("the client's key went to Gemini: %v", request.Header)
		}
	}
}

func TestAKeyOfAClientHasItsModels(t *testing.T) {
	t.Parallel()
	server := geminitest.NewServer(t)
	handler := gatewayOf(t, server,
		gateway.WithClientKeys(keysOf(t, `alice,"models":["fast","gemini-embedding-*"]`)),
		gateway.WithAliases(map[string]string{"fast": "gemini-2.5-flash",
			"smart": "gemini-2.5-pro"}), gateway.WithDefaultModel("smart"))
	key := []string{"Authorization", "Bearer key-of-alice"}
	names := namesOf(t, get(handler, "/v1/models", key...))
	if !slices.Contains(names, "fast") || !slices.Contains(names, "gemini-embedding-001") ||
		slices.Contains(names, "smart") || slices.Contains(names, "gemini-2.5-flash") {
		t.Errorf("listed %v", names)
	}
	for body, status := range map[string]int{
		strings.Replace(hello, "gemini-2.5-flash", "fast", 1):  200,
		strings.Replace(hello, "gemini-2.5-flash", "smart", 1): 404,
		hello: 404,
		strings.Replace(hello, `"model":"gemini-2.5-flash",`, "", 1): 404, // the default
	} {
		if answer := post(handler, chatPath, body, key...); answer.Code != status {
			t.Errorf("%s: HTTP %d: %s", body, answer.Code, answer.Body)
		}
	}
	e := errorOf(t, get(handler, "/v1/models/smart", key...), http.StatusNotFound)
	if jsonx.Deref(e.Code) != "model_not_found" {
		t.Errorf("%+v", e)
	}
	if answer := ask(handler, 4, "127.0.0.1", key...); answer.Code != http.StatusNotFound {
		t.Errorf("native: HTTP %d: %s", answer.Code, answer.Body)
	}
}

// Such a key may use resources at Google's server, unless they reach a model that is not in its
// list.
func TestAKeyOfAClientReachesNoOtherModelByGooglesOwnPaths(t *testing.T) {
	t.Parallel()
	u := &keyedUpstream{}
	u.set("models", cannedAnswer{200,
		`{"models":[{"name":"models/fast","x":1},{"name":"models/gemini-2.5-pro"}],"nextPageToken":"n"}`})
	handler := keyedGateway(t, u, []string{"one"},
		gateway.WithClientKeys(keysOf(t, `alice,"models":["fast"]`, "bob")),
		gateway.WithAliases(map[string]string{"fast": "gemini-2.5-flash"}))
	for request, status := range map[string]int{
		"POST /v1beta/models/gemini-2.5-pro:generateContent":                                       404,
		"POST /v1beta/models/gemini-2.5-pro%3AgenerateContent":                                     404,
		"POST /v1beta/models/fast%3agenerateContent":                                               200,
		"POST /v1beta/models/gemini-2.5-pro":                                                       403,
		"POST /v1alpha/interactions":                                                               403,
		"POST /v1beta/dynamic/x:generateContent":                                                   403,
		"POST /v1alpha/auth_tokens":                                                                403,
		"POST /v1beta1/projects/p/locations/l/batchPredictionJobs":                                 403,
		"POST /v1beta1/projects/p/locations/l/publishers/google/models/gemini-2.5-pro:countTokens": 404,
		"GET /v1beta/models/gemini-2.5-pro":                                                        404,
		"GET /v1beta/models/fast":                                                                  200,
		"GET /v1beta/tunedModels":                                                                  403,
		"GET /v1beta/files":                                                                        200,
		"POST /upload/v1beta/files":                                                                200,
		"GET /v1beta1/projects/p/locations/l/cachedContents":                                       200,
		"GET /v1beta/batches/b":                                                                    200,
	} {
		method, path, _ := strings.Cut(request, " ")
		for name, want := range map[string]int{"alice": status, "bob": 200} {
			r := httptest.NewRequest(method, path, strings.NewReader("{}"))
			r.Host = "127.0.0.1"
			r.Header.Set("Content-Type", "application/json")
			r.Header.Set("Authorization", "Bearer key-of-"+name)
			answer := httptest.NewRecorder()
			if handler.ServeHTTP(answer, r); answer.Code != want {
				t.Errorf("%s by %s: HTTP %d, want %d: %s", request, name, answer.Code, want,
					answer.Body)
			}
		}
	}
	listed := get(handler, "/v1beta/models", "Authorization", "Bearer key-of-alice")
	if want := `{"models":[{"name":"models/fast","x":1}],"nextPageToken":"n"}`; listed.Body.String() != want {
		t.Errorf("listed %s", listed.Body)
	}
	if listed := get(handler, "/v1beta/models", "Authorization",
		"Bearer key-of-bob"); !strings.Contains(listed.Body.String(), "gemini-2.5-pro") {
		t.Errorf("listed to bob %s", listed.Body)
	}
}

// The body of an interaction names its model. No other spelling of the path leads to Google.
func TestAKeyOfAClientReachesNoOtherModelByInteractions(t *testing.T) {
	t.Parallel()
	u := &keyedUpstream{}
	handler := keyedGateway(t, u, []string{"one"},
		gateway.WithClientKeys(keysOf(t, `alice,"models":["fast"]`)),
		gateway.WithAliases(map[string]string{"fast": "gemini-2.5-flash",
			"smart": "gemini-2.5-pro"}), gateway.WithDefaultModel("smart"))
	check := func(method, path, body string, isWanted func(status int) bool) {
		t.Helper()
		r := httptest.NewRequest(method, path, strings.NewReader(body))
		r.Host = "127.0.0.1"
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Authorization", "Bearer key-of-alice")
		answer := httptest.NewRecorder()
		if handler.ServeHTTP(answer, r); !isWanted(answer.Code) {
			t.Errorf("%s %s %s: HTTP %d: %s", method, path, body, answer.Code, answer.Body)
		}
		var asked []string
		if answer.Code == http.StatusOK {
			asked = []string{"key-a" + flash}
		}
		wantAsked(t, u, method+" "+path+" "+body, asked...)
	}
	for body, status := range map[string]int{
		`{"model":"fast","input":"hi"}`:                                200,
		`{"model":"fast","input":"hi","stream":true}`:                  200,
		`{"model":"smart","input":"hi"}`:                               404,
		`{"model":"gemini-2.5-flash","input":"hi"}`:                    404,
		`{"model":"models/gemini-2.5-pro","input":"hi","stream":true}`: 404,
		`{"model":"fast","model":"smart","input":"hi"}`:                400,
		`{"input":"hi"}`:                                        404, // the default
		`{"agent":"deep-research","input":"hi"}`:                404, // for the default
		`{"agent":"deep-research","model":"fast","input":"hi"}`: 400,
	} {
		for _, path := range []string{"/v1beta/interactions", "/v1/interactions"} {
			check(http.MethodPost, path, body, func(got int) bool { return got == status })
		}
	}
	for _, request := range []string{
		"GET /v1beta/interactions", "PUT /v1beta/interactions", "GET /v1beta/interactions/i",
		"DELETE /v1beta/interactions/i", "POST /v1beta/interactions/i/cancel",
		"POST /v1beta/interactions/", "POST /v1beta/%69nteractions", "POST //v1beta/interactions",
		"POST /v1beta//interactions", "POST /v1beta/x/../interactions",
		"POST /v1beta/Interactions", "POST /v1beta/interactions:create",
		"POST /v1alpha/interactions", "GET /v1alpha/interactions/i",
		"POST /v1beta1/interactions", "GET /v1/interactions/i",
		"POST /v1beta1/projects/p/locations/l/interactions",
		"GET /v1beta1/projects/p/locations/l/interactions/i",
	} {
		method, path, _ := strings.Cut(request, " ")
		check(method, path, `{"model":"fast","input":"hi"}`,
			func(got int) bool { return got >= 400 && got < 500 })
	}
}

func TestAnAliasIsFoundAfterThePrefixOfAClient(t *testing.T) {
	t.Parallel()
	u := &keyedUpstream{}
	handler := keyedGateway(t, u, []string{"one"},
		gateway.WithClientKeys(keysOf(t, `alice,"models":["gemini-2.5-pro"]`)),
		gateway.WithAliases(map[string]string{"gemini-2.5-pro": "gemini-2.5-flash"}))
	for _, name := range []string{"gemini-2.5-pro", "models/gemini-2.5-pro",
		"google/gemini-2.5-pro"} {
		answer := post(handler, chatPath, strings.Replace(hello, "gemini-2.5-flash", name, 1),
			"Authorization", "Bearer key-of-alice")
		if completion := completionOf(t, answer); completion.Model != name {
			t.Errorf("%s: answered as %s", name, completion.Model)
		}
		wantAsked(t, u, name, "key-a"+flash)
	}
	// The part before a slash in these names is not a server: these are unknown models.
	if answer := post(handler, chatPath,
		strings.Replace(hello, "gemini-2.5-flash", "google/tuned/gemini-2.5-pro", 1),
		"Authorization", "Bearer key-of-alice"); answer.Code != http.StatusNotFound &&
		answer.Code != http.StatusForbidden {
		t.Errorf("google/tuned/gemini-2.5-pro: HTTP %d", answer.Code)
	}
}

func TestAKeyOfAClientHasLimitsByTheMinute(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		keys := keysOf(t, `alice,"requests_per_minute":2,"tokens_per_minute":10000`, "bob")
		server := geminitest.NewServer(t)
		handler := gatewayOf(t, server, gateway.WithClientKeys(keys))
		alice := []string{"Authorization", "Bearer key-of-alice"}
		first := post(handler, chatPath, hello, alice...)
		for name, want := range map[string]string{
			"X-Ratelimit-Limit-Requests": "2", "X-Ratelimit-Remaining-Requests": "1",
			"X-Ratelimit-Reset-Requests": "30s",
			"X-Ratelimit-Limit-Tokens":   "10000",
		} {
			if got := first.Header().Get(name); got != want {
				t.Errorf("%s is %q, expected %q", name, got, want)
			}
		}
		second := post(handler, chatPath, hello, alice...)
		used := 10000 - tokensOf(t, first)
		if got := second.Header().Get("X-Ratelimit-Remaining-Tokens"); second.Code != 200 ||
			got != fmt.Sprint(used-len(hello)/4) {
			t.Errorf("HTTP %d, %s tokens remain, expected %d less %d", second.Code, got, used,
				len(hello)/4)
		}
		third := post(handler, chatPath, hello, alice...)
		e := errorOf(t, third, http.StatusTooManyRequests)
		if e.Type != "rate_limit_error" || jsonx.Deref(e.Code) != "rate_limit_exceeded" ||
			!strings.Contains(e.Message, "2 requests per minute") {
			t.Errorf("%+v", e)
		}
		if got := third.Header().Get("Retry-After"); got != "30" {
			t.Errorf("Retry-After is %q", got)
		}
		if err := handler.Reload(gateway.WithUpstream(upstreamOf(server)),
			gateway.WithAllowedHosts("example.com"),
			gateway.WithClientKeys(keysOf(t,
				`alice,"requests_per_minute":2,"tokens_per_minute":10000`, "bob"))); err != nil {
			t.Fatal(err)
		}
		if answer := post(handler, chatPath, hello,
			alice...); answer.Code != http.StatusTooManyRequests {
			t.Errorf("after a reload: HTTP %d", answer.Code)
		}
		completionOf(t, post(handler, chatPath, hello, "Authorization", "Bearer key-of-bob"))
		time.Sleep(31 * time.Second)
		completionOf(t, post(handler, chatPath, hello, alice...))
	})
}

func TestRequestsOfEveryMethodCountAgainstTheLimitOfAKey(t *testing.T) {
	t.Parallel()
	u := &keyedUpstream{}
	u.set("files", cannedAnswer{200, `{}`})
	for _, request := range []string{
		"GET /v1/models", "GET /v1/models/gemini-2.5-flash", "GET /v1beta/files",
		"PATCH /v1beta/cachedContents/c", "DELETE /v1beta/files/f",
		"PUT /upload/v1beta/files", "HEAD /v1/models", "DELETE /v1/responses/r", "GET /v1/nothing",
		"POST /v1/chat/completions",
	} {
		method, path, _ := strings.Cut(request, " ")
		handler := keyedGateway(t, u, []string{"one"},
			gateway.WithClientKeys(keysOf(t,
				`alice,"requests_per_minute":1,"tokens_per_minute":1000`)))
		var answers []*httptest.ResponseRecorder
		for range 2 {
			r := httptest.NewRequest(method, path, nil)
			r.Host = "127.0.0.1"
			r.Header.Set("Content-Type", "application/json")
			r.Header.Set("Authorization", "Bearer key-of-alice")
			answer := httptest.NewRecorder()
			handler.ServeHTTP(answer, r)
			answers = append(answers, answer)
		}
		if first, second := answers[0],
			answers[1]; first.Code == http.StatusTooManyRequests ||
			second.Code != http.StatusTooManyRequests {
			t.Errorf("%s: HTTP %d and %d", request, first.Code, second.Code)
		}
		if got := answers[0].Header().Get(
			"X-Ratelimit-Remaining-Tokens"); method != http.MethodPost && got != "1000" {
			t.Errorf("%s: %s tokens remain", request, got)
		}
	}
}

// Browsers send a preflight request without a key before each request.
func TestPreflightsDoNotCountAgainstTheLimitOfAKey(t *testing.T) {
	t.Parallel()
	handler := newGateway(t, gateway.WithAllowedOrigins("*"),
		gateway.WithClientKeys(keysOf(t, `alice,"requests_per_minute":1`)))
	for range 3 {
		r := httptest.NewRequest(http.MethodOptions, chatPath, nil)
		r.Header.Set("Origin", "https://app.example.com")
		r.Header.Set("Access-Control-Request-Method", "POST")
		r.Header.Set("Authorization", "Bearer key-of-alice")
		answer := httptest.NewRecorder()
		if handler.ServeHTTP(answer, r); answer.Code != http.StatusNoContent {
			t.Errorf("HTTP %d", answer.Code)
		}
	}
	completionOf(t, post(handler, chatPath, hello, "Authorization", "Bearer key-of-alice"))
}

// tokensOf returns all tokens of a completion.
func tokensOf(t testing.TB, answer *httptest.ResponseRecorder) int {
	t.Helper()
	return completionOf(t, answer).Usage.TotalTokens
}

func TestTokensAboveTheLimitOfAKeyAreRefused(t *testing.T) {
	t.Parallel()
	handler := newGateway(t, gateway.WithClientKeys(keysOf(t, `alice,"tokens_per_minute":20`)))
	long := strings.Replace(hello, "hello", strings.Repeat("many words ", 100), 1)
	if answer := post(handler, chatPath, long, "X-Api-Key", "key-of-alice"); answer.Code != 200 {
		t.Fatalf("HTTP %d: %s", answer.Code, answer.Body)
	}
	answer := post(handler, chatPath, hello, "X-Api-Key", "key-of-alice")
	e := errorOf(t, answer, http.StatusTooManyRequests)
	if !strings.Contains(e.Message, "20 tokens per minute") ||
		answer.Header().Get("X-Should-Retry") != "false" {
		t.Errorf("%+v, header %v", e, answer.Header())
	}
}

func TestKeysOfClientsAndOfCallersExcludeEachOther(t *testing.T) {
	t.Parallel()
	if _, err := gateway.New(gateway.WithUpstream(gateway.Upstream{Service: gateway.GeminiAPI}),
		gateway.WithCallersKey(), gateway.WithClientKeys(keysOf(t, "alice"))); err == nil {
		t.Error("both are taken")
	}
	for _, opt := range []gateway.Option{gateway.WithAllowedHosts("https://x.example"),
		gateway.WithAllowedOrigins("x.example")} {
		if _, err := gateway.New(opt); err == nil {
			t.Error("a host or an origin that is invalid is taken")
		}
	}
}

// Limits of 1 to 64 MiB were hit (kilocode#4290, clawvisor#428, archestra#1417, suna#6490,
// open-console-gateway#56, llm-gateway#2145, codex-router#615). A 413 of a proxy looked the same as
// a 413 of these programs (NyxID#1461, OmniRoute#8923).
func TestABodyAboveTheLimitIsRefusedWithTheLimitAndItsFlag(t *testing.T) {
	t.Parallel()
	handler := newGateway(t, gateway.WithMaxBodySize(1000))
	at := func(size int) string {
		return strings.Replace(hello, "hello", strings.Repeat("x", size-len(hello)+len("hello")), 1)
	}
	completionOf(t, post(handler, chatPath, at(1000)))
	for i, route := range routes {
		if !strings.HasPrefix(route.path, "/v1/chat") &&
			!strings.HasPrefix(route.path, "/v1/embed") {
			continue
		}
		answer := post(handler, routes[i].path, at(1001))
		e := errorOf(t, answer, http.StatusRequestEntityTooLarge)
		if !strings.Contains(e.Message, "1000 bytes") ||
			!strings.Contains(e.Message, "--max-body-size") ||
			jsonx.Deref(e.Code) != "request_too_large" {
			t.Errorf("%s: %+v", route.path, e)
		}
		if got := answer.Header().Get("X-Gemwire-Max-Body-Size"); got != "1000" {
			t.Errorf("%s: the limit in the header is %q", route.path, got)
		}
	}
}

// Turns of agents with images have 9 to 17 MB, one session had over 64 MiB.
func TestLargeBodiesAreTakenByDefault(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("takes memory")
	}
	handler := newGateway(t)
	image := `{"model":"gemini-2.5-flash","messages":[{"role":"user","content":[{"type":"text","text":"hello"},` +
		`{"type":"image_url","image_url":{"url":"data:image/png;base64,` +
		strings.Repeat("iVBORw0K", 2<<20) + `"}}]}]}`
	completionOf(t, post(handler, chatPath, image))
}

// A 114 MB body of an error stalled a proxy (litellm#34031).
func TestAHugeErrorOfTheUpstreamIsAShortOneForTheClient(t *testing.T) {
	t.Parallel()
	handler := newGateway(t, gateway.WithUpstream(gateway.Upstream{
		Service:  gateway.GeminiAPI,
		Accounts: []gateway.Account{gateway.KeyAccount("one", "key-of-one")},
		HTTPClient: gemini.DoerFunc(func(*http.Request) (*http.Response, error) {
			return &http.Response{StatusCode: http.StatusBadRequest, Header: http.Header{},
				Body: endless{}}, nil
		}),
	}))
	for _, body := range []string{hello, streamed(hello)} {
		answer := post(handler, chatPath, body)
		if answer.Code < 400 || answer.Body.Len() > 64<<10 {
			t.Errorf("HTTP %d with %d bytes", answer.Code, answer.Body.Len())
		}
	}
}

// endless is a body without an end.
type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}
func (endless) Close() error { return nil }

func TestRequestsAndBodiesAreBoundedTogether(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		server := geminitest.NewServer(t,
			geminitest.WithScript(geminitest.On().Reply(geminitest.Stall())))
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		for _, tc := range []struct {
			option gateway.Option
			flag   string
		}{
			{gateway.WithMaxConcurrent(2), "--max-concurrent"},
			{gateway.WithMaxBytesInFlight(4*int64(len(hello)) + 10), "--max-bytes-in-flight"},
		} {
			handler := gatewayOf(t, server, gateway.WithMaxBodySize(int64(len(hello))), tc.option)
			done := make(chan struct{}, 2)
			for range 2 {
				go func() {
					r := httptest.NewRequestWithContext(ctx, http.MethodPost, chatPath,
						strings.NewReader(hello))
					handler.ServeHTTP(httptest.NewRecorder(), r)
					done <- struct{}{}
				}()
			}
			synctest.Wait()
			answer := post(handler, chatPath, hello)
			e := errorOf(t, answer, http.StatusTooManyRequests)
			if !strings.Contains(e.Message, tc.flag) || answer.Header().Get("Retry-After") != "1" ||
				jsonx.Deref(e.Code) != "gateway_overloaded" {
				t.Errorf("%s: %+v", tc.flag, e)
			}
			if tc.flag == "--max-concurrent" {
				continue
			}
			cancel()
			<-done
			<-done
			if answer := post(handler, embeddingsPath, "{}"); answer.Code != http.StatusBadRequest {
				t.Errorf("%s: after them HTTP %d: %s", tc.flag, answer.Code, answer.Body)
			}
		}
	})
}
