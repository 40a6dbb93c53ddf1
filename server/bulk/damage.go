package bulk

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/gemwire/gemwire/internal/errortext"
	"github.com/gemwire/gemwire/server/bulk/internal/rangelog"
	"github.com/gemwire/gemwire/server/bulk/internal/tally"
	"github.com/gemwire/gemwire/server/bulk/line"
	"github.com/gemwire/gemwire/server/internal/engine"
	"github.com/gemwire/gemwire/server/internal/record"
)

// Damage says which lines of a range were lost, because the store was damaged.
type Damage struct {
	// Lines is the number of lost lines, or 0 if it is unknown. They are between the lines First
	// and Last of the input. Last is 0 if it is unknown.
	Lines int64 `json:"lines,omitzero"`
	First int   `json:"first"`
	Last  int   `json:"last,omitzero"`
	// IsRequest reports that the requests were lost too, so a retry cannot send them again.
	IsRequest bool `json:"is_request,omitzero"`
	// Reason is for people.
	Reason string `json:"reason,omitzero"`
}

// String names the lines, such as "lines 201 to 400".
func (d Damage) String() string {
	switch {
	case d.Last == 0:
		return fmt.Sprintf("lines from %d", d.First)
	case d.First == d.Last:
		return fmt.Sprintf("line %d", d.First)
	case d.Lines > 0 && d.Lines != int64(d.Last-d.First+1):
		return fmt.Sprintf("%d of the lines %d to %d", d.Lines, d.First, d.Last)
	}
	return fmt.Sprintf("lines %d to %d", d.First, d.Last)
}

// DamageError is returned if answers are missing, because the store was damaged. It is an
// [ErrDamaged].
type DamageError struct {
	// Job is the id of the job.
	Job string
	// Damage lists the missing lines.
	Damage []Damage
}

// Error names the lines.
func (e *DamageError) Error() string {
	names := make([]string, len(e.Damage))
	for i, d := range e.Damage {
		names[i] = d.String()
	}
	return fmt.Sprintf("bulk: the store is damaged: answers of job %s are lost: %s", e.Job,
		strings.Join(names, ", "))
}

// Unwrap returns [ErrDamaged].
func (e *DamageError) Unwrap() error { return ErrDamaged }

// isDamage reports whether an error says that data is damaged or incomplete. Data of an older store
// is neither.
func isDamage(err error) bool {
	return (errors.Is(err, ErrDamaged) || errors.Is(err, io.ErrUnexpectedEOF)) &&
		!errors.As(err, new(*OlderStoreError))
}

// maxDamage is the maximum number of entries in [Job.Damage].
const maxDamage = 100

// writeThoroughly writes the results of a range. A line without a result is lost if the range is
// done.
func (o *output) writeThoroughly(number int, isDone bool) error {
	results, err := o.results(number, isDone)
	if err != nil {
		return err
	}
	lines, err := o.service.readLines(o.ctx, o.job, number)
	if isDamage(err) {
		o.report(Damage{First: o.last + 1, IsRequest: true,
			Reason: errortext.WithoutPackage(err.Error())})
		return o.writeResults(results)
	}
	if err != nil {
		return err
	}
	if n := len(o.damage); n > 0 && o.damage[n-1].Last == 0 && len(lines) > 0 {
		o.damage[n-1].Last = lines[0].Number - 1
	}
	var lost Damage
	for i := range lines {
		isLost, err := o.writeLine(&lines[i], &results, isDone)
		if err != nil {
			return err
		}
		o.last = lines[i].Number
		if isLost {
			lost.add(lines[i].Number)
		}
	}
	if lost.Lines > 0 {
		o.lost += lost.Lines
		o.report(lost)
	}
	return nil
}

func (d *Damage) add(number int) {
	if d.Lines == 0 {
		d.First = number
	}
	d.Lines, d.Last = d.Lines+1, number
}

func (o *output) report(d Damage) {
	if len(o.damage) < maxDamage {
		o.damage = append(o.damage, d)
	}
}

// writeLine writes the result of a line, or that the line was not run, or that its answer is lost.
// It removes the result from the results.
func (o *output) writeLine(l *line.Line, results *[]rangelog.Result, isDone bool) (isLost bool,
	err error) {
	if left := *results; len(left) > 0 && left[0].Number == l.Number {
		*results = left[1:]
		loaded, err := left[0].Load(o.ctx, o.service.engine)
		switch {
		case isDamage(err):
			o.sum.Lose(&left[0].Result)
			return true, o.writeLost(l)
		case err != nil:
			return false, err
		case loaded.Failed():
			err = o.keepFailed(l, o.answered)
		}
		return false, errors.Join(err, o.write(loaded))
	}
	if isDone || o.job.Target == Completed {
		return true, o.writeLost(l)
	}
	return false, errors.Join(o.writeNotRun(l), o.keepFailed(l, o.answered))
}

// writeLost writes that the answer of a line is lost.
func (o *output) writeLost(l *line.Line) error {
	result := line.Damaged(l)
	o.sum.Add(&result, 0)
	lost := &line.FailedLine{Line: *l, Before: o.answered}
	return errors.Join(o.write(&result), o.keepFailed(l, o.answered),
		o.keepLine(&o.damaged, "damaged-", lost))
}

// writeResults writes the results of a range whose requests are lost.
func (o *output) writeResults(results []rangelog.Result) error {
	for i := range results {
		loaded, err := results[i].Load(o.ctx, o.service.engine)
		switch {
		case isDamage(err):
			o.sum.Lose(&results[i].Result)
			continue
		case err == nil:
			err = o.write(loaded)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// countUnknown counts the lines that are lost with their requests, which have no results.
func (o *output) countUnknown() {
	if unknown := o.job.Total - o.sum.Done(); unknown > 0 {
		o.lost += unknown
		o.sum.Failed += unknown
	}
}

// isDone reports whether a range is done. All ranges of a finalizing job are, even if its board was
// lost, unless it expired.
func (r *jobRecord) isDone(board *tally.Board, number int) bool {
	return board.Has(number) || r.State == Finalizing && r.Target == Completed
}

// expected returns the number of results that the ranges that are done must have.
func (r *jobRecord) expected(board *tally.Board) int64 {
	if r.State == Finalizing && r.Target == Completed {
		return r.Total
	}
	return board.Sum.Done()
}

// lostLines returns an error that names the lines without results in ranges that are done.
func (s *Service) lostLines(ctx context.Context, job *jobRecord, board *tally.Board) error {
	failure := &DamageError{Job: job.ID}
	last := 0
	for number := range job.Ranges {
		if !job.isDone(board, number) {
			continue
		}
		log, _, err := rangelog.Read(ctx, s.engine, job.log(), number)
		if err != nil {
			return err
		}
		lines, err := s.readLines(ctx, job, number)
		if isDamage(err) {
			failure.Damage = append(failure.Damage, Damage{First: last + 1, IsRequest: true})
			continue
		}
		if err != nil {
			return err
		}
		var lost Damage
		for _, l := range lines {
			last = l.Number
			if !log.Has(l.Number) {
				lost.add(l.Number)
			}
		}
		if lost.Lines > 0 {
			failure.Damage = append(failure.Damage, lost)
		}
	}
	return failure
}

// abandon ends a range whose requests are damaged. The end of the job reports its lines as lost.
func (w *workplace) abandon(ctx context.Context, job *jobRecord, number int, log *rangelog.Log,
	why error) error {
	now, err := w.service.jobRecord(ctx, job.ID)
	if ignoreNotFound(err) != nil {
		return err
	}
	if err != nil || now.Generation != job.Generation || !now.runs() {
		return errNoWork // the requests were removed with the job
	}
	w.logger.Error("bulk: the requests of a range are damaged and cannot be sent", "job", job.ID,
		"range", number, "error", why)
	return w.service.finishRange(ctx, job, number, log)
}

// renewBoard replaces a board that is missing or damaged by an empty one. It returns errNoWork if
// the job was deleted.
func (s *Service) renewBoard(ctx context.Context, job *jobRecord) error {
	now, err := s.jobRecord(ctx, job.ID)
	if ignoreNotFound(err) != nil {
		return err
	}
	if err != nil || now.Generation != job.Generation || now.State.Ended() {
		return errNoWork
	}
	id := boardID(job.ID, job.Generation)
	if _, _, err := s.boards.Get(ctx, id); isDamage(err) {
		if err := s.boards.Delete(ctx, id); err != nil {
			return err
		}
	}
	err = s.boards.Create(ctx, id, &tally.Board{})
	if errors.Is(err, record.ErrExists) { // another worker was faster
		return nil
	}
	return err
}

// deleteDamaged deletes a job whose record cannot be read.
func (s *Service) deleteDamaged(ctx context.Context, id string) error {
	for _, priority := range []Priority{PriorityHigh, PriorityNormal, PriorityLow} {
		job := &jobRecord{Job: Job{ID: id, Priority: priority}}
		if err := s.clear(ctx, job); err != nil {
			return err
		}
	}
	own := &jobRecord{Job: Job{ID: id}, Own: true}
	if err := s.clear(ctx, own); err != nil {
		return err
	}
	for _, task := range []string{taskPrepare, taskFinish} {
		if err := s.engine.Work.Purge(ctx, engine.SubjectTask+task+"."+id); err != nil {
			return err
		}
	}
	return s.jobs.Delete(ctx, id)
}
