//go:build unix

package provider

import (
	"runtime"
	"sync/atomic"
	"syscall"
)

// descriptor is a pipe that is readable when there may be something for [Provider.Poll] to deliver.
type descriptor struct {
	read, write int
	isSignalled atomic.Bool // a byte is in the pipe, or on its way there
}

// newDescriptor makes a pipe, which is closed when the provider is garbage collected.
func newDescriptor(p *Provider) (*descriptor, error) {
	var ends [2]int
	syscall.ForkLock.RLock()
	err := syscall.Pipe(ends[:])
	if err == nil {
		syscall.CloseOnExec(ends[0])
		syscall.CloseOnExec(ends[1])
	}
	syscall.ForkLock.RUnlock()
	if err != nil {
		return nil, err
	}
	runtime.AddCleanup(p, closeAll, ends)
	for _, fd := range ends {
		if err := syscall.SetNonblock(fd, true); err != nil {
			return nil, err
		}
	}
	return &descriptor{read: ends[0], write: ends[1]}, nil
}

func closeAll(ends [2]int) {
	for _, fd := range ends {
		_ = syscall.Close(fd)
	}
}

// signal makes the descriptor readable.
func (d *descriptor) signal() {
	if d != nil && d.isSignalled.CompareAndSwap(false, true) {
		_, _ = syscall.Write(d.write, []byte{0}) // A full pipe can be read already.
	}
}

// clear makes the descriptor unreadable. The Poll that calls clear delivers everything that was
// offered before.
func (d *descriptor) clear() {
	if d == nil {
		return
	}
	var buf [16]byte
	for {
		if n, err := syscall.Read(d.read, buf[:]); n <= 0 && err != syscall.EINTR {
			break
		}
	}
	d.isSignalled.Store(false)
}

func (d *descriptor) fd() int { return d.read }
