package clients_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

// server is an endpoint of OpenAI's API on the loopback interface that plays back what it was
// given.
type server struct {
	*httptest.Server

	mu      sync.Mutex
	answers map[string]recorded
}

// recorded is one answer in both forms.
type recorded struct {
	stream     []byte
	completion []byte
}

// newServer starts a server that stops with the test.
func newServer(t *testing.T) *server {
	t.Helper()
	s := &server{answers: map[string]recorded{}}
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	return s
}

// play returns the base URL under which a client gets an answer.
func (s *server) play(name string, r recorded) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	path := "/" + strings.NewReplacer("/", "-", " ", "-").Replace(name)
	s.answers[path+"/chat/completions"], s.answers[path+"/responses"] = r, r
	return s.URL + path
}

// ServeHTTP answers in the form that the request asks for. Each event of a stream is flushed.
func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	answer, known := s.answers[r.URL.Path]
	s.mu.Unlock()
	var request struct{ Stream bool }
	if err := json.NewDecoder(r.Body).Decode(&request); err != nil || !known ||
		r.Method != http.MethodPost {
		http.Error(w, "no such answer", http.StatusNotFound)
		return
	}
	if !request.Stream {
		w.Header().Set("Content-Type", "application/json")
		w.Write(answer.completion)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	for event := range strings.SplitAfterSeq(string(answer.stream), "\n\n") {
		w.Write([]byte(event))
		w.(http.Flusher).Flush()
	}
}
