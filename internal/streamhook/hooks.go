// Package streamhook lets the gateway watch a stream while gemini.Client reads it: it passes
// functions to the client, which calls them for each read and each chunk.
// The functions are values of the call's context and not options of the client, because only the
// gateway needs them.
package streamhook

import "context"

// Hooks are called on the goroutine that reads the stream. A nil function is ignored.
type Hooks struct {
	// BeforeRead is called before each read of the body, which may wait for the server. A program
	// that forwards chunks flushes them in BeforeRead. So chunks that arrive together leave
	// together, and no chunk waits for the next one.
	BeforeRead func()
	// Chunk is called with the JSON of each chunk as the server sent it, before the chunk is
	// yielded. It must neither change nor keep the JSON.
	Chunk func(data []byte)
}

type key struct{}

// With returns a context with hooks. Streams that are called with this context use the hooks.
func With(ctx context.Context, hooks Hooks) context.Context {
	return context.WithValue(ctx, key{}, &hooks)
}

// Take returns the hooks of a context, and the context without them. A Doer that calls another
// client with the context of its request does not call them again.
func Take(ctx context.Context) (context.Context, Hooks) {
	hooks, _ := ctx.Value(key{}).(*Hooks)
	if hooks == nil {
		return ctx, Hooks{}
	}
	return context.WithValue(ctx, key{}, (*Hooks)(nil)), *hooks
}
