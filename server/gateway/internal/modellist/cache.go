// Package modellist caches the list of an upstream's models, and returns pages of lists of models.
package modellist

import (
	"context"
	"time"

	"github.com/gemwire/gemwire/pkg/gemini/models"
)

// keptFor is how long a cached list is valid.
const keptFor = 5 * time.Minute

// Cache caches an upstream's list of models for all clients. [NewCache] makes it. It is safe for
// concurrent use.
type Cache struct {
	asking chan struct{} // holds one token while somebody asks
	models []Listed
	until  time.Time
}

// Listed is a model as an upstream lists it.
type Listed struct {
	Name   string
	Limits models.Limits
}

// NewCache returns an empty cache.
func NewCache() *Cache { return &Cache{asking: make(chan struct{}, 1)} }

// Models returns the models. It asks the upstream if the cached list is old. If the upstream fails,
// it returns the cached models and the error. One goroutine asks at a time, and others wait until
// the context ends.
func (c *Cache) Models(ctx context.Context, now func() time.Time,
	ask func(context.Context) ([]Listed, error)) ([]Listed, error) {
	select {
	case c.asking <- struct{}{}:
		defer func() { <-c.asking }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if c.until.After(now()) {
		return c.models, nil
	}
	listed, err := ask(ctx)
	if err != nil {
		return c.models, err // which may be old
	}
	c.models, c.until = listed, now().Add(keptFor)
	return listed, nil
}
