// Package modellist keeps the list of models of an upstream, and shows lists of models by pages.
package modellist

import (
	"context"
	"time"

	"github.com/gemwire/gemwire/pkg/gemini/models"
)

// keptFor is how long a list is good.
const keptFor = 5 * time.Minute

// Cache keeps an upstream's list of models for all clients. It is made by [NewCache], and safe for
// use by several goroutines.
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

// NewCache returns a cache that has to ask first.
func NewCache() *Cache { return &Cache{asking: make(chan struct{}, 1)} }

// Models returns the models, by asking for them when those that are kept are old. Where that fails
// it returns those that there are, beside the error. One asks at a time, and others wait until the
// context ends.
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
