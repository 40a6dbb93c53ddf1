package provider

import (
	"errors"
	"fmt"
)

// Ready returns a channel that delivers a value when there may be something for [Provider.Poll] to
// deliver. It is for one receiver, holds at most one value, and is never closed. Without
// [WithPolling] it delivers nothing.
func (p *Provider) Ready() <-chan struct{} {
	if p == nil {
		return nil
	}
	return p.ready
}

// Errors of [Provider.ReadyFD].
var (
	// ErrNotPolled is returned by providers without [WithPolling].
	ErrNotPolled = errors.New("provider: ReadyFD needs WithPolling")
	// ErrNoDescriptor is returned on systems other than Unix, such as Windows. It matches
	// [errors.ErrUnsupported].
	ErrNoDescriptor = fmt.Errorf("provider: ReadyFD: a descriptor needs a Unix system; use Ready: %w",
		errors.ErrUnsupported)
)

// ReadyFD returns a file descriptor that is readable when there may be something for
// [Provider.Poll] to deliver. It is for loops around epoll, kqueue, poll or select, as
// [Provider.Ready] is for Go's select:
//
//	fd, err := p.ReadyFD()
//	for p.Running() > 0 {
//		// wait until fd or another descriptor is readable, then:
//		p.Poll()
//	}
//
// Poll reads from the descriptor. A program must not read, write or close it. Each call returns the
// same descriptor. The first call opens it. It is closed when the provider is garbage collected.
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

// notify sends a value to Ready unless one is already waiting.
func (p *Provider) notify() {
	p.descriptor.Load().signal()
	select {
	case p.ready <- struct{}{}:
	default:
	}
}

// Poll calls the callbacks for everything that arrived since the last Poll, for all calls in the
// order in which they were started. It returns the number of delivered events and completions. It
// does not wait for more. Within a callback, and while another goroutine polls, it only makes Ready
// deliver another value. Without [WithPolling] it does nothing.
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

// poll delivers what is waiting now. Later arrivals make another value for Ready.
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
