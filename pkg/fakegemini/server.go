package fakegemini

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync"

	"github.com/gemwire/gemwire/pkg/fakegemini/internal/memorynet"
	"github.com/gemwire/gemwire/pkg/gemini"
)

// Server is a fake server on loopback and within the process. [Start] makes a Server. It is safe
// for concurrent use. The zero value answers nothing: its methods return an error, and its HTTP
// client fails.
type Server struct {
	*Handler

	mu sync.Mutex
	// loopback listens on a port at url, after the first call of URL.
	loopback *listening
	url      string
	// memory listens within the process, and client reaches it, after the first call of HTTPClient.
	memory *listening
	client *http.Client
	closed bool
}

// Start returns a server that the caller must close. The first call of [Server.URL] opens its port.
//
// Start returns an error if a script or cassette of the options is invalid.
func Start(opts ...Option) (*Server, error) {
	handler, err := NewHandler(opts...)
	if err != nil {
		return nil, err
	}
	return &Server{Handler: handler}, nil
}

// The errors of an unusable server.
var (
	errClosed  = errors.New("fakegemini: the server is closed")
	errNotMade = errors.New("fakegemini: the server was not made by Start")
)

// URL returns the address of the server on loopback, such as http://127.0.0.1:40123, without a
// slash at the end. The first call opens the port. URL returns an error if the server is closed or
// cannot listen.
func (s *Server) URL() (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.unusable(); err != nil {
		return "", err
	}
	if s.loopback == nil {
		listener, err := new(net.ListenConfig).Listen(context.Background(), "tcp", "127.0.0.1:0")
		if err != nil {
			return "", fmt.Errorf("fakegemini: %w", err)
		}
		s.loopback, s.url = serve(listener, s), "http://"+listener.Addr().String()
	}
	return s.url, nil
}

// HTTPClient returns an HTTP client that sends every request to this server, whatever its address,
// also https. Connections are within the process, so the client works in a bubble of
// testing/synctest, and in a program whose addresses cannot be changed. After the server is closed,
// its requests fail.
func (s *Server) HTTPClient() *http.Client {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch err := s.unusable(); {
	case s.client != nil:
	case err != nil:
		s.client = clientDialling(func(context.Context, string, string) (net.Conn,
			error) {
			return nil, err
		})
	default:
		s.listenInMemory()
	}
	return s.client
}

// NewClient returns a client of the server, with a valid key. Its connections are within the
// process, like those of HTTPClient. The caller's options override these settings. It returns an
// error for invalid options, and if the server is closed.
func (s *Server) NewClient(opts ...gemini.ClientOption) (*gemini.Client, error) {
	if err := s.Err(); err != nil {
		return nil, err
	}
	key := "a key for tests"
	if len(s.keys) > 0 {
		key = s.keys[0].Reveal()
	}
	return gemini.NewClient(append([]gemini.ClientOption{
		gemini.WithAPIKey(key),
		gemini.WithBaseURL(geminiAPI),
		gemini.WithHTTPClient(s.HTTPClient()),
	}, opts...)...)
}

// Close ends all connections and waits for the requests in flight. It may be called more than once.
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
	for _, l := range []*listening{s.memory, s.loopback} {
		if l != nil {
			l.close()
		}
	}
}

// Err returns why the server is unusable, for example because it is closed. It returns nil for a
// usable server.
func (s *Server) Err() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.unusable()
}

// unusable is Err for callers that hold the lock.
func (s *Server) unusable() error {
	switch {
	case s.Handler == nil:
		return errNotMade
	case s.closed:
		return errClosed
	default:
		return nil
	}
}

// listenInMemory speaks HTTP over pipes. It uses plain pipes for https addresses too, because the
// connection cannot be intercepted.
func (s *Server) listenInMemory() {
	listener := memorynet.Listen()
	s.memory = serve(listener, s)
	s.client = clientDialling(func(ctx context.Context, _, _ string) (net.Conn,
		error) {
		return listener.Dial(ctx)
	})
}

// clientDialling returns a client of connections within the process. Compression would save nothing
// there, so it is off unless a caller asks for it.
func clientDialling(dial func(ctx context.Context, network, address string) (net.Conn,
	error)) *http.Client {
	return &http.Client{Transport: &http.Transport{
		DialContext: dial, DialTLSContext: dial, MaxIdleConnsPerHost: 100, DisableCompression: true,
	}}
}
