package fakegemini_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/gemwire/gemwire/pkg/fakegemini"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/geminitest"
)

func TestAClosedServerOfAProgramListensNoMore(t *testing.T) {
	t.Parallel()
	for name, use := range map[string]func(*fakegemini.Server) (url string, err error){
		"never used":      func(*fakegemini.Server) (string, error) { return "", nil },
		"used by its URL": (*fakegemini.Server).URL,
		"used by a client": func(server *fakegemini.Server) (string,
			error) {
			server.HTTPClient()
			return "", nil
		},
		"used in both ways": func(server *fakegemini.Server) (string, error) {
			server.HTTPClient()
			return server.URL()
		},
	} {
		const want = "fakegemini: the server is closed"
		server, err := fakegemini.Start()
		if err != nil {
			t.Fatal(err)
		}
		url, err := use(server)
		if err != nil {
			t.Fatal(err)
		}
		server.Close()
		server.Close()
		if _, err := server.NewClient(gemini.WithModel("gemini-3.6-flash")); err == nil ||
			err.Error() != want {
			t.Errorf("%s: NewClient: %v", name, err)
		}
		if status, err := statusOf(t, server.HTTPClient(), "https://gemini.example/"); err == nil {
			t.Errorf("%s: the client of a closed server was answered: %d", name, status)
		}
		if again, err := server.URL(); again != "" || err == nil || err.Error() != want {
			t.Errorf("%s: URL: %q, %v", name, again, err)
		}
		if url == "" {
			continue
		}
		if status, err := statusOf(t, http.DefaultClient, url); err == nil {
			t.Errorf("%s: a closed server answered: %d", name, status)
		}
	}
}

func TestCloseWaitsForRequestsInFlight(t *testing.T) {
	t.Parallel()
	entered, release := make(chan struct{}), make(chan struct{})
	server, err := fakegemini.Start(fakegemini.WithScript(fakegemini.On(fakegemini.Where(func(*fakegemini.Request) bool {
		close(entered)
		<-release
		return true
	})).Reply(fakegemini.Text("x"))))
	if err != nil {
		t.Fatal(err)
	}
	client := server.HTTPClient()
	go func() { // fails when the server closes its connection
		reply, err := client.Post("https://gemini.example"+generate+"?key=any", "application/json",
			strings.NewReader(hello))
		if err == nil {
			reply.Body.Close()
		}
	}()
	<-entered
	closed := make(chan struct{})
	go func() { server.Close(); close(closed) }()
	select {
	case <-closed:
		t.Error("the server is closed while it answers")
	case <-time.After(50 * time.Millisecond):
	}
	close(release)
	<-closed
}

// statusOf returns the status that a client gets from an address.
func statusOf(t *testing.T, client *http.Client, url string) (int, error) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	reply, err := client.Do(request)
	if err != nil {
		return 0, err
	}
	defer reply.Body.Close()
	return reply.StatusCode, nil
}

func TestAHandlerThatWasNotMadeSaysSo(t *testing.T) {
	t.Parallel()
	srv := geminitest.NewServer(t)
	srv.Handler = new(fakegemini.Handler)
	reply, text := post(t, srv, generate, hello)
	if reply.StatusCode != http.StatusBadRequest ||
		!strings.Contains(text, "the handler was not made by NewHandler") {
		t.Errorf("%s: %s", reply.Status, text)
	}
}
