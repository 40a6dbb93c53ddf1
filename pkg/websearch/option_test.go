package websearch_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/gemwire/gemwire/internal/test/customsearchtest"
	"github.com/gemwire/gemwire/pkg/websearch"
)

func TestBaseURLsThatWouldShowTheKeyAreRefused(t *testing.T) {
	t.Parallel()
	const (
		notAbsolute = "the base URL is not an absolute URL"
		notSafe     = "the base URL must be https, or http on a loopback address"
		tooMuch     = "the base URL must have no user, query or fragment"
	)
	for baseURL, want := range map[string]string{
		"":                                    "",
		"https://proxy.example":               "",
		"https://proxy.example:8443/google/":  "",
		"http://127.0.0.1:8080":               "",
		"http://127.9.9.9":                    "",
		"http://[::1]:8080":                   "",
		"http://[::ffff:127.0.0.1]":           "",
		"http://localhost:8080":               "",
		"http://LOCALHOST":                    "",
		"http://proxy.localhost":              "",
		"http://localhost.:8080":              "",
		"http://customsearch.googleapis.com":  notSafe,
		"http://10.0.0.1":                     notSafe,
		"http://localhost.example":            notSafe,
		"http://127.0.0.1.example":            notSafe,
		"ftp://127.0.0.1":                     notSafe,
		"127.0.0.1:8080":                      notAbsolute,
		"localhost:8080":                      notAbsolute,
		"/relative":                           notAbsolute,
		"https:opaque":                        notAbsolute,
		"https://":                            notAbsolute,
		"https://a b/":                        notAbsolute,
		"https://user:secret@proxy.example":   tooMuch,
		"https://proxy.example/?token=secret": tooMuch,
		"https://proxy.example/#secret":       tooMuch,
	} {
		t.Run(baseURL, func(t *testing.T) {
			t.Parallel()
			client, err := websearch.New(websearch.Credentials{}, websearch.WithBaseURL(baseURL))
			if want == "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			failure := failureOf(t, err)
			if client != nil || failure.Code != websearch.CodeNetworkError ||
				failure.Message != "Failed to initialize HTTP client: "+want {
				t.Errorf("got %v", failure)
			}
			if strings.Contains(failure.Message, "secret") {
				t.Error("the text holds what the URL held")
			}
		})
	}
}

func TestRequestsGoToTheBaseURL(t *testing.T) {
	t.Parallel()
	for baseURL, want := range map[string]string{
		"":                              "https://customsearch.googleapis.com/customsearch/v1",
		"https://proxy.example":         "https://proxy.example/customsearch/v1",
		"https://proxy.example/google/": "https://proxy.example/google/customsearch/v1",
		"https://proxy.example/a%2Fb":   "https://proxy.example/a%2Fb/customsearch/v1",
		"http://[::1]:8080":             "http://[::1]:8080/customsearch/v1",
	} {
		var got string
		client, err := websearch.New(websearch.NewCredentials(apiKey, engineID),
			websearch.WithBaseURL(baseURL),
			websearch.WithHTTPClient(nil),
			websearch.WithHTTPClient(&http.Client{Transport: transport(func(r *http.Request) (*http.Response,
				error) {
				if deadline, ok := r.Context().Deadline(); !ok ||
					time.Until(deadline) > 10*time.Second {
					t.Error("a request without the default timeout")
				}
				got, _, _ = strings.Cut(r.URL.String(), "?")
				return reply(200, page()), nil
			})}))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := client.Search(t.Context(), websearch.Request{Query: "test"}); err != nil ||
			got != want {
			t.Errorf("%q: %s, %v", baseURL, got, err)
		}
	}
}

func TestTheLargestReplyIsReadWhole(t *testing.T) {
	t.Parallel()
	body := page("https://a.com/")
	google := customsearchtest.New(t,
		customsearchtest.Replies{"": customsearchtest.JSON(200, body)})
	size := int64(len(body))
	for limit, want := range map[int64]bool{size: true, size - 1: false, 0: true, -1: true} {
		_, err := newClient(t, google, websearch.WithMaxBodySize(limit)).Search(t.Context(),
			websearch.Request{Query: "test"})
		if (err == nil) != want {
			t.Errorf("limit %d: %v", limit, err)
		}
	}
}

func TestATimeoutOfNothingIsTheDefault(t *testing.T) {
	t.Parallel()
	google := customsearchtest.New(t,
		customsearchtest.Replies{"": customsearchtest.JSON(200, page())})
	for _, timeout := range []time.Duration{0, -time.Second} {
		if _, err := newClient(t, google, websearch.WithTimeout(timeout)).Search(t.Context(),
			websearch.Request{Query: "test"}); err != nil {
			t.Errorf("%v: %v", timeout, err)
		}
	}
}
