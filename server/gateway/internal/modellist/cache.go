// Package modellist caches the list of an upstream's models, and returns pages of lists of models.
package modellist

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/gemwire/gemwire/pkg/gemini/models"
)

// keptFor is how long a cached list is current.
const keptFor = 5 * time.Minute

// askTime is the time limit of a request for the list.
const askTime = 10 * time.Second

// ErrLate is returned by [Cache.Models] if the upstream has not answered in time.
var ErrLate = errors.New("the upstream has not sent its list of models in time")

// Cache caches an upstream's list of models for all clients. [NewCache] makes it. It is safe for
// concurrent use.
//
//	empty ──Models──► asking, callers wait ──list──► current ──5 minutes──► old
//	  ▲                      │ error                    ▲                    │ Models returns the
//	  └──────────────────────┘                          └───────list─────────┘ old list and asks
type Cache struct {
	ctx    context.Context // of requests for the list
	cancel context.CancelFunc
	group  sync.WaitGroup

	mu      sync.Mutex
	models  []Listed
	hasList bool
	version int // of models
	until   time.Time
	asking  *asking // nil without a request
}

// asking is a request for the list. Its result is set before done is closed.
type asking struct {
	done   chan struct{}
	models []Listed
	err    error
}

// Listed is a model as an upstream lists it.
type Listed struct {
	Name   string
	Limits models.Limits
	// EmbedsOnly reports that the model makes vectors and no answers, see [EmbedsOnly].
	EmbedsOnly bool
}

// NewCache returns an empty cache. [Cache.Close] frees it.
func NewCache() *Cache {
	c := &Cache{}
	c.ctx, c.cancel = context.WithCancel(context.Background())
	return c
}

// Close cancels the request for the list, if there is one, and waits for its end.
func (c *Cache) Close() {
	c.cancel()
	c.group.Wait()
}

// Models returns the models. If the cached list is old, it returns the old list and asks the
// upstream in the background. Without a list it waits for the upstream until ctx ends, and then
// returns [ErrLate]. The upstream gets one request at a time, which continues after ctx has ended.
func (c *Cache) Models(ctx context.Context, now func() time.Time,
	ask func(context.Context) ([]Listed, error)) ([]Listed, error) {
	c.mu.Lock()
	if c.until.After(now()) {
		defer c.mu.Unlock()
		return c.models, nil
	}
	asking := c.ask(now, ask)
	if c.hasList {
		defer c.mu.Unlock()
		return c.models, nil
	}
	c.mu.Unlock()
	select {
	case <-asking.done:
		return asking.models, asking.err
	case <-ctx.Done():
		return nil, errors.Join(ErrLate, ctx.Err())
	}
}

// Version returns a number that changes with the list. It is 0 without a list.
func (c *Cache) Version() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.version
}

// ask returns the request for the list, which it starts unless it runs. The caller holds mu.
func (c *Cache) ask(now func() time.Time,
	ask func(context.Context) ([]Listed, error)) *asking {
	if c.asking != nil {
		return c.asking
	}
	a := &asking{done: make(chan struct{})}
	c.asking = a
	c.group.Go(func() {
		ctx, cancel := context.WithTimeout(c.ctx, askTime)
		defer cancel()
		a.models, a.err = ask(ctx)
		c.mu.Lock()
		defer c.mu.Unlock()
		if a.err == nil {
			if !c.hasList || !slices.Equal(a.models, c.models) {
				c.version++
			}
			c.models, c.hasList, c.until = a.models, true, now().Add(keptFor)
		}
		c.asking = nil
		close(a.done)
	})
	return a
}
