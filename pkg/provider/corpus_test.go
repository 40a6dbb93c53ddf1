package provider_test

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/internal/test/corpustest"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/provider"
)

// recorded returns the reply of a recording.
func recorded(t *testing.T, p corpustest.Payload) reply {
	t.Helper()
	status, err := strconv.Atoi(p.HTTPStatus)
	if err != nil {
		status = http.StatusOK
	}
	return reply{status: status, body: string(p.Read(t))}
}

func TestEveryRecordedStreamEndsOnceAndThenCompletes(t *testing.T) {
	t.Parallel()
	count := map[bool]int{}
	for _, recording := range corpustest.Payloads(t, corpustest.Stream) {
		server := recorded(t, recording)
		var inline []string
		for _, opts := range [][]provider.Option{nil,
			{provider.WithPolling(), provider.WithBuffer(3)}} {
			p := overHTTP(t, server, opts...)
			var got calls
			var end provider.Completion
			call, err := p.StartStream(t.Context(), request, got.event,
				func(_ *provider.Call, c provider.Completion) {
					got.done(nil, c)
					end = c
				})
			if err != nil {
				t.Fatal(err)
			}
			poll(p, call)
			checkOrder(t, recording.Name, got.all(), end.Success)
			if inline == nil {
				inline = got.all()
				count[end.Success]++
			} else if len(inline) != len(got.all()) {
				t.Errorf("%s: %d callbacks in Poll, %d on a goroutine", recording.Name,
					len(got.all()), len(inline))
			}
		}
	}
	t.Logf("%d succeeded, %d failed", count[true], count[false])
	if count[true] < corpustest.AtLeast(500) || count[false] < corpustest.AtLeast(3) {
		t.Error("that is too few")
	}
}

// checkOrder checks the order of callbacks: the start is first, the end is second to last, and the
// completion is last.
func checkOrder(t *testing.T, name string, lines []string, success bool) {
	t.Helper()
	starts, ends := 0, 0
	for i, line := range lines {
		kind, _, _ := strings.Cut(line, " ")
		switch {
		case kind == string(normalize.EventStart):
			if starts++; i != 0 {
				t.Errorf("%s: the start is callback %d", name, i)
			}
		case slices.Contains([]string{"done", "error"}, kind):
			if ends++; i != len(lines)-2 || (kind == "done") != success {
				t.Errorf("%s: the end is callback %d of %d: %s", name, i, len(lines), line)
			}
		case (kind == "success" || kind == "failure") && i != len(lines)-1:
			t.Errorf("%s: the completion is callback %d of %d", name, i, len(lines))
		}
	}
	if starts > 1 || ends != 1 {
		t.Errorf("%s: %d starts, %d ends", name, starts, ends)
	}
}

func TestEveryRecordedErrorIsAFailureOfItsStatus(t *testing.T) {
	t.Parallel()
	count := 0
	for _, recording := range corpustest.Payloads(t, corpustest.Error) {
		server := recorded(t, recording)
		if server.status < http.StatusBadRequest {
			continue
		}
		count++
		call, err := overHTTP(t, server).StartRequest(t.Context(), request,
			func(_ *provider.Call, c provider.Completion) {
				want := normalize.CategoryOfHTTP(server.status)
				isWrongKey := server.status == http.StatusBadRequest &&
					c.Category == normalize.CategoryAuth
				if c.Success || c.HTTPStatus != server.status || c.Category != want && !isWrongKey {
					t.Errorf("%s: %+v", recording.Name, c)
				}
			})
		if err != nil {
			t.Fatal(err)
		}
		<-call.Done()
	}
	if count < corpustest.AtLeast(25) {
		t.Errorf("%d errors", count)
	}
}
