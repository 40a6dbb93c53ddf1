package gateway

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"sync/atomic"

	"github.com/gemwire/gemwire/server/gateway/internal/problem"
	"github.com/gemwire/gemwire/server/quota"
)

// Handler is the gateway. [New] makes it. It is safe for concurrent use.
type Handler struct {
	current  atomic.Pointer[setup]
	closing  atomic.Bool
	swapping sync.Mutex // of Reload and Close
	// Close cancels ending, which cancels all requests in flight.
	ending context.Context
	end    context.CancelFunc
}

// errEnding is the cancellation cause of requests in flight when the gateway is closed.
var errEnding = errors.New("the gateway is shutting down")

// New returns a gateway. It returns an error that names the option if an option is invalid.
func New(opts ...Option) (*Handler, error) {
	s, err := newSetup(opts)
	if err != nil {
		return nil, err
	}
	if s.quota == nil {
		s.quota = quota.New()
	}
	h := &Handler{}
	h.ending, h.end = context.WithCancel(context.Background())
	s.sockets = newSockets(h)
	s.sockets.limit(s)
	h.current.Store(s)
	return h, nil
}

// ServeHTTP serves one request. A WebSocket lasts longer than ServeHTTP, so that it does not hold
// the buffers of its HTTP request; see [Handler.Shutdown]. After Shutdown has begun, ServeHTTP
// answers 503.
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

// acquire returns the current setup, which stays usable until it is released.
func (h *Handler) acquire() *setup {
	for {
		if s := h.current.Load(); s.acquire() {
			return s
		}
	}
}

// Reload replaces all options at once. An option that is not given again gets its default. Requests
// in flight keep the options they started with. After an error the old options stay.
func (h *Handler) Reload(opts ...Option) error {
	s, err := newSetup(opts)
	if err != nil {
		return err
	}
	h.swapping.Lock()
	defer h.swapping.Unlock()
	s.inherit(h.current.Load())
	s.sockets.limit(s)
	h.current.Swap(s).release()
	if s.noSockets {
		s.sockets.group.Drain(closeRestart)
	}
	return nil
}

// Accounts returns the names of the accounts, each once. [exchange.WithAccount] selects one.
func (h *Handler) Accounts() []string { return h.current.Load().pool.Names() }

// Shutdown answers new requests with 503 and waits until the requests in flight have ended or ctx
// is done. It closes WebSockets with 1001 when their requests have ended. It returns the error of
// ctx.
func (h *Handler) Shutdown(ctx context.Context) error {
	h.closing.Store(true)
	h.swapping.Lock()
	defer h.swapping.Unlock()
	current := h.current.Load()
	current.sockets.group.Shutdown(closeGoingAway)
	if err := current.sockets.group.Wait(ctx); err != nil {
		return err
	}
	if err := current.wait(ctx); err != nil {
		return err
	}
	return current.runs.Wait(ctx) // also of those that began before a change of options
}

// Close frees what the gateway holds: idle connections, and the embedded fake server. Requests in
// flight fail: the gateway answers whole ones with 503 and ends streams with an error. WebSockets
// close with 1001, for which Close does not wait; a call of [Handler.Shutdown] does.
func (h *Handler) Close() {
	h.closing.Store(true)
	h.end()
	h.swapping.Lock()
	defer h.swapping.Unlock()
	current := h.current.Load()
	current.sockets.group.Shutdown(closeGoingAway)
	current.runs.Close(errEnding)
	current.close()
}
