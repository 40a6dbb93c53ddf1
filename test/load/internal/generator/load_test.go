package generator_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gemwire/gemwire/test/load/internal/generator"
)

// run sends a load to a handler.
func run(t *testing.T, handler http.HandlerFunc, load generator.Load) *generator.Result {
	t.Helper()
	server := httptest.NewServer(handler)
	defer server.Close()
	load.Address = strings.TrimPrefix(server.URL, "http://")
	load.Limit = 20 * time.Second
	result, err := load.Run()
	if err != nil {
		t.Fatal(err)
	}
	return result
}

func requests(marks int) []generator.Request {
	return []generator.Request{generator.NewRequest("/", "{}", marks)}
}

// A client that waits for its answers would have sent one request during the stall, and called 99 %
// of them quick.
func TestLatencyCountsFromWhenTheRequestWasDue(t *testing.T) {
	t.Parallel()
	const stall = 300 * time.Millisecond
	var isStalled atomic.Bool
	result := run(t, func(w http.ResponseWriter, _ *http.Request) {
		if isStalled.CompareAndSwap(false, true) {
			time.Sleep(stall)
		}
		_, _ = io.WriteString(w, "[0]")
	}, generator.Load{Requests: requests(1), Rate: 200, Count: 100, Connections: 1})
	if result.Statuses[200] != 100 || result.Failures != 0 {
		t.Fatalf("%+v", result.Statuses)
	}
	if p90 := result.Latency.Quantile(0.9); p90 < stall/2 {
		t.Errorf("nine of ten were answered within %s", p90)
	}
	if late := result.Late.Quantile(0.9); late < stall/2 {
		t.Errorf("nine of ten were sent within %s of their time", late)
	}
}

func TestRateIsConstant(t *testing.T) {
	t.Parallel()
	result := run(t, func(w http.ResponseWriter,
		_ *http.Request) {
		_, _ = io.WriteString(w, "[0]")
	},
		generator.Load{Requests: requests(1), Rate: 500, Count: 250, Connections: 8})
	if result.Elapsed < 490*time.Millisecond || result.Statuses[200] != 250 {
		t.Errorf("%d answers in %s", result.Statuses[200], result.Elapsed)
	}
}

func TestMarksThatAreLostOrMisplacedAreCounted(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]struct{ came, lost, misplaced int }{
		"[0][1][2]":        {3, 0, 0},
		"[0]\n\n[1]\n[2]":  {3, 0, 0},
		"[0][2]":           {2, 1, 0},
		"[0][1]":           {2, 1, 0},
		"":                 {0, 3, 0},
		"[0][1][1][2]":     {4, 0, 1},
		"[1][0][2]":        {3, 1, 1},
		`{"a":[1,2]}[0]{}`: {1, 2, 0},
	} {
		for _, isChunked := range []bool{false, true} {
			result := run(t, func(w http.ResponseWriter, _ *http.Request) {
				if isChunked {
					_ = http.NewResponseController(w).Flush()
				}
				_, _ = io.WriteString(w, body)
			}, generator.Load{Requests: requests(3), Count: 2, Connections: 1})
			if result.Marks != 2*want.came || result.Lost != 2*want.lost ||
				result.Misplaced != 2*want.misplaced || result.Failures != 0 {
				t.Errorf("%q: %d came, %d lost, %d misplaced: %v", body, result.Marks, result.Lost,
					result.Misplaced, result.Errors)
			}
		}
	}
}

func TestStatusesAndBrokenAnswersAreCounted(t *testing.T) {
	t.Parallel()
	var n atomic.Int64
	result := run(t, func(w http.ResponseWriter, _ *http.Request) {
		switch n.Add(1) % 3 {
		case 0:
			w.WriteHeader(http.StatusTooManyRequests)
		case 1:
			_, _ = fmt.Fprint(w, "[0]")
		default:
			panic(http.ErrAbortHandler)
		}
	}, generator.Load{Requests: requests(1), Count: 9, Connections: 1})
	if result.Statuses[200] != 3 || result.Statuses[429] != 3 || result.Failures != 3 {
		t.Errorf("%v and %d failures", result.Statuses, result.Failures)
	}
}

func TestImpatientLoadLeavesOutWhatCannotBeSent(t *testing.T) {
	t.Parallel()
	result := run(t, func(w http.ResponseWriter, _ *http.Request) {
		time.Sleep(200 * time.Millisecond)
		_, _ = io.WriteString(w, "[0]")
	}, generator.Load{Requests: requests(
		1), Rate: 100, Count: 30, Connections: 2, IsImpatient: true})
	if result.Unsent < 20 || result.Unsent+result.Statuses[200] != 30 {
		t.Errorf("%d unsent, %d answered", result.Unsent, result.Statuses[200])
	}
}

func TestClientThatLeavesEndsTheConnection(t *testing.T) {
	t.Parallel()
	var left atomic.Int64
	result := run(t, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, "[0]\n")
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
		left.Add(1)
	}, generator.Load{Requests: []generator.Request{requests(1)[0].Left()}, Count: 5, Connections: 1})
	if result.Left != 5 || left.Load() != 5 {
		t.Errorf("left %d times, and %d were noticed", result.Left, left.Load())
	}
}
