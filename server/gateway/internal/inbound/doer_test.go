package inbound_test

import (
	"errors"
	"net/http"
	"testing"

	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/server/gateway/internal/inbound"
)

// A Doer that a program brings may return neither or both, as an *http.Client does behind too many redirects.
func TestAnErrorIsReturnedWithWhatCameBesideIt(t *testing.T) {
	t.Parallel()
	failed, odd := errors.New("the line is dead"), &http.Response{StatusCode: 299}
	for _, tc := range []struct {
		response *http.Response
		err      error
	}{{nil, nil}, {nil, failed}, {odd, failed}} {
		doer := inbound.NewDoer(gemini.DoerFunc(func(*http.Request) (*http.Response, error) { return tc.response, tc.err }), 1<<10)
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://127.0.0.1/", http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		if response, err := doer.Do(request); response != tc.response || err != tc.err {
			t.Errorf("%v, %v: returned %v, %v", tc.response, tc.err, response, err)
		}
	}
}
