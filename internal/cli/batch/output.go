package batch

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/gemwire/gemwire/internal/cli/process"
	"github.com/gemwire/gemwire/pkg/bulk"
)

// output is the pair of files that a job ends in.
type output struct {
	path string // of the answers
}

// errorsPath is that of the lines that failed: answers.errors.jsonl beside answers.jsonl.
func (o output) errorsPath() string {
	extension := filepath.Ext(o.path)
	return strings.TrimSuffix(o.path, extension) + ".errors" + extension
}

// check fails where no file can be written, before anything is paid for.
func (o output) check(ctx context.Context) error {
	file, err := process.CreateOutput(ctx, o.path)
	if err != nil {
		return &fileError{o.path, err}
	}
	file.Discard()
	return nil
}

// isThere reports whether the file of answers is there.
func (o output) isThere() bool {
	_, err := os.Stat(o.path)
	return err == nil
}

// write writes both files. Each appears when it is complete; one without lines is not written, and one of an earlier job
// is removed.
func (o output) write(ctx context.Context, service *bulk.Service, job *bulk.Job) error {
	if err := save(ctx, o.path, job.Counts.Completed, func() (io.ReadCloser, error) { return service.Results(ctx, job.ID) }); err != nil {
		return err
	}
	return save(ctx, o.errorsPath(), job.Counts.Failed, func() (io.ReadCloser, error) { return service.Errors(ctx, job.ID) })
}

// save writes a file of so many lines.
func save(ctx context.Context, path string, lines int64, open func() (io.ReadCloser, error)) error {
	if lines == 0 {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return &fileError{path, err}
		}
		return nil
	}
	content, err := open()
	if err != nil {
		return err
	}
	defer content.Close()
	file, err := process.CreateOutput(ctx, path)
	if err != nil {
		return &fileError{path, err}
	}
	defer file.Discard()
	if _, err := io.Copy(file, content); err != nil {
		return &fileError{path, err}
	}
	if err := file.Commit(); err != nil {
		return &fileError{path, err}
	}
	return nil
}
