package websearch_test

import (
	"context"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"syscall"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/gemwire/gemwire/internal/test/customsearchtest"
	"github.com/gemwire/gemwire/pkg/websearch"
	"github.com/google/go-cmp/cmp"
)

// transport is a function that answers requests without a network.
type transport func(*http.Request) (*http.Response, error)

func (t transport) RoundTrip(r *http.Request) (*http.Response, error) { return t(r) }

// reply makes a reply for a transport.
func reply(status int, body string) *http.Response {
	return &http.Response{StatusCode: status, Body: io.NopCloser(strings.NewReader(body))}
}

const (
	rateLimited = "Rate limit exceeded. You've used your free search quota (100/day)."
	unparsed    = "Failed to parse API response"
)

func TestErrorsOfTheAPI(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		status  int
		body    string
		code    websearch.Code
		message string
	}{
		"a message":                      {400, `{"error": {"message": "Bad Request"}}`, websearch.CodeAPIError, "API error (HTTP 400): Bad Request"},
		"a message in the list":          {403, `{"error": {"errors": [{"message": "Forbidden"}]}}`, websearch.CodeAPIError, "API error (HTTP 403): Forbidden"},
		"both messages":                  {403, `{"error": {"message": "one", "errors": [{"message": "two"}]}}`, websearch.CodeAPIError, "API error (HTTP 403): one"},
		"a message that is not a string": {400, `{"error": {"message": 1, "errors": [{"message": "two"}]}}`, websearch.CodeAPIError, "API error (HTTP 400): two"},
		"no message":                     {500, `{"other": "data"}`, websearch.CodeAPIError, "API request failed with HTTP 500"},
		"an empty message":               {500, `{"error": {"message": ""}}`, websearch.CodeAPIError, "API request failed with HTTP 500"},
		"an error that is a string":      {401, `{"error": "invalid_client"}`, websearch.CodeAPIError, "API request failed with HTTP 401"},
		"an empty list":                  {400, `{"error": {"errors": []}}`, websearch.CodeAPIError, "API request failed with HTTP 400"},
		"a list of strings":              {400, `{"error": {"errors": ["dailyLimitExceeded"]}}`, websearch.CodeAPIError, "API request failed with HTTP 400"},
		"no JSON":                        {502, `<html>`, websearch.CodeAPIError, "API request failed with HTTP 502"},
		"no body":                        {503, ``, websearch.CodeAPIError, "API request failed with HTTP 503"},
		"success with another status":    {204, ``, websearch.CodeAPIError, "API request failed with HTTP 204"},
		"403 dailyLimitExceeded":         {403, `{"error": {"message": "Daily Limit Exceeded", "errors": [{"domain": "usageLimits", "reason": "dailyLimitExceeded"}]}}`, websearch.CodeRateLimit, rateLimited},
		"429 dailyLimitExceeded":         {429, `{"error": {"errors": [{"reason": "dailyLimitExceeded"}]}}`, websearch.CodeRateLimit, rateLimited},
		"429 quotaExceeded":              {429, `{"error": {"errors": [{"reason": "quotaExceeded"}]}}`, websearch.CodeRateLimit, rateLimited},
		"429 of a minute":                {429, `{"error": {"message": "Slow down", "errors": [{"reason": "rateLimitExceeded"}]}}`, websearch.CodeRateLimit, "Rate limit exceeded: Slow down"},
		"403 of a minute and a user":     {403, `{"error": {"errors": [{"reason": "userRateLimitExceeded"}]}}`, websearch.CodeRateLimit, "Rate limit exceeded"},
		"429 RESOURCE_EXHAUSTED":         {429, `{"error": {"code": 429, "status": "RESOURCE_EXHAUSTED", "details": [{}]}}`, websearch.CodeRateLimit, "Rate limit exceeded"},
		"429 of the day": {
			429, `{"error": {"code": 429, "message": "Quota exceeded for quota metric 'Queries' and limit 'Queries per day'", ` +
				`"errors": [{"domain": "global", "reason": "rateLimitExceeded"}], "status": "RESOURCE_EXHAUSTED"}}`,
			websearch.CodeRateLimit, rateLimited,
		},
		"429 of another kind":         {429, `{"error": {"message": "Slow down"}}`, websearch.CodeAPIError, "API error (HTTP 429): Slow down"},
		"429 without a body":          {429, ``, websearch.CodeAPIError, "API request failed with HTTP 429"},
		"403 of another kind":         {403, `{"error": {"message": "Not enabled", "errors": [{"reason": "accessNotConfigured"}]}}`, websearch.CodeAPIError, "API error (HTTP 403): Not enabled"},
		"200 that is not JSON":        {200, `not valid json`, websearch.CodeAPIError, unparsed},
		"200 cut short":               {200, `{"items": [{"title": "t", "li`, websearch.CodeAPIError, unparsed},
		"200 empty":                   {200, ``, websearch.CodeAPIError, unparsed},
		"200 that is a list":          {200, `[]`, websearch.CodeAPIError, unparsed},
		"200 with an error":           {200, `{"error": {"code": 400, "message": "Invalid Value"}}`, websearch.CodeAPIError, "API error (HTTP 200): Invalid Value"},
		"200 with a quota error":      {200, `{"error": {"errors": [{"reason": "dailyLimitExceeded"}]}}`, websearch.CodeRateLimit, rateLimited},
		"200 with an error of a word": {200, `{"error": "invalid_request"}`, websearch.CodeAPIError, "API request failed with HTTP 200"},
		"200 with an error and items": {200, `{"error": {"message": "partial"}, "items": []}`, websearch.CodeAPIError, "API error (HTTP 200): partial"},
		"200 with a list of errors":   {200, `{"error": [{"message": "no"}]}`, websearch.CodeAPIError, "API request failed with HTTP 200"},
		"200 with a number":           {200, `{"error": 400, "items": []}`, websearch.CodeAPIError, "API request failed with HTTP 200"},
		"200 that says it is one":     {200, `{"error": true}`, websearch.CodeAPIError, "API request failed with HTTP 200"},
		"a mark before an error":      {400, "\uFEFF" + `{"error": {"message": "Bad Request"}}`, websearch.CodeAPIError, "API error (HTTP 400): Bad Request"},
		"200 with more after it":      {200, `{"items": []}{}`, websearch.CodeAPIError, unparsed},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			google := customsearchtest.New(t,
				customsearchtest.Replies{"": customsearchtest.JSON(test.status, test.body)})
			_, err := newClient(t, google).Search(t.Context(), websearch.Request{Query: "test"})
			failure := failureOf(t, err)
			if failure.Code != test.code || failure.Message != test.message ||
				failure.HTTPStatus != test.status {
				t.Errorf("got %+v", failure)
			}
			if failure.Event != nil {
				t.Error("an event")
			}
		})
	}
}

func TestLongMessagesAreCutBetweenCharacters(t *testing.T) {
	t.Parallel()
	for _, message := range []string{strings.Repeat("x", 600), strings.Repeat("日", 300),
		"a" + strings.Repeat("日", 300), "aa" + strings.Repeat("日", 300)} {
		google := customsearchtest.New(t,
			customsearchtest.Replies{"": customsearchtest.JSON(400,
				`{"error": {"message": "`+message+`"}}`)})
		_, err := newClient(t, google).Search(t.Context(), websearch.Request{Query: "test"})
		got := failureOf(t, err).Message
		if len(got) > 511 || len(got) < 509 || !utf8.ValidString(got) ||
			!strings.HasPrefix("API error (HTTP 400): "+message, got) {
			t.Errorf("%d bytes: %q", len(got), got)
		}
	}
}

func TestAllDomainsFailedIsTheFirstError(t *testing.T) {
	t.Parallel()
	google := customsearchtest.New(t, customsearchtest.Replies{
		"1.com": func(w http.ResponseWriter, r *http.Request) {
			time.Sleep(20 * time.Millisecond) // the last one to fail is still the first of the list
			customsearchtest.JSON(403,
				`{"error": {"errors": [{"reason": "dailyLimitExceeded"}]}}`)(w, r)
		},
		"2.com": customsearchtest.JSON(500, `{}`),
		"3.com": customsearchtest.JSON(200, `not valid json`),
	})
	_, err := newClient(t, google).Search(t.Context(), websearch.Request{
		Query: "test", AllowedDomains: []string{"", "1.com", "2.com", "3.com"},
	})
	if failure := failureOf(t, err); failure.Code != websearch.CodeRateLimit {
		t.Errorf("got %v", failure)
	}
	if got := len(google.Queries()); got != 3 {
		t.Errorf("%d calls", got)
	}
}

func TestFaultsOfTheNetwork(t *testing.T) {
	t.Parallel()
	const prefix = "HTTP request failed: "
	for name, test := range map[string]struct {
		fault   http.HandlerFunc
		message string
		cause   error
	}{
		"no answer in time":     {customsearchtest.Hang, prefix + "timed out", context.DeadlineExceeded},
		"half an answer":        {customsearchtest.HangInBody, prefix + "timed out", context.DeadlineExceeded},
		"reset":                 {customsearchtest.Reset, prefix + "connection reset", syscall.ECONNRESET},
		"reset in the body":     {customsearchtest.ResetInBody, prefix + "connection reset", syscall.ECONNRESET},
		"closed":                {customsearchtest.Silent, prefix + "connection closed before the reply was complete", io.EOF},
		"closed in the body":    {customsearchtest.CutShort, prefix + "connection closed before the reply was complete", io.ErrUnexpectedEOF},
		"not HTTP":              {customsearchtest.NotHTTP, prefix + "no valid reply from the server", nil},
		"not what gzip reads":   {customsearchtest.CorruptGzip, prefix + "no valid reply from the server", nil},
		"a page of HTML":        {customsearchtest.HTML(200), unparsed, nil},
		"an error page":         {customsearchtest.HTML(502), "API request failed with HTTP 502", nil},
		"5 MB":                  {customsearchtest.Large(200, 5<<20), unparsed + ": it is larger than 1048576 bytes", nil},
		"5 MB of error":         {customsearchtest.Large(500, 5<<20), "API request failed with HTTP 500", nil},
		"16 MB when unpacked":   {customsearchtest.Bomb(16 << 20), unparsed + ": it is larger than 1048576 bytes", nil},
		"a redirect to another": {customsearchtest.Redirect("https://other.example/customsearch/v1"), "API request failed with HTTP 302", nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			timeout := 10 * time.Second
			if test.cause == context.DeadlineExceeded {
				timeout = 50 * time.Millisecond
			}
			google := customsearchtest.New(t, customsearchtest.Replies{"": test.fault})
			_, err := newClient(t, google, websearch.WithTimeout(timeout)).Search(t.Context(),
				websearch.Request{Query: "test"})
			failure := failureOf(t, err)
			if failure.Message != test.message {
				t.Errorf("got %v", failure)
			}
			if test.cause != nil && !errors.Is(err, test.cause) {
				t.Errorf("cause %v, want %v", failure.Unwrap(), test.cause)
			}
			wantCode := websearch.CodeAPIError
			if strings.HasPrefix(test.message, prefix) {
				wantCode = websearch.CodeNetworkError
			}
			if failure.Code != wantCode {
				t.Errorf("code %s", failure.Code)
			}
		})
	}
}

func TestFaultsBeforeAConnectionIsMade(t *testing.T) {
	t.Parallel()
	closed := httptest.NewServer(http.NotFoundHandler())
	closed.Close()
	untrusted := httptest.NewUnstartedServer(http.NotFoundHandler())
	untrusted.Config.ErrorLog = log.New(io.Discard, "", 0)
	untrusted.StartTLS()
	t.Cleanup(untrusted.Close)
	plain := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(plain.Close)
	failing := func(err error) *http.Client {
		return &http.Client{Transport: transport(func(*http.Request) (*http.Response,
			error) {
			return nil, err
		})}
	}
	for name, test := range map[string]struct {
		option websearch.Option
		reason string
	}{
		"no process listens":   {websearch.WithBaseURL(closed.URL), "connection refused"},
		"a strange server":     {websearch.WithBaseURL(untrusted.URL), "the server's certificate is not trusted"},
		"a server without TLS": {websearch.WithBaseURL(strings.Replace(plain.URL, "http:", "https:", 1)), "no valid reply from the server"},
		"no such host":         {websearch.WithHTTPClient(failing(&net.DNSError{Err: "no such host", Name: "x", IsNotFound: true})), "could not resolve the host"},
		"no route":             {websearch.WithHTTPClient(failing(&net.OpError{Op: "dial", Err: syscall.EHOSTUNREACH})), "the connection failed"},
		"a broken pipe":        {websearch.WithHTTPClient(failing(&net.OpError{Op: "write", Err: syscall.EPIPE})), "connection reset"},
		"a slow DNS server":    {websearch.WithHTTPClient(failing(&net.DNSError{IsTimeout: true})), "timed out"},
		"a bad proxy":          {websearch.WithHTTPClient(failing(errors.New(`invalid proxy address "http://user:password@%zz"`))), "no valid reply from the server"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			client, err := websearch.New(websearch.NewCredentials(apiKey, engineID), test.option)
			if err != nil {
				t.Fatal(err)
			}
			_, err = client.Search(t.Context(), websearch.Request{Query: "test"})
			failure := failureOf(t, err)
			if failure.Code != websearch.CodeNetworkError ||
				failure.Message != "HTTP request failed: "+test.reason {
				t.Errorf("got %v", failure)
			}
		})
	}
}

func TestACancelledContextEndsASearch(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	google := customsearchtest.New(t,
		customsearchtest.Replies{"": func(w http.ResponseWriter, r *http.Request) {
			cancel()
			customsearchtest.Hang(w, r)
		}})
	_, err := newClient(t, google).Search(ctx, websearch.Request{
		Query: "test", AllowedDomains: []string{"1.com", "2.com"},
	})
	failure := failureOf(t, err)
	if failure.Message != "HTTP request failed: cancelled" || !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", failure)
	}
}

func TestADeadlineLeavesWhatHasArrived(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
	defer cancel()
	google := customsearchtest.New(t, customsearchtest.Replies{
		"1.com": customsearchtest.Hang,
		"2.com": customsearchtest.JSON(200, page("b1")),
	})
	response, err := newClient(t, google).Search(ctx,
		websearch.Request{Query: "test", AllowedDomains: []string{"1.com", "2.com"}})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"b1"}, urls(response)); diff != "" {
		t.Error(diff)
	}
}

// TestRedirectsAreNotFollowed uses a client that would follow redirects. A redirect would send the
// key to another server.
func TestRedirectsAreNotFollowed(t *testing.T) {
	t.Parallel()
	other := customsearchtest.New(t, nil)
	google := customsearchtest.New(t,
		customsearchtest.Replies{"": customsearchtest.Redirect(other.URL + "/customsearch/v1")})
	followed := false
	mine := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error {
		followed = true
		return nil
	}}
	_, err := newClient(t, google, websearch.WithHTTPClient(mine)).Search(t.Context(),
		websearch.Request{Query: "test"})
	if failure := failureOf(t, err); failure.HTTPStatus != 302 {
		t.Errorf("got %v", failure)
	}
	if queries := other.Queries(); followed || len(queries) > 0 {
		t.Errorf("followed to %q", queries)
	}
	if mine.CheckRedirect(nil, nil); !followed {
		t.Error("the caller's client was changed")
	}
}

func TestNoFailureHoldsACredential(t *testing.T) {
	t.Parallel()
	leaky := func(r *http.Request) (*http.Response, error) {
		return nil, errors.New("cannot send " + r.URL.String() + " with " + r.FormValue("key"))
	}
	for name, option := range map[string]websearch.Option{
		"an error that quotes the URL": websearch.WithBaseURL(customsearchtest.New(t,
			customsearchtest.Replies{"": customsearchtest.EchoInError}).URL),
		"a server that resets": websearch.WithBaseURL(customsearchtest.New(t,
			customsearchtest.Replies{"": customsearchtest.Reset}).URL),
		"a transport that quotes it": websearch.WithHTTPClient(
			&http.Client{Transport: transport(leaky)}),
		"a client that times out": websearch.WithHTTPClient(
			&http.Client{Timeout: time.Nanosecond}),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			client, err := websearch.New(websearch.NewCredentials(apiKey, engineID), option)
			if err != nil {
				t.Fatal(err)
			}
			_, err = client.Search(t.Context(), websearch.Request{Query: "test"})
			failureOf(t, err)
			for cause := err; cause != nil; cause = errors.Unwrap(cause) {
				assertNoSecret(t, cause.Error())
			}
			assertNoSecret(t, string(websearch.Answer(nil, err)))
		})
	}
}

func TestNoResultHoldsACredential(t *testing.T) {
	t.Parallel()
	google := customsearchtest.New(t, customsearchtest.Replies{"": customsearchtest.EchoInResult})
	response, err := newClient(t, google).Search(t.Context(), websearch.Request{Query: "test"})
	if err != nil {
		t.Fatal(err)
	}
	want := []websearch.Result{{
		Title:   "REDACTED",
		URL:     "http://a.example/customsearch/v1?key=REDACTED&cx=REDACTED&q=test&num=10&start=1",
		Snippet: "cx is REDACTED",
	}}
	if diff := cmp.Diff(want, response.Results); diff != "" {
		t.Error(diff)
	}
}

// spellings are the ways in which servers, proxies and pages write a credential.
var spellings = map[string]func(secret string) string{
	"as it is":                  func(s string) string { return s },
	"in small letters":          strings.ToLower,
	"in capitals":               strings.ToUpper,
	"percent-encoded":           func(s string) string { return percent(s, "%%%02X") },
	"as a form has it":          url.QueryEscape,
	"in small letters, encoded": func(s string) string { return strings.ToLower(url.QueryEscape(s)) },
	"encoded twice":             func(s string) string { return url.QueryEscape(url.QueryEscape(s)) },
	"as HTML":                   html.EscapeString,
	"as JSON":                   func(s string) string { return strings.ReplaceAll(s, "/", `\/`) },
	"in hexadecimals":           func(s string) string { return hex.EncodeToString([]byte(s)) },
	"in base64":                 func(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) },
	"in base64 after one byte":  func(s string) string { return base64.StdEncoding.EncodeToString([]byte("=" + s + "&")) },
	"in base64 after two":       func(s string) string { return base64.StdEncoding.EncodeToString([]byte("==" + s + "&")) },
	"in base64 for URLs":        func(s string) string { return base64.RawURLEncoding.EncodeToString([]byte("?k=" + s)) },
}

// percent writes each byte in a format.
func percent(text, format string) string {
	var out strings.Builder
	for _, b := range []byte(text) {
		fmt.Fprintf(&out, format, b)
	}
	return out.String()
}

func TestACredentialIsBlankedOutInItsSpellings(t *testing.T) {
	t.Parallel()
	const key, engine = "AIza/Secret+Key=42?>~", "0123456789:engine%41"
	for name, spell := range spellings {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, secret := range []string{key, engine} {
				spelled := spell(secret)
				item := map[string]string{"title": "a " + spelled + " b",
					"link": "https://a.example/?" + spelled, "snippet": spelled}
				page, err := json.Marshal(map[string]any{"items": []any{item}})
				if err != nil {
					t.Fatal(err)
				}
				failure, err := json.Marshal(
					map[string]any{"error": map[string]string{"message": "bad " + spelled +
						" here"}})
				if err != nil {
					t.Fatal(err)
				}
				google := customsearchtest.New(t, customsearchtest.Replies{
					"a.com": customsearchtest.JSON(200, string(page)),
					"b.com": customsearchtest.JSON(400, string(failure)),
				})
				client, err := websearch.New(websearch.NewCredentials(key, engine),
					websearch.WithBaseURL(google.URL))
				if err != nil {
					t.Fatal(err)
				}
				response, err := client.Search(t.Context(),
					websearch.Request{Query: "test", AllowedDomains: []string{"a.com"}})
				if err != nil {
					t.Fatal(err)
				}
				got := response.Results[0]
				assertBlankedOut(t, name, spelled, got.Title, "a REDACTED b")
				assertBlankedOut(t, name, spelled, got.URL, "https://a.example/?REDACTED")
				assertBlankedOut(t, name, spelled, got.Snippet, "REDACTED")
				_, err = client.Search(t.Context(),
					websearch.Request{Query: "test", AllowedDomains: []string{"b.com"}})
				assertBlankedOut(t, name, spelled, failureOf(t, err).Message,
					"API error (HTTP 400): bad REDACTED here")
			}
		})
	}
}

// assertBlankedOut checks a text that contained a credential in one spelling. In base64, characters
// that encode other bytes must stay.
func assertBlankedOut(t *testing.T, name, spelled, got, want string) {
	t.Helper()
	stays := len(got) - len(want)
	if got != want && !(strings.Contains(name, "base64") && strings.Contains(got, "REDACTED") &&
		stays <= len(spelled)/5) {
		t.Errorf("%s: %s", spelled, got)
	}
}

// A text that is not a credential stays unchanged in any encoding.
func TestWordsAreNotBlankedOut(t *testing.T) {
	t.Parallel()
	const text = `a%20b &amp; \u00e9 %252541 &#65; \" c29tZSB0ZXh0 AIza/Secret`
	google := customsearchtest.New(t,
		customsearchtest.Replies{"": customsearchtest.JSON(200, page(text))})
	response, err := newClient(t, google).Search(t.Context(), websearch.Request{Query: "test"})
	if err != nil || urls(response)[0] != text {
		t.Errorf("%v, %v", response, err)
	}
}

// A message is cut only after the key was redacted. Otherwise a part of the key would stay.
func TestACredentialAtTheCutIsBlankedOut(t *testing.T) {
	t.Parallel()
	for padding := 440; padding < 511; padding++ {
		google := customsearchtest.New(t, customsearchtest.Replies{
			"": customsearchtest.JSON(400,
				`{"error": {"message": "`+strings.Repeat("-", padding)+apiKey+`"}}`),
		})
		_, err := newClient(t, google).Search(t.Context(), websearch.Request{Query: "test"})
		if got := failureOf(t, err).Message; strings.Contains(got, apiKey[:3]) {
			t.Fatalf("padding %d: %q", padding, got)
		}
	}
}

// One credential may be a part of the other. Placeholders are not secrets.
func TestBlankingOutLeavesNoPartAndNoWord(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ key, engine, message, want string }{
		{"abcdef", "xx-abcdef-yy", "id xx-abcdef-yy, key abcdef", "id REDACTED, key REDACTED"},
		{"abcdef-long", "abcdef", "key abcdef-long", "key REDACTED"},
		{"key", "id", "the key is invalid", "the key is invalid"},
	} {
		google := customsearchtest.New(t,
			customsearchtest.Replies{"": customsearchtest.JSON(400,
				`{"error": {"message": "`+test.message+`"}}`)})
		client, err := websearch.New(websearch.NewCredentials(test.key, test.engine),
			websearch.WithBaseURL(google.URL))
		if err != nil {
			t.Fatal(err)
		}
		_, err = client.Search(t.Context(), websearch.Request{Query: "test"})
		if got := failureOf(t, err).Message; got != "API error (HTTP 400): "+test.want {
			t.Errorf("got %q", got)
		}
	}
}

func assertNoSecret(t *testing.T, text string) {
	t.Helper()
	for _, secret := range []string{apiKey, engineID, "AIza%2FSecret%2BKey%3D42",
		"0123456789%3Aengine"} {
		if strings.Contains(text, secret) {
			t.Errorf("%q is in %q", secret, text)
		}
	}
}
