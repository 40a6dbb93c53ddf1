package websearch_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"unicode/utf8"

	"github.com/gemwire/gemwire/pkg/websearch"
)

// FuzzReply searches with a server that returns arbitrary data. If the search succeeds, its results
// must equal the results that another JSON library reads.
func FuzzReply(f *testing.F) {
	f.Add(200, []byte(page("https://a.com/", "https://b.com/")))
	f.Add(200, []byte(`{"items": [{"title": 1, "link": "x"}, null, {"title": "t", "link": "l", "snippet": []}]}`))
	f.Add(403, []byte(`{"error": {"message": "m", "errors": [{"reason": "dailyLimitExceeded", "message": "n"}]}}`))
	f.Add(500, []byte(`{"error": {"errors": [[]]}}`))
	f.Add(200, []byte(`{"error": {"message": "key AIza%2fSecret%252BKey&#61;42"}, "items": []}`))
	f.Add(200, []byte("\uFEFF"+page(strings.Fields(strings.Repeat("https://a.com/ ", 12))...)))
	f.Add(200, []byte("{\"items\": [{\"title\": \"\xff\", \"link\": \"\\ud800\"}]}"))
	f.Fuzz(func(t *testing.T, status int, body []byte) {
		client, err := websearch.New(websearch.NewCredentials(apiKey, engineID),
			websearch.WithHTTPClient(&http.Client{
				Transport: transport(func(*http.Request) (*http.Response,
					error) {
					return reply(status, string(body)), nil
				}),
			}))
		if err != nil {
			t.Fatal(err)
		}
		response, err := client.Search(t.Context(), websearch.Request{Query: "test"})
		if err == nil {
			assertResults(t, body, response)
		} else if failure := failureOf(t, err); len(failure.Message) > 511 ||
			!utf8.ValidString(failure.Message) {
			t.Errorf("message of %d bytes: %q", len(failure.Message), failure.Message)
		}
		answer := websearch.Answer(response, err)
		if !json.Valid(answer) {
			t.Errorf("answer %q", answer)
		}
		assertNoSecret(t, string(answer))
	})
}

// assertResults compares results with the results that package encoding/json reads from the body.
func assertResults(t *testing.T, body []byte, response *websearch.Response) {
	t.Helper()
	var page map[string]any
	if err := json.Unmarshal(bytes.TrimPrefix(body, []byte("\uFEFF")), &page); err != nil {
		t.Fatalf("results of what is no JSON object: %v", err)
	}
	items, _ := page["items"].([]any)
	want := 0
	for _, item := range items {
		object, _ := item.(map[string]any)
		_, hasTitle := object["title"].(string)
		_, hasLink := object["link"].(string)
		if hasTitle && hasLink {
			want++
		}
	}
	if want = min(want, 10); len(response.Results) != want {
		t.Errorf("%d results, want %d", len(response.Results), want)
	}
}

// FuzzRequest reads arbitrary data as a request. An accepted request must equal the one that
// another JSON library reads.
func FuzzRequest(f *testing.F) {
	f.Add([]byte(`{"query": "test", "num": 5, "start": 11, "allowed_domains": ["a.com", 1], "blocked_domains": []}`))
	f.Add([]byte(`{"query": "test", "num": 5.0, "start": 1e1}`))
	f.Add([]byte(`{"query": 1}`))
	f.Add([]byte(`{"query": "test", "num": 1e999, "other": 1e999}`))
	f.Add([]byte(`[]`))
	f.Fuzz(func(t *testing.T, input []byte) {
		request, err := websearch.ParseRequest(input)
		object := objectIn(input)
		query, hasQuery := object["query"].(string)
		if malformed := errors.Is(err, websearch.ErrMalformed); malformed == hasQuery {
			t.Fatalf("malformed: %v, query: %v", malformed, hasQuery)
		}
		if err != nil {
			failureOf(t, err)
			return
		}
		if request.Query != query {
			t.Errorf("query %q, want %q", request.Query, query)
		}
		for name, number := range map[string]*int{"num": request.Num, "start": request.Start} {
			written, _ := object[name].(json.Number)
			if want, err := written.Float64(); number != nil &&
				(err != nil || want != float64(*number)) {
				t.Errorf("%s %d, want %v", name, *number, object[name])
			}
		}
		if list, _ := object["allowed_domains"].([]any); len(list) != len(request.AllowedDomains) {
			t.Errorf("%d domains, want %d", len(request.AllowedDomains), len(list))
		}
		assertCalls(t, request)
	})
}

// objectIn returns an input as an object if it is one. Numbers keep their text.
func objectIn(input []byte) map[string]any {
	if !json.Valid(input) || !utf8.Valid(input) {
		return nil
	}
	var object map[string]any
	decoder := json.NewDecoder(bytes.NewReader(input))
	decoder.UseNumber()
	if decoder.Decode(&object) != nil {
		return nil
	}
	return object
}

// assertCalls searches, and checks the calls of Google for any request.
func assertCalls(t *testing.T, request websearch.Request) {
	t.Helper()
	var calls, results atomic.Int32
	client, err := websearch.New(websearch.NewCredentials(apiKey, engineID),
		websearch.WithHTTPClient(&http.Client{
			Transport: transport(func(r *http.Request) (*http.Response, error) {
				num, err := strconv.Atoi(r.FormValue("num"))
				if err != nil || num < 1 || r.FormValue("q") != request.Query ||
					r.FormValue("key") != apiKey {
					t.Errorf("asked for %s", r.URL)
				}
				calls.Add(1)
				results.Add(int32(num))
				return reply(200, page()), nil
			}),
		}))
	if err != nil {
		t.Fatal(err)
	}
	_, err = client.Search(t.Context(), request)
	if invalid := err != nil; invalid && calls.Load() > 0 || calls.Load() > 10 ||
		results.Load() > 10 {
		t.Errorf("%d calls for %d results, %v", calls.Load(), results.Load(), err)
	}
}

// FuzzHost compares the host of an address with the host that package url finds, if it finds one.
func FuzzHost(f *testing.F) {
	f.Add("https://user@Example.com.:443/a?b#c")
	f.Add("http://[::1]:80/")
	f.Add("example.com/page")
	f.Fuzz(func(t *testing.T, address string) {
		got := websearch.HostOf(address)
		if strings.ContainsAny(got, `/?#\@`) {
			t.Errorf("host %q", got)
		}
		parsed, err := url.Parse(address)
		if err != nil || parsed.Scheme == "" || strings.ContainsAny(address, "\\% ") {
			return
		}
		want := strings.ToLower(strings.TrimSuffix(parsed.Hostname(), "."))
		if want != "" && strings.Trim(got, "[]") != strings.Trim(want, "[]") {
			t.Errorf("host %q, package url says %q", got, want)
		}
	})
}
