package geminitest_test

import (
	"fmt"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/geminitest"
)

func TestAClosedServerOfAProgramListensNoMore(t *testing.T) {
	t.Parallel()
	for name, use := range map[string]func(*geminitest.StandaloneServer){
		"never used":        func(*geminitest.StandaloneServer) {},
		"used by its URL":   func(server *geminitest.StandaloneServer) { server.URL() },
		"used by a client":  func(server *geminitest.StandaloneServer) { server.HTTPClient() },
		"used in both ways": func(server *geminitest.StandaloneServer) { server.URL(); server.HTTPClient() },
	} {
		server, err := geminitest.Start()
		if err != nil {
			t.Fatal(err)
		}
		use(server)
		server.Close()
		server.Close()
		if _, err := server.NewClient(gemini.WithModel("gemini-3.6-flash")); err == nil || err.Error() != "geminitest: the server is closed" {
			t.Errorf("%s: NewClient: %v", name, err)
		}
		if status, err := statusOf(t, server.HTTPClient(), "https://gemini.example/"); err == nil {
			t.Errorf("%s: the client of a closed server was answered: %d", name, status)
		}
		if url := server.URL(); url != "" {
			if status, err := statusOf(t, http.DefaultClient, url); err == nil {
				t.Errorf("%s: a closed server answered: %d", name, status)
			}
		}
	}
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

// endingTest is a test of which a fatal failure ends the goroutine.
type endingTest struct{ failures }

func (e *endingTest) Fatal(args ...any) { e.Fatalf("%s", fmt.Sprint(args...)) }

func (e *endingTest) Fatalf(format string, args ...any) {
	e.Errorf(format, args...)
	runtime.Goexit()
}

func TestAClosedServerFailsItsTest(t *testing.T) {
	t.Parallel()
	for name, use := range map[string]func(*geminitest.Server){
		"URL":        func(srv *geminitest.Server) { srv.URL() },
		"HTTPClient": func(srv *geminitest.Server) { srv.HTTPClient() },
		"Client":     func(srv *geminitest.Server) { srv.Client() },
	} {
		test := &endingTest{failures{TB: t}}
		srv := geminitest.NewServer(test)
		srv.Close()
		var group sync.WaitGroup
		group.Go(func() { use(srv) }) // which a fatal failure ends
		group.Wait()
		if text := test.text(); text != "geminitest: the server is closed" {
			t.Errorf("%s of a closed server: %q", name, text)
		}
	}
}

func TestAHandlerThatWasNotMadeSaysSo(t *testing.T) {
	t.Parallel()
	srv := geminitest.NewServer(t)
	srv.Handler = new(geminitest.Handler)
	reply, text := post(t, srv, generate, hello)
	if reply.StatusCode != http.StatusBadRequest || !strings.Contains(text, "the handler was not made by NewHandler") {
		t.Errorf("%s: %s", reply.Status, text)
	}
}
