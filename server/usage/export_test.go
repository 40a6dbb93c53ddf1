package usage

import (
	"context"
	"sync/atomic"
)

// Tidy tidies the room of a book.
func Tidy(ctx context.Context, b *Book) error {
	return b.room.tidy(ctx, b.dayBefore(1), b.dayBefore(b.keep-1))
}

// FailingRoom is a room in memory whose writes may fail.
type FailingRoom struct {
	memory
	err atomic.Value
}

// InRoom keeps numbers in the room.
func InRoom(r *FailingRoom) Option {
	r.parts = newMemory().parts
	return func(b *Book) { b.room = r }
}

type failure struct{ err error }

// Fail makes writes fail, or not if err is nil.
func (r *FailingRoom) Fail(err error) { r.err.Store(failure{err}) }

func (r *FailingRoom) put(ctx context.Context, day, id string, rows []Row) error {
	if f, ok := r.err.Load().(failure); ok && f.err != nil {
		return f.err
	}
	return r.memory.put(ctx, day, id, rows)
}

// Requests returns the number of requests in the room.
func (r *FailingRoom) Requests() (n int64) {
	rows, _ := rowsIn(context.Background(), r, "", "")
	for _, row := range rows {
		n += row.Requests
	}
	return n
}
