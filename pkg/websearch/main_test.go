package websearch_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/gemwire/gemwire/internal/test/customsearchtest"
	"github.com/gemwire/gemwire/pkg/websearch"
	"go.uber.org/goleak"
)

// TestMain also checks that no search leaks a goroutine.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const (
	apiKey   = "AIza/Secret+Key=42"
	engineID = "0123456789:engine"
)

// newClient returns a client with both credentials that calls a fake server.
func newClient(t *testing.T, google *customsearchtest.Double,
	opts ...websearch.Option) *websearch.Client {
	t.Helper()
	opts = append([]websearch.Option{websearch.WithBaseURL(google.URL)}, opts...)
	client, err := websearch.New(websearch.NewCredentials(apiKey, engineID), opts...)
	if err != nil {
		t.Fatal(err)
	}
	return client
}

// failureOf returns err as an error of this package.
func failureOf(t *testing.T, err error) *websearch.Error {
	t.Helper()
	failure, ok := errors.AsType[*websearch.Error](err)
	if !ok {
		t.Fatalf("got %#v, want a *websearch.Error", err)
	}
	return failure
}

// page is a reply with items that have the given links, and titles like them.
func page(links ...string) string {
	out := `{"kind": "customsearch#search", "items": [`
	for i, link := range links {
		if i > 0 {
			out += ","
		}
		out += fmt.Sprintf(`{"title": %q, "link": %q, "snippet": %q, "displayLink": "x"}`,
			"Page "+link, link, "about "+link)
	}
	return out + `]}`
}

func urls(response *websearch.Response) []string {
	out := []string{}
	for _, result := range response.Results {
		out = append(out, result.URL)
	}
	return out
}
