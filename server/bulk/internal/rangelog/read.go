package rangelog

import (
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/gemwire/gemwire/server/bulk/internal/blob"
	"github.com/gemwire/gemwire/server/bulk/line"
	"github.com/gemwire/gemwire/server/internal/engine"
)

// Result is the result of a line. A large result has only its number, status and usage until it is
// loaded.
type Result struct {
	line.Result
	large string // subject of the result, "" if the result is here
}

// Read returns the log of a range with its results, in the order of the lines.
func Read(ctx context.Context, e *engine.Engine, job string, number int) (*Log, []Result, error) {
	l := &Log{engine: e, job: job, number: number, done: map[int]struct{}{}}
	var all []Result
	err := l.read(ctx, func(r Result) { all = append(all, r) })
	slices.SortFunc(all, func(a, b Result) int { return a.Number - b.Number })
	return l, all, err
}

// read reads all entries, and calls visit with each result that counts, unless visit is nil.
func (l *Log) read(ctx context.Context, visit func(Result)) error {
	for {
		message, err := l.engine.Results.Get(ctx, l.subject())
		if engine.IsNotFound(err) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("bulk: read the results of a range: %w", err)
		}
		if err := l.apply(entryOf(message), visit); err != nil {
			return fmt.Errorf("bulk: read the results of a range, entry %d: %w", l.next, err)
		}
		l.next++
	}
}

// Load returns the complete result, also if it is stored elsewhere.
func (r *Result) Load(ctx context.Context, e *engine.Engine) (*line.Result, error) {
	if r.large == "" {
		return &r.Result, nil
	}
	stored, err := io.ReadAll(blob.NewReader(ctx, e.Results, r.large))
	if err != nil {
		return nil, err
	}
	loaded, err := line.ParseStored(stored)
	if err != nil {
		return nil, err
	}
	if len(loaded) != 1 || loaded[0].Number != r.Number {
		return nil, fmt.Errorf("%w: the large result of line %d belongs to another line", engine.ErrDamaged,
			r.Number)
	}
	return &loaded[0], nil
}
