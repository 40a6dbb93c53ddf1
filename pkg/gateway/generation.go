package gateway

import (
	"context"
	"net/http"
	"sync"

	"github.com/gemwire/gemwire/pkg/gateway/internal/signature"
	"github.com/gemwire/gemwire/pkg/gateway/internal/upstream"
)

// generation is all that is in force between two calls of Reload.
type generation struct {
	settings
	router http.Handler
	pool   *upstream.Pool
	free   func() // what the upstream holds

	mu       sync.Mutex
	users    int // requests under way, and one for being in force
	isClosed bool
	idle     chan struct{} // closed when the last request has ended, where somebody waits
}

func newGeneration(opts []Option) (*generation, error) {
	g := &generation{settings: defaultSettings(), users: 1}
	for _, opt := range opts {
		if opt != nil {
			opt(&g.settings)
		}
	}
	if err := g.check(); err != nil {
		return nil, err
	}
	if err := g.connect(); err != nil {
		return nil, err
	}
	g.signatures.memory = signature.NewMemory(g.signatures.memorySize)
	g.router = newRouter(g)
	return g, nil
}

// inherit takes over what outlives a change of options.
func (g *generation) inherit(old *generation) {
	if g.signatures.memorySize == old.signatures.memorySize {
		g.signatures.memory = old.signatures.memory
	}
}

// acquire notes one more request. It reports false for a generation that is closed.
func (g *generation) acquire() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.users == 0 {
		return false
	}
	g.users++
	return true
}

// release notes that a request has ended, or that the generation is no longer in force.
func (g *generation) release() {
	g.mu.Lock()
	g.users--
	if g.users <= 1 && g.idle != nil {
		close(g.idle)
		g.idle = nil
	}
	isLast := g.users == 0
	g.mu.Unlock()
	if isLast {
		g.close()
	}
}

// wait waits until no request is under way.
func (g *generation) wait(ctx context.Context) error {
	g.mu.Lock()
	if g.users <= 1 {
		g.mu.Unlock()
		return nil
	}
	if g.idle == nil {
		g.idle = make(chan struct{})
	}
	idle := g.idle
	g.mu.Unlock()
	select {
	case <-idle:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// close frees what the generation holds.
func (g *generation) close() {
	g.mu.Lock()
	isClosed := g.isClosed
	g.isClosed = true
	g.mu.Unlock()
	if !isClosed && g.free != nil {
		g.free()
	}
}
