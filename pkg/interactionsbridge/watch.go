package interactionsbridge

import (
	"context"

	"github.com/gemwire/gemwire/pkg/report"
)

// Watch watches one call through a bridge, for servers that pass on the requests of others. The
// functions may be nil.
type Watch struct {
	// Strict refuses the request if it would lose anything, with status 400.
	Strict bool
	// Request gets the report of the request's conversion before it is sent.
	Request func(report.Report)
	// Answer gets the report of the answer's conversion at its end.
	Answer func(report.Report)
}

type watchKey struct{}

// WithWatch returns a context for a call that is watched.
func WithWatch(ctx context.Context, w *Watch) context.Context {
	return context.WithValue(ctx, watchKey{}, w)
}

// watchOf returns the Watch of a call, which has no functions for a call without one.
func watchOf(ctx context.Context) *Watch {
	w, _ := ctx.Value(watchKey{}).(*Watch)
	if w == nil {
		w = &Watch{}
	}
	return w
}
