package engine

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// link tells when the connection to the server is lost. A client of NATS waits for an answer until
// its time is over, also from a server that is gone; in a directory that happens whenever the
// process ends that runs the server.
type link struct {
	mu   sync.Mutex
	ctx  context.Context // ended when the connection is lost
	lose context.CancelFunc
}

func newLink() *link {
	l := &link{}
	l.ctx, l.lose = context.WithCancel(context.Background())
	return l
}

// lost ends what was asked so far.
func (l *link) lost() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lose()
	l.ctx, l.lose = context.WithCancel(context.Background())
}

var errLost = errors.New("bulk: the connection to the store was lost")

// attempt returns a context that also ends, by errLost, when the connection is lost.
func (l *link) attempt(ctx context.Context) (context.Context, context.CancelFunc) {
	l.mu.Lock()
	connected := l.ctx
	l.mu.Unlock()
	attempt, cancel := context.WithCancelCause(ctx)
	stop := context.AfterFunc(connected, func() { cancel(errLost) })
	return attempt, func() { stop(); cancel(nil) }
}

// Ask has ask ask the server something, and again when the connection was lost meanwhile, or the
// server is starting. So asking twice has to be the same as asking once.
//
// Servers elsewhere are also asked again when they say nothing: while a cluster chooses who leads,
// nobody answers. A server in a directory that says nothing has a disk that failed, and asking
// again does not help.
func (e *Engine) Ask(ctx context.Context, ask func(context.Context) error) error {
	limit := requestTime
	if e.host == nil {
		limit = clusterTime
	}
	for deadline := time.Now().Add(limit); ; {
		err, isAway := e.askOnce(ctx, ask)
		if !isAway || ctx.Err() != nil || time.Now().After(deadline) {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(awayTime):
		}
	}
}

// askOnce asks, and reports whether to ask again: an error says nothing but that the server is
// away.
func (e *Engine) askOnce(ctx context.Context, ask func(context.Context) error) (err error,
	again bool) {
	attempt, cancel := e.link.attempt(ctx)
	defer cancel()
	if e.host == nil {
		var stop context.CancelFunc
		attempt, stop = context.WithTimeout(attempt, silenceTime)
		defer stop()
	}
	err = ask(attempt)
	if err == nil {
		return nil, false
	}
	return err, errors.Is(context.Cause(attempt), errLost) || isAway(err) ||
		e.host == nil && isForming(err)
}

// isAway reports whether an error says that the server is not there at the moment, or that nobody
// knows what came of a write.
func isAway(err error) bool {
	for _, away := range []error{
		nats.ErrNoResponders, jetstream.ErrNoStreamResponse, nats.ErrDisconnected,
		nats.ErrConnectionReconnecting, errUnsure, errSilent,
	} {
		if errors.Is(err, away) {
			return true
		}
	}
	return false
}

// isForming reports whether an error says that a cluster has no leader, or has not found all of its
// servers yet.
func isForming(err error) bool {
	switch apiCode(err) {
	case codeNoPeers, codeNotAvailable, codeNotLeader, codeStreamOffline, codeNotReady,
		codeTooManyRequests:
		return true
	}
	return errors.Is(err, context.DeadlineExceeded) || errors.Is(err, nats.ErrTimeout)
}

const (
	// awayTime is after which a server that was away is asked again.
	awayTime = 50 * time.Millisecond
	// silenceTime is how long servers elsewhere may say nothing until they are asked again: a
	// leader is chosen in 4 to 9 seconds, and what was asked before that is never answered.
	silenceTime = 5 * time.Second
	// clusterTime is how long servers elsewhere may be away.
	clusterTime = time.Minute
)

// Error codes of a cluster that is not ready, which NATS' client has no name for.
const (
	codeNoPeers         jetstream.ErrorCode = 10005
	codeNotAvailable    jetstream.ErrorCode = 10008
	codeNotLeader       jetstream.ErrorCode = 10009
	codeStreamOffline   jetstream.ErrorCode = 10118
	codeNotReady        jetstream.ErrorCode = 10163
	codeTooManyRequests jetstream.ErrorCode = 10167
)
