package live

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gemwire/gemwire/server/bulk"
	"github.com/gemwire/gemwire/server/bulk/limit"
	"github.com/gemwire/gemwire/server/bulk/line"
	"github.com/gemwire/gemwire/server/gateway"
)

// Waiting times and estimates are tested inside the package. From outside, the tests would need
// minutes and many lines.

func TestTheMeaningOfAReplyForItsLine(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		reply reply
		want  verdict
	}{
		"an answer":                {reply{status: 200}, answered},
		"a redirection":            {reply{status: 399}, answered},
		"a bad request":            {reply{status: 400}, refused},
		"the last of the client's": {reply{status: 498}, refused},
		"a client that left":       {reply{status: 499}, failed},
		"a server's error":         {reply{status: 500}, failed},
		"not implemented":          {reply{status: 501}, refused},
		"too many":                 {reply{status: 429}, rateLimited},
		"a timeout":                {reply{status: 408}, failed},
		"too early":                {reply{status: 425}, failed},
		"a quota":                  {reply{status: 429, code: gateway.CodeQuota}, usedUp},
		"a key":                    {reply{status: 502, code: gateway.CodeKeyRefused}, keyRefused},
	} {
		if got := tt.reply.verdict(); got != tt.want {
			t.Errorf("%s: %d, want %d", name, got, tt.want)
		}
	}
}

func TestEachNewRefusalDoublesTheWaitUpToAMinute(t *testing.T) {
	t.Parallel()
	var p pressure
	now := time.Unix(1000, 0)
	for i := range 12 {
		want := min(time.Second<<i, time.Minute)
		until, isNew := p.rateLimited(now, now, 0)
		if !isNew || until.Sub(now) != want {
			t.Fatalf("refusal %d: %v, %v; want %v", i, until.Sub(now), isNew, want)
		}
		if again, isNew := p.rateLimited(now, now, 0); isNew || again != until {
			t.Fatalf("refusal %d, of a call that began before: %v, %v", i, again.Sub(now), isNew)
		}
		now = until
	}
	p.eased()
	if until, _ := p.rateLimited(now, now, 0); until.Sub(now) != time.Second || p.answered() != 1 {
		t.Errorf("after an answer: %v, %d answers", until.Sub(now), p.answered())
	}
}

func TestTheServersOwnTimeToWaitCounts(t *testing.T) {
	t.Parallel()
	var p pressure
	now := time.Unix(1000, 0)
	if until, isNew := p.rateLimited(now, now, 7*time.Second); !isNew ||
		until.Sub(now) != 7*time.Second {
		t.Errorf("7s: %v, %v", until.Sub(now), isNew)
	}
	if until, isNew := p.rateLimited(now, now, 3*time.Second); isNew ||
		until.Sub(now) != 7*time.Second {
		t.Errorf("3s later: %v, %v", until.Sub(now), isNew)
	}
	if until, isNew := p.rateLimited(now.Add(7*time.Second), now.Add(7*time.Second), 0); !isNew ||
		until.Sub(now) != 8*time.Second {
		t.Errorf("no time, as the first one: %v, %v", until.Sub(now), isNew)
	}
}

func TestALineFailsAfterTooManyRateLimitErrors(t *testing.T) {
	t.Parallel()
	var alone rateLimits
	for i := range MaxRateLimitErrors {
		if alone.areTooMany(0) {
			t.Fatalf("given up at error %d", i+1)
		}
	}
	if !alone.areTooMany(0) {
		t.Error("not given up while nothing is answered")
	}
	var amongOthers rateLimits
	for i := range 10 * MaxRateLimitErrors {
		if amongOthers.areTooMany(i) {
			t.Fatalf("given up at error %d while others are answered", i+1)
		}
	}
	if !amongOthers.areTooMany(10 * MaxRateLimitErrors) {
		t.Error("never given up")
	}
}

func TestEstimatesAreTheAverageOfTheLinesBefore(t *testing.T) {
	t.Parallel()
	var all estimates
	e := all.of("job")
	l := &line.Line{Body: []byte(strings.Repeat("x", 1000))}
	if got := e.of(l); got.Requests != 1 || got.TokensIn != 1+262 || got.TokensOut != 1+315 {
		t.Errorf("at first: %+v", got)
	}
	e.learn(l, line.Usage{InputTokens: 500, OutputTokens: 100})
	if got := e.of(l); got.TokensIn != 1+525 || got.TokensOut != 1+105 {
		t.Errorf("after one line: %+v", got)
	}
	e.learn(l, line.Usage{InputTokens: 100, OutputTokens: 300})
	if got := e.of(l); got.TokensIn != 1+315 || got.TokensOut != 1+210 {
		t.Errorf("after two lines: %+v", got)
	}
	e.learn(l, line.Usage{OutputTokens: 9000})
	e.learn(&line.Line{}, line.Usage{InputTokens: 9000})
	if e.count != 2 {
		t.Errorf("lines that say nothing count: %d", e.count)
	}
	for range 2 * memory {
		e.learn(l, line.Usage{InputTokens: 100, OutputTokens: 100})
	}
	e.learn(l, line.Usage{InputTokens: 5100, OutputTokens: 100})
	if got := e.of(l).TokensIn; got < 200 || got > 225 {
		t.Errorf("one of the last %d lines: %d tokens", memory, got)
	}
	if all.of("job") != e || all.of("another") == e {
		t.Error("an estimate is not its job's")
	}
}

func TestTheNumberOfRememberedJobsIsLimited(t *testing.T) {
	t.Parallel()
	var all estimates
	for i := range mostEstimates {
		all.of(strings.Repeat("j", i+1))
	}
	if len(all.jobs) != mostEstimates {
		t.Fatalf("%d jobs", len(all.jobs))
	}
	all.of("one more")
	if len(all.jobs) != 1 {
		t.Errorf("%d jobs", len(all.jobs))
	}
}

func TestAFailedCallCountsAtLeastTheInputThatItWasEstimatedToRead(t *testing.T) {
	t.Parallel()
	estimate := limit.Use{Requests: 1, TokensIn: 100, TokensOut: 300}
	for name, tt := range map[string]struct {
		reply reply
		want  limit.Use
	}{
		"an answer": {
			reply{status: 200, attempts: 1, usage: line.Usage{InputTokens: 7, OutputTokens: 5}},
			limit.Use{Requests: 1, TokensIn: 7, TokensOut: 5},
		},
		"a failure": {reply{status: 500, attempts: 1}, limit.Use{Requests: 1, TokensIn: 100}},
		"a failure after a long input": {
			reply{status: 500, attempts: 1, usage: line.Usage{InputTokens: 700}},
			limit.Use{Requests: 1, TokensIn: 700},
		},
		"a failure before any call": {reply{status: 500}, limit.Use{}},
		"a refusal":                 {reply{status: 400, attempts: 1}, limit.Use{Requests: 1}},
	} {
		if got := tt.reply.used(estimate); got != tt.want {
			t.Errorf("%s: %+v, want %+v", name, got, tt.want)
		}
	}
}

// Google renews the quotas of a day at midnight in California.
func TestTheQuotaOfADayIsRenewedAtEightUTC(t *testing.T) {
	t.Parallel()
	for now, want := range map[string]string{
		"2026-11-23T00:00:00Z":      "2026-11-23T08:00:00Z",
		"2026-11-23T07:59:59Z":      "2026-11-23T08:00:00Z",
		"2026-11-23T08:00:00Z":      "2026-11-24T08:00:00Z",
		"2026-11-30T23:00:00Z":      "2026-12-01T08:00:00Z",
		"2026-11-23T23:00:00-09:00": "2026-11-25T08:00:00Z",
		"2026-07-01T06:59:59Z":      "2026-07-01T07:00:00Z", // in summer
		"2026-07-01T07:00:00Z":      "2026-07-02T07:00:00Z",
		"2026-11-01T08:00:00Z":      "2026-11-02T08:00:00Z", // the day on which summer time ends
	} {
		at, err := time.Parse(time.RFC3339, now)
		if err != nil {
			t.Fatal(err)
		}
		if got := nextRenewal(at).Format(time.RFC3339); got != want {
			t.Errorf("%s: %s, want %s", now, got, want)
		}
	}
}

func TestPausesOfALineDoubleUpToTheLongest(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		wait           func(r *run, n int) error
		first, longest time.Duration
		least, most    float64 // of a pause
	}{
		"after a failure":         {func(r *run, n int) error { return r.pause(&reply{}, n) }, firstPause, longestPause, 0.5, 1},
		"for room in the gateway": {func(r *run, n int) error { return r.hold(&reply{}, n) }, firstHold, longestPause, 1, 1.26},
	} {
		synctest.Test(t, func(t *testing.T) {
			r := &run{begin: t.Context()}
			pause := tt.first
			for n := 1; n <= 12; n++ {
				began := time.Now()
				if err := tt.wait(r, n); err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				took := time.Since(began).Seconds() / pause.Seconds()
				if took < tt.least || took > tt.most {
					t.Errorf("%s: wait %d takes %v times %v", name, n, took, pause)
				}
				pause = min(2*pause, tt.longest)
			}
		})
	}
}

// Only this line waits, because the client or this gateway is the reason. Other calls continue.
func TestALineThatWaitsForRoomForMoreThanAMinuteGoesBack(t *testing.T) {
	t.Parallel()
	for wait, goesBack := range map[time.Duration]bool{longestHold: false, longestHold + 1: true} {
		synctest.Test(t, func(t *testing.T) {
			limiter := limit.New("p", limit.Limits{}, nil)
			r := &run{Executor: &Executor{limiter: limiter}, begin: t.Context()}
			began := time.Now()
			err := r.hold(&reply{wait: wait, message: "no room"}, 1)
			took := time.Since(began)
			if goesBack {
				later, ok := errors.AsType[*bulk.LaterError](err)
				if !ok || later.After != wait || later.Reason != "no room" || took != 0 {
					t.Errorf("%v: after %v: %v", wait, took, err)
				}
			} else if err != nil || took < wait || took > wait+wait/4 {
				t.Errorf("%v: after %v: %v", wait, took, err)
			}
			if _, err := limiter.Acquire(t.Context(), limit.Use{Requests: 1}); err != nil ||
				time.Since(began) != took {
				t.Errorf("%v: another call waits until %v: %v", wait, time.Since(began), err)
			}
		})
	}
}

func TestARareRefusalDelaysOnlyItsLine(t *testing.T) {
	t.Parallel()
	var p pressure
	now := time.Unix(1000, 0)
	for range rareAfter {
		p.eased()
	}
	if until, isNew := p.rateLimited(now, now, 0); isNew || until.Sub(now) != rareWait {
		t.Errorf("a rare one: %v, %v", until.Sub(now), isNew)
	}
	if until, isNew := p.rateLimited(now, now, 0); !isNew || until.Sub(now) != firstWait {
		t.Errorf("a second one: %v, %v", until.Sub(now), isNew)
	}
	for range rareAfter {
		p.eased()
	}
	if _, isNew := p.rateLimited(now, now, time.Minute); !isNew {
		t.Error("a refusal with a time does not delay the account")
	}
}
