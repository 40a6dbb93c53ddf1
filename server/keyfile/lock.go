package keyfile

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"
)

const (
	// lockPause is the pause between two attempts to take a lock.
	lockPause = 20 * time.Millisecond
	// staleTime is the age of a lock whose process was killed. A change takes milliseconds.
	staleTime = 10 * time.Second
)

// lock makes a file that exists while a process changes the keys. It waits for another process.
func lock(ctx context.Context, path string) (unlock func(), err error) {
	for {
		made, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
		if err == nil {
			made.Close()
			return func() { os.Remove(path) }, nil
		}
		if !errors.Is(err, fs.ErrExist) {
			return nil, fmt.Errorf("keyfile: %w", err)
		}
		if info, err := os.Stat(path); err == nil && time.Since(info.ModTime()) > staleTime {
			os.Remove(path)
			continue
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(lockPause):
		}
	}
}
