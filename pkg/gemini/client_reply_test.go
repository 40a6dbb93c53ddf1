package gemini_test

import (
	"errors"
	"net/http"
	"testing"

	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/wire"
)

// A reply that is not an answer is described by what it is.
func TestAnInvalidAnswerIsReported(t *testing.T) {
	t.Parallel()
	compressed := string([]byte{0x0b, 0x02, 0x80, 0xff, 0xfe, 0x03, 'x'})
	for name, tc := range map[string]struct {
		status       int
		header       http.Header
		body         string
		whole        string
		stream       string // "" for the same
		isTruncation bool
	}{
		"a page without a title": {200, nil, "<html><p>Sign in</p></html>", "gemini: 200 without an answer", "", false},
		"a page of an error":     {502, nil, "<html><p>Oh</p></html>", "gemini: 502 bad gateway", "", false},
		"no content":             {204, nil, "", "gemini: generateContent: the body is empty", "gemini: streamGenerateContent: stream: truncated at byte 0 after 0 events: the body is empty", true},
		"nothing":                {200, nil, "", "gemini: generateContent: the body is empty", "gemini: streamGenerateContent: stream: truncated at byte 0 after 0 events: the body is empty", true},
		"not modified":           {304, nil, "", "gemini: 304 not modified", "", false},
		"many choices":           {300, nil, "", "gemini: 300 multiple choices", "", false},
		"a redirect":             {302, http.Header{"Location": {"https://other.example/x?key=k"}}, "", "gemini: 302: redirects are not followed: to other.example", "", false},
		"brotli":                 {200, http.Header{"Content-Encoding": {"br"}}, compressed, `gemini: 200: the body is compressed ("br"), which was not requested`, "", false},
		"an error in deflate":    {400, http.Header{"Content-Encoding": {"deflate"}}, compressed, `gemini: 400: the body is compressed ("deflate"), which was not requested`, "", false},
		"said to be compressed":  {400, http.Header{"Content-Encoding": {"gzip"}}, `{"error":{"message":"no","status":"INVALID_ARGUMENT"}}`, "gemini: 400 INVALID_ARGUMENT: no", "", false},
		"a text said to be":      {503, http.Header{"Content-Encoding": {"gzip"}}, `busy`, "gemini: 503: busy", "", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			client := newClient(t, gemini.WithMaxAttempts(1),
				gemini.WithHTTPClient(gemini.DoerFunc(func(*http.Request) (*http.Response, error) {
					reply := httpReply(tc.status, "", tc.body)
					for name, values := range tc.header {
						reply.Header[name] = values
					}
					return reply, nil
				})))
			_, err := client.GenerateContent(t.Context(), prompt("m"))
			if err == nil || err.Error() != tc.whole ||
				errors.Is(err, wire.ErrTruncated) != tc.isTruncation {
				t.Errorf("got  %v\nwant %s", err, tc.whole)
			}
			want := tc.stream
			if want == "" {
				want = tc.whole
			}
			for _, err = range client.StreamGenerateContent(t.Context(), prompt("m")) {
				continue
			}
			if err == nil || err.Error() != want ||
				errors.Is(err, wire.ErrTruncated) != tc.isTruncation {
				t.Errorf("got  %v\nwant %s", err, want)
			}
		})
	}
}
