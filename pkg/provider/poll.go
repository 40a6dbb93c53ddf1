package provider

import (
	"errors"
	"fmt"
)

// Ready returns a channel that gives a value when there may be something for [Provider.Poll] to
// deliver. It is for one receiver, gives one value however much waits, and is never closed. Without
// [WithPolling] it gives none.
func (p *Provider) Ready() <-chan struct{} {
	if p == nil {
		return nil
	}
	return p.ready
}

// Errors of [Provider.ReadyFD].
var (
	// ErrNotPolled is returned by a provider without [WithPolling].
	ErrNotPolled = errors.New("provider: ReadyFD needs WithPolling")
	// ErrNoDescriptor is returned on systems other than Unix, such as Windows. It is an
	// [errors.ErrUnsupported].
	ErrNoDescriptor = fmt.Errorf("provider: ReadyFD: a descriptor needs a Unix system; use Ready: %w",
		errors.ErrUnsupported)
)

// ReadyFD returns a file descriptor that can be read while there may be something for
// [Provider.Poll] to deliver, for loops around epoll, kqueue, poll or select. It does for them what
// [Provider.Ready] does for Go's select:
//
//	fd, err := p.ReadyFD()
//	for p.Running() > 0 {
//		// wait until fd or another descriptor can be read, then:
//		p.Poll()
//	}
//
// Poll reads from the descriptor. A program must not read, write or close it. Each call returns the
// same descriptor. The first call opens it, and it is closed when the provider is garbage.
func (p *Provider) ReadyFD() (int, error) {
	if p == nil || !p.options.polled {
		return -1, ErrNotPolled
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if d := p.descriptor.Load(); d != nil {
		return d.fd(), nil
	}
	d, err := newDescriptor(p)
	if err != nil {
		return -1, err
	}
	p.descriptor.Store(d)
	d.signal() // for what was offered before
	return d.fd(), nil
}

// notify makes a value for Ready unless one waits already.
func (p *Provider) notify() {
	p.descriptor.Load().signal()
	select {
	case p.ready <- struct{}{}:
	default:
	}
}

// Poll calls the callbacks for what has come since the last time, of all calls in the order in
// which they were started, and returns how many events and completions it has delivered. It does
// not wait for more to come. Within a callback, and while another goroutine polls, it does nothing
// but have Ready give another value. Without [WithPolling] there is nothing to do.
func (p *Provider) Poll() int {
	if p == nil {
		return 0
	}
	p.refused.Store(true)
	if !p.polling.TryLock() {
		return 0
	}
	p.refused.Store(false)
	defer func() {
		p.polling.Unlock()
		if p.refused.Load() { // so what it came for may be left
			p.notify()
		}
	}()
	p.descriptor.Load().clear()
	delivered := 0
	for _, call := range p.calls() {
		delivered += call.poll()
	}
	return delivered
}

// poll delivers what waits now. What comes meanwhile makes another value for Ready.
func (c *Call) poll() int {
	if c.waiting == nil {
		return 0
	}
	delivered := 0
	for range len(c.waiting) + 1 { // and the end
		select {
		case event, ok := <-c.waiting:
			if !ok {
				c.finish()
				return delivered + 1
			}
			if c.deliver(event) {
				delivered++
			}
		default:
			return delivered
		}
	}
	return delivered
}
