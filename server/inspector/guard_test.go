package inspector_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/server/gateway/exchange/exchangetest"
	"github.com/gemwire/gemwire/server/inspector"
)

// routes are all routes of the inspector, and an unknown one.
var routes = []struct{ method, path string }{
	{"GET", "/"}, {"GET", "/?token=x"}, {"GET", "/requests/req_1"}, {"GET", "/overview"},
	{"GET", "/jobs/batch_1"}, {"GET", "/main.js"}, {"GET", "/style.css"}, {"GET", "/icon.svg"},
	{"GET", "/api/events"}, {"GET", "/api/exchanges/1"}, {"GET", "/api/exchanges/1/curl/client"},
	{"GET", "/api/exchanges/1/curl/upstream"}, {"GET", "/api/exchanges/1/fixture"}, {"GET", "/api/exchanges/1/har"},
	{"GET", "/api/har"}, {"POST", "/api/exchanges/1/replay"}, {"POST", "/api/bodies"}, {"POST", "/api/clear"},
	{"POST", "/api/links"}, {"GET", "/nothing"},
}

// A page of another site points its own name to 127.0.0.1 and sends requests as if to itself. Only
// the Host shows it.
func TestDNSRebindingReachesNoRoute(t *testing.T) {
	t.Parallel()
	b := open(t, inspector.WithBodies(), inspector.WithAllowedHosts("Dev.Example.Test"))
	b.gateway.Play(exchangetest.Lossy())
	for _, host := range []string{"rebound.attacker.example", "rebound.attacker.example:4040",
		"127.0.0.1.attacker.example", "10.0.0.7:4040", "[2001:db8::1]:4040"} {
		for _, route := range routes {
			status, _, body := b.from(route.method, route.path, host, nil)
			if status != http.StatusMisdirectedRequest || strings.Contains(body, "Porto") {
				t.Errorf("%s %s for %q: %d %s", route.method, route.path, host, status, body)
			}
		}
	}
	for _, host := range []string{"127.0.0.1", "127.0.0.1:1", "localhost:4040", "[::1]:4040",
		"LOCALHOST", "dev.example.test:4040", "dev.example.test."} {
		if status, _, _ := b.from("GET", "/style.css", host, nil); status != http.StatusOK {
			t.Errorf("%s: %d", host, status)
		}
	}
}

// from sends a request for a Host with header fields, with the cookies of the session.
func (b *browser) from(method, path, host string, header map[string]string) (int, http.Header,
	string) {
	b.t.Helper()
	request, err := http.NewRequestWithContext(b.t.Context(), method, b.url+path,
		strings.NewReader(`{}`))
	if err != nil {
		b.t.Fatal(err)
	}
	request.Host = host
	request.Header.Set("Content-Type", "application/json")
	for name, value := range header {
		request.Header.Set(name, value)
	}
	return b.send(request)
}

// A form or a script of another site can send requests that need no preflight, with all cookies
// that the browser allows.
func TestOtherSitesChangeNothing(t *testing.T) {
	t.Parallel()
	b := open(t, inspector.WithBodies())
	b.gateway.Play(exchangetest.Lossy())
	host := strings.TrimPrefix(b.url, "http://")
	for name, header := range map[string]map[string]string{
		"a form of another site":             {"Sec-Fetch-Site": "cross-site", "Content-Type": "text/plain", "Origin": "https://attacker.example"},
		"a script of another site":           {"Sec-Fetch-Site": "cross-site", "Origin": "https://attacker.example"},
		"another port of this machine":       {"Sec-Fetch-Site": "same-site", "Origin": "http://127.0.0.1:3000"},
		"an old browser's script":            {"Origin": "https://attacker.example"},
		"a form that claims to be JSON":      {"Content-Type": "text/plain; application/json"},
		"a form":                             {"Content-Type": "application/x-www-form-urlencoded"},
		"a request without a type of a body": {"Content-Type": ""},
	} {
		for _, route := range routes {
			if route.method != "POST" {
				continue
			}
			if status, _, body := b.from(route.method, route.path, host,
				header); status != http.StatusForbidden &&
				status != http.StatusUnsupportedMediaType {
				t.Errorf("%s: %s: %d %s", name, route.path, status, body)
			}
		}
	}
	if b.detail(1).Summary.Number != 1 {
		t.Error("the exchange is gone")
	}
	for _, route := range routes {
		if !strings.HasPrefix(route.path, "/api/") || route.method != "GET" {
			continue
		}
		if status, _, body := b.from("GET", route.path, host,
			map[string]string{"Sec-Fetch-Site": "same-site"}); status != http.StatusForbidden ||
			strings.Contains(body, "Porto") {
			t.Errorf("read from another port: %s: %d", route.path, status)
		}
	}
}

// Browsers from before 2020 and other programs send an origin without Sec-Fetch-Site.
func TestAForeignOriginIsRefusedForEveryMethodAndRoute(t *testing.T) {
	t.Parallel()
	b := open(t, inspector.WithBodies())
	b.gateway.Play(exchangetest.Lossy())
	host := strings.TrimPrefix(b.url, "http://")
	for _, route := range routes {
		for _, origin := range []string{"https://attacker.example", "null", "http://127.0.0.1:3000",
			"http://" + host + ".attacker.example", "127.0.0.1", "%"} {
			status, _, body := b.from(route.method, route.path, host,
				map[string]string{"Origin": origin})
			if status != http.StatusForbidden || strings.Contains(body, "Porto") {
				t.Errorf("%s %s from %s: %d %s", route.method, route.path, origin, status, body)
			}
		}
	}
	for _, origin := range []string{"", b.url} {
		status, _, body := b.from("GET", "/api/exchanges/1", host,
			map[string]string{"Origin": origin})
		if status != http.StatusOK || !strings.Contains(body, "Porto") {
			t.Errorf("GET from %q: %d %s", origin, status, body)
		}
	}
}

func TestNothingIsAnsweredWithoutASession(t *testing.T) {
	t.Parallel()
	b := open(t, inspector.WithBodies())
	b.gateway.Play(exchangetest.Lossy())
	stranger := &http.Client{Transport: b.client.Transport}
	for _, route := range routes {
		if !strings.HasPrefix(route.path, "/api/") && !strings.HasPrefix(route.path, "/?") &&
			route.path != "/" {
			continue
		}
		request, _ := http.NewRequestWithContext(t.Context(), route.method, b.url+route.path,
			strings.NewReader("{}"))
		request.Header.Set("Content-Type", "application/json")
		request.AddCookie(&http.Cookie{Name: "gemwire_inspector_" + request.URL.Port(),
			Value: "guessed"})
		response, err := stranger.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(response.Body)
		response.Body.Close()
		if response.StatusCode != http.StatusUnauthorized ||
			strings.Contains(string(body), "Porto") {
			t.Errorf("%s %s: %d", route.method, route.path, response.StatusCode)
		}
	}
}

func TestAnAddressOpensOnceAndLeavesACookieThatNoScriptReads(t *testing.T) {
	t.Parallel()
	ins, err := inspector.New()
	if err != nil {
		t.Fatal(err)
	}
	visit := func(address string, cookies []*http.Cookie) *http.Response {
		response := httptest.NewRecorder()
		request := httptest.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
		for _, cookie := range cookies {
			request.AddCookie(cookie)
		}
		ins.Handler().ServeHTTP(response, request)
		return response.Result()
	}
	address := ins.URL("127.0.0.1:4040")
	first := visit(address, nil)
	cookies := first.Cookies()
	if first.StatusCode != http.StatusOK || len(cookies) != 1 {
		t.Fatalf("%s with %d cookies", first.Status, len(cookies))
	}
	if c := cookies[0]; !c.HttpOnly || c.SameSite != http.SameSiteStrictMode ||
		c.Name != "gemwire_inspector_4040" || c.Path != "/" || strings.Contains(address, c.Value) {
		t.Errorf("the cookie is %s", c)
	}
	if again := visit(address, nil); again.StatusCode != http.StatusUnauthorized ||
		len(again.Cookies()) != 0 {
		t.Errorf("a second time: %s", again.Status)
	}
	if again := visit(address, cookies); again.StatusCode != http.StatusOK {
		t.Errorf("a second time in the same browser: %s", again.Status)
	}
	if other := visit(ins.URL("127.0.0.1:4040"), nil); other.StatusCode != http.StatusOK ||
		other.Cookies()[0].Value == cookies[0].Value {
		t.Errorf("another address: %s", other.Status)
	}
}

func TestTheNewestAddressesWork(t *testing.T) {
	t.Parallel()
	ins, err := inspector.New()
	if err != nil {
		t.Fatal(err)
	}
	var addresses []string
	for range 20 {
		addresses = append(addresses, ins.URL("localhost"))
	}
	for n, want := range map[int]int{0: http.StatusUnauthorized, 3: http.StatusUnauthorized,
		4: http.StatusOK, 19: http.StatusOK} {
		response := httptest.NewRecorder()
		ins.Handler().ServeHTTP(response,
			httptest.NewRequestWithContext(t.Context(), http.MethodGet, addresses[n], nil))
		if response.Code != want {
			t.Errorf("address %d of 20: %d, want %d", n+1, response.Code, want)
		}
	}
}

func TestThePolicyLeavesNoWayForScriptInTexts(t *testing.T) {
	t.Parallel()
	b := open(t)
	for _, route := range []string{"/", "/main.js", "/nothing"} {
		_, header, _ := b.do(http.MethodGet, route, "")
		policy := header.Get("Content-Security-Policy")
		for _, want := range []string{
			"default-src 'none'", "script-src 'self';", "base-uri 'none'", "form-action 'none'",
			"frame-ancestors 'none'",
			"require-trusted-types-for 'script'", "trusted-types 'none'",
		} {
			if !strings.Contains(policy, want) {
				t.Errorf("%s: %q lacks %s", route, policy, want)
			}
		}
		if strings.Contains(policy, "unsafe") ||
			header.Get("X-Content-Type-Options") != "nosniff" ||
			header.Get("Referrer-Policy") != "no-referrer" {
			t.Errorf("%s: %v", route, header)
		}
	}
}
