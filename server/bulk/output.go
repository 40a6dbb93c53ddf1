package bulk

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"time"

	"github.com/gemwire/gemwire/server/bulk/internal/blob"
	"github.com/gemwire/gemwire/server/bulk/internal/rangelog"
	"github.com/gemwire/gemwire/server/bulk/internal/tally"
	"github.com/gemwire/gemwire/server/bulk/line"
	"github.com/gemwire/gemwire/server/internal/engine"
	"github.com/gemwire/gemwire/server/internal/record"
)

// output holds the files of a job while they are written.
type output struct {
	ctx     context.Context
	service *Service
	job     *jobRecord
	answers outputFile
	errors  outputFile
	failed  linesBlob // the lines of which errors has results
	damaged linesBlob // those among them whose answers are lost
	sum     tally.Sum
	buffer  []byte
	room    int64 // by which the bound of the results was raised, and is to be lowered again

	// isThorough looks for lost answers in each range. See damage.go.
	isThorough bool
	damage     []Damage
	lost       int64 // lines
	last       int   // number of the last line

	answered int64 // answers that were written
}

// linesBlob is a blob of lines that is made when its first line arrives.
type linesBlob struct {
	name   string
	writer *blob.Writer // nil for none
}

// outputFile is a file that is made when its first line arrives.
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

// writeAll writes the results of all ranges. If some of them are damaged or missing, it writes all
// results again, with an error for each line whose answer is lost.
func (o *output) writeAll() error {
	err := o.writeRanges()
	if !isDamage(err) || o.isThorough {
		return err
	}
	o.service.settings.logger.Error("bulk: answers of a job are lost", "job", o.job.ID, "error", err)
	o.drop()
	o.answers.writer, o.errors.writer, o.failed = nil, nil, linesBlob{}
	o.sum, o.isThorough, o.answered = tally.Sum{}, true, 0
	return o.writeRanges()
}

// writeRanges writes the results of all ranges, or returns an [ErrDamaged].
func (o *output) writeRanges() error {
	board, err := o.service.board(o.ctx, o.job)
	if err != nil {
		return err
	}
	write := o.writeRange
	if o.isThorough {
		write = o.writeThoroughly
	}
	for number := range o.job.Ranges {
		if err := write(number, board.Has(number)); err != nil {
			return err
		}
	}
	if o.isThorough {
		o.countUnknown()
	}
	if done := o.sum.Done(); done != o.job.Total {
		return fmt.Errorf("%w: job %s has results of %d lines out of %d", ErrDamaged, o.job.ID,
			done, o.job.Total)
	}
	return nil
}

// writeRange writes the results of a range. For a range that is not done it also writes that the
// other lines were not run.
func (o *output) writeRange(number int, isDone bool) error {
	results, err := o.results(number, isDone)
	if err != nil {
		return err
	}
	if !isDone {
		return o.writeUndone(number, results)
	}
	before, anyFailed := o.answered, false
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
	if !anyFailed {
		return nil
	}
	return o.writeFailed(number, results, before)
}

// writeUndone writes the results of a range that is not done, and why its other lines were not run,
// in the order of the lines.
func (o *output) writeUndone(number int, results []rangelog.Result) error {
	lines, err := o.service.readLines(o.ctx, o.job, number)
	if err != nil {
		return err
	}
	for i := range lines {
		isLost, err := o.writeLine(&lines[i], &results, false)
		if err != nil {
			return err
		}
		if isLost { // which only writeThoroughly reports
			return fmt.Errorf("%w: range %d of job %s has lost an answer", ErrDamaged, number,
				o.job.ID)
		}
	}
	return nil
}

// results returns the results of a range and the counts of its log. It closes a range that is not
// done.
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

// sealBytes is more than the store needs for the entry that closes a range.
const sealBytes = 1 << 10

// seal closes a range. A full store of results must not prevent the end of a job, which frees
// space. So seal raises the limit for this entry.
func (o *output) seal(log *rangelog.Log) error {
	err := log.Seal(o.ctx)
	if engine.IsFull(err) && o.room == 0 {
		room := int64(o.job.Ranges) * sealBytes
		if err := o.service.engine.Results.Grow(o.ctx, room); err != nil {
			return err
		}
		o.room = room // only now, as what was not raised must not be lowered
		err = log.Seal(o.ctx)
	}
	if errors.Is(err, engine.ErrConflict) { // somebody was faster
		return nil
	}
	return err
}

// giveRoomBack restores the limit of results.
func (o *output) giveRoomBack() {
	if o.room == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(o.ctx), leaseTime)
	defer cancel()
	if err := o.service.engine.Results.Grow(ctx, -o.room); err != nil {
		o.service.settings.logger.Warn("bulk: the limit of results may stay raised", "job",
			o.job.ID, "error", err)
	}
}

// writeFailed stores the failed lines of a range for a retry. Before is the number of answers
// before the range.
func (o *output) writeFailed(number int, results []rangelog.Result, before int64) error {
	lines, err := o.service.readLines(o.ctx, o.job, number)
	if err != nil {
		return err
	}
	next := 0
	for i := range lines {
		l := &lines[i]
		if next == len(results) || results[next].Number != l.Number { // it is found to be lost
			continue
		}
		next++
		if !results[next-1].Failed() {
			before++
		} else if err := o.keepFailed(l, before); err != nil {
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

// keepFailed stores a line for a retry, with the number of answers before it.
func (o *output) keepFailed(l *line.Line, before int64) error {
	return o.keepLine(&o.failed, "failed-", &line.FailedLine{Line: *l, Before: before})
}

func (o *output) keepLine(kept *linesBlob, prefix string, l *line.FailedLine) (err error) {
	if kept.writer == nil {
		kept.name = prefix + rand.Text()
		kept.writer = blob.NewWriter(o.service.engine.Files, engine.SubjectFiles+kept.name)
	}
	if o.buffer, err = line.AppendFailed(o.buffer[:0], l); err != nil {
		return err
	}
	return kept.writer.Write(o.ctx, o.buffer)
}

// write writes a result to the file that it belongs to.
func (o *output) write(r *line.Result) (err error) {
	file := &o.answers
	if r.Failed() {
		file = &o.errors
	} else {
		o.answered++
	}
	if file.writer == nil {
		if file.writer, err = o.service.newFileWriter(o.ctx, o.file(file.name)); err != nil {
			return err
		}
	}
	if o.buffer, err = line.AppendResult(o.buffer[:0], o.job.Format, o.job.ID, r); err != nil {
		return err
	}
	_, err = file.writer.Write(o.buffer)
	return err
}

// file returns the metadata of a file of the job.
func (o *output) file(name string) File {
	file := File{Owner: o.job.Owner, Name: name, Purpose: PurposeBatchOutput}
	if seconds := o.job.OutputSeconds; seconds > 0 {
		file.ExpiresAt = o.service.settings.now().Add(time.Duration(seconds) * time.Second)
	}
	return file
}

// keep completes the files.
func (o *output) keep() error {
	for _, file := range []*outputFile{&o.answers, &o.errors} {
		if file.writer != nil {
			if err := file.writer.keep(); err != nil {
				return err
			}
		}
	}
	for _, kept := range []*linesBlob{&o.failed, &o.damaged} {
		if kept.writer != nil {
			if err := kept.writer.Close(o.ctx); err != nil {
				return err
			}
		}
	}
	return nil
}

// isOf reports whether a job has ended with these files.
func (o *output) isOf(job *jobRecord) bool {
	return job.State.Ended() && job.OutputFile == o.answers.id() &&
		job.ErrorFile == o.errors.id() && job.FailedBlob == o.failed.name
}

// errHasEnded reports that a job has ended with the files that were to be removed.
var errHasEnded = errors.New("bulk: the job has ended")

// giveUp removes what was written, unless the job has ended with these files. A process that was
// interrupted during the change does not know that.
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
		o.service.settings.logger.Warn("bulk: files of a job that may have ended stay", "job",
			o.job.ID, "error", err)
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
	if err := errors.Join(o.service.removeBlob(ctx, o.failed.name),
		o.service.removeBlob(ctx, o.damaged.name)); err != nil {
		o.service.settings.logger.Warn("bulk: lines of a job that could not end stay", "job",
			o.job.ID, "error", err)
	}
}
