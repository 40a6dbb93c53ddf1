// Package stalledtest tests code that reads an HTTP body when the server stops sending. It provides
// a body that never ends, and checks that the reader releases everything.
package stalledtest

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// Read calls read with the body of an answer. Only text arrives, and nothing after it. read also
// gets a function that cancels the request; then reading the body fails. Read fails the test if
// read leaves a goroutine running, or if the body is read after read has returned. It also fails if
// closing the body does not end the connection and all goroutines.
//
// It looks at all goroutines, so the test must not run in parallel with others.
func Read(t *testing.T, text string, read func(body io.Reader, cancel func())) {
	t.Helper()
	before := goleak.IgnoreCurrent()
	disconnected := make(chan struct{}) // by the client
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer close(disconnected)
		if _, err := io.WriteString(w, text); err != nil {
			t.Error(err)
		}
		if err := http.NewResponseController(w).Flush(); err != nil {
			t.Error(err)
		}
		<-r.Context().Done()
	}))
	defer server.Close()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	answer := get(ctx, t, server)

	opened := goleak.IgnoreCurrent()
	body := &guarded{t: t, body: answer.Body}
	read(body, cancel)
	body.done.Store(true)
	goleak.VerifyNone(t, opened)

	if err := answer.Body.Close(); err != nil {
		t.Error(err)
	}
	select {
	case <-disconnected:
	case <-time.After(patience):
		t.Error("the connection is still open")
	}
	server.Close()
	goleak.VerifyNone(t, before)
}

// patience is the maximum time of each step, on a slow machine.
const patience = 10 * time.Second

func get(ctx context.Context, t *testing.T, server *httptest.Server) *http.Response {
	t.Helper()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, server.URL, nil)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := server.Client().Do(request)
	if err != nil {
		t.Fatal(err)
	}
	return answer
}

// guarded fails the test if it is read too late.
type guarded struct {
	t    *testing.T
	body io.Reader
	done atomic.Bool
}

func (g *guarded) Read(p []byte) (int, error) {
	if g.done.Load() {
		g.t.Error("the body is read although its reader should have ended")
	}
	return g.body.Read(p)
}
