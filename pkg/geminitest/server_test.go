package geminitest_test

import (
	"strings"
	"sync"
	"testing"

	"github.com/gemwire/gemwire/internal/test/failuretest"
	"github.com/gemwire/gemwire/pkg/geminitest"
)

func TestAClosedServerFailsItsTest(t *testing.T) {
	t.Parallel()
	for name, use := range map[string]func(*geminitest.Server){
		"URL":        func(srv *geminitest.Server) { srv.URL() },
		"HTTPClient": func(srv *geminitest.Server) { srv.HTTPClient() },
		"Client":     func(srv *geminitest.Server) { srv.Client() },
	} {
		test := &failuretest.Recorder{TB: t}
		srv := geminitest.NewServer(test)
		srv.Close()
		var group sync.WaitGroup
		group.Go(func() { use(srv) }) // which a fatal failure ends
		group.Wait()
		if text := test.Text(); text != "fakegemini: the server is closed" {
			t.Errorf("%s of a closed server: %q", name, text)
		}
	}
}

func TestAnAssertionWithANilMatcherFails(t *testing.T) {
	t.Parallel()
	for name, assert := range map[string]func(*geminitest.Server){
		"AssertCalled":    func(srv *geminitest.Server) { srv.AssertCalled(nil) },
		"AssertNotCalled": func(srv *geminitest.Server) { srv.AssertNotCalled(nil) },
		"AssertCalls":     func(srv *geminitest.Server) { srv.AssertCalls(1, nil) },
		"AddFixtures":     func(srv *geminitest.Server) { srv.AddFixtures(geminitest.On(nil).Reply(geminitest.Text("Hi"))) },
	} {
		test := &failuretest.Recorder{TB: t}
		srv := geminitest.NewServer(test)
		var group sync.WaitGroup
		group.Go(func() { assert(srv) }) // which a fatal failure ends
		group.Wait()
		test.End()
		if text := test.Text(); !strings.Contains(text, "matcher 0 is nil") {
			t.Errorf("%s: %q", name, text)
		}
	}
}

func TestFixturesThatAreNotUsedFailTheTestByOption(t *testing.T) {
	t.Parallel()
	test := &failuretest.Recorder{TB: t}
	srv := geminitest.NewServer(test, geminitest.WithAllFixturesUsed(), geminitest.WithScript(
		geminitest.On(geminitest.Prompt("Hello")).Reply(geminitest.Text("x")),
		geminitest.On(geminitest.Prompt("never")).Named("never").Reply(geminitest.Text("x")),
		geminitest.On(geminitest.Prompt("twice")).Reply(
			geminitest.Text("x")).Reply(geminitest.Text("y")),
		geminitest.On(geminitest.Chance(0)).Reply(geminitest.Text("x")),
	))
	answerTo(t, srv, generate, hello)
	answerTo(t, srv, generate, strings.Replace(hello, "Hello", "twice", 1))
	test.End()
	want := "geminitest: the script is not used up:\n  fixture 2 (never) answered 0 of 1 requests\n  fixture 3 answered 1 of 2 requests"
	if test.Text() != want {
		t.Errorf("got %s\nwant %s", test.Text(), want)
	}
}
