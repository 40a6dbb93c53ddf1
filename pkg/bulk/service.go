package bulk

import (
	"context"
	"io"
	"iter"

	"github.com/gemwire/gemwire/pkg/bulk/line"
)

// Service has the jobs and files of a store. Several goroutines may use it.
type Service struct{}

// Open opens a store; see [WithDirectory] and [WithServer].
func Open(ctx context.Context, opts ...Option) (*Service, error) { return nil, errUnfinished }

// Close lets go of the store. What works on it has to end before.
func (s *Service) Close() error { return errUnfinished }

// Submit makes a job. It returns a *SubmissionError for one that cannot be, and an *line.InputError beside the failed job
// when lines of Input are wrong. A job with InputFile is validating when Submit returns.
func (s *Service) Submit(ctx context.Context, submission Submission) (*Job, error) {
	return nil, errUnfinished
}

// Job returns a job, or a *NotFoundError.
func (s *Service) Job(ctx context.Context, id string) (*Job, error) { return nil, errUnfinished }

// Jobs lists jobs.
func (s *Service) Jobs(ctx context.Context, page Page) iter.Seq2[*Job, error] {
	return func(yield func(*Job, error) bool) { yield(nil, errUnfinished) }
}

// Cancel has a job end. Lines that are answered keep their results; a worker ends the job within seconds.
// It returns a *StateError for a job that has ended; one that is cancelling already stays so.
func (s *Service) Cancel(ctx context.Context, id string) (*Job, error) { return nil, errUnfinished }

// Park has a job in progress rest.
func (s *Service) Park(ctx context.Context, id string, parking Parking) (*Job, error) {
	return nil, errUnfinished
}

// Continue has a parked job go on at once. It does nothing with a job that is not parked.
func (s *Service) Continue(ctx context.Context, id string) (*Job, error) { return nil, errUnfinished }

// Retry makes a job of the failed lines of one that has ended, also of those that were not run. ID and Window of the
// submission are heeded, all else is as it was. It returns a *StateError for a job without such lines.
func (s *Service) Retry(ctx context.Context, id string, submission Submission) (*Job, error) {
	return nil, errUnfinished
}

// Delete deletes a job that has ended, with its output and error files. It returns a *StateError for another.
func (s *Service) Delete(ctx context.Context, id string) error { return errUnfinished }

// Watch tells how far a job is: at once, then after each change, at most every 100 ms. It ends behind the state in
// which the job ended.
func (s *Service) Watch(ctx context.Context, id string) iter.Seq2[Progress, error] {
	return func(yield func(Progress, error) bool) { yield(Progress{}, errUnfinished) }
}

// Results reads the answers of a job in the form of its input, a line each; of one that has not ended those that there are.
func (s *Service) Results(ctx context.Context, id string) (io.ReadCloser, error) {
	return nil, errUnfinished
}

// Errors reads the failed lines of a job likewise.
func (s *Service) Errors(ctx context.Context, id string) (io.ReadCloser, error) {
	return nil, errUnfinished
}

// Problems lists all that is wrong with the input of a failed job.
func (s *Service) Problems(ctx context.Context, id string) iter.Seq2[line.Problem, error] {
	return func(yield func(line.Problem, error) bool) { yield(line.Problem{}, errUnfinished) }
}

// PutFile keeps a file, of which Name, Purpose, Owner and ExpiresAt are heeded, and returns it with the rest. It is there
// as a whole or not at all.
func (s *Service) PutFile(ctx context.Context, file File, content io.Reader) (*File, error) {
	return nil, errUnfinished
}

// File returns what is known of a file, or a *NotFoundError.
func (s *Service) File(ctx context.Context, id string) (*File, error) { return nil, errUnfinished }

// Files lists files.
func (s *Service) Files(ctx context.Context, page Page) iter.Seq2[*File, error] {
	return func(yield func(*File, error) bool) { yield(nil, errUnfinished) }
}

// OpenFile reads a file. The context is that of all reads.
func (s *Service) OpenFile(ctx context.Context, id string) (io.ReadCloser, error) {
	return nil, errUnfinished
}

// DeleteFile deletes a file. A job that was made of it goes on.
func (s *Service) DeleteFile(ctx context.Context, id string) error { return errUnfinished }

// Work does the work of all jobs until the context ends, and then returns nil once nothing is under way. It returns a
// *StorageError when nothing can be written; whoever calls it again goes on.
func (s *Service) Work(ctx context.Context, worker Worker) error { return errUnfinished }
