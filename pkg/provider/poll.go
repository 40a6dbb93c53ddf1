package provider

// Ready returns a channel that gives a value when there may be something for [Provider.Poll] to deliver. It is
// for one receiver, gives one value however much waits, and is never closed. Without [WithPolling] it gives none.
func (p *Provider) Ready() <-chan struct{} {
	if p == nil {
		return nil
	}
	return p.ready
}

// notify makes a value for Ready unless one waits already.
func (p *Provider) notify() {
	select {
	case p.ready <- struct{}{}:
	default:
	}
}

// Poll calls the callbacks for what has come since the last time, of all calls in the order in which they were
// started, and returns how many events and completions it has delivered. It does not wait for more to come. Within
// a callback, and while another goroutine polls, it does nothing but have Ready give another value. Without
// [WithPolling] there is nothing to do.
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
