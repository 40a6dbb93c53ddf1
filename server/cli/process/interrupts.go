package process

import (
	"context"
	"os"
	"sync"
	"syscall"
)

// Interrupts lets commands handle signals that otherwise end the whole program. An interrupt from
// the keyboard ends an answer of a chat, and a hangup reloads a server's settings. [WithInterrupts]
// makes it. It is safe for concurrent use.
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

// Caught passes a signal to its handler, and reports whether there is one.
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

// CatchInterrupts calls catch for each interrupt until release is called. Without a context from
// [WithInterrupts] it does nothing.
func CatchInterrupts(ctx context.Context, catch func()) (release func()) {
	return catchSignal(ctx, os.Interrupt, catch)
}

// CatchHangups does the same for hangups, which make servers reload their settings.
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
