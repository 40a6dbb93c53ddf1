package geminitest_test

import (
	"strings"
	"sync"
	"testing"

	"github.com/gemwire/gemwire/pkg/geminitest"
)

// What is nil where something is wanted is an error that names it.
func TestNilIsAnError(t *testing.T) {
	t.Parallel()
	reply := geminitest.Text("Hi")
	script := func(f *geminitest.Fixture) geminitest.Option { return geminitest.WithScript(f) }
	for want, opt := range map[string]geminitest.Option{
		"geminitest: option 1 is nil":                                                  nil,
		"geminitest: fixture 0 of WithScript is nil; expected one made by On":          script(nil),
		"geminitest: /fixtures/0/match: matcher 1 is nil":                              script(geminitest.On(geminitest.Turn(0), nil).Reply(reply)),
		"geminitest: /fixtures/0/match: the condition of Where is nil":                 script(geminitest.On(geminitest.Where(nil)).Reply(reply)),
		"geminitest: /fixtures/0/match: the expression of PromptLike is nil":           script(geminitest.On(geminitest.PromptLike(nil)).Reply(reply)),
		"geminitest: /fixtures/0/replies/0/blocks/1: block 1 of Reply is nil":          script(geminitest.On().Reply(reply, nil)),
		"geminitest: /fixtures/0/replies/0/blocks/0: the block that is changed is nil": script(geminitest.On().Reply(geminitest.Signed("s", nil))),
		"geminitest: /fixtures/0: the fixture has no reply":                            script(&geminitest.Fixture{}),
		"geminitest: /fixtures/0/replies/0/blocks/0: want one of":                      script(geminitest.On().Reply(geminitest.Grounding(nil))),
	} {
		if _, err := geminitest.NewHandler(geminitest.WithoutRequestLog(), opt); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("got  %v\nwant %s", err, want)
		}
		if _, err := geminitest.Start(geminitest.WithoutRequestLog(), opt); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("got  %v\nwant %s", err, want)
		}
	}
}

// Options that take something which may be left out take nil.
func TestNilIsNothingWhereItMayBeLeftOut(t *testing.T) {
	t.Parallel()
	srv := geminitest.NewServer(t, geminitest.WithReport(nil), geminitest.WithUpstreamTransport(nil), geminitest.WithScript(),
		geminitest.WithScript(geminitest.On().Reply(geminitest.Text("Hi"), geminitest.Usage(nil))))
	if reply, text := post(t, srv, generate, hello); reply.StatusCode != 200 {
		t.Errorf("%s %s", reply.Status, text)
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
		test := &endingTest{failures{TB: t}}
		srv := geminitest.NewServer(test)
		var group sync.WaitGroup
		group.Go(func() { assert(srv) }) // which a fatal failure ends
		group.Wait()
		test.end()
		if text := test.text(); !strings.Contains(text, "matcher 0 is nil") {
			t.Errorf("%s: %q", name, text)
		}
	}
}

// A server that was not made says so, and does nothing.
func TestAZeroServerSaysThatItWasNotMade(t *testing.T) {
	t.Parallel()
	const want = "geminitest: the server was not made by NewServer or Start"
	srv := new(geminitest.StandaloneServer)
	if url := srv.URL(); url != "" {
		t.Error(url)
	}
	if _, err := srv.NewClient(); err == nil || err.Error() != want {
		t.Error(err)
	}
	reply, err := srv.HTTPClient().Get("http://127.0.0.1/")
	if err == nil {
		reply.Body.Close()
	}
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Error(err)
	}
	if requests := srv.Requests(); requests != nil {
		t.Error(requests)
	}
	if w := serve(srv, generate, hello); !strings.Contains(w.Body.String(), "the handler was not made by NewHandler") {
		t.Error(w.Body)
	}
	srv.Close()
}
