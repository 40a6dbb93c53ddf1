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

// claim announces a write of a size. The write must leave the reserve free.
func (g *diskGuard) claim(size int) error {
	if g.directory == "" {
		return nil
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.claimed += int64(size)
	if g.full != nil || g.claimed > g.most || time.Since(g.checked) > diskInterval {
		g.look(int64(size))
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
	g.look(0)
	return g.full
}

// look checks whether the disk has room for a write of a size.
func (g *diskGuard) look(size int64) {
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
	if free-size < reserve {
		left := formatSize(free) + " left"
		if free >= reserve {
			left += " for a write of " + formatSize(size)
		}
		g.full = &WriteError{Full: true,
			Err: fmt.Errorf("the disk of %s has %s, and %s are kept free", g.directory, left,
				formatSize(reserve))}
	}
}

// formatSize formats a number of bytes, such as "64 MB" and "204 KB".
func formatSize(bytes int64) string {
	if bytes < 10<<20 {
		return fmt.Sprintf("%d KB", bytes>>10)
	}
	return fmt.Sprintf("%d MB", bytes>>20)
}
