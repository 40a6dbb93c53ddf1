package bulk

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/nats-io/nats.go"

	"github.com/gemwire/gemwire/server/bulk/internal/engine"
	"github.com/gemwire/gemwire/server/bulk/internal/record"
)

// The tasks around the ranges of a job. A task is given once at a time.
const (
	taskPrepare = "prepare" // check the input, and divide it
	taskFinish  = "finish"  // write the files, and end the job
)

// giveTask has a worker do a task of a job.
func (s *Service) giveTask(ctx context.Context, task, job string) error {
	_, err := s.engine.Work.Append(ctx, nats.NewMsg(engine.SubjectTask+task+"."+job), 0)
	// where there is such a task already, it is enough
	if err != nil && !errors.Is(err, engine.ErrConflict) {
		return err
	}
	s.tell(engine.SubjectWake, nil)
	return nil
}

// wantTask gives a task that a worker also finds by itself a little later: that it cannot be given
// now is no reason to refuse what asked for it, which is done.
func (s *Service) wantTask(ctx context.Context, task, job string) {
	if err := s.giveTask(ctx, task, job); err != nil {
		s.settings.logger.Warn("bulk: a task waits until a worker finds it", "task", task, "job",
			job, "error", err)
	}
}

// parseTask returns the task and the job in a subject.
func parseTask(subject string) (task, job string) {
	task, job, _ = strings.Cut(strings.TrimPrefix(subject, engine.SubjectTask), ".")
	return task, job
}

// queue gives all ranges of a job that are not done to workers. What they have already is left to
// them. It does nothing for a job that is not in progress, or parked.
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
	s.tell(engine.SubjectWake, nil)
	return err
}

// runs reports whether workers may take ranges of the job.
func (r *jobRecord) runs() bool { return r.State == InProgress && r.Parking == nil }

// rangeGiver gives ranges to workers, some at a time.
type rangeGiver struct {
	service *Service
	job     *jobRecord
	waiting []func() error
}

// maxWaiting is how many ranges are on the way to the store at a time.
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

// wait waits until no more than so many ranges are on the way.
func (g *rangeGiver) wait(most int) error {
	for ; len(g.waiting) > most; g.waiting = g.waiting[1:] {
		// workers have that range
		if err := g.waiting[0](); err != nil && !errors.Is(err, engine.ErrConflict) {
			return err
		}
	}
	return nil
}

// workSubject is the subject of a range, or with "*" of all ranges of a job.
func workSubject(job *jobRecord, number string) string {
	return engine.SubjectWork + string(job.Priority) + "." + job.ID + "." + number
}

// parseWork returns the job and the range in a subject.
func parseWork(subject string) (job string, number int, err error) {
	parts := strings.Split(strings.TrimPrefix(subject, engine.SubjectWork), ".")
	if len(parts) != 3 {
		return "", 0, fmt.Errorf("bulk: %q is no subject of a range", subject)
	}
	number, err = strconv.Atoi(parts[2])
	return parts[1], number, err
}

// unqueue takes back all ranges of a job that no worker has, and has those forgotten that workers
// have.
func (s *Service) unqueue(ctx context.Context, job *jobRecord) error {
	return s.engine.Work.Purge(ctx, workSubject(job, "*"))
}
