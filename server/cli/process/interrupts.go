package process

import (
	"context"
	"os"
	"sync"
	"syscall"
)

// Interrupts is who a signal is for that ends the whole program unless a command has something else
// that it does then: an interrupt from the keyboard ends an answer of a chat, a hangup has a server
// read its settings again. It is made by [WithInterrupts] and safe for use by several goroutines.
type Interrupts struct {
	mu    sync.Mutex
	catch map[os.Signal]func()
}

type interruptsKey struct{}

// WithInterrupts returns a context in which [CatchInterrupts] and [CatchHangups] work.
func WithInterrupts(ctx context.Context) (context.Context, *Interrupts) {
	i := &Interrupts{catch: map[os.Signal]func(){}}
	return context.WithValue(ctx, interruptsKey{}, i), i
}

// Caught gives a signal to who catches it, and reports whether there is somebody.
func (i *Interrupts) Caught(signal os.Signal) bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	catch := i.catch[signal]
	if catch == nil {
		return false
	}
	catch()
	return true
}

// CatchInterrupts has catch called for each interrupt, until release is. Without a context of
// [WithInterrupts] it does nothing.
func CatchInterrupts(ctx context.Context, catch func()) (release func()) {
	return catchSignal(ctx, os.Interrupt, catch)
}

// CatchHangups does the same for hangups, by which servers are told to read their settings again.
func CatchHangups(ctx context.Context, catch func()) (release func()) {
	return catchSignal(ctx, syscall.SIGHUP, catch)
}

func catchSignal(ctx context.Context, signal os.Signal, catch func()) (release func()) {
	i, _ := ctx.Value(interruptsKey{}).(*Interrupts)
	if i == nil {
		return func() {}
	}
	set := func(catch func()) {
		i.mu.Lock()
		defer i.mu.Unlock()
		i.catch[signal] = catch
	}
	set(catch)
	return func() { set(nil) }
}
