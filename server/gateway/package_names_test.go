package gateway_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/server/gateway"
)

// packageName finds the package prefix of Go's errors, which does not help clients.
var packageName = regexp.MustCompile(`\b(gateway|gemini|openai|anthropic|responses|messages|request|normalize|upstream|chatupstream|history|background|responsestore|transform|envelope|clientkey|json|jsontext|bufio|io|net|http|strconv|url|tls|context): `)

// faultyAnswer answers every request with one body.
type faultyAnswer struct {
	status      int
	contentType string
	body        string
	err         error
}

func (a faultyAnswer) Do(*http.Request) (*http.Response, error) {
	if a.err != nil {
		return nil, a.err
	}
	return &http.Response{StatusCode: a.status,
		Header: http.Header{"Content-Type": {a.contentType}}, Body: io.NopCloser(
			strings.NewReader(a.body)), ContentLength: -1}, nil
}

func TestNoMessageHasTheNameOfAPackage(t *testing.T) {
	t.Parallel()
	const part = `{"candidates":[{"content":{"role":"model","parts":[{"text":"a"}]}}]}`
	requests := map[string]string{
		chatPath:       hello,
		responsesPath:  `{"model":"gemini-2.5-flash","input":"hello"}`,
		messagesPath:   `{"model":"gemini-2.5-flash","max_tokens":9,"messages":[{"role":"user","content":"hello"}]}`,
		nativePath:     `{"contents":[{"role":"user","parts":[{"text":"hello"}]}]}`,
		embeddingsPath: `{"model":"gemini-embedding-001","input":"hello"}`,
		"/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse": `{"contents":[{"role":"user","parts":[{"text":"hello"}]}]}`,
		"/v1/messages/count_tokens":                                     `{"model":"gemini-2.5-flash","messages":[{"role":"user","content":"hello"}]}`,
	}
	answers := map[string]faultyAnswer{
		"a page":            {status: 200, contentType: "text/html", body: "<html>please log in</html>"},
		"an error page":     {status: 502, contentType: "text/html", body: "<html>bad gateway</html>"},
		"half of an answer": {status: 200, contentType: "application/json", body: part[:40]},
		"no candidate":      {status: 200, contentType: "application/json", body: "{}"},
		"another shape":     {status: 200, contentType: "application/json", body: `{"candidates":7}`},
		"a list":            {status: 200, contentType: "application/json", body: `[1,2]`},
		"nothing":           {status: 200, contentType: "application/json"},
		"a cut stream":      {status: 200, contentType: "text/event-stream", body: "data: " + part + "\n\n"},
		"a broken event":    {status: 200, contentType: "text/event-stream", body: "data: " + part + "\n\ndata: {\"candidates\":[\n\n"},
		"an event of text":  {status: 200, contentType: "text/event-stream", body: "data: " + part + "\n\ndata: oops\n\n"},
		"an error inside":   {status: 200, contentType: "text/event-stream", body: "data: " + part + "\n\ndata: {\"error\":{\"code\":500,\"message\":\"x\"}}\n\n"},
		"no connection":     {err: io.ErrUnexpectedEOF},
	}
	for name, answer := range answers {
		handler := newGateway(t, gateway.WithUpstream(gateway.Upstream{
			Service:  gateway.GeminiAPI,
			Accounts: []gateway.Account{gateway.KeyAccount("one", "key")}, HTTPClient: answer,
		}), gateway.WithMaxAttempts(1))
		for path, body := range requests {
			for _, body := range []string{body, streamed(body), body[:len(body)-3], `{"model":7}`,
				`[]`, ""} {
				got := cutOrWhole(handler, path, body)
				if found := packageName.FindString(got); found != "" {
					t.Errorf("%s: %s: %q\n%s\n%s", name, path, found, body, got)
				}
			}
		}
	}
}

// cutOrWhole returns an answer. The gateway may cut it off, because it does so if a native stream
// fails.
func cutOrWhole(handler http.Handler, path, body string) string {
	answer := httptest.NewRecorder()
	request := httptest.NewRequest(http.MethodPost, path, strings.NewReader(body))
	request.Header.Set("Content-Type", "application/json")
	func() {
		defer func() {
			if reason := recover(); reason != nil && reason != http.ErrAbortHandler {
				panic(reason)
			}
		}()
		handler.ServeHTTP(answer, request)
	}()
	return answer.Body.String()
}
