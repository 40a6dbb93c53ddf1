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

	"github.com/gemwire/gemwire/pkg/gateway"
)

// kilobyte is a request of about 1 KB.
var kilobyte = `{"model":"gemini-2.5-flash","messages":[{"role":"system","content":"You are brief."},{"role":"user","content":"` + strings.Repeat("some words ", 85) + `"}]}`

// fixedUpstream answers each request at once with 1 KB, or with a stream of chunks.
func fixedUpstream(chunks int) http.Handler {
	whole := []byte(`{"candidates":[{"content":{"role":"model","parts":[{"text":"` + strings.Repeat("more words ", 70) + `"}]},"finishReason":"STOP","index":0}],"usageMetadata":{"promptTokenCount":200,"candidatesTokenCount":150,"totalTokenCount":350},"modelVersion":"gemini-2.5-flash","responseId":"abcdefgh"}`)
	chunk := []byte(`data: {"candidates":[{"content":{"role":"model","parts":[{"text":"a few words of an answer "}]},"index":0}],"usageMetadata":{"promptTokenCount":200,"totalTokenCount":200},"modelVersion":"gemini-2.5-flash","responseId":"abcdefgh"}` + "\n\n")
	last := []byte(`data: {"candidates":[{"content":{"role":"model","parts":[{"text":"."}]},"finishReason":"STOP","index":0}],"usageMetadata":{"promptTokenCount":200,"candidatesTokenCount":150,"totalTokenCount":350},"modelVersion":"gemini-2.5-flash","responseId":"abcdefgh"}` + "\n\n")
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
		Service: gateway.GeminiAPI, BaseURL: upstream.URL, Accounts: []gateway.Account{gateway.KeyAccount("one", "key-of-one")},
	}))
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(handler.Close)
	server := httptest.NewServer(handler)
	b.Cleanup(server.Close)
	return server
}

// BenchmarkWholeAnswer compares an answer of 1 KB by the gateway with one that a proxy passes on, and one from the
// upstream itself.
func BenchmarkWholeAnswer(b *testing.B) { benchmarkAnswers(b, chatPath, kilobyte, 0) }

// BenchmarkStream does so for a stream of 100 chunks.
func BenchmarkStream(b *testing.B) { benchmarkAnswers(b, chatPath, streamed(kilobyte), 100) }

func benchmarkAnswers(b *testing.B, path, body string, chunks int) {
	upstream := httptest.NewServer(fixedUpstream(chunks))
	b.Cleanup(upstream.Close)
	native := upstream.URL + nativeWhole
	if chunks > 0 {
		native = upstream.URL + nativeSSE
	}
	b.Run("gateway", func(b *testing.B) { benchmarkPosts(b, benchmarkedGateway(b, upstream).URL+path, body) })
	b.Run("proxy", func(b *testing.B) {
		if chunks > 0 {
			b.Skip("ReverseProxy breaks streams whose chunks come as fast as these")
		}
		target, _ := url.Parse(upstream.URL)
		proxy := httputil.NewSingleHostReverseProxy(target)
		proxy.Transport = &http.Transport{MaxIdleConnsPerHost: 1000}
		server := httptest.NewServer(proxy)
		b.Cleanup(server.Close)
		benchmarkPosts(b, strings.Replace(native, upstream.URL, server.URL, 1), body)
	})
	b.Run("direct", func(b *testing.B) { benchmarkPosts(b, native, body) })
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

// BenchmarkConversion is the gateway's own share of an answer: both connections are memory.
func BenchmarkConversion(b *testing.B) {
	for name, body := range map[string]string{"whole": kilobyte, "stream of 100": streamed(kilobyte)} {
		b.Run(name, func(b *testing.B) {
			upstream := fixedUpstream(100)
			handler, err := gateway.New(gateway.WithUpstream(gateway.Upstream{
				Service: gateway.GeminiAPI, HTTPClient: direct{upstream}, Accounts: []gateway.Account{gateway.KeyAccount("one", "key-of-one")},
			}))
			if err != nil {
				b.Fatal(err)
			}
			defer handler.Close()
			b.ReportAllocs()
			for b.Loop() {
				request, _ := http.NewRequestWithContext(context.Background(), http.MethodPost, chatPath, strings.NewReader(body))
				handler.ServeHTTP(&discarding{header: http.Header{}}, request)
			}
		})
	}
}

// direct is a handler as what sends requests.
type direct struct{ handler http.Handler }

func (d direct) Do(r *http.Request) (*http.Response, error) {
	answer := &kept{header: http.Header{}}
	d.handler.ServeHTTP(answer, r)
	return &http.Response{StatusCode: 200, Header: answer.header, Body: io.NopCloser(&answer.body), ContentLength: -1}, nil
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
