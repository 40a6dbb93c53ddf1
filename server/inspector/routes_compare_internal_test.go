package inspector

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gemwire/gemwire/server/gateway/exchange"
	"github.com/go-json-experiment/json/jsontext"
)

func TestManyCallsAreCompared(t *testing.T) {
	t.Parallel()
	i, err := New(WithBodies())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(i.Close)
	r := i.Begin(exchange.Start{At: time.Unix(900, 0)}).(*recorder)
	call := `{"functionCall":{"name":"f","args":{"a":1}}}`
	r.Request(exchange.Upstream, exchange.Request{Body: []byte(`{"contents":[]}`)})
	r.Response(exchange.Upstream, exchange.Response{Status: 200, Body: []byte(
		`{"candidates":[{"content":{"parts":[` + strings.Repeat(call+",", 1001) + call + `]}}]}`)})
	r.record.queue.settle(t.Context())
	side := r.record.compared(i.store.groups)
	if len(side.Calls) != maxCompared || !strings.HasSuffix(side.Note, "1,000 calls are compared.") {
		t.Errorf("%d calls, %q", len(side.Calls), side.Note)
	}
}

func TestEqualCallsArePairedFirst(t *testing.T) {
	t.Parallel()
	call := func(name, args string) comparedCall { return comparedCall{name, jsontext.Value(args)} }
	left := []comparedCall{call("f", `{"a":1,"b":2}`), call("f", `{"a":3}`), call("g", `{}`)}
	right := []comparedCall{call("f", `{"a":4}`), call("f", `{"b":2, "a":1}`), call("h", `{}`)}
	want := []callPair{{0, 1, true}, {1, 0, false}, {2, -1, false}, {-1, 2, false}}
	if got := pairs(left, right); !slices.Equal(got, want) {
		t.Errorf("got %s, expected %s", fmt.Sprint(got), fmt.Sprint(want))
	}
}
