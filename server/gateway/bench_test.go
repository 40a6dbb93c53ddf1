package gateway_test

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/server/gateway"
)

// kilobyte is a request of about 1 KB.
var kilobyte = `{"model":"gemini-2.5-flash","messages":[{"role":"system","content":"You are brief."},{"role":"user","content":"` +
	strings.Repeat("some words ", 85) + `"}]}`

// asking is a request of about 1 KB in one of the forms. It has another path for the stream if the
// form has one.
type asking struct{ form, path, streamPath, body string }

// askings are the forms that the gateway serves in addition to Google's own, which it passes on.
var askings = []asking{
	{"chat", chatPath, chatPath, kilobyte},
	{"responses", responsesPath, responsesPath, `{"model":"gemini-2.5-flash","instructions":"You are brief.","input":"` + strings.Repeat("some words ", 85) + `"}`},
	{"messages", messagesPath, messagesPath, `{"model":"gemini-2.5-flash","max_tokens":1000,"system":"You are brief.","messages":[{"role":"user","content":"` + strings.Repeat("some words ", 85) + `"}]}`},
	{"native", nativeWhole, nativeSSE, `{"systemInstruction":{"parts":[{"text":"You are brief."}]},"contents":[{"role":"user","parts":[{"text":"` + strings.Repeat("some words ", 85) + `"}]}]}`},
}

// streamed returns the path and the body of the request for a stream.
func (a *asking) streamed() (path, body string) {
	if a.path != a.streamPath {
		return a.streamPath, a.body
	}
	return a.path, streamed(a.body)
}

// fixedUpstream answers each request at once with 1 KB, or with a stream of chunks.
func fixedUpstream(chunks int) http.Handler {
	whole := []byte(`{"candidates":[{"content":{"role":"model","parts":[{"text":"` +
		strings.Repeat("more words ", 70) +
		`"}]},"finishReason":"STOP","index":0}],"usageMetadata":{"promptTokenCount":200,"candidatesTokenCount":150,"totalTokenCount":350},"modelVersion":"gemini-2.5-flash","responseId":"abcdefgh"}`)
	chunk := []byte(`data: {"candidates":[{"content":{"role":"model","parts":[{"text":"a few words of an answer "}]},"index":0}],"usageMetadata":{"promptTokenCount":200,"totalTokenCount":200},"modelVersion":"gemini-2.5-flash","responseId":"abcdefgh"}` +
		"\n\n")
	last := []byte(`data: {"candidates":[{"content":{"role":"model","parts":[{"text":"."}]},"finishReason":"STOP","index":0}],"usageMetadata":{"promptTokenCount":200,"candidatesTokenCount":150,"totalTokenCount":350},"modelVersion":"gemini-2.5-flash","responseId":"abcdefgh"}` +
		"\n\n")
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		if !strings.Contains(r.URL.Path, ":stream") {
			w.Header().Set("Content-Type", "application/json")
			_, _ = w.Write(whole)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		for range chunks {
			_, _ = w.Write(chunk)
			w.(http.Flusher).Flush()
		}
		_, _ = w.Write(last)
	})
}

func benchmarkedGateway(b *testing.B, upstream *httptest.Server) *httptest.Server {
	b.Helper()
	handler, err := gateway.New(gateway.WithUpstream(gateway.Upstream{
		Service: gateway.GeminiAPI, BaseURL: upstream.URL,
		Accounts: []gateway.Account{gateway.KeyAccount("one", "key-of-one")},
	}))
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(handler.Close)
	server := httptest.NewServer(handler)
	b.Cleanup(server.Close)
	return server
}

// BenchmarkWholeAnswer compares three ways to get an answer of 1 KB: through the gateway in each
// form, through a proxy, and directly from the upstream.
func BenchmarkWholeAnswer(b *testing.B) {
	upstream := httptest.NewServer(fixedUpstream(0))
	b.Cleanup(upstream.Close)
	for i := range askings {
		a := &askings[i]
		b.Run(a.form, func(b *testing.B) { benchmarkPosts(b, benchmarkedGateway(b, upstream).URL+a.path, a.body) })
	}
	native := &askings[len(askings)-1]
	b.Run("proxy", func(b *testing.B) {
		target, _ := url.Parse(upstream.URL)
		proxy := httputil.NewSingleHostReverseProxy(target)
		proxy.Transport = &http.Transport{MaxIdleConnsPerHost: 1000}
		server := httptest.NewServer(proxy)
		b.Cleanup(server.Close)
		benchmarkPosts(b, server.URL+native.path, native.body)
	})
	b.Run("direct", func(b *testing.B) { benchmarkPosts(b, upstream.URL+native.path, native.body) })
}

// BenchmarkStream does the same for a stream of 100 chunks. It omits the proxy, which breaks
// streams with chunks as fast as these.
func BenchmarkStream(b *testing.B) {
	upstream := httptest.NewServer(fixedUpstream(100))
	b.Cleanup(upstream.Close)
	for i := range askings {
		path, body := askings[i].streamed()
		b.Run(askings[i].form,
			func(b *testing.B) { benchmarkPosts(b, benchmarkedGateway(b, upstream).URL+path, body) })
	}
	b.Run("direct", func(b *testing.B) {
		path, body := askings[len(askings)-1].streamed()
		benchmarkPosts(b, upstream.URL+path, body)
	})
}

func benchmarkPosts(b *testing.B, address, body string) {
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 1000}}
	b.ReportAllocs()
	for b.Loop() {
		reply, err := client.Post(address, "application/json", strings.NewReader(body))
		if err != nil {
			b.Fatal(err)
		}
		if _, err := io.Copy(io.Discard, reply.Body); err != nil || reply.StatusCode != 200 {
			b.Fatal(reply.StatusCode, err)
		}
		_ = reply.Body.Close()
	}
}

// BenchmarkConversion measures the gateway alone for an answer in each form. Both connections are
// in memory.
func BenchmarkConversion(b *testing.B) {
	for i := range askings {
		a := &askings[i]
		b.Run(a.form+"/whole", func(b *testing.B) { benchmarkConversion(b, a.path, a.body) })
		b.Run(a.form+"/stream of 100", func(b *testing.B) {
			path, body := a.streamed()
			benchmarkConversion(b, path, body)
		})
	}
}

func benchmarkConversion(b *testing.B, path, body string) {
	handler := newDirectGateway(b, direct{fixedUpstream(100)})
	b.ReportAllocs()
	for b.Loop() {
		serveDiscarding(handler, path, body)
	}
}

// newDirectGateway returns a gateway whose upstream has no network.
func newDirectGateway(tb testing.TB, upstream gemini.Doer) *gateway.Handler {
	tb.Helper()
	handler, err := gateway.New(gateway.WithUpstream(gateway.Upstream{
		Service: gateway.GeminiAPI, HTTPClient: upstream,
		Accounts: []gateway.Account{gateway.KeyAccount("one", "key-of-one")},
	}))
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(handler.Close)
	return handler
}

func serveDiscarding(handler http.Handler, path, body string) {
	request, _ := http.NewRequestWithContext(context.Background(), http.MethodPost, path,
		strings.NewReader(body))
	request.Host = "localhost"
	handler.ServeHTTP(&discarding{header: http.Header{}}, request)
}

// direct sends requests to a handler without a network.
type direct struct{ handler http.Handler }

func (d direct) Do(r *http.Request) (*http.Response, error) {
	answer := &kept{header: http.Header{}}
	d.handler.ServeHTTP(answer, r)
	return &http.Response{StatusCode: 200, Header: answer.header, Body: io.NopCloser(&answer.body),
		ContentLength: -1}, nil
}

type kept struct {
	header http.Header
	body   bytes.Buffer
}

func (k *kept) Header() http.Header                { return k.header }
func (k *kept) Write(data []byte) (int, error)     { return k.body.Write(data) }
func (*kept) WriteHeader(int)                      {}
func (*kept) Flush()                               {}
func (d *discarding) Header() http.Header          { return d.header }
func (*discarding) Write(data []byte) (int, error) { return len(data), nil }
func (*discarding) WriteHeader(int)                {}
func (*discarding) Flush()                         {}

type discarding struct{ header http.Header }

// BenchmarkRefusal measures the gateway's own cost of a request above the limit.
func BenchmarkRefusal(b *testing.B) {
	begun, end := make(chan struct{}), make(chan struct{})
	handler, err := gateway.New(gateway.WithMaxConcurrent(1), gateway.WithUpstream(gateway.Upstream{
		Service:  gateway.GeminiAPI,
		Accounts: []gateway.Account{gateway.KeyAccount("one", "key-of-one")},
		HTTPClient: gemini.DoerFunc(func(*http.Request) (*http.Response, error) {
			close(begun)
			<-end
			return nil, io.ErrUnexpectedEOF
		}),
	}), gateway.WithMaxAttempts(1))
	if err != nil {
		b.Fatal(err)
	}
	ask := func() *httptest.ResponseRecorder {
		r := httptest.NewRequest(http.MethodPost, "http://localhost"+chatPath,
			strings.NewReader(kilobyte))
		r.Header.Set("Content-Type", "application/json")
		out := httptest.NewRecorder()
		handler.ServeHTTP(out, r)
		return out
	}
	first := make(chan struct{})
	go func() { defer close(first); ask() }()
	<-begun
	b.Cleanup(func() { close(end); <-first; handler.Close() })
	b.ReportAllocs()
	for b.Loop() {
		if got := ask(); got.Code != http.StatusTooManyRequests {
			b.Fatal(got.Code, got.Body)
		}
	}
}
