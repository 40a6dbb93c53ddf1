package geminibatch

import (
	"context"
	"errors"
	"net/http"
	"testing"
	"time"

	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/server/bulk"
	"github.com/gemwire/gemwire/server/gateway"
)

// reported returns the error that a client reports for a body with the status and the details of
// an error, and a Retry-After header of some seconds.
func reported(status int, retryAfter, details string) error {
	header := http.Header{}
	if retryAfter != "" {
		header.Set("Retry-After", retryAfter)
	}
	return gemini.DecodeError(status, header,
		[]byte(`{"error":{"message":"no","details":[`+details+`]}}`))
}

func TestAFailureOfGeminiPausesTheRangeOrTheWholeJob(t *testing.T) {
	t.Parallel()
	const quota = `{"@type":"type.googleapis.com/google.rpc.QuotaFailure","violations":` +
		`[{"quotaId":"RequestsPerDayPerProject"}]}`
	for name, tt := range map[string]struct {
		err    error
		after  time.Duration
		isPark bool
	}{
		"no reply":              {errors.New("the network is gone"), 30 * time.Second, false},
		"a server's error":      {reported(503, "", ""), 30 * time.Second, false},
		"too many batches":      {reported(429, "", ""), 2 * time.Minute, false},
		"a short wait":          {reported(429, "1", ""), 2 * time.Minute, false},
		"a long wait":           {reported(429, "600", ""), 10 * time.Minute, false},
		"the quota of a day":    {reported(429, "", quota), time.Hour, true},
		"a key that is refused": {reported(401, "", ""), 5 * time.Minute, true},
	} {
		err := waitAfter(t.Context(), tt.err)
		later, ok := errors.AsType[*bulk.LaterError](err)
		if !ok || later.After != tt.after || later.Park != tt.isPark {
			t.Errorf("%s: %v, want a wait of %v, for the job %v", name, err, tt.after, tt.isPark)
		}
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if err := waitAfter(ended, reported(503, "", "")); !errors.Is(err, context.Canceled) {
		t.Errorf("when the worker ends: %v", err)
	}
}

func TestOnlyARefusalOfTheLineIsItsResult(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		refused *gateway.Error
		after   time.Duration // 0 for a result
	}{
		"a bad request":          {&gateway.Error{Status: 400}, 0},
		"a missing model":        {&gateway.Error{Status: 404}, 0},
		"a bad gateway":          {&gateway.Error{Status: 502}, 0},
		"a busy gateway":         {&gateway.Error{Status: 429}, 30 * time.Second},
		"a gateway without room": {&gateway.Error{Status: 503, RetryAfter: 1}, 30 * time.Second},
		"a longer wait":          {&gateway.Error{Status: 503, RetryAfter: time.Hour}, time.Hour},
	} {
		got, err := refusalOf(t.Context(), tt.refused)
		if tt.after == 0 {
			if got != tt.refused || err != nil {
				t.Errorf("%s: %v, %v; expected a result", name, got, err)
			}
			continue
		}
		later, ok := errors.AsType[*bulk.LaterError](err)
		if !ok || got != nil || later.After != tt.after || later.Park {
			t.Errorf("%s: %v, %v; expected a wait of %v", name, got, err, tt.after)
		}
	}
	other := errors.New("no gateway")
	if got, err := refusalOf(t.Context(), other); got != nil || !errors.Is(err, other) {
		t.Errorf("another error: %v, %v", got, err)
	}
	stopping := errors.New("the worker stops")
	ended, end := context.WithCancelCause(t.Context())
	end(stopping)
	if got, err := refusalOf(ended, &gateway.Error{Status: 400}); got != nil ||
		!errors.Is(err, stopping) {
		t.Errorf("when the worker ends: %v, %v; expected %v", got, err, stopping)
	}
}
