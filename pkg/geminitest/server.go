package geminitest

import (
	"net/http"
	"testing"

	"github.com/gemwire/gemwire/pkg/gemini"
)

// Server is a fake server that a test has for itself. It is made by [NewServer] and safe for concurrent use. A test that
// uses it when it is closed fails. The zero value has no test to fail, and is of no use.
type Server struct {
	*StandaloneServer
	t testing.TB
}

// NewServer returns a server that closes itself when the test ends. It opens no port and starts no goroutine before
// it is asked for its [Server.URL] or [Server.HTTPClient], so that hundreds of parallel tests can have one each.
//
// In a bubble of testing/synctest it is made within the bubble, and reached by its HTTPClient: what waits for a
// network is not blocked in the sense of synctest, so that a bubble with a URL in it would never end.
func NewServer(t testing.TB, opts ...Option) *Server {
	t.Helper()
	standalone, err := Start(append(opts[:len(opts):len(opts)], func(all *settings) {
		if all.report == nil {
			all.report = func(text string) { t.Errorf("geminitest: %s", text) }
		}
	})...)
	if err != nil {
		t.Fatal(err)
	}
	s := &Server{StandaloneServer: standalone, t: t}
	t.Cleanup(s.end)
	return s
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
	s.t.Helper()
	s.mustBeOpen()
	return s.StandaloneServer.URL()
}

// HTTPClient is [StandaloneServer.HTTPClient] for a test.
func (s *Server) HTTPClient() *http.Client {
	s.t.Helper()
	s.mustBeOpen()
	return s.StandaloneServer.HTTPClient()
}

// Client is [StandaloneServer.NewClient] for a test, which fails in place of an error.
func (s *Server) Client(opts ...gemini.Option) *gemini.Client {
	s.t.Helper()
	client, err := s.NewClient(opts...)
	if err != nil {
		s.t.Fatal(err)
	}
	return client
}

func (s *Server) mustBeOpen() {
	s.t.Helper()
	if err := s.failure(); err != nil {
		s.t.Fatal(err)
	}
}
