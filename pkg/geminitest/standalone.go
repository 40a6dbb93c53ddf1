package geminitest

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"

	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/geminitest/internal/memorynet"
)

// StandaloneServer is a fake server of a program that is no test. It is made by [Start] and safe for concurrent use. The
// zero value answers nothing: its URL is "", and its clients fail with an error that says so.
type StandaloneServer struct {
	*Handler
	settings *settings

	mu sync.Mutex
	// loopback listens on a port, from the first call of URL on.
	loopback *httptest.Server
	// memory listens within the process, and client reaches it, from the first call of HTTPClient on.
	memory *httptest.Server
	client *http.Client
	closed bool
}

// Start returns a server for a program that is no test, such as an example or a command that works without a key. The
// caller closes it. Like that of [NewServer] it opens no port before it is asked for its URL.
//
// It fails when a script or cassette of the options cannot be used.
func Start(opts ...Option) (*StandaloneServer, error) {
	s := &StandaloneServer{}
	handler, err := NewHandler(append(opts[:len(opts):len(opts)], func(all *settings) { s.settings = all })...)
	if err != nil {
		return nil, err
	}
	s.Handler = handler
	return s, nil
}

// errClosed is what a closed server says in place of listening again, and errNotMade what the zero value says.
var (
	errClosed  = errors.New("geminitest: the server is closed")
	errNotMade = errors.New("geminitest: the server was not made by NewServer or Start")
)

// URL returns the address of the server on loopback, such as http://127.0.0.1:40123, without a slash at the end. Of a
// closed server it is the one that it had, where nothing listens any more, and "" if it had none.
func (s *StandaloneServer) URL() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.loopback == nil {
		if s.unusable() != nil {
			return ""
		}
		s.loopback = httptest.NewServer(s)
	}
	return s.loopback.URL
}

// HTTPClient returns a client of HTTP that reaches this server under every address, also https ones, and nothing
// else. Connections are within the process, so the client works in a bubble of testing/synctest, and in a program
// that names no address at all. When the server is closed, its requests fail.
func (s *StandaloneServer) HTTPClient() *http.Client {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch err := s.unusable(); {
	case s.client != nil:
	case err != nil:
		s.client = clientDialling(func(context.Context, string, string) (net.Conn, error) { return nil, err })
	default:
		s.listenInMemory()
	}
	return s.client
}

// NewClient returns a client of the server, with a key that it takes. Its connections are within the process, as those
// of HTTPClient; options of the caller come after these and win. It fails for options that make no sense, and when the
// server is closed.
func (s *StandaloneServer) NewClient(opts ...gemini.Option) (*gemini.Client, error) {
	if err := s.failure(); err != nil {
		return nil, err
	}
	key := "a key for tests"
	if keys := s.settings.keys; len(keys) > 0 {
		key = keys[0].Reveal()
	}
	return gemini.NewClient(append([]gemini.Option{
		gemini.WithAPIKey(key),
		gemini.WithBaseURL(geminiAPI),
		gemini.WithHTTPClient(s.HTTPClient()),
	}, opts...)...)
}

// Close ends all connections and waits until no request is being answered. It may be called more than once.
func (s *StandaloneServer) Close() {
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

// failure returns why the server cannot be used, nil when it can.
func (s *StandaloneServer) failure() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.unusable()
}

// unusable is failure for who holds the lock.
func (s *StandaloneServer) unusable() error {
	switch {
	case s.Handler == nil:
		return errNotMade
	case s.closed:
		return errClosed
	default:
		return nil
	}
}

// listenInMemory speaks HTTP over pipes. An https address is dialled like any other: there is nobody to hide from.
func (s *StandaloneServer) listenInMemory() {
	listener := memorynet.Listen()
	s.memory = &httptest.Server{Listener: listener, Config: &http.Server{Handler: s}}
	s.memory.Start()
	s.client = clientDialling(func(ctx context.Context, _, _ string) (net.Conn, error) { return listener.Dial(ctx) })
}

// clientDialling returns a client of connections within the process. Compression would spare nothing there, and is left to
// those who ask for it.
func clientDialling(dial func(ctx context.Context, network, address string) (net.Conn, error)) *http.Client {
	return &http.Client{Transport: &http.Transport{
		DialContext: dial, DialTLSContext: dial, MaxIdleConnsPerHost: 100, DisableCompression: true,
	}}
}
