package batch

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/gemwire/gemwire/server/bulk"
	"github.com/gemwire/gemwire/server/cli/process"
)

// output is the pair of files that a job writes at its end.
type output struct {
	path string // of the answers
}

// errorsPath returns the path for failed lines: answers.errors.jsonl for answers.jsonl and for
// answers.csv.
func (o output) errorsPath() string {
	extension := filepath.Ext(o.path)
	base := strings.TrimSuffix(o.path, extension)
	if o.isTable() {
		extension = ".jsonl"
	}
	return base + ".errors" + extension
}

// check fails if no file can be written, before the job costs anything.
func (o output) check(ctx context.Context) error {
	if o.path == "-" {
		return usageError{errors.New("--out must name a file; gemwire batch results prints the answers")}
	}
	file, err := process.CreateOutput(ctx, o.path)
	if err != nil {
		return &fileError{o.path, err}
	}
	file.Discard()
	process.RemoveOldOutputs(filepath.Dir(o.path))
	return nil
}

// isThere reports whether one of the files exists.
func (o output) isThere() bool {
	for _, path := range []string{o.path, o.errorsPath()} {
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
			return true
		}
	}
	return false
}

// isWritten reports whether both files exist with the content of a family. Another job may have
// written to the same path since. Files of several jobs and tables are always written again.
func (o output) isWritten(ctx context.Context, service *bulk.Service, of family) (bool, error) {
	if len(of) > 1 || o.isTable() {
		return false, nil
	}
	job := of[0]
	for path, id := range map[string]string{o.path: job.OutputFile, o.errorsPath(): job.ErrorFile} {
		if id == "" { // as it has no lines
			continue
		}
		kept, err := service.File(ctx, id)
		if err != nil {
			return false, err
		}
		sum, err := sumOf(ctx, path)
		if err != nil || sum != kept.SHA256 {
			return false, nil // it is written again, which says what is wrong with it
		}
	}
	return true, nil
}

// sumOf returns the digest of a file.
func sumOf(ctx context.Context, path string) (string, error) {
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	if info, err := file.Stat(); err != nil || !info.Mode().IsRegular() {
		return "", errors.Join(err, errors.New("is not a regular file"))
	}
	sum := sha256.New()
	if _, err := io.Copy(sum, process.NewReader(ctx, file)); err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// write writes both files. Each appears when it is complete. A file without lines is not written,
// and an earlier job's file is removed.
func (o output) write(ctx context.Context, service *bulk.Service, of family, in *input) error {
	job := of[0]
	if o.isTable() {
		if err := o.writeTable(ctx, service, of, in); err != nil {
			return err
		}
	}
	if len(of) > 1 {
		return o.merge(ctx, service, of)
	}
	if !o.isTable() {
		if err := save(ctx, o.path, job.Counts.Completed,
			func() (io.ReadCloser, error) { return service.Results(ctx, job.ID) }); err != nil {
			return err
		}
	}
	return save(ctx, o.errorsPath(), job.Counts.Failed,
		func() (io.ReadCloser, error) { return service.Errors(ctx, job.ID) })
}

// merge writes the files of a job and the retries of its failed lines. A table of answers has been
// written before.
func (o output) merge(ctx context.Context, service *bulk.Service, of family) error {
	answers, err := o.create(ctx, o.path)
	if err != nil {
		return err
	}
	defer answers.Discard()
	failures, err := o.create(ctx, o.errorsPath())
	if err != nil {
		return err
	}
	defer failures.Discard()
	anyFailed := false
	toAnswers, toFailures := bufio.NewWriter(answers), bufio.NewWriter(failures)
	err = of.each(ctx, service, func(r *result) error {
		to := toAnswers
		if r.isFailed {
			to, anyFailed = toFailures, true
		}
		_, err := to.Write(r.line)
		return err
	})
	if err = errors.Join(err, toAnswers.Flush(), toFailures.Flush()); err != nil {
		return &fileError{o.path, err}
	}
	if !o.isTable() {
		if err := answers.Commit(); err != nil {
			return &fileError{o.path, err}
		}
	}
	if !anyFailed {
		return removeOld(o.errorsPath())
	}
	if err := failures.Commit(); err != nil {
		return &fileError{o.errorsPath(), err}
	}
	return nil
}

func (o output) create(ctx context.Context, path string) (*process.OutputFile, error) {
	file, err := process.CreateOutput(ctx, path)
	if err != nil {
		return nil, &fileError{path, err}
	}
	return file, nil
}

// removeOld removes an earlier job's file. It does not remove anything else, such as a device.
func removeOld(path string) error {
	info, err := os.Lstat(path)
	if err == nil && info.Mode().IsRegular() {
		err = os.Remove(path)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return &fileError{path, err}
	}
	return nil
}

// save writes a file with the given number of lines.
func save(ctx context.Context, path string, lines int64, open func() (io.ReadCloser, error)) error {
	if lines == 0 {
		return removeOld(path)
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
