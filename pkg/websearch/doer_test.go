package websearch_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/pkg/websearch"
)

// doerFunc is a Doer that is not an *http.Client.
type doerFunc func(*http.Request) (*http.Response, error)

func (f doerFunc) Do(request *http.Request) (*http.Response, error) { return f(request) }

func TestAnyDoerSendsTheRequests(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		do   doerFunc
		want string // of the error, "" for none
	}{
		"one that answers":         {func(*http.Request) (*http.Response, error) { return reply(200, page("https://a.com/")), nil }, ""},
		"one that panics":          {func(*http.Request) (*http.Response, error) { panic("a Doer of the caller's") }, "NETWORK_ERROR"},
		"one that returns nothing": {func(*http.Request) (*http.Response, error) { return nil, nil }, "NETWORK_ERROR"},
	} {
		client, err := websearch.New(websearch.NewCredentials(apiKey, engineID),
			websearch.WithHTTPClient(tt.do))
		if err != nil {
			t.Fatal(err)
		}
		response, err := client.Search(t.Context(), websearch.Request{Query: "test"})
		if failure, ok := errors.AsType[*websearch.Error](err); tt.want != "" &&
			(!ok || !strings.Contains(failure.Error(), tt.want)) ||
			tt.want == "" && (err != nil || len(response.Results) != 1) {
			t.Errorf("%s: %v, %v", name, response, err)
		}
	}
}
