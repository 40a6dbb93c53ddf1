package batch

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"slices"

	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/server/bulk"
	"github.com/go-json-experiment/json/jsontext"
)

// family is a job and the ended retries of its failed lines whose answers belong to the same file.
// The job is first, and the newest retry is last.
type family []*bulk.Job

// familyOf returns the family of a job for an output file. Known retries belong to it too.
func familyOf(ctx context.Context, service *bulk.Service, root *bulk.Job, out string,
	known ...string) (family, error) {
	about, err := origin("", out)
	if err != nil {
		return nil, err
	}
	path, found := about[metadataOutput], family{root}
	ids := map[string]bool{root.ID: true}
	for job, err := range service.Jobs(ctx, bulk.Page{OldestFirst: true}) {
		switch {
		case errors.Is(err, bulk.ErrDamaged):
		case err != nil:
			return nil, err
		case !ids[job.RetryOf] || !job.State.Ended():
		case slices.Contains(known, job.ID), path != "" && job.Metadata[metadataOutput] == path:
			ids[job.ID] = true
			found = append(found, job)
		}
	}
	return found, nil
}

// result is a line of the answers or errors of a family.
type result struct {
	id       string // of the request
	line     []byte
	isFailed bool
}

// errOldJob is returned for jobs that an earlier version of gemwire has ended.
var errOldJob = errors.New("an earlier version of gemwire has ended the job, so the places of the failed lines are unknown; set --out to a new file")

// each calls take with the newest result of each line, in the order of the input. The results are
// valid until the next call.
func (f family) each(ctx context.Context, service *bulk.Service, take func(*result) error) error {
	answers, err := f.open(ctx, service.Results)
	if err != nil {
		return err
	}
	defer answers.close()
	failures, err := f.open(ctx, service.Errors)
	if err != nil {
		return err
	}
	defer failures.close()
	for failed, err := range service.FailedLines(ctx, f[0].ID) {
		if err != nil {
			return err
		}
		if failed.Before < 0 {
			return errOldJob
		}
		if err := answers[0].copyUntil(failed.Before, "", false, take); err != nil {
			return err
		}
		if err := failures[0].copyUntil(-1, failed.CustomID, true, take); err != nil {
			return err
		}
		newest, err := newestOf(answers[1:], failures, failed.CustomID)
		if err != nil {
			return err
		}
		if newest == nil {
			continue
		}
		if err := take(newest); err != nil {
			return err
		}
	}
	return errors.Join(answers[0].copyUntil(-1, "", false, take),
		failures[0].copyUntil(-1, "", true, take))
}

// newestOf takes the results of a line out of all streams. It returns the newest answer, or else
// the newest error.
func newestOf(answers, failures streams, id string) (newest *result, err error) {
	for _, of := range []struct {
		streams  streams
		isFailed bool
	}{{failures, true}, {answers, false}} {
		for _, s := range of.streams {
			found, err := s.takeOf(id)
			if err != nil {
				return nil, err
			}
			if found != nil {
				newest = &result{id, found, of.isFailed}
			}
		}
	}
	return newest, nil
}

// open opens a stream of each job.
func (f family) open(ctx context.Context,
	read func(context.Context, string) (io.ReadCloser, error)) (streams, error) {
	var all streams
	for _, job := range f {
		content, err := read(ctx, job.ID)
		if err != nil {
			all.close()
			return nil, err
		}
		all = append(all, &stream{content: content, in: bufio.NewReader(content)})
	}
	return all, nil
}

// streams are the answers or the errors of the jobs of a family.
type streams []*stream

func (s streams) close() {
	for _, one := range s {
		one.content.Close()
	}
}

// stream reads the lines of one job.
type stream struct {
	content io.Closer
	in      *bufio.Reader
	taken   int64 // lines
	next    []byte
	id      string // of next
}

// peek reads the next line. It reports false at the end.
func (s *stream) peek() (bool, error) {
	if s.next != nil {
		return true, nil
	}
	text, err := s.in.ReadBytes('\n')
	if errors.Is(err, io.EOF) && len(text) == 0 {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	s.next, s.id = text, idOf(text)
	return true, nil
}

// takeOf returns the next line if it is the result of a request, and otherwise nil.
func (s *stream) takeOf(id string) ([]byte, error) {
	isThere, err := s.peek()
	if !isThere || err != nil || s.id != id {
		return nil, err
	}
	text := s.next
	s.next, s.taken = nil, s.taken+1
	return text, nil
}

// copyUntil passes lines on until a number of lines are taken, or until the line of a request.
// -1 and "" have no limit.
func (s *stream) copyUntil(count int64, id string, isFailed bool, take func(*result) error) error {
	for count < 0 || s.taken < count {
		isThere, err := s.peek()
		if !isThere || err != nil || id != "" && s.id == id {
			return err
		}
		next := result{s.id, s.next, isFailed}
		s.next, s.taken = nil, s.taken+1
		if err := take(&next); err != nil {
			return err
		}
	}
	return nil
}

// idOf returns the id of a line of answers or errors.
func idOf(text []byte) string {
	for _, name := range []jsontext.Pointer{"/custom_id", "/key"} {
		if start, end := jsonx.Find(text, name); end > start {
			id, err := jsontext.AppendUnquote(nil, text[start:end])
			if err == nil {
				return string(id)
			}
		}
	}
	return ""
}

// sum returns the digest of the answers.
func (f family) sum(ctx context.Context, service *bulk.Service) (string, error) {
	if len(f) == 1 {
		if f[0].OutputFile == "" {
			return "", nil
		}
		kept, err := service.File(ctx, f[0].OutputFile)
		if err != nil {
			return "", err
		}
		return kept.SHA256, nil
	}
	digest := sha256.New()
	err := f.each(ctx, service, func(r *result) error {
		if !r.isFailed {
			digest.Write(r.line)
		}
		return nil
	})
	return hex.EncodeToString(digest.Sum(nil)), err
}

// errOutIsOther is returned for an output file with other content than the answers of the job.
var errOutIsOther = errors.New("differs from the answers of the job, so the answers to its failed lines cannot be merged into it; set --out to a new file")

// familyIn returns the family whose answers a file has, without the job's own retries. The job is
// its newest member.
func familyIn(ctx context.Context, service *bulk.Service, job *bulk.Job,
	out output) (family, error) {
	ancestors := family{job}
	for ancestors[0].RetryOf != "" {
		earlier, err := service.Job(ctx, ancestors[0].RetryOf)
		if errors.As(err, new(*bulk.NotFoundError)) {
			break
		}
		if err != nil {
			return nil, err
		}
		ancestors = append(family{earlier}, ancestors...)
	}
	ids := make([]string, len(ancestors))
	for i, ancestor := range ancestors {
		ids[i] = ancestor.ID
	}
	for _, root := range ancestors {
		found, err := familyOf(ctx, service, root, out.path, ids...)
		if err != nil {
			return nil, err
		}
		isOf, err := found.isIn(ctx, service, out)
		if err != nil {
			return nil, err
		}
		if isOf {
			return found, nil
		}
	}
	return nil, &fileError{out.path, errOutIsOther}
}

// isIn reports whether a file has the answers of the family, or of its older members if the merge
// of the others was interrupted.
func (f family) isIn(ctx context.Context, service *bulk.Service, out output) (bool, error) {
	if out.isTable() {
		err := f.checkTable(ctx, service, out.path)
		if errors.Is(err, errOtherTable) {
			return false, nil
		}
		return err == nil, err
	}
	sum, err := sumOf(ctx, out.path)
	if err != nil {
		return false, &fileError{out.path, err}
	}
	for n := 1; n <= len(f); n++ {
		if own, err := f[:n].sum(ctx, service); own == sum || err != nil {
			return err == nil, err
		}
	}
	return false, nil
}

// failed returns the number of lines without an answer.
func (f family) failed() int64 {
	left := f[0].Counts.Failed
	for _, retry := range f[1:] {
		left -= retry.Counts.Completed
	}
	return left
}
