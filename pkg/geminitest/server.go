package geminitest

import (
	"net/http"
	"testing"

	"github.com/gemwire/gemwire/pkg/fakegemini"
	"github.com/gemwire/gemwire/pkg/gemini"
)

// Server is a fake server of one test. [NewServer] makes a Server. It is safe for concurrent use.
// The test fails if it uses the server after it is closed. The zero value has no test to fail and
// cannot be used.
type Server struct {
	*fakegemini.Server
	t          testing.TB
	mustUseAll bool // fixtures, at the end of the test
}

// NewServer returns a server that closes itself when the test ends. It opens no port and starts no
// goroutine before the first call of [Server.URL] or [Server.HTTPClient], so hundreds of parallel
// tests can each have a server.
//
// In a bubble of testing/synctest, make the server within the bubble and use its HTTPClient. A
// goroutine that waits for a network is not durably blocked for synctest, so a bubble that uses the
// URL would never end.
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

// end closes the server, and checks that the script was used if the test asked for that.
func (s *Server) end() {
	s.t.Helper()
	s.Close()
	if s.mustUseAll && !s.t.Failed() {
		s.AssertScriptUsed()
	}
}

// AddFixtures appends fixtures to the server's fixtures, for later requests.
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

// HTTPClient returns an HTTP client that sends every request to this server, whatever its address,
// also https. Its connections are within the process, so it works in a bubble of testing/synctest.
func (s *Server) HTTPClient() *http.Client {
	s.t.Helper()
	if err := s.Err(); err != nil {
		s.t.Fatal(err)
	}
	return s.Server.HTTPClient()
}

// Client returns a client of the server, with a valid key. It uses the connections of
// [Server.HTTPClient]. The caller's options override these settings.
func (s *Server) Client(opts ...gemini.ClientOption) *gemini.Client {
	s.t.Helper()
	client, err := s.NewClient(opts...)
	if err != nil {
		s.t.Fatal(err)
	}
	return client
}
