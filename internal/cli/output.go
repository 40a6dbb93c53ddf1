package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
)

// outputFile is a file that appears at its path only when it is complete. Until then its content is
// in a temporary file in the same folder.
//
// A path that leads to something other than a file, such as a named pipe, is written directly, and
// so is /dev/fd/3 even when the shell has put a file behind it: that file is not ours to replace.
type outputFile struct {
	*os.File
	path string
	// direct is the writer of a path that is written directly, else nil.
	direct *interruptibleWriter
}

// createOutput begins an output. The caller ends it by commit, or by discard.
func createOutput(ctx context.Context, path string) (*outputFile, error) {
	perm := fs.FileMode(0o666) // less the umask
	if info, err := os.Stat(path); err == nil {
		if info.IsDir() {
			return nil, &fs.PathError{Op: "create", Path: path, Err: errors.New("is a directory")}
		}
		if !info.Mode().IsRegular() || isDescriptor(path) {
			file, err := unlessInterrupted(ctx, func() (*os.File, error) { return os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0) })
			return &outputFile{File: file, path: path, direct: &interruptibleWriter{ctx: ctx, out: file}}, err
		}
		perm = info.Mode().Perm()
		if path, err = filepath.EvalSymlinks(path); err != nil {
			return nil, err
		}
	}
	temporary := filepath.Join(filepath.Dir(path), fmt.Sprintf(".gemwire-%016x.tmp", rand.Uint64()))
	file, err := os.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
	if err != nil {
		return nil, &fs.PathError{Op: "create", Path: path, Err: withoutPath(err)}
	}
	return &outputFile{File: file, path: path}, nil
}

// Write implements [io.Writer].
func (f *outputFile) Write(p []byte) (int, error) {
	if f.direct != nil {
		return f.direct.Write(p)
	}
	return f.File.Write(p)
}

// isDescriptor reports whether a path names one of the process's open files.
func isDescriptor(path string) bool {
	path, err := filepath.Abs(path)
	return err == nil && (strings.HasPrefix(path, "/dev/") || strings.HasPrefix(path, "/proc/"))
}

// commit makes the file appear, in place of one that is there already.
func (f *outputFile) commit() error {
	if err := f.Close(); err != nil {
		f.discard()
		return err
	}
	if f.direct != nil {
		return nil
	}
	if err := os.Rename(f.Name(), f.path); err != nil {
		f.discard()
		return err
	}
	return nil
}

// discard leaves the path as it was. After commit it does nothing.
func (f *outputFile) discard() {
	f.Close()
	if f.direct == nil {
		os.Remove(f.Name())
	}
}

// withoutPath takes the path off an error of package os: messages name the file once, in front.
func withoutPath(err error) error {
	if path, ok := errors.AsType[*fs.PathError](err); ok {
		return path.Err
	}
	if link, ok := errors.AsType[*os.LinkError](err); ok {
		return link.Err
	}
	return err
}

// watchedWriter remembers why writing failed, which converters of streams wrap in words of their own.
type watchedWriter struct {
	out    io.Writer
	failed error
}

// Write implements [io.Writer].
func (w *watchedWriter) Write(p []byte) (int, error) {
	n, err := w.out.Write(p)
	if err != nil {
		w.failed = err
	}
	return n, err
}
