package geminitest

import "github.com/gemwire/gemwire/pkg/gemini"

// Client returns a client of the server, with a key that it takes. Its connections are within the process, as those
// of [Server.HTTPClient]; options of the caller come behind these and win.
func (s *Server) Client(opts ...gemini.Option) *gemini.Client {
	s.t.Helper()
	client, err := s.NewClient(opts...)
	if err != nil {
		s.t.Fatal(err)
	}
	return client
}

// NewClient is [Server.Client] for a program that is no test: it returns the error of options that make no sense.
func (s *Server) NewClient(opts ...gemini.Option) (*gemini.Client, error) {
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
