package engine

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
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
func (e *Engine) Ask(ctx context.Context, ask func(context.Context) error) error {
	for deadline := time.Now().Add(requestTime); ; {
		attempt, cancel := e.link.attempt(ctx)
		err := ask(attempt)
		isAway := isAway(attempt, err)
		cancel()
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

// awayTime is after which a server that was away is asked again.
const awayTime = 50 * time.Millisecond

// isAway reports whether an error of an attempt says nothing but that the server is away.
func isAway(attempt context.Context, err error) bool {
	return err != nil && (errors.Is(context.Cause(attempt), errLost) || errors.Is(err, nats.ErrNoResponders) || errors.Is(err, nats.ErrDisconnected))
}
