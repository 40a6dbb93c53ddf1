package engine

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// link tells when the connection to the server is lost. A client of NATS waits for an answer until its time is over, also
// from a server that is gone; in a directory that happens whenever the process ends that runs the server.
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

// Ask has ask ask the server something, and again when the connection was lost meanwhile, or the server is starting. So
// asking twice has to be the same as asking once.
//
// Servers elsewhere are also asked again when they say nothing: while a cluster chooses who leads, nobody answers. A server in
// a directory that says nothing has a disk that failed, and asking again does not help.
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

// askOnce asks, and reports whether an error says nothing but that the server is away.
func (e *Engine) askOnce(ctx context.Context, ask func(context.Context) error) (err error, isAway bool) {
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
	if e.host == nil && (errors.Is(err, context.DeadlineExceeded) || errors.Is(err, nats.ErrTimeout) || isForming(apiCode(err))) {
		return err, true
	}
	return err, errors.Is(context.Cause(attempt), errLost) || errors.Is(err, nats.ErrNoResponders) || errors.Is(err, nats.ErrDisconnected)
}

const (
	// awayTime is after which a server that was away is asked again.
	awayTime = 50 * time.Millisecond
	// silenceTime is how long servers elsewhere may say nothing until they are asked again: a leader is chosen in 4 to 9
	// seconds, and what was asked before that is never answered.
	silenceTime = 5 * time.Second
	// clusterTime is how long servers elsewhere may be away.
	clusterTime = time.Minute
)

// Error codes of a cluster that has not found all of its servers yet, which NATS' client has no name for.
const (
	codeNoPeers      jetstream.ErrorCode = 10005
	codeNotAvailable jetstream.ErrorCode = 10008
)

func isForming(code jetstream.ErrorCode) bool { return code == codeNoPeers || code == codeNotAvailable }
