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
)

// OutputFile is a file that appears at its path only when it is complete. Until then its content is
// in a temporary file in the same folder.
//
// A path that leads to something other than a file, such as a named pipe, is written directly, and
// so is /dev/fd/3 even when the shell has put a file behind it: that file is not ours to replace.
type OutputFile struct {
	*os.File
	path string
	// direct is the writer of a path that is written directly, else nil.
	direct *Writer
}

// CreateOutput begins an output. The caller ends it by Commit, or by Discard.
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

// Write implements [io.Writer].
func (f *OutputFile) Write(p []byte) (int, error) {
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

// Commit makes the file appear, in place of one that is there already.
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

// Discard leaves the path as it was. After Commit it does nothing.
func (f *OutputFile) Discard() {
	f.Close()
	if f.direct == nil {
		os.Remove(f.Name())
	}
}

// WithoutPath takes the path off an error of package os: messages name the file once, in front.
func WithoutPath(err error) error {
	if path, ok := errors.AsType[*fs.PathError](err); ok {
		return path.Err
	}
	if link, ok := errors.AsType[*os.LinkError](err); ok {
		return link.Err
	}
	return err
}
