package main

import (
	"encoding/json"
	"encoding/pem"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/gemwire/gemwire/internal/test/customsearchtest"
)

// items is a reply with one item for each pair of title and link.
func items(t *testing.T, pairs ...string) http.HandlerFunc {
	t.Helper()
	type item struct {
		Title   string `json:"title"`
		Link    string `json:"link"`
		Snippet string `json:"snippet"`
	}
	list := []item{}
	for i := 0; i < len(pairs); i += 2 {
		list = append(list, item{pairs[i], pairs[i+1], "s"})
	}
	body, err := json.Marshal(map[string]any{"items": list})
	if err != nil {
		t.Fatal(err)
	}
	return customsearchtest.JSON(200, string(body))
}

// found is the answer with those results.
func found(pairs ...string) string {
	var results []string
	for i := 0; i < len(pairs); i += 2 {
		results = append(results, `{"title":"`+pairs[i]+`","url":"`+pairs[i+1]+`","snippet":"s"}`)
	}
	count, _ := json.Marshal(len(results))
	return `{"success":true,"results":[` + strings.Join(results, ",") + `],"count":` +
		string(count) + `}`
}

func TestResultsOfOneCall(t *testing.T) {
	t.Parallel()
	const query = "q=test&num=10&start=1"
	for name, test := range map[string]struct{ body, want string }{
		"all members":              {`{"items":[{"kind":"x","title":"Läns & <b>","link":"https://a.com/?x=1&y=2","snippet":"50 % \"off\""}]}`, `{"success":true,"results":[{"title":"Läns & <b>","url":"https://a.com/?x=1&y=2","snippet":"50 % \"off\""}],"count":1}`},
		"an item without snippet":  {`{"items":[{"title":"t","link":"u"}]}`, `{"success":true,"results":[{"title":"t","url":"u","snippet":""}],"count":1}`},
		"a snippet that is 789":    {`{"items":[{"title":"t","link":"u","snippet":789}]}`, `{"success":true,"results":[{"title":"t","url":"u","snippet":""}],"count":1}`},
		"no title":                 {`{"items":[{"link":"u"}]}`, nothingFound},
		"a title that is 123":      {`{"items":[{"title":123,"link":"u"}]}`, nothingFound},
		"no link":                  {`{"items":[{"title":"t"}]}`, nothingFound},
		"a link that is 456":       {`{"items":[{"title":"t","link":456}]}`, nothingFound},
		"no items":                 {`{"searchInformation":{}}`, nothingFound},
		"items that are no list":   {`{"items":"not array"}`, nothingFound},
		"duplicates are not known": {`{"items":[{"title":"t","link":"u"},{"title":"t","link":"u"}]}`, `{"success":true,"results":[{"title":"t","url":"u","snippet":""},{"title":"t","url":"u","snippet":""}],"count":2}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			invocation{
				stdin:   `{"query":"test"}`,
				replies: customsearchtest.Replies{"": customsearchtest.JSON(200, test.body)},
				stdout:  test.want, queries: []string{query},
			}.check(t)
		})
	}
}

func TestWhatGoogleIsAsked(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("word ", 500)
	for name, test := range map[string]struct {
		stdin   string
		queries []string
	}{
		"a page":         {`{"query":"a b","num":3,"start":4}`, []string{"q=a%20b&num=3&start=4"}},
		"a long query":   {`{"query":"` + long + `"}`, []string{"q=" + strings.ReplaceAll(long, " ", "%20") + "&num=10&start=1"}},
		"one allowed":    {`{"query":"test","allowed_domains":["a.com"]}`, []string{"q=test&num=10&start=1&siteSearch=a.com&siteSearchFilter=i"}},
		"one blocked":    {`{"query":"test","blocked_domains":["a.com"]}`, []string{"q=test&num=10&start=1&siteSearch=a.com&siteSearchFilter=e"}},
		"two blocked":    {`{"query":"test","blocked_domains":["a.com","b.com"]}`, []string{"q=test&num=10&start=1"}},
		"one of each":    {`{"query":"test","allowed_domains":["a.com"],"blocked_domains":["b.com"]}`, []string{"q=test&num=10&start=1&siteSearch=a.com&siteSearchFilter=i"}},
		"empty lists":    {`{"query":"test","allowed_domains":[],"blocked_domains":[]}`, []string{"q=test&num=10&start=1"}},
		"lists that are": {`{"query":"test","allowed_domains":"a.com","blocked_domains":7}`, []string{"q=test&num=10&start=1"}},
		"10 of 3": {`{"query":"test","num":10,"start":5,"allowed_domains":["a","b","c"]}`, []string{
			"q=test&num=4&start=5&siteSearch=a&siteSearchFilter=i",
			"q=test&num=3&start=5&siteSearch=b&siteSearchFilter=i",
			"q=test&num=3&start=5&siteSearch=c&siteSearchFilter=i",
		}},
		"10 of 2": {`{"query":"test","num":10,"allowed_domains":["a","b"]}`, []string{
			"q=test&num=5&start=1&siteSearch=a&siteSearchFilter=i",
			"q=test&num=5&start=1&siteSearch=b&siteSearchFilter=i",
		}},
		"1 of 3":                  {`{"query":"test","num":1,"allowed_domains":["a","b","c"]}`, []string{"q=test&num=1&start=1&siteSearch=a&siteSearchFilter=i"}},
		"an entry that is 123":    {`{"query":"test","allowed_domains":[123,"example.com"]}`, []string{"q=test&num=5&start=1&siteSearch=example.com&siteSearchFilter=i"}},
		"no entry that is a name": {`{"query":"test","allowed_domains":[123]}`, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			invocation{
				stdin:   test.stdin,
				replies: customsearchtest.Replies{"": items(t)},
				stdout:  nothingFound, queries: test.queries,
			}.check(t)
		})
	}
}

func TestResultsOfSeveralDomains(t *testing.T) {
	t.Parallel()
	broken := customsearchtest.JSON(200, `not valid json`)
	for name, test := range map[string]struct {
		first, second http.HandlerFunc
		num           string
		want          string
	}{
		"take turns":                        {items(t, "1A", "a1", "1B", "a2"), items(t, "2A", "b1", "2B", "b2"), "10", found("1A", "a1", "2A", "b1", "1B", "a2", "2B", "b2")},
		"up to the number":                  {items(t, "1A", "a1", "1B", "a2"), items(t, "2A", "b1", "2B", "b2"), "3", found("1A", "a1", "2A", "b1", "1B", "a2")},
		"each URL once":                     {items(t, "S", "same.com", "U", "unique.com"), items(t, "S", "same.com", "O", "other.com"), "10", found("S", "same.com", "U", "unique.com", "O", "other.com")},
		"the second failed":                 {items(t, "1A", "a1"), customsearchtest.JSON(500, `{}`), "10", found("1A", "a1")},
		"the first failed":                  {customsearchtest.JSON(403, `{}`), items(t, "2A", "b1"), "10", found("2A", "b1")},
		"one connection was reset":          {customsearchtest.Reset, items(t, "2A", "b1"), "10", found("2A", "b1")},
		"one is not JSON":                   {broken, items(t, "2A", "b1"), "10", found("2A", "b1")},
		"one is not JSON, one without hits": {broken, items(t), "10", nothingFound},
		"one without items":                 {customsearchtest.JSON(200, `{"no_items":true}`), items(t, "2A", "b1"), "10", found("2A", "b1")},
		"one whose items are text":          {customsearchtest.JSON(200, `{"items":"not array"}`), items(t, "2A", "b1"), "10", found("2A", "b1")},
		"both are not JSON":                 {broken, broken, "10", `{"success":false,"error":"Failed to parse API response","error_code":"API_ERROR"}`},
		"both failed":                       {customsearchtest.JSON(403, `{"error":{"errors":[{"reason":"dailyLimitExceeded"}]}}`), customsearchtest.JSON(500, `{}`), "10", `{"success":false,"error":"Rate limit exceeded. You've used your free search quota (100/day).","error_code":"RATE_LIMIT"}`},
		"the other way round":               {customsearchtest.JSON(500, `{}`), customsearchtest.JSON(403, `{"error":{"errors":[{"reason":"dailyLimitExceeded"}]}}`), "10", `{"success":false,"error":"API request failed with HTTP 500","error_code":"API_ERROR"}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			shares := map[string][2]string{"10": {"5", "5"}, "3": {"2", "1"}}[test.num]
			invocation{
				stdin: `{"query":"test","num":` + test.num +
					`,"allowed_domains":["1.com","2.com"]}`,
				replies: customsearchtest.Replies{"1.com": test.first, "2.com": test.second},
				stdout:  test.want,
				queries: []string{
					"q=test&num=" + shares[0] + "&start=1&siteSearch=1.com&siteSearchFilter=i",
					"q=test&num=" + shares[1] + "&start=1&siteSearch=2.com&siteSearchFilter=i",
				},
			}.check(t)
		})
	}
}

func TestBlockedDomainsAreLeftOut(t *testing.T) {
	t.Parallel()
	reply := items(t, "Blocked", "https://blocked-example.com/page", "Allowed Site",
		"https://allowed.com/page", "Sub", "https://www.spam.com/")
	for name, test := range map[string]struct {
		domains string
		queries []string
	}{
		"several blocked":         {`"blocked_domains":["Blocked-Example.com","spam.com"]`, []string{"q=test&num=10&start=1"}},
		"one blocked":             {`"blocked_domains":["blocked-example.com"]`, []string{"q=test&num=10&start=1&siteSearch=blocked-example.com&siteSearchFilter=e"}},
		"next to one allowed":     {`"allowed_domains":["a"],"blocked_domains":["blocked-example.com"]`, []string{"q=test&num=10&start=1&siteSearch=a&siteSearchFilter=i"}},
		"next to two allowed":     {`"allowed_domains":["a","b"],"blocked_domains":["blocked-example.com"]`, []string{"q=test&num=5&start=1&siteSearch=a&siteSearchFilter=i", "q=test&num=5&start=1&siteSearch=b&siteSearchFilter=i"}},
		"next to what is no name": {`"blocked_domains":[1,"blocked-example.com"]`, []string{"q=test&num=10&start=1"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			invocation{
				stdin:   `{"query":"test",` + test.domains + `}`,
				replies: customsearchtest.Replies{"": reply},
				stdout: found("Allowed Site", "https://allowed.com/page", "Sub",
					"https://www.spam.com/"),
				queries: test.queries,
			}.check(t)
		})
	}
}

func TestFailures(t *testing.T) {
	t.Parallel()
	const rateLimit = `"Rate limit exceeded. You've used your free search quota (100/day).","error_code":"RATE_LIMIT"`
	api := func(text string) string { return `"` + text + `","error_code":"API_ERROR"` }
	network := func(reason string) string {
		return `"HTTP request failed: ` + reason + `","error_code":"NETWORK_ERROR"`
	}
	other := customsearchtest.New(t, nil) // must not be asked
	for name, test := range map[string]struct {
		reply http.HandlerFunc
		want  string
	}{
		"403 dailyLimitExceeded": {customsearchtest.JSON(403, `{"error":{"code":403,"message":"Daily Limit","errors":[{"reason":"dailyLimitExceeded"}]}}`), rateLimit},
		"429 dailyLimitExceeded": {customsearchtest.JSON(429, `{"error":{"errors":[{"reason":"dailyLimitExceeded"}]}}`), rateLimit},
		"429 quotaExceeded":      {customsearchtest.JSON(429, `{"error":{"errors":[{"reason":"quotaExceeded"}]}}`), rateLimit},
		"429 of the day": {
			customsearchtest.JSON(429,
				`{"error":{"code":429,"message":"Quota exceeded for limit 'Queries per day'","status":"RESOURCE_EXHAUSTED"}}`),
			rateLimit,
		},
		"200 with an error":      {customsearchtest.JSON(200, `{"error":{"message":"Invalid Value"}}`), api("API error (HTTP 200): Invalid Value")},
		"429 of another kind":    {customsearchtest.JSON(429, `{"error":{"message":"Slow down"}}`), api("API error (HTTP 429): Slow down")},
		"429 without a body":     {customsearchtest.JSON(429, ``), api("API request failed with HTTP 429")},
		"400 with a message":     {customsearchtest.JSON(400, `{"error":{"message":"Bad Request"}}`), api("API error (HTTP 400): Bad Request")},
		"403 with a message":     {customsearchtest.JSON(403, `{"error":{"errors":[{"message":"Forbidden"}]}}`), api("API error (HTTP 403): Forbidden")},
		"500 without a message":  {customsearchtest.JSON(500, `{"other":"data"}`), api("API request failed with HTTP 500")},
		"a message of 600 bytes": {customsearchtest.JSON(400, `{"error":{"message":"`+strings.Repeat("x", 600)+`"}}`), api("API error (HTTP 400): " + strings.Repeat("x", 511-22))},
		"a message with the key": {customsearchtest.EchoInError, api("API error (HTTP 400): /customsearch/v1?key=REDACTED&cx=REDACTED&q=test&num=10&start=1 has key REDACTED")},
		"not JSON":               {customsearchtest.JSON(200, `not valid json`), api("Failed to parse API response")},
		"JSON cut short":         {customsearchtest.JSON(200, `{"items":[{"title":"t","li`), api("Failed to parse API response")},
		"a page of HTML":         {customsearchtest.HTML(200), api("Failed to parse API response")},
		"an error page":          {customsearchtest.HTML(503), api("API request failed with HTTP 503")},
		"5 MB":                   {customsearchtest.Large(200, 5<<20), api("Failed to parse API response: it is larger than 1048576 bytes")},
		"5 MB of error":          {customsearchtest.Large(500, 5<<20), api("API request failed with HTTP 500")},
		"16 MB when unpacked":    {customsearchtest.Bomb(16 << 20), api("Failed to parse API response: it is larger than 1048576 bytes")},
		"a redirect":             {customsearchtest.Redirect(other.URL), api("API request failed with HTTP 302")},
		"reset":                  {customsearchtest.Reset, network("connection reset")},
		"reset in the body":      {customsearchtest.ResetInBody, network("connection reset")},
		"closed":                 {customsearchtest.Silent, network("connection closed before the reply was complete")},
		"closed in the body":     {customsearchtest.CutShort, network("connection closed before the reply was complete")},
		"not HTTP":               {customsearchtest.NotHTTP, network("no valid reply from the server")},
		"not what gzip reads":    {customsearchtest.CorruptGzip, network("no valid reply from the server")},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			invocation{
				stdin:   `{"query":"test"}`,
				replies: customsearchtest.Replies{"": test.reply},
				stdout:  `{"success":false,"error":` + test.want + `}`,
				queries: []string{"q=test&num=10&start=1"},
			}.check(t)
		})
	}
}

// TestServersThatDoNotAnswerAreGivenUp is about one call without an answer and one with half of it.
func TestServersThatDoNotAnswerAreGivenUp(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("takes 10 seconds")
	}
	google := customsearchtest.New(t, customsearchtest.Replies{
		"a": customsearchtest.Hang,
		"b": customsearchtest.HangInBody,
	})
	input := `{"query":"test","allowed_domains":["a","b"]}`
	start := time.Now()
	stdout, stderr, code := runBinary(t, nil, input, invocation{}.environment(t, google.URL))
	const want = `{"success":false,"error":"HTTP request failed: timed out","error_code":"NETWORK_ERROR"}` +
		"\n"
	if stdout != want || stderr != "" || code != 0 {
		t.Errorf("exit code %d, standard output %q, standard error %q", code, stdout, stderr)
	}
	if took := time.Since(start); took > 20*time.Second {
		t.Errorf("took %v; programs that run the tool wait 30 seconds", took)
	}
	if got := len(google.Queries()); got != 2 {
		t.Errorf("%d calls", got)
	}
}

func TestAServerThatDoesNotListenIsAnError(t *testing.T) {
	t.Parallel()
	closed := httptest.NewServer(http.NotFoundHandler())
	closed.Close()
	invocation{
		baseURL: closed.URL, stdin: `{"query":"test","allowed_domains":["a","b"]}`,
		stdout: `{"success":false,"error":"HTTP request failed: connection refused","error_code":"NETWORK_ERROR"}`,
	}.check(t)
}

// Package net/http would log what a server sends without being asked on a connection that it keeps.
func TestAServerThatKeepsTalkingLeavesStandardErrorEmpty(t *testing.T) {
	t.Parallel()
	invocation{
		stdin:   `{"query":"test","allowed_domains":["a","b","c","d","e","f","g","h","i","j"]}`,
		replies: customsearchtest.Replies{"": customsearchtest.Unsolicited},
		stdout:  nothingFound,
		queries: strings.Split(strings.TrimSuffix(strings.Repeat("q=test&num=1&start=1&siteSearch=X&siteSearchFilter=i,",
			10),
			","),
			","),
	}.withSites("abcdefghij").check(t)
}

// withSites puts the letters of sites in the place of the X in each of the queries.
func (i invocation) withSites(sites string) invocation {
	for at, site := range strings.Split(sites, "") {
		i.queries[at] = strings.Replace(i.queries[at], "X", site, 1)
	}
	return i
}

func TestAResultWithTheKeyIsBlankedOut(t *testing.T) {
	t.Parallel()
	invocation{
		stdin:   `{"query":"test"}`,
		replies: customsearchtest.Replies{"": customsearchtest.EchoInResult},
		stdout:  `{"success":true,"results":[{"title":"REDACTED","url":"http://a.example/customsearch/v1?key=REDACTED&cx=REDACTED&q=test&num=10&start=1","snippet":"cx is REDACTED"}],"count":1}`,
		queries: []string{"q=test&num=10&start=1"},
	}.check(t)
}

// TestAServerWithHTTP2 is about what a search of the web goes over: TLS and HTTP/2. GODEBUG makes
// package net/http log the requests with the key, which must not reach standard error.
func TestAServerWithHTTP2(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("SSL_CERT_FILE sets the trusted certificates on Linux only")
	}
	server := httptest.NewUnstartedServer(
		http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			items(t, r.Proto, "u")(w, r)
		}))
	server.EnableHTTP2 = true
	server.StartTLS()
	t.Cleanup(server.Close)
	certificates := filepath.Join(t.TempDir(), "trusted.pem")
	block := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	if err := os.WriteFile(certificates, block, 0o600); err != nil {
		t.Fatal(err)
	}
	stdout, stderr, code := runBinary(t, nil, `{"query":"test"}`, map[string]string{
		"GOOGLE_SEARCH_API_KEY": apiKey, "GOOGLE_SEARCH_ENGINE_ID": engineID,
		"GOOGLE_SEARCH_BASE_URL": server.URL,
		"SSL_CERT_FILE":          certificates,
		"GODEBUG":                "http2debug=2",
	})
	if code != 0 || stdout != found("HTTP/2.0", "u")+"\n" || stderr != "" {
		t.Errorf("exit code %d, standard output %q, standard error %q", code, stdout, stderr)
	}
}
