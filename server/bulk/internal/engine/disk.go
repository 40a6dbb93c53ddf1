package engine

import (
	"fmt"
	"sync"
	"time"
)

// diskGuard refuses writes before the disk is full, as a server whose write failed takes none until
// it starts again. The zero value guards nothing, as of servers elsewhere.
type diskGuard struct {
	directory string
	ask       func(directory string) (free, total int64, err error) // nil asks the system

	mu      sync.Mutex
	checked time.Time
	claimed int64 // since then
	most    int64 // that may be claimed until the guard looks again
	full    error
}

// The guard looks again after this time, or when a quarter of what is kept free was written. That
// is a twentieth of a small disk.
const (
	diskInterval = time.Second
	diskReserve  = 64 << 20
)

// claim says that a write of a size comes.
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

// check looks now.
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
		return // nobody knows; the write itself will tell
	}
	reserve := min(diskReserve, total/20)
	g.most = reserve / 4
	if free < reserve {
		g.full = &WriteError{Full: true,
			Err: fmt.Errorf("the disk has %d MB left, and %d MB are kept free", free>>20,
				reserve>>20)}
	}
}
