package fakegemini_test

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gemwire/gemwire/pkg/geminitest"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const hello = `{"contents":[{"role":"user","parts":[{"text":"Hello"}]}]}`

// post sends a body to a path of a server with its in-memory client, with the key and the token
// "secret".
func post(t *testing.T, srv *geminitest.Server, path, body string) (*http.Response, string) {
	t.Helper()
	header := http.Header{"X-Goog-Api-Key": {"secret"}, "Authorization": {"Bearer secret"}}
	return send(t, srv, path, header, body)
}

// send is post with other headers.
func send(t *testing.T, srv *geminitest.Server, path string, header http.Header,
	body string) (*http.Response, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost,
		"https://generativelanguage.googleapis.com"+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header = header
	reply, err := srv.HTTPClient().Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer reply.Body.Close()
	text, err := io.ReadAll(reply.Body)
	if err != nil {
		t.Fatal(err)
	}
	return reply, string(text)
}

func TestServerAnswersOnLoopbackAndInMemoryAlike(t *testing.T) {
	t.Parallel()
	srv := geminitest.NewServer(t)
	const path = "/v1beta/models/gemini-2.5-flash:generateContent"
	_, inMemory := post(t, srv, path, hello)
	reply, err := http.Post(srv.URL()+path+"?key=secret", "application/json",
		strings.NewReader(hello))
	if err != nil {
		t.Fatal(err)
	}
	defer reply.Body.Close()
	onLoopback, _ := io.ReadAll(reply.Body)
	if inMemory != string(onLoopback) || !strings.Contains(inMemory, `"text": `) {
		t.Errorf("in memory %s, on loopback %s", inMemory, onLoopback)
	}
}

func TestServerWorksWithinABubble(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		srv := geminitest.NewServer(t)
		begun := time.Now()
		time.Sleep(time.Hour)
		reply, _ := post(t, srv, "/v1beta/models/gemini-2.5-flash:generateContent", hello)
		if reply.StatusCode != http.StatusOK || srv.Requests()[0].Time.Sub(begun) != time.Hour {
			t.Errorf("got %s at %v", reply.Status, srv.Requests()[0].Time.Sub(begun))
		}
	})
}

func TestRequestsAreKeptWithoutKeys(t *testing.T) {
	t.Parallel()
	srv := geminitest.NewServer(t)
	post(t, srv, "/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse&key=secret", hello)
	post(t, srv, "/v1/projects/p/locations/global/publishers/google/models/gemini-3-pro:countTokens",
		hello)
	requests := srv.Requests()
	if len(requests) != 2 {
		t.Fatalf("got %d requests", len(requests))
	}
	for i, r := range requests {
		if strings.Contains(r.URL.String()+strings.Join(r.Header.Values("X-Goog-Api-Key"), ""),
			"secret") {
			t.Errorf("request %d holds the key: %s %v", i, r.URL, r.Header)
		}
		if got := *r.Content.Contents[0].Parts[0].Text; got != "Hello" || string(r.Body) != hello {
			t.Errorf("request %d: got %q in %s", i, got, r.Body)
		}
	}
	if r := requests[0]; r.Model != "gemini-2.5-flash" || r.Operation != "streamGenerateContent" ||
		!r.Stream || r.Version != "v1beta" {
		t.Errorf("got %+v", r)
	}
	if r := requests[1]; r.Model != "gemini-3-pro" || r.Operation != "countTokens" ||
		r.Version != "v1" {
		t.Errorf("got %+v", r)
	}
}
