package bulk

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/nats-io/nats.go"

	"github.com/gemwire/gemwire/server/internal/engine"
	"github.com/gemwire/gemwire/server/internal/record"
)

// Tasks of a job apart from its ranges. Each is queued once at a time.
const (
	taskPrepare = "prepare" // check the input, and divide it
	taskFinish  = "finish"  // write the files, and end the job
)

// giveTask queues a task of a job.
func (s *Service) giveTask(ctx context.Context, task, job string) error {
	_, err := s.engine.Work.Append(ctx, nats.NewMsg(engine.SubjectTask+task+"."+job), 0)
	// if the task is already queued, that is enough
	if err != nil && !errors.Is(err, engine.ErrConflict) {
		return err
	}
	s.notify(engine.SubjectWake, nil)
	return nil
}

// wantTask queues a task that a worker would also find by itself a little later. A failure to queue
// it does not fail the action that needs it, which is done already.
func (s *Service) wantTask(ctx context.Context, task, job string) {
	if err := s.giveTask(ctx, task, job); err != nil {
		s.settings.logger.Warn("bulk: a task waits until a worker finds it", "task", task, "job",
			job, "error", err)
	}
}

// queue queues all ranges of a job that are not done and not queued. It does nothing for a job that
// is not in progress or is parked.
func (s *Service) queue(ctx context.Context, id string) error {
	job, err := s.jobRecord(ctx, id)
	if err != nil || !job.runs() {
		return err
	}
	board, err := s.board(ctx, job)
	if err != nil {
		return err
	}
	given := &rangeGiver{service: s, job: job}
	for number := range job.Ranges {
		if board.Has(number) {
			continue
		}
		if err := given.give(ctx, number); err != nil {
			return err
		}
	}
	if err := given.wait(0); err != nil {
		return err
	}
	if board.Ranges() == job.Ranges {
		return s.giveTask(ctx, taskFinish, id)
	}
	_, err = s.changeJob(ctx, id, func(found *jobRecord) error {
		if !found.runs() {
			return record.ErrUnchanged
		}
		found.Queued = true
		return nil
	})
	s.notify(engine.SubjectWake, nil)
	return err
}

// runs reports whether workers may take ranges of the job.
func (r *jobRecord) runs() bool { return r.State == InProgress && r.Parking == nil }

// rangeGiver queues ranges, several at a time.
type rangeGiver struct {
	service *Service
	job     *jobRecord
	waiting []func() error
}

// maxWaiting is the maximum number of ranges that wait for the store's confirmation.
const maxWaiting = 128

func (g *rangeGiver) give(ctx context.Context, number int) error {
	written, err := g.service.engine.Work.CreateSoon(ctx,
		nats.NewMsg(workSubject(g.job, strconv.Itoa(number))))
	if err != nil {
		return err
	}
	g.waiting = append(g.waiting, written)
	return g.wait(maxWaiting)
}

// wait waits until at most n ranges are unconfirmed.
func (g *rangeGiver) wait(most int) error {
	for ; len(g.waiting) > most; g.waiting = g.waiting[1:] {
		// the range is already queued
		if err := g.waiting[0](); err != nil && !errors.Is(err, engine.ErrConflict) {
			return err
		}
	}
	return nil
}

// workSubject returns the subject of a range, or with "*" the subjects of all ranges of a job.
func workSubject(job *jobRecord, number string) string {
	priority := string(job.Priority)
	if job.Own {
		priority = engine.PriorityOwn
	}
	return engine.SubjectWork + priority + "." + job.ID + "." + number
}

// parseWork returns the job and the range in a subject.
func parseWork(subject string) (job string, number int, err error) {
	parts := strings.Split(strings.TrimPrefix(subject, engine.SubjectWork), ".")
	if len(parts) != 3 {
		return "", 0, fmt.Errorf("bulk: %q is not the subject of a range", subject)
	}
	number, err = strconv.Atoi(parts[2])
	return parts[1], number, err
}

// unqueue removes a job's ranges from the queue, including those that workers have taken.
func (s *Service) unqueue(ctx context.Context, job *jobRecord) error {
	return s.engine.Work.Purge(ctx, workSubject(job, "*"))
}
