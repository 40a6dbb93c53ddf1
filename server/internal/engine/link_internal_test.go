package engine

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// unconnected is an engine of remote servers or of a directory, without a connection.
func unconnected(isRemote bool) *Engine {
	e := &Engine{link: newLink()}
	if !isRemote {
		e.host = &host{}
	}
	return e
}

func TestRequestsToUnreachableServersAreSentAgain(t *testing.T) {
	t.Parallel()
	refused := errors.New("no")
	for name, tt := range map[string]struct {
		err                   error
		isRemote, isDirectory bool // the request is sent again to a server elsewhere, or here
	}{
		"no server":                 {nats.ErrNoResponders, true, true},
		"a write without a reply":   {jetstream.ErrNoStreamResponse, true, true},
		"a write that may be there": {errUnsure, true, true},
		"a list that does not end":  {errSilent, true, true},
		"a lost connection":         {nats.ErrDisconnected, true, true},
		"no leader":                 {refusal(codeNotAvailable), true, false},
		"another leader":            {refusal(codeNotLeader), true, false},
		"too many requests":         {refusal(codeTooManyRequests), true, false},
		"no reply in time":          {nats.ErrTimeout, true, false},
		"a deadline":                {context.DeadlineExceeded, true, false},
		"a refusal":                 {refused, false, false},
		"a full stream":             {refusal(codeStoreFailed), false, false},
	} {
		for isRemote, again := range map[bool]bool{true: tt.isRemote, false: tt.isDirectory} {
			synctest.Test(t, func(t *testing.T) {
				e, calls, began := unconnected(isRemote), 0, time.Now()
				err := e.Ask(t.Context(), func(context.Context) error {
					if calls++; calls == 1 {
						return tt.err
					}
					return nil
				})
				took, wanted := time.Since(began), 1
				pause := time.Duration(0)
				if again {
					wanted, pause = 2, 50*time.Millisecond
				}
				if calls != wanted || (err == nil) != again || took != pause {
					t.Errorf("%s, remote %v: sent %d times within %v, %v", name, isRemote, calls,
						took, err)
				}
			})
		}
	}
}

func TestARequestIsGivenUpWhenTheServersStayAway(t *testing.T) {
	t.Parallel()
	for isRemote, limit := range map[bool]time.Duration{true: time.Minute, false: 10 * time.Second} {
		synctest.Test(t, func(t *testing.T) {
			e, began := unconnected(isRemote), time.Now()
			away := func(context.Context) error { return nats.ErrNoResponders }
			if err := e.Ask(t.Context(), away); !errors.Is(err, nats.ErrNoResponders) ||
				time.Since(began) <= limit || time.Since(began) > limit+100*time.Millisecond {
				t.Errorf("after %v: %v; expected it soon after %v", time.Since(began), err, limit)
			}
			ended, end := context.WithCancel(t.Context())
			end()
			began = time.Now()
			if err := e.Ask(ended, away); err == nil || time.Since(began) != 0 {
				t.Errorf("for a caller that has left: after %v, %v", time.Since(began), err)
			}
		})
	}
}

// A leader election takes seconds, and earlier requests are never answered.
func TestOnlyARemoteServerIsAskedAgainWhenItIsSilent(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		e, calls, began := unconnected(true), 0, time.Now()
		err := e.Ask(t.Context(), func(ctx context.Context) error {
			if calls++; calls > 1 {
				return nil
			}
			<-ctx.Done()
			return ctx.Err()
		})
		if err != nil || calls != 2 || time.Since(began) != 5*time.Second+50*time.Millisecond {
			t.Errorf("sent %d times within %v: %v", calls, time.Since(began), err)
		}
		_ = unconnected(false).Ask(t.Context(), func(ctx context.Context) error {
			if _, has := ctx.Deadline(); has {
				t.Error("a request in a directory has a deadline")
			}
			return nil
		})
	})
}

// A server may be away for hours. The engine keeps trying, with a pause after each attempt.
func TestAConnectionIsOpenedAgainTenTimesASecondWithoutEnd(t *testing.T) {
	t.Parallel()
	e := openHere(t)
	options := e.conn.Opts
	if options.MaxReconnect >= 0 || !options.AllowReconnect ||
		options.ReconnectWait != 100*time.Millisecond ||
		options.ReconnectJitter != 50*time.Millisecond ||
		options.ReconnectJitterTLS != 50*time.Millisecond {
		t.Errorf("%d times, each after %v and up to %v or %v", options.MaxReconnect,
			options.ReconnectWait, options.ReconnectJitter, options.ReconnectJitterTLS)
	}
}
