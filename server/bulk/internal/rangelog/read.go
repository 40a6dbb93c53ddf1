package rangelog

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

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

// read reads all entries, and calls visit with each result that counts, unless visit is nil. It
// skips damaged and missing entries; see [Log.Damage].
func (l *Log) read(ctx context.Context, visit func(Result)) error {
	for {
		message, err := l.engine.Results.Get(ctx, l.subject())
		if engine.IsNotFound(err) {
			if more, err := l.skip(ctx); !more || err != nil {
				return err
			}
			continue
		}
		if err == nil {
			err = l.apply(entryOf(message), visit)
		}
		switch {
		case errors.Is(err, engine.ErrDamaged) && !errors.As(err, new(*engine.OlderStoreError)):
			l.reportDamage(err)
		case err != nil:
			return fmt.Errorf("bulk: read the results of a range: %w", err)
		}
		l.next++
	}
}

// skip moves to the next entry that exists after a missing one. It reports false at the end of the
// log.
func (l *Log) skip(ctx context.Context) (more bool, err error) {
	subjects, err := l.engine.Results.Subjects(ctx, l.prefix()+"*")
	if err != nil {
		return false, fmt.Errorf("bulk: read the results of a range: %w", err)
	}
	next := math.MaxInt
	for _, subject := range subjects {
		number, err := strconv.Atoi(strings.TrimPrefix(subject, l.prefix()))
		if err == nil && number >= l.next {
			next = min(next, number)
		}
	}
	if next == math.MaxInt {
		return false, nil
	}
	if next > l.next {
		l.reportDamage(fmt.Errorf("%w: %s is missing", engine.ErrDamaged, l.subject()))
		l.next = next
	}
	return true, nil
}

func (l *Log) reportDamage(err error) {
	if l.damage == nil {
		l.damage = err
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
