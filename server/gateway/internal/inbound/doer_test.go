package inbound_test

import (
	"errors"
	"net/http"
	"testing"

	"github.com/gemwire/gemwire/internal/transporterror"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/server/gateway/internal/inbound"
)

// A program's own Doer may return neither a response nor an error, or both, like an *http.Client
// after too many redirects.
func TestAnErrorIsReturnedTogetherWithTheReply(t *testing.T) {
	t.Parallel()
	failed, odd := errors.New("the line is dead"), &http.Response{StatusCode: 299}
	for _, tc := range []struct {
		response *http.Response
		err      error
	}{{nil, nil}, {nil, failed}, {odd, failed}} {
		doer := inbound.NewDoer(gemini.DoerFunc(func(*http.Request) (*http.Response,
			error) {
			return tc.response, tc.err
		}), 1<<10)
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://127.0.0.1/",
			http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		response, err := doer.Do(request)
		if response != tc.response || !errors.Is(err, tc.err) {
			t.Errorf("%v, %v: returned %v, %v", tc.response, tc.err, response, err)
		}
		if err != nil && transporterror.Host(err) != "127.0.0.1:80" {
			t.Errorf("the host of %v is %q", err, transporterror.Host(err))
		}
	}
}

// An answer that announces a size above the limit is refused before it is read. Only the first part
// of an error body is read, because error bodies are short.
func TestAnAnswerThatSaysThatItIsTooLargeIsNotRead(t *testing.T) {
	t.Parallel()
	const limit = 1 << 10
	for status, want := range map[int]bool{200: true, 201: true, 404: false, 500: false} {
		doer := inbound.NewDoer(gemini.DoerFunc(func(*http.Request) (*http.Response, error) {
			return &http.Response{StatusCode: status, ContentLength: limit + 1, Body: http.NoBody},
				nil
		}), limit)
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://127.0.0.1/",
			http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		_, err = doer.Do(request)
		if large, ok := errors.AsType[*inbound.SizeError](err); ok != want ||
			ok && large.Limit != limit {
			t.Errorf("%d: %v", status, err)
		}
	}
}
