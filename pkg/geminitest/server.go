package geminitest

import (
	"net/http"
	"testing"

	"github.com/gemwire/gemwire/pkg/fakegemini"
	"github.com/gemwire/gemwire/pkg/gemini"
)

// Server is a fake server that a test has for itself. It is made by [NewServer] and safe for
// concurrent use. A test that uses it when it is closed fails. The zero value has no test to fail,
// and is of no use.
type Server struct {
	*fakegemini.Server
	t          testing.TB
	mustUseAll bool // fixtures, at the end of the test
}

// NewServer returns a server that closes itself when the test ends. It opens no port and starts no
// goroutine before it is asked for its [Server.URL] or [Server.HTTPClient], so that hundreds of
// parallel tests can have one each.
//
// In a bubble of testing/synctest it is made within the bubble, and reached by its HTTPClient: what
// waits for a network is not blocked in the sense of synctest, so that a bubble with a URL in it
// would never end.
func NewServer(t testing.TB, opts ...Option) *Server {
	t.Helper()
	s := &Server{t: t}
	all := []Option{fakegemini.WithReport(func(text string) { t.Errorf("geminitest: %s", text) })}
	for i, opt := range opts {
		if opt == nil {
			t.Fatalf("geminitest: option %d is nil", i)
		}
		if _, ok := opt.(allFixturesUsed); ok {
			s.mustUseAll = true
		}
		all = append(all, opt)
	}
	var err error
	if s.Server, err = fakegemini.Start(all...); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.end)
	return s
}

// end closes the server, and holds the test to the script if it asked for that.
func (s *Server) end() {
	s.t.Helper()
	s.Close()
	if s.mustUseAll && !s.t.Failed() {
		s.AssertScriptUsed()
	}
}

// AddFixtures adds fixtures after those of the server, for requests that come from now on.
func (s *Server) AddFixtures(fixtures ...*Fixture) {
	s.t.Helper()
	if err := s.Server.AddFixtures(fixtures...); err != nil {
		s.t.Fatal(err)
	}
}

// URL returns the address of the server on loopback, such as http://127.0.0.1:40123, without a
// slash at the end.
func (s *Server) URL() string {
	s.t.Helper()
	url, err := s.Server.URL()
	if err != nil {
		s.t.Fatal(err)
	}
	return url
}

// HTTPClient returns a client of HTTP that reaches this server under every address, also https
// ones, and nothing else. Its connections are within the process, so it works in a bubble of
// testing/synctest.
func (s *Server) HTTPClient() *http.Client {
	s.t.Helper()
	if err := s.Err(); err != nil {
		s.t.Fatal(err)
	}
	return s.Server.HTTPClient()
}

// Client returns a client of the server, with a key that it takes. Its connections are those of
// [Server.HTTPClient]; options of the caller come after these and win.
func (s *Server) Client(opts ...gemini.ClientOption) *gemini.Client {
	s.t.Helper()
	client, err := s.NewClient(opts...)
	if err != nil {
		s.t.Fatal(err)
	}
	return client
}
