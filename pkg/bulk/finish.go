package bulk

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"time"

	"github.com/gemwire/gemwire/pkg/bulk/internal/blob"
	"github.com/gemwire/gemwire/pkg/bulk/internal/engine"
	"github.com/gemwire/gemwire/pkg/bulk/internal/rangelog"
	"github.com/gemwire/gemwire/pkg/bulk/internal/record"
	"github.com/gemwire/gemwire/pkg/bulk/internal/tally"
	"github.com/gemwire/gemwire/pkg/bulk/line"
)

// finishTask ends a job of which all ranges are done, or that was cancelled, or that has expired: it writes the files, and
// removes all else. Whoever does it twice does it in vain; only one of two comes to change the job.
func (s *Service) finishTask(ctx context.Context, id string) error {
	job, err := s.startFinish(ctx, id)
	if err != nil {
		return ignoreNotFound(err)
	}
	if job.State.Ended() {
		return s.clearEnded(ctx, job)
	}
	if job.State == InProgress { // of which a range is not done after all
		return nil
	}
	if job.Target != Completed {
		if err := s.letDrain(ctx, job); err != nil {
			return err
		}
	}
	out := s.newOutput(ctx, job)
	defer out.giveRoomBack()
	err = out.writeAll()
	if err == nil {
		err = out.keep()
	}
	if err != nil {
		out.drop()
		return err
	}
	return s.endJob(ctx, job, out)
}

// startFinish has a job be finalizing of which all ranges are done.
func (s *Service) startFinish(ctx context.Context, id string) (*jobRecord, error) {
	job, err := s.jobRecord(ctx, id)
	if err != nil {
		return nil, err
	}
	board, err := s.board(ctx, job)
	if err != nil {
		return nil, err
	}
	return s.changeJob(ctx, id, func(found *jobRecord) error {
		if found.State != InProgress || found.Generation != job.Generation || board.Ranges() < found.Ranges {
			return record.ErrUnchanged
		}
		found.enter(Finalizing, s.settings.now())
		found.Target, found.Parking = Completed, nil
		return nil
	})
}

// letDrain takes the ranges of a job back, and has the task wait for those that workers have, for a while.
func (s *Service) letDrain(ctx context.Context, job *jobRecord) error {
	stopped := job.CancellingAt
	if job.Target == Expired {
		stopped = job.FinalizingAt
	}
	drained, err := s.drained(ctx)
	if err != nil {
		return err
	}
	waited := s.settings.now().Sub(stopped)
	if !drained && 0 <= waited && waited < drainTime { // below 0 where the clock was set back
		return &LaterError{After: idleTime, Reason: "calls are under way"}
	}
	return s.unqueue(ctx, job)
}

// endJob has the job come to its end with the files that were written.
func (s *Service) endJob(ctx context.Context, job *jobRecord, out *output) error {
	ended, err := s.changeJob(ctx, job.ID, func(found *jobRecord) error {
		switch {
		case out.isOf(found):
			return record.ErrUnchanged
		case found.State != job.State || found.Target != job.Target:
			return errGone
		}
		now := s.settings.now()
		if found.FinalizingAt.IsZero() && found.Target == Completed {
			found.FinalizingAt = now
		}
		found.OutputFile, found.ErrorFile, found.FailedBlob = out.answers.id(), out.errors.id(), out.name
		found.Counts.Total = found.Total
		found.count(&out.sum)
		found.enter(found.Target, now)
		return nil
	})
	switch {
	case errors.Is(err, errGone):
		out.drop()
		return nil
	case err != nil:
		out.giveUp()
		return err
	}
	return s.clearEnded(ctx, ended)
}

// clearEnded removes what a job was made of, once.
func (s *Service) clearEnded(ctx context.Context, job *jobRecord) error {
	if job.Cleared {
		return nil
	}
	if err := s.clear(ctx, job); err != nil {
		return err
	}
	_, err := s.changeJob(ctx, job.ID, func(found *jobRecord) error { found.Cleared = true; return nil })
	return ignoreNotFound(err)
}

func ignoreNotFound(err error) error {
	if errors.As(err, new(*NotFoundError)) {
		return nil
	}
	return err
}

// output is the files of a job in the making.
type output struct {
	ctx     context.Context
	service *Service
	job     *jobRecord
	answers outputFile
	errors  outputFile
	failed  *blob.Writer // the lines of which errors has results, nil for none
	name    string       // of failed
	sum     tally.Sum
	buffer  []byte
	room    int64 // by which the stream of results was let grow
}

// outputFile is a file that is made when its first line comes.
type outputFile struct {
	name   string
	writer *fileWriter
}

func (f *outputFile) id() string {
	if f.writer == nil {
		return ""
	}
	return f.writer.record.ID
}

func (s *Service) newOutput(ctx context.Context, job *jobRecord) *output {
	return &output{
		ctx: ctx, service: s, job: job,
		answers: outputFile{name: job.ID + "_output.jsonl"}, errors: outputFile{name: job.ID + "_error.jsonl"},
	}
}

// writeAll writes the results of all ranges.
func (o *output) writeAll() error {
	board, err := o.service.board(o.ctx, o.job)
	if err != nil {
		return err
	}
	for number := range o.job.Ranges {
		if err := o.writeRange(number, board.Has(number)); err != nil {
			return err
		}
	}
	if done := o.sum.Done(); done != o.job.Total {
		return fmt.Errorf("bulk: job %s has results of %d lines out of %d", o.job.ID, done, o.job.Total)
	}
	return nil
}

// writeRange writes the results of a range, and of one that is not done also that the rest was not run.
func (o *output) writeRange(number int, isDone bool) error {
	results, err := o.results(number, isDone)
	if err != nil {
		return err
	}
	anyFailed := false
	for i := range results {
		loaded, err := results[i].Load(o.ctx, o.service.engine)
		if err != nil {
			return err
		}
		if err := o.write(loaded); err != nil {
			return err
		}
		anyFailed = anyFailed || loaded.Failed()
	}
	if isDone && !anyFailed {
		return nil
	}
	return o.writeFailed(number, results, isDone)
}

// results returns the results of a range with the log's counts, and closes a range that is not done.
func (o *output) results(number int, isDone bool) ([]rangelog.Result, error) {
	for {
		log, results, err := rangelog.Read(o.ctx, o.service.engine, o.job.log(), number)
		if err != nil {
			return nil, err
		}
		if !isDone && !log.Sealed() {
			if err := o.seal(log); err != nil {
				return nil, err
			}
			continue // and see what came in between
		}
		o.sum.Merge(log.Sum())
		return results, nil
	}
}

// sealBytes is more than the store takes for the entry that closes a range.
const sealBytes = 1 << 10

// seal closes a range. Results that have reached their bound must not keep a job from its end, which makes room: for that the
// bound is raised.
func (o *output) seal(log *rangelog.Log) error {
	err := log.Seal(o.ctx)
	if engine.IsFull(err) && o.room == 0 {
		o.room = int64(o.job.Ranges) * sealBytes
		if err := o.service.engine.Results.Grow(o.ctx, o.room); err != nil {
			return err
		}
		err = log.Seal(o.ctx)
	}
	if errors.Is(err, engine.ErrConflict) { // somebody was faster
		return nil
	}
	return err
}

// giveRoomBack has results have their bound again.
func (o *output) giveRoomBack() {
	if o.room == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(o.ctx), leaseTime)
	defer cancel()
	if err := o.service.engine.Results.Grow(ctx, -o.room); err != nil {
		o.service.settings.logger.Warn("bulk: results may have more room than they should", "job", o.job.ID, "error", err)
	}
}

// writeFailed keeps the lines of a range that failed, for who asks them again. Those that have no result were not run.
func (o *output) writeFailed(number int, results []rangelog.Result, isDone bool) error {
	lines, err := o.service.readLines(o.ctx, o.job, number)
	if err != nil {
		return err
	}
	next := 0
	for i := range lines {
		l := &lines[i]
		if next < len(results) && results[next].Number == l.Number {
			next++
			if results[next-1].Failed() {
				err = o.keepFailed(l)
			}
		} else if !isDone {
			err = errors.Join(o.writeNotRun(l), o.keepFailed(l))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// writeNotRun writes why a line was not run.
func (o *output) writeNotRun(l *line.Line) error {
	result := line.Cancelled(l)
	if o.job.Target == Expired {
		result = line.Expired(l)
	}
	o.sum.Add(&result, 0)
	return o.write(&result)
}

func (o *output) keepFailed(l *line.Line) (err error) {
	if o.failed == nil {
		o.name = "failed-" + rand.Text()
		o.failed = blob.NewWriter(o.service.engine.Files, engine.SubjectFiles+o.name)
	}
	if o.buffer, err = line.AppendLine(o.buffer[:0], l); err != nil {
		return err
	}
	return o.failed.Write(o.ctx, o.buffer)
}

// write writes a result into the file that it belongs to.
func (o *output) write(r *line.Result) (err error) {
	file := &o.answers
	if r.Failed() {
		file = &o.errors
	}
	if file.writer == nil {
		if file.writer, err = o.service.newFileWriter(o.ctx, o.file(file.name)); err != nil {
			return err
		}
	}
	if o.buffer, err = line.AppendResult(o.buffer[:0], o.job.Form, o.job.ID, r); err != nil {
		return err
	}
	_, err = file.writer.Write(o.buffer)
	return err
}

// file is what is known of a file of the job.
func (o *output) file(name string) File {
	file := File{Owner: o.job.Owner, Name: name, Purpose: PurposeBatchOutput}
	if seconds := o.job.OutputSeconds; seconds > 0 {
		file.ExpiresAt = o.service.settings.now().Add(time.Duration(seconds) * time.Second)
	}
	return file
}

// keep has the files be there.
func (o *output) keep() error {
	for _, file := range []*outputFile{&o.answers, &o.errors} {
		if file.writer != nil {
			if err := file.writer.keep(); err != nil {
				return err
			}
		}
	}
	if o.failed == nil {
		return nil
	}
	return o.failed.Close(o.ctx)
}

// isOf reports whether a job has ended with these files.
func (o *output) isOf(job *jobRecord) bool {
	return job.State.Ended() && job.OutputFile == o.answers.id() && job.ErrorFile == o.errors.id() && job.FailedBlob == o.name
}

// errHasEnded is a job that has ended with the files that were to be given up.
var errHasEnded = errors.New("bulk: the job has ended")

// giveUp removes what was written, unless the job has ended with it: who was cut off while it did does not know.
func (o *output) giveUp() {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(o.ctx), leaseTime)
	defer cancel()
	_, err := o.service.changeJob(ctx, o.job.ID, func(found *jobRecord) error {
		switch {
		case o.isOf(found):
			return errHasEnded
		case found.State.Ended():
			return record.ErrUnchanged
		}
		return nil // written anew, so that the store refuses an end that is still on its way
	})
	switch {
	case ignoreNotFound(err) == nil:
		o.drop()
	case !errors.Is(err, errHasEnded):
		o.service.settings.logger.Warn("bulk: files of a job that may have ended are left", "job", o.job.ID, "error", err)
	}
}

// drop removes what was written.
func (o *output) drop() {
	for _, file := range []*outputFile{&o.answers, &o.errors} {
		if file.writer != nil {
			file.writer.drop()
		}
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(o.ctx), leaseTime)
	defer cancel()
	if err := o.service.removeBlob(ctx, o.name); err != nil {
		o.service.settings.logger.Warn("bulk: lines of a job that could not end are left", "job", o.job.ID, "error", err)
	}
}
