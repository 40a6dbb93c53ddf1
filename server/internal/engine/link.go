package engine

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// link reports when the connection to the server is lost. A NATS client waits for a reply until its
// timeout, even from a server that no longer exists. In a directory that happens whenever the
// process with the server ends.
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

// lost ends all requests so far.
func (l *link) lost() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lose()
	l.ctx, l.lose = context.WithCancel(context.Background())
}

var errLost = errors.New("store: the connection to the store was lost")

// attempt returns a context that also ends when the connection is lost, with errLost as its cause.
func (l *link) attempt(ctx context.Context) (context.Context, context.CancelFunc) {
	l.mu.Lock()
	connected := l.ctx
	l.mu.Unlock()
	attempt, cancel := context.WithCancelCause(ctx)
	stop := context.AfterFunc(connected, func() { cancel(errLost) })
	return attempt, func() { stop(); cancel(nil) }
}

// Ask calls ask to send a request to the server. It calls ask again if the connection was lost
// meanwhile, or if the server is starting. So ask must be idempotent.
//
// It also repeats requests to remote servers that do not reply, because a cluster does not reply
// during a leader election. If a server in a directory does not reply, its disk has failed, and a
// repetition does not help.
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

// askOnce sends a request, and reports whether to repeat it. A repetition helps only if the server
// is not reachable.
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

// isAway reports whether an error says that the server is not reachable now, or that the outcome of
// a write is unknown.
func isAway(err error) bool {
	for _, away := range []error{
		nats.ErrNoResponders, jetstream.ErrNoStreamResponse, nats.ErrDisconnected,
		nats.ErrConnectionReconnecting, errUnsure, errSilent, errNotTaken,
	} {
		if errors.Is(err, away) {
			return true
		}
	}
	return false
}

// isForming reports whether an error says that a cluster has no leader, or has not found all its
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
	// awayTime is the pause before a server that was not reachable is asked again.
	awayTime = 50 * time.Millisecond
	// silenceTime is how long remote servers may be silent before a request is repeated. A leader
	// election takes 4 to 9 seconds, and earlier requests are never answered.
	silenceTime = 5 * time.Second
	// clusterTime is how long remote servers may be unreachable.
	clusterTime = time.Minute
)

// Error codes of a cluster that is not ready. NATS' client has no names for them.
const (
	codeNoPeers         jetstream.ErrorCode = 10005
	codeNotAvailable    jetstream.ErrorCode = 10008
	codeNotLeader       jetstream.ErrorCode = 10009
	codeStreamOffline   jetstream.ErrorCode = 10118
	codeNotReady        jetstream.ErrorCode = 10163
	codeTooManyRequests jetstream.ErrorCode = 10167
)
