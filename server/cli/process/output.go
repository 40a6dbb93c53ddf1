package process

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// OutputFile is a file that appears at its path only when it is complete. Until then its content is
// in a temporary file in the same folder.
//
// A path that is not a regular file, such as a named pipe, is written directly. So is /dev/fd/3,
// even if the shell has opened a file for it, because the command must not replace that file.
type OutputFile struct {
	*os.File
	path string
	// direct is the writer of a path that is written directly, or nil.
	direct *Writer
}

// CreateOutput creates an output. The caller must call Commit or Discard.
func CreateOutput(ctx context.Context, path string) (*OutputFile, error) {
	perm := fs.FileMode(0o666) // less the umask
	if info, err := os.Stat(path); err == nil {
		if info.IsDir() {
			return nil, &fs.PathError{Op: "create", Path: path, Err: errors.New("is a directory")}
		}
		if !info.Mode().IsRegular() || isDescriptor(path) {
			file, err := UnlessInterrupted(ctx,
				func() (*os.File, error) { return os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0) })
			return &OutputFile{File: file, path: path, direct: NewWriter(ctx, file)}, err
		}
		perm = info.Mode().Perm()
		if path, err = filepath.EvalSymlinks(path); err != nil {
			return nil, err
		}
	}
	temporary := filepath.Join(filepath.Dir(path), fmt.Sprintf(".gemwire-%016x.tmp", rand.Uint64()))
	file, err := os.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
	if err != nil {
		return nil, &fs.PathError{Op: "create", Path: path, Err: WithoutPath(err)}
	}
	return &OutputFile{File: file, path: path}, nil
}

// abandonedAfter is how long nothing was written to a temporary file of a process that was killed.
const abandonedAfter = time.Hour

// RemoveOldOutputs removes temporary files of outputs whose processes were killed.
func RemoveOldOutputs(folder string) {
	found, _ := filepath.Glob(filepath.Join(folder, ".gemwire-"+strings.Repeat("[0-9a-f]", 16)+".tmp"))
	for _, path := range found {
		info, err := os.Lstat(path)
		if err == nil && info.Mode().IsRegular() && time.Since(info.ModTime()) > abandonedAfter {
			os.Remove(path) // if that fails, the next run tries again
		}
	}
}

// Write implements [io.Writer].
func (f *OutputFile) Write(p []byte) (int, error) {
	if f.direct != nil {
		return f.direct.Write(p)
	}
	return f.File.Write(p)
}

// isDescriptor reports whether a path is one of the process's file descriptors.
func isDescriptor(path string) bool {
	path, err := filepath.Abs(path)
	return err == nil && (strings.HasPrefix(path, "/dev/") || strings.HasPrefix(path, "/proc/"))
}

// Commit makes the file appear, and replaces an existing one.
func (f *OutputFile) Commit() error {
	if err := f.Close(); err != nil {
		f.Discard()
		return err
	}
	if f.direct != nil {
		return nil
	}
	if err := os.Rename(f.Name(), f.path); err != nil {
		f.Discard()
		return err
	}
	return nil
}

// Discard leaves the path unchanged. After Commit it does nothing.
func (f *OutputFile) Discard() {
	f.Close()
	if f.direct == nil {
		os.Remove(f.Name())
	}
}

// WithoutPath removes the path from an error of package os, because messages begin with the file
// name.
func WithoutPath(err error) error {
	if path, ok := errors.AsType[*fs.PathError](err); ok {
		return path.Err
	}
	if link, ok := errors.AsType[*os.LinkError](err); ok {
		return link.Err
	}
	return err
}
