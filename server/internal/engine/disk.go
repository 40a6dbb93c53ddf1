package engine

import (
	"fmt"
	"sync"
	"time"
)

// diskGuard refuses writes before the disk is full, because a server whose write failed accepts no
// more writes until it is restarted. The zero value, for remote servers, guards nothing.
type diskGuard struct {
	directory string
	ask       func(directory string) (free, total int64, err error) // nil asks the system

	mu      sync.Mutex
	checked time.Time
	claimed int64 // since then
	most    int64 // that may be claimed until the guard looks again
	full    error
}

// The guard checks again after this time, or after a quarter of the reserve was written. The
// reserve is a twentieth of a small disk.
const (
	diskInterval = time.Second
	diskReserve  = 64 << 20
)

// claim announces a write of a size.
func (g *diskGuard) claim(size int) error {
	if g.directory == "" {
		return nil
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.claimed += int64(size)
	if g.full != nil || g.claimed > g.most || time.Since(g.checked) > diskInterval {
		g.look()
	}
	return g.full
}

// check checks the disk now.
func (g *diskGuard) check() error {
	if g.directory == "" {
		return nil
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.look()
	return g.full
}

func (g *diskGuard) look() {
	g.checked, g.claimed, g.full = time.Now(), 0, nil
	ask := g.ask
	if ask == nil {
		ask = diskRoom
	}
	free, total, err := ask(g.directory)
	if err != nil {
		return // unknown; the write itself returns the error
	}
	reserve := min(diskReserve, total/20)
	g.most = reserve / 4
	if free < reserve {
		g.full = &WriteError{Full: true,
			Err: fmt.Errorf("the disk of %s has %d MB left, and %d MB are kept free",
				g.directory, free>>20, reserve>>20)}
	}
}
