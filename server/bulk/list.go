package bulk

import (
	"cmp"
	"context"
	"iter"
	"slices"
	"time"
)

// Jobs lists jobs in the order of their creation. If the records of some jobs are damaged, an error
// that names them comes last.
func (s *Service) Jobs(ctx context.Context, page Page) iter.Seq2[*Job, error] {
	return func(yield func(*Job, error) bool) {
		records, damaged := s.jobs.All(ctx)
		var found []listed[*jobRecord]
		for _, entry := range records {
			if page.Owner == "" || entry.Value.Owner == page.Owner {
				found = append(found,
					listed[*jobRecord]{entry.ID, entry.Value.CreatedAt, entry.Value})
			}
		}
		for _, job := range cut(found, page) {
			view, err := s.viewOf(ctx, job.value)
			if !yield(view, err) || err != nil {
				return
			}
		}
		if damaged != nil {
			yield(nil, damaged)
		}
	}
}

// viewOf returns a job with its counts.
func (s *Service) viewOf(ctx context.Context, job *jobRecord) (*Job, error) {
	if job.State == Validating || job.State.Ended() {
		return job.view(nil), nil
	}
	board, err := s.board(ctx, job)
	if err != nil {
		return nil, err
	}
	return job.view(board), nil
}

// Files lists files by the time they were made. Damaged records are reported as by [Service.Jobs].
func (s *Service) Files(ctx context.Context, page Page) iter.Seq2[*File, error] {
	return func(yield func(*File, error) bool) {
		records, damaged := s.files.All(ctx)
		var found []listed[*File]
		for _, entry := range records {
			file := &entry.Value.File
			isWanted := (page.Owner == "" || file.Owner == page.Owner) &&
				(page.Purpose == "" || file.Purpose == page.Purpose)
			if isWanted && s.isThere(entry.Value) {
				found = append(found, listed[*File]{entry.ID, file.CreatedAt, file})
			}
		}
		for _, file := range cut(found, page) {
			if !yield(file.value, nil) {
				return
			}
		}
		if damaged != nil {
			yield(nil, damaged)
		}
	}
}

// listed is an element of a list with its sort key.
type listed[T any] struct {
	id    string
	made  time.Time
	value T
}

// cut sorts a list, and returns the requested page. The page after an unknown id is empty.
func cut[T any](list []listed[T], page Page) []listed[T] {
	slices.SortFunc(list, func(a, b listed[T]) int {
		order := cmp.Or(a.made.Compare(b.made), cmp.Compare(a.id, b.id))
		if page.OldestFirst {
			return order
		}
		return -order
	})
	if page.After != "" {
		after := slices.IndexFunc(list, func(l listed[T]) bool { return l.id == page.After })
		if after < 0 {
			return nil
		}
		list = list[after+1:]
	}
	if page.Limit > 0 {
		list = list[:min(page.Limit, len(list))]
	}
	return list
}
