package fakegemini_test

import (
	"strings"
	"testing"

	"github.com/gemwire/gemwire/pkg/fakegemini"
	"github.com/gemwire/gemwire/pkg/geminitest"
)

// A nil argument that must not be nil is an error that names it.
func TestNilIsAnError(t *testing.T) {
	t.Parallel()
	reply := fakegemini.Text("Hi")
	script := func(f *fakegemini.Fixture) fakegemini.Option { return fakegemini.WithScript(f) }
	for want, opt := range map[string]fakegemini.Option{
		"fakegemini: option 1 is nil":                                         nil,
		"fakegemini: fixture 0 of WithScript is nil; expected one made by On": script(nil),
		"fakegemini: /fixtures/0/match: matcher 1 is nil": script(
			fakegemini.On(fakegemini.Turn(0), nil).Reply(reply)),
		"fakegemini: /fixtures/0/match: the condition of Where is nil": script(
			fakegemini.On(fakegemini.Where(nil)).Reply(reply)),
		"fakegemini: /fixtures/0/replies/0/blocks/1: block 1 of Reply is nil": script(
			fakegemini.On().Reply(reply, nil)),
		"fakegemini: /fixtures/0/replies/0/blocks/0: the block to change is nil": script(
			fakegemini.On().Reply(fakegemini.Signed("s", nil))),
		"fakegemini: /fixtures/0: the fixture has no reply": script(&fakegemini.Fixture{}),
		"fakegemini: /fixtures/0/replies/0/blocks/0: want one of": script(
			fakegemini.On().Reply(fakegemini.Grounding(nil))),
	} {
		if _, err := fakegemini.NewHandler(fakegemini.WithoutRequestLog(), opt); err == nil ||
			!strings.HasPrefix(err.Error(), want) {
			t.Errorf("got  %v\nwant %s", err, want)
		}
		if _, err := fakegemini.Start(fakegemini.WithoutRequestLog(), opt); err == nil ||
			!strings.HasPrefix(err.Error(), want) {
			t.Errorf("got  %v\nwant %s", err, want)
		}
	}
}

// Options with an optional argument accept nil.
func TestNilIsNothingWhereItMayBeLeftOut(t *testing.T) {
	t.Parallel()
	srv := geminitest.NewServer(t, fakegemini.WithReport(nil),
		fakegemini.WithUpstreamTransport(nil), fakegemini.WithScript(),
		fakegemini.WithScript(fakegemini.On().Reply(fakegemini.Text("Hi"), fakegemini.Usage(nil))))
	if reply, text := post(t, srv, generate, hello); reply.StatusCode != 200 {
		t.Errorf("%s %s", reply.Status, text)
	}
}

// A server that was not made by Start returns an error, and does nothing.
func TestAZeroServerSaysThatItWasNotMade(t *testing.T) {
	t.Parallel()
	const want = "fakegemini: the server was not made by Start"
	srv := new(fakegemini.Server)
	if url, err := srv.URL(); url != "" || err == nil || err.Error() != want {
		t.Error(url, err)
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
	if w := serve(srv, generate, hello); !strings.Contains(w.Body.String(),
		"the handler was not made by NewHandler") {
		t.Error(w.Body)
	}
	srv.Close()
}
