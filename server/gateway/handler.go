package gateway

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"sync/atomic"

	"github.com/gemwire/gemwire/server/gateway/internal/problem"
)

// Handler is the gateway. It is made by [New], and safe for use by several goroutines.
type Handler struct {
	current  atomic.Pointer[setup]
	closing  atomic.Bool
	swapping sync.Mutex // of Reload and Close
	// ending is canceled by Close, and with it what is under way.
	ending context.Context
	end    context.CancelFunc
}

// errEnding is why what was under way ended when the gateway was closed.
var errEnding = errors.New("the gateway is shutting down")

// New returns a gateway. It fails when an option makes no sense, and says which.
func New(opts ...Option) (*Handler, error) {
	s, err := newSetup(opts)
	if err != nil {
		return nil, err
	}
	h := &Handler{}
	h.ending, h.end = context.WithCancel(context.Background())
	h.current.Store(s)
	return h, nil
}

// ServeHTTP serves one request. Behind the beginning of [Handler.Shutdown] it answers 503.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s := h.acquire()
	defer s.release()
	if h.closing.Load() {
		s.serveProblem(w, r, problem.Closing())
		return
	}
	ctx, cancel := h.withEnding(r.Context())
	defer cancel()
	s.router.ServeHTTP(w, r.WithContext(ctx))
}

// withEnding returns a context that [Handler.Close] cancels too.
func (h *Handler) withEnding(ctx context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	stop := context.AfterFunc(h.ending, func() { cancel(errEnding) })
	return ctx, func() { stop(); cancel(nil) }
}

// acquire returns the setup in force, which stays usable until it is released.
func (h *Handler) acquire() *setup {
	for {
		if s := h.current.Load(); s.acquire() {
			return s
		}
	}
}

// Reload puts other options in force, all at once: what is not said again is as by default.
// Requests that are under way go on by those that they began with. After an error the old ones
// stay.
func (h *Handler) Reload(opts ...Option) error {
	s, err := newSetup(opts)
	if err != nil {
		return err
	}
	h.swapping.Lock()
	defer h.swapping.Unlock()
	s.inherit(h.current.Load())
	h.current.Swap(s).release()
	return nil
}

// Shutdown has new requests answered 503 and waits until those under way have ended, or ctx has. It
// returns the error of ctx.
func (h *Handler) Shutdown(ctx context.Context) error {
	h.closing.Store(true)
	h.swapping.Lock()
	defer h.swapping.Unlock()
	current := h.current.Load()
	if err := current.wait(ctx); err != nil {
		return err
	}
	return current.runs.Wait(ctx) // also of those that began before a change of options
}

// Close frees what the gateway holds: idle connections, and the server of its own that answers
// without an upstream. Requests that are under way fail: whole ones are answered 503, streams end
// in an error.
func (h *Handler) Close() {
	h.closing.Store(true)
	h.end()
	h.swapping.Lock()
	defer h.swapping.Unlock()
	current := h.current.Load()
	current.runs.Close(errEnding)
	current.close()
}
