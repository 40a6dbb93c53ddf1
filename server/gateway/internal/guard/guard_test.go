package guard_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/gemwire/gemwire/server/gateway/internal/guard"
)

func guardFor(t *testing.T, hosts, origins []string) *guard.Guard {
	t.Helper()
	g, err := guard.New(hosts, origins)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// A page of evil.example may make its name resolve to 127.0.0.1. Then the browser takes the gateway
// for the page's own origin.
func TestNamesOfOthersAreRefused(t *testing.T) {
	t.Parallel()
	g := guardFor(t, []string{"Gateway.example.com", "*.cluster.local"}, nil)
	for host, want := range map[string]bool{
		"127.0.0.1:8080": true, "localhost": true, "app.localhost:1": true, "[::1]:8080": true,
		"192.168.1.7:8080": true, "[fe80::1]": true, "": true,
		"gateway.example.com": true, "GATEWAY.example.com.:443": true,
		"gemwire.default.cluster.local": true,
		"evil.example":                  false, "evil.example:8080": false,
		"gateway.example.com.evil.example": false, "evilgateway.example.com": false,
		"cluster.local": false, "127.0.0.1.evil.example": false, "0.0.0.0:8080": false,
		"[::]:80": false, "localhost.evil.example": false,
	} {
		for _, method := range []string{http.MethodGet, http.MethodPost} {
			r := httptest.NewRequest(method, "/v1/models", nil)
			r.Host = host
			refused := g.Check(r, true)
			if (refused == nil) != want ||
				refused != nil && refused.Status != http.StatusMisdirectedRequest {
				t.Errorf("%s to %q: %+v", method, host, refused)
			}
		}
	}
	r := httptest.NewRequest(http.MethodGet, "/", nil)
	r.Host = "anything.example"
	if guardFor(t, []string{"*"}, nil).Check(r, false) != nil {
		t.Error("* does not allow every host")
	}
}

func TestRequestsOfPagesOfOtherSitesAreRefused(t *testing.T) {
	t.Parallel()
	g := guardFor(t, nil, []string{"https://app.example.com", "http://localhost:3000"})
	for name, tc := range map[string]struct {
		method string
		header map[string]string
		status int
	}{
		"a program":                                 {"POST", map[string]string{"Content-Type": "application/json"}, 0},
		"one that says no type":                     {"POST", nil, 0},
		"a page of another site":                    {"POST", map[string]string{"Content-Type": "application/json", "Sec-Fetch-Site": "cross-site", "Origin": "https://evil.example"}, 403},
		"one of an older browser":                   {"POST", map[string]string{"Content-Type": "application/json", "Origin": "https://evil.example"}, 403},
		"one without an origin":                     {"POST", map[string]string{"Content-Type": "application/json", "Origin": "null"}, 403},
		"one next to it":                            {"POST", map[string]string{"Sec-Fetch-Site": "same-site", "Origin": "http://localhost:4000"}, 403},
		"one that is allowed":                       {"POST", map[string]string{"Content-Type": "application/json", "Sec-Fetch-Site": "cross-site", "Origin": "https://app.example.com"}, 0},
		"one next to it, allowed":                   {"POST", map[string]string{"Sec-Fetch-Site": "same-site", "Origin": "http://localhost:3000"}, 0},
		"one of its own":                            {"POST", map[string]string{"Sec-Fetch-Site": "same-origin", "Origin": "http://127.0.0.1:8080"}, 0},
		"one that deletes":                          {"DELETE", map[string]string{"Sec-Fetch-Site": "cross-site", "Origin": "https://evil.example"}, 403},
		"one that reads":                            {"GET", map[string]string{"Sec-Fetch-Site": "cross-site", "Origin": "https://evil.example"}, 403},
		"one of an older browser that reads":        {"GET", map[string]string{"Origin": "https://evil.example"}, 403},
		"one of its own that reads":                 {"GET", map[string]string{"Origin": "http://127.0.0.1:8080"}, 0},
		"one of its own that reads, behind a proxy": {"GET", map[string]string{"Sec-Fetch-Site": "same-origin", "Origin": "https://gateway.example.com"}, 0},
		"one of its own, behind a proxy":            {"POST", map[string]string{"Sec-Fetch-Site": "same-origin", "Origin": "https://gateway.example.com"}, 0},
		"text, of any page":                         {"POST", map[string]string{"Content-Type": "text/plain;charset=UTF-8", "Sec-Fetch-Site": "cross-site", "Origin": "https://evil.example"}, 403},
		"text":                                      {"POST", map[string]string{"Content-Type": "text/plain"}, 415},
		"a form":                                    {"POST", map[string]string{"Content-Type": "application/x-www-form-urlencoded"}, 415},
		"a form with files":                         {"POST", map[string]string{"Content-Type": "multipart/form-data; boundary=x"}, 415},
		"JSON of some kind":                         {"POST", map[string]string{"Content-Type": "application/problem+json; charset=utf-8"}, 0},
		"no type at all":                            {"POST", map[string]string{"Content-Type": "///"}, 415},
		"text of an allowed page":                   {"POST", map[string]string{"Content-Type": "text/plain", "Origin": "https://app.example.com"}, 415},
	} {
		r := httptest.NewRequest(tc.method, "/v1/chat/completions", nil)
		r.Host = "127.0.0.1:8080"
		for name, value := range tc.header {
			r.Header.Set(name, value)
		}
		got := 0
		if refused := g.Check(r, true); refused != nil {
			got = refused.Status
		}
		if got != tc.status {
			t.Errorf("%s: status %d, expected %d", name, got, tc.status)
		}
		if refused := g.Check(r, false); tc.status == 415 && refused != nil {
			t.Errorf("%s: refused where bodies may be anything: %+v", name, refused)
		}
	}
}

// SDKs in browsers send their own headers, and send preflight requests without a key (ollama#4388,
// opencodex#1773, gproxy#238, poe2openai#15, sub2api#579, pollinations#10165, gpt-load#566,
// BricksLLM#45).
func TestPagesOfAllowedOriginsMaySendAndReadWhatTheirSDKNeeds(t *testing.T) {
	t.Parallel()
	g := guardFor(t, nil, []string{"https://app.example.com"})
	ask := func(origin, host string) (bool, http.Header) {
		r := httptest.NewRequest(http.MethodOptions, "/v1/chat/completions", nil)
		r.Host = host
		r.Header.Set("Origin", origin)
		r.Header.Set("Access-Control-Request-Method", "POST")
		r.Header.Set("Access-Control-Request-Headers", "authorization,content-type,x-stainless-os")
		r.Header.Set("Access-Control-Request-Private-Network", "true")
		w := httptest.NewRecorder()
		if !g.IsPreflight(r) {
			return false, nil
		}
		g.AnswerPreflight(w, r)
		return w.Code == http.StatusNoContent, w.Header()
	}
	allowed, header := ask("https://app.example.com", "127.0.0.1:8080")
	if !allowed {
		t.Fatal("refused")
	}
	for name, want := range map[string]string{
		"Access-Control-Allow-Origin":          "https://app.example.com",
		"Access-Control-Allow-Headers":         "authorization,content-type,x-stainless-os",
		"Access-Control-Allow-Private-Network": "true", "Access-Control-Allow-Credentials": "",
		"X-Content-Type-Options": "nosniff",
	} {
		if got := header.Get(name); got != want {
			t.Errorf("%s is %q, expected %q", name, got, want)
		}
	}
	for _, other := range [][2]string{{"https://evil.example", "127.0.0.1"},
		{"http://app.example.com", "127.0.0.1"}, {"null", "127.0.0.1"}, {"https://app.example.com",
			"evil.example"}} {
		if allowed, _ := ask(other[0], other[1]); allowed {
			t.Errorf("allowed %v", other)
		}
	}
}

func TestAnInvalidHostOrOriginIsRefused(t *testing.T) {
	t.Parallel()
	for _, host := range []string{"", "https://x.example", "x.example/", "*x.example",
		"a.*.example", "x y"} {
		if _, err := guard.New([]string{host}, nil); err == nil {
			t.Errorf("took the host %q", host)
		}
	}
	for _, origin := range []string{"", "app.example.com", "https://app.example.com/",
		"https://app.example.com/x", "https://", "null", "https://u@x.example"} {
		if _, err := guard.New(nil, []string{origin}); err == nil {
			t.Errorf("took the origin %q", origin)
		}
	}
}

func TestARefusalNamesTheSiteIfTheBrowserSentIt(t *testing.T) {
	t.Parallel()
	g := guardFor(t, nil, []string{"https://app.example.com"})
	for origin, want := range map[string]string{
		"https://evil.example": "a page of another site sent this, https://evil.example; allow the site with --allowed-origins",
		"":                     "a page of another site sent this; allow the site with --allowed-origins",
	} {
		r := httptest.NewRequest(http.MethodPost, "/v1/chat/completions", nil)
		r.Host = "127.0.0.1:8080"
		r.Header.Set("Sec-Fetch-Site", "cross-site")
		if origin != "" {
			r.Header.Set("Origin", origin)
		}
		if refused := g.Check(r, true); refused == nil || refused.Reason != want {
			t.Errorf("%q: got %+v, want the reason %q", origin, refused, want)
		}
	}
}
