package geminitest

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	"github.com/gemwire/gemwire/pkg/geminitest/internal/memorynet"
)

// Server is a fake server that a test has for itself. It is made by [NewServer] and safe for concurrent use.
type Server struct {
	*Handler
	t        testing.TB // nil outside of a test
	settings *settings

	mu sync.Mutex
	// loopback listens on a port, from the first call of URL on.
	loopback *httptest.Server
	// memory listens within the process, and client reaches it, from the first call of HTTPClient on.
	memory *httptest.Server
	client *http.Client
	closed bool
}

// NewServer returns a server that closes itself when the test ends. It opens no port and starts no goroutine before
// it is asked for its [Server.URL] or [Server.HTTPClient], so that hundreds of parallel tests can have one each.
//
// In a bubble of testing/synctest it is made within the bubble, and reached by its HTTPClient: what waits for a
// network is not blocked in the sense of synctest, so that a bubble with a URL in it would never end.
func NewServer(t testing.TB, opts ...Option) *Server {
	t.Helper()
	s := &Server{t: t}
	handler, err := NewHandler(append(opts[:len(opts):len(opts)], func(all *settings) {
		if all.report == nil {
			all.report = func(text string) { t.Errorf("geminitest: %s", text) }
		}
		s.settings = all
	})...)
	if err != nil {
		t.Fatal(err)
	}
	s.Handler = handler
	t.Cleanup(s.end)
	return s
}

// Start returns a server for a program that is no test, such as an example or a command that works without a key. The
// caller closes it, and uses it no more then. Like that of [NewServer] it opens no port before it is asked for its URL.
// It has [Server.NewClient] in place of Client, and what needs a test, such as AssertCalls, is not for it.
//
// It fails when a script or cassette of the options cannot be used.
func Start(opts ...Option) (*Server, error) {
	s := &Server{}
	handler, err := NewHandler(append(opts[:len(opts):len(opts)], func(all *settings) { s.settings = all })...)
	if err != nil {
		return nil, err
	}
	s.Handler = handler
	return s, nil
}

// end closes the server, and holds the test to the script if it asked for that.
func (s *Server) end() {
	s.Close()
	if s.settings.mustUseAll && !s.t.Failed() {
		s.AssertScriptUsed()
	}
}

// URL returns the address of the server on loopback, such as http://127.0.0.1:40123, without a slash at the end.
func (s *Server) URL() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.mustBeOpen()
	if s.loopback == nil {
		s.loopback = httptest.NewServer(s)
	}
	return s.loopback.URL
}

// HTTPClient returns a client of HTTP that reaches this server under every address, also https ones, and nothing
// else. Connections are within the process, so the client works in a bubble of testing/synctest, and in a program
// that names no address at all.
func (s *Server) HTTPClient() *http.Client {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.mustBeOpen()
	if s.client == nil {
		s.listenInMemory()
	}
	return s.client
}

func (s *Server) mustBeOpen() {
	if s.t == nil {
		return
	}
	s.t.Helper()
	if s.closed {
		s.t.Fatal("geminitest: the server is closed")
	}
}

// listenInMemory speaks HTTP over pipes. An https address is dialled like any other: there is nobody to hide from.
func (s *Server) listenInMemory() {
	listener := memorynet.Listen()
	s.memory = &httptest.Server{Listener: listener, Config: &http.Server{Handler: s}}
	s.memory.Start()
	dial := func(ctx context.Context, _, _ string) (net.Conn, error) { return listener.Dial(ctx) }
	s.client = &http.Client{Transport: &http.Transport{
		DialContext:         dial,
		DialTLSContext:      dial,
		MaxIdleConnsPerHost: 100,
	}}
}

// Close ends all connections and waits until no request is being answered. A test need not call it.
func (s *Server) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return
	}
	s.closed = true
	if s.client != nil {
		s.client.CloseIdleConnections()
	}
	for _, listening := range []*httptest.Server{s.memory, s.loopback} {
		if listening != nil {
			listening.CloseClientConnections()
			listening.Close()
		}
	}
}
