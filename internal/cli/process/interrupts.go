package process

import (
	"context"
	"sync"
)

// Interrupts is who an interrupt from the keyboard is for: the whole program, unless a command has something smaller
// that it ends, such as an answer of a chat. It is made by [WithInterrupts] and safe for use by several goroutines.
type Interrupts struct {
	mu    sync.Mutex
	catch func()
}

type interruptsKey struct{}

// WithInterrupts returns a context in which [CatchInterrupts] works.
func WithInterrupts(ctx context.Context) (context.Context, *Interrupts) {
	i := &Interrupts{}
	return context.WithValue(ctx, interruptsKey{}, i), i
}

// Caught gives an interrupt to who catches it, and reports whether there is somebody.
func (i *Interrupts) Caught() bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.catch == nil {
		return false
	}
	i.catch()
	return true
}

// CatchInterrupts has catch called for each interrupt, until release is. Without a context of [WithInterrupts] it
// does nothing.
func CatchInterrupts(ctx context.Context, catch func()) (release func()) {
	i, _ := ctx.Value(interruptsKey{}).(*Interrupts)
	if i == nil {
		return func() {}
	}
	set := func(catch func()) {
		i.mu.Lock()
		defer i.mu.Unlock()
		i.catch = catch
	}
	set(catch)
	return func() { set(nil) }
}
