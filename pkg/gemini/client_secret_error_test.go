package gemini_test

import (
	"context"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/internal/redact"
	"github.com/gemwire/gemwire/pkg/gemini"
)

// byValue is an error whose text is in its fields, which package fmt prints for %d.
type byValue struct{ text string }

func (e byValue) Error() string { return e.text }

// brokenBody is a body that ends in an error.
type brokenBody struct {
	io.Reader
	err error
}

func (b *brokenBody) Read(p []byte) (int, error) {
	n, err := b.Reader.Read(p)
	if err == io.EOF {
		err = b.err
	}
	return n, err
}
func (*brokenBody) Close() error { return nil }

// quotations are errors of a Doer that quote a request.
var quotations = map[string]func(dump string) error{
	"its headers": func(dump string) error { return fmt.Errorf("dump %v", dump) },
	"a value":     func(dump string) error { return byValue{dump} },
	"within a URL": func(dump string) error {
		return &url.Error{Op: "Post", URL: "https://h.example/?q=" + dump, Err: errors.New(dump)}
	},
	"after other text": func(dump string) error { return &hidden{&url.Error{Op: "Post", URL: "u", Err: errors.New(dump)}} },
	"in a query":       func(dump string) error { return errors.New("https://h.example/?h=" + url.QueryEscape(dump)) },
	"twice encoded":    func(dump string) error { return errors.New(url.QueryEscape(fmt.Sprintf("%q", dump))) },
	"in base64":        func(dump string) error { return errors.New(base64.StdEncoding.EncodeToString([]byte(dump))) },
	"in hexadecimal":   func(dump string) error { return errors.New(hex.EncodeToString([]byte(dump))) },
}

// hidden is an error whose text does not contain its cause.
type hidden struct{ error }

func (*hidden) Error() string   { return "it failed" }
func (e *hidden) Unwrap() error { return e.error }

// ownErrors returns the errors of a tree that are not the caller's.
func ownErrors(err error) []error {
	var out []error
	switch e := err.(type) {
	case nil, byValue, *hidden, *url.Error:
		return nil
	case interface{ Unwrap() []error }:
		for _, cause := range e.Unwrap() {
			out = append(out, ownErrors(cause)...)
		}
	case interface{ Unwrap() error }:
		out = ownErrors(e.Unwrap())
	}
	if strings.Contains(fmt.Sprintf("%T", err), "gemini.") ||
		strings.Contains(fmt.Sprintf("%T", err), "gemwire") ||
		strings.Contains(fmt.Sprintf("%T", err), "eventstream.") ||
		strings.Contains(fmt.Sprintf("%T", err), "wire.") {
		out = append(out, err)
	}
	return out
}

// mustNotQuote fails for an error that contains a secret in any spelling.
func mustNotQuote(t *testing.T, err error, secrets ...string) {
	t.Helper()
	if err == nil {
		t.Error("no error")
	}
	own := ownErrors(err)
	if len(own) == 0 {
		t.Errorf("no error of ours in %T", err)
	}
	for _, e := range own {
		text := shown(e)
		for _, secret := range secrets {
			if strings.Contains(text, secret) || len(redact.Find(text, secret)) > 0 {
				t.Errorf("%T shows %s: %s", e, secret, text)
			}
		}
	}
}

// credentials are ways to give a client a credential, with its secret.
var credentials = map[string]struct {
	opts    []gemini.ClientOption
	secrets []string
}{
	"a key":             {[]gemini.ClientOption{gemini.WithAPIKey("k-secret/1+x")}, []string{"k-secret/1+x"}},
	"keys":              {[]gemini.ClientOption{gemini.WithAPIKeys("k-secret-1", "k-secret-2")}, []string{"k-secret-1", "k-secret-2"}},
	"a token":           {[]gemini.ClientOption{gemini.WithTokenSource(oneToken("t-secret"))}, []string{"t-secret"}},
	"a header":          {[]gemini.ClientOption{gemini.WithoutCredentials(), gemini.WithHeader("x-goog-api-key", "h-secret")}, []string{"h-secret"}},
	"a token in header": {[]gemini.ClientOption{gemini.WithoutCredentials(), gemini.WithHeader("Authorization", "Bearer h-secret")}, []string{"h-secret"}},
	"a query":           {[]gemini.ClientOption{gemini.WithoutCredentials(), gemini.WithQuery("key", "q-secret")}, []string{"q-secret"}},
}

// dumpOf is the text that a careless Doer quotes: the request, and a key of an earlier request.
func dumpOf(request *http.Request) string {
	return fmt.Sprintf("%v %v, before: k-secret-1", request.Header, request.URL.RawQuery)
}

func TestNoErrorQuotesACredentialThatADoerQuotes(t *testing.T) {
	t.Parallel()
	for credentialName, credential := range credentials {
		for name, quotation := range quotations {
			t.Run(credentialName+" "+name, func(t *testing.T) {
				t.Parallel()
				failing := gemini.DoerFunc(func(r *http.Request) (*http.Response,
					error) {
					return nil, quotation(dumpOf(r))
				})
				breaking := func(begin string) gemini.Doer {
					return gemini.DoerFunc(func(r *http.Request) (*http.Response, error) {
						reply := httpReply(200, "text/event-stream", "")
						reply.Body = &brokenBody{strings.NewReader(begin), quotation(dumpOf(r))}
						return reply, nil
					})
				}
				for _, doer := range []gemini.Doer{failing, breaking(""), breaking(`{"candi`),
					breaking("data: " + answer + "\n\n")} {
					watch := &recorder{}
					opts := append([]gemini.ClientOption{gemini.WithHTTPClient(doer),
						gemini.WithMaxAttempts(1), gemini.WithObserver(watch)}, credential.opts...)
					for _, err := range failures(t, newClient(t, opts...)) {
						mustNotQuote(t, err, credential.secrets...)
					}
					for _, told := range watch.told {
						if info, ok := told.(gemini.AttemptInfo); ok && info.Err != nil {
							mustNotQuote(t, info.Err, credential.secrets...)
						}
					}
				}
			})
		}
	}
}

// failures are the errors of several kinds of calls, without methods that the client's service does
// not have.
func failures(t *testing.T, client *gemini.Client) []error {
	t.Helper()
	_, err := client.GenerateContent(t.Context(), prompt("m"))
	out := []error{err}
	for _, err := range client.StreamGenerateContent(t.Context(), prompt("m")) {
		if err != nil {
			out = append(out, err)
		}
	}
	_, err = client.Files.Get(t.Context(), "x")
	out = append(out, err)
	_, err = client.Files.Download(t.Context(), "x", io.Discard)
	out = append(out, err)
	_, err = client.Files.Upload(t.Context(), strings.NewReader("x"), nil)
	return append(out, err)
}

func TestNoErrorQuotesACredentialThatAServerQuotes(t *testing.T) {
	t.Parallel()
	keyOf := func(r *http.Request) string {
		return r.Header.Get("X-Goog-Api-Key") +
			strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ") + r.URL.Query().Get("key")
	}
	replies := map[string]func(key string) *http.Response{
		"a message": func(key string) *http.Response {
			return httpReply(400, "application/json", fmt.Sprintf(`{"error":{"message":%q}}`, key))
		},
		"an escape": func(key string) *http.Response {
			return httpReply(400, "text/plain", url.QueryEscape(url.QueryEscape(key)))
		},
		"a status": func(key string) *http.Response {
			return httpReply(400, "application/json",
				fmt.Sprintf(`{"error":{"message":"m","status":%q}}`, key))
		},
		"a detail": func(key string) *http.Response {
			return httpReply(400, "application/json",
				fmt.Sprintf(`{"error":{"message":"m","details":[{"@type":"x/ErrorInfo","reason":%q}]}}`,
					key))
		},
		"a page":      func(key string) *http.Response { return httpReply(502, "text/html", "<title>"+key+"</title>") },
		"another key": func(string) *http.Response { return httpReply(400, "text/plain", "k-secret-2") },
		"a name": func(key string) *http.Response {
			return httpReply(200, "application/json",
				fmt.Sprintf(`{"candidates":[{"content":{"parts":[{%q:{`, key))
		},
		"a damaged part": func(key string) *http.Response {
			return httpReply(200, "application/json",
				fmt.Sprintf(`{"candidates":{"x":1,%q:{"y":01}}}`, key))
		},
		"a redirect": func(key string) *http.Response {
			out := httpReply(302, "text/html", "")
			out.Header.Set("Location",
				"https://"+url.PathEscape(strings.NewReplacer("/", "", "+", "").Replace(key))+
					".example/")
			return out
		},
		"an id": func(key string) *http.Response {
			out := httpReply(500, "text/html", "")
			out.Header.Set("X-Request-Id", key)
			out.Header.Set("X-Goog-Request-Id", key)
			return out
		},
		"a failed file": func(key string) *http.Response {
			return httpReply(200, "application/json",
				fmt.Sprintf(`{"name":"files/x","state":"FAILED","error":{"message":%q}}`, key))
		},
	}
	for credentialName, credential := range credentials {
		for name, reply := range replies {
			t.Run(credentialName+" "+name, func(t *testing.T) {
				t.Parallel()
				doer := gemini.DoerFunc(func(r *http.Request) (*http.Response,
					error) {
					return reply(keyOf(r)), nil
				})
				client := newClient(t,
					append([]gemini.ClientOption{gemini.WithHTTPClient(doer),
						gemini.WithMaxAttempts(1)}, credential.opts...)...)
				_, err := client.Files.WaitUntilActive(t.Context(), "x")
				for _, err := range append(failures(t, client), err) {
					if err != nil {
						mustNotQuote(t, err, credential.secrets...)
					}
				}
			})
		}
	}
}

// renewing is a token source that fails after its first token, and quotes the token.
type renewing struct{ calls int }

func (r *renewing) Token(context.Context) (string, error) {
	if r.calls++; r.calls == 1 {
		return "t-secret-1", nil
	}
	return "", errors.New("t-secret-1 cannot be renewed")
}

func TestNoErrorQuotesATokenThatItsSourceQuotes(t *testing.T) {
	t.Parallel()
	client := newClient(t, gemini.WithTokenSource(&renewing{}),
		gemini.WithHTTPClient(&recordingDoer{answers: []string{answer}}), gemini.WithMaxAttempts(1))
	if _, err := client.GenerateContent(t.Context(), prompt("m")); err != nil {
		t.Fatal(err)
	}
	_, err := client.GenerateContent(t.Context(), prompt("m"))
	mustNotQuote(t, err, "t-secret-1")
	if !strings.Contains(err.Error(), "REDACTED cannot be renewed") {
		t.Error(err)
	}
}

func TestTheErrorOfADoerCanBeFound(t *testing.T) {
	t.Parallel()
	client := newClient(t, gemini.WithMaxAttempts(1),
		gemini.WithHTTPClient(gemini.DoerFunc(func(r *http.Request) (*http.Response, error) {
			return nil, byValue{fmt.Sprint(r.Header)}
		})))
	_, err := client.GenerateContent(t.Context(), prompt("m"))
	own, ok := errors.AsType[byValue](err)
	if !ok || !strings.Contains(own.text, "k-secret") {
		t.Error("the caller's own error is not what it was")
	}
}
