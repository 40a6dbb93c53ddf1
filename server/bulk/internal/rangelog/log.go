package rangelog

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"math"
	"strconv"

	"github.com/go-json-experiment/json"
	"github.com/nats-io/nats.go"

	"github.com/gemwire/gemwire/server/bulk/internal/tally"
	"github.com/gemwire/gemwire/server/bulk/line"
	"github.com/gemwire/gemwire/server/internal/engine"
)

// Log is the log of a range: the entries that were read, and those that were added since. It is not
// safe for concurrent use.
type Log struct {
	engine *engine.Engine
	job    string
	number int

	next int // number of the next entry
	done map[int]struct{}
	sum  tally.Sum
	note []byte
	// claims are the claims that were not followed by a release: the highest number of a line that
	// each worker may have sent.
	claims []int
	sealed bool
	damage error // of the first entry that could not be read
}

// ErrSealed is returned if nothing more may be added.
var ErrSealed = errors.New("bulk: the range is closed")

// Open reads the log of a range.
func Open(ctx context.Context, e *engine.Engine, job string, number int) (*Log, error) {
	l := &Log{engine: e, job: job, number: number, done: map[int]struct{}{}}
	return l, l.read(ctx, nil)
}

// subject returns the subject of the next entry.
func (l *Log) subject() string { return l.prefix() + strconv.Itoa(l.next) }

// prefix returns what all subjects of the log begin with.
func (l *Log) prefix() string {
	return engine.SubjectResults + l.job + "." + strconv.Itoa(l.number) + "."
}

// Has reports whether a line has a result.
func (l *Log) Has(number int) bool { _, has := l.done[number]; return has }

// Sum returns the sum of the results.
func (l *Log) Sum() *tally.Sum { return &l.sum }

// Note returns the last note, or nil.
func (l *Log) Note() []byte { return l.note }

// Damage returns why an entry could not be read, or nil. The results of such an entry are missing.
func (l *Log) Damage() error { return l.damage }

// Sealed reports whether nothing more may be added.
func (l *Log) Sealed() bool { return l.sealed }

// Repeats returns how many earlier workers may have sent lines without a result: those that neither
// answered the lines nor gave the range back. The log must be claimed.
func (l *Log) Repeats() int { return max(len(l.claims)-1, 0) }

// repeats returns how many earlier workers may have sent a line.
func (l *Log) repeats(number int) int {
	n := 0
	for _, most := range l.claims[:l.Repeats()] {
		if number <= most {
			n++
		}
	}
	return n
}

// Claim takes the range for a worker that may send all lines. From now on its previous worker
// cannot add anything.
func (l *Log) Claim(ctx context.Context) error { return l.ClaimUpTo(ctx, math.MaxInt) }

// ClaimUpTo takes the range for a worker that sends only lines up to a number; see [Log.Announce].
func (l *Log) ClaimUpTo(ctx context.Context, number int) error {
	return l.mark(ctx, &entry{kind: kindClaim, data: []byte(rand.Text()), most: number})
}

// Announce records that the worker may send lines up to a number from now on.
func (l *Log) Announce(ctx context.Context, number int) error {
	return l.mark(ctx, &entry{kind: kindBegin, most: number})
}

// Release gives the range back. No call may be in flight.
func (l *Log) Release(ctx context.Context) error { return l.mark(ctx, &entry{kind: kindRelease}) }

// Seal closes the log.
func (l *Log) Seal(ctx context.Context) error { return l.mark(ctx, &entry{kind: kindSeal}) }

// SetNote replaces the note and counts usage that belongs to no line. It does both or neither.
func (l *Log) SetNote(ctx context.Context, note []byte, discarded line.Usage) error {
	e := &entry{kind: kindNote, data: note}
	if discarded != (line.Usage{}) {
		text, err := json.Marshal(&discarded)
		if err != nil {
			return fmt.Errorf("bulk: encode the discarded usage: %w", err)
		}
		e.discarded = string(text)
	}
	return l.mark(ctx, e)
}

// mark adds an entry that is not a result.
func (l *Log) mark(ctx context.Context, e *entry) error {
	if err := l.append(ctx, e); err != nil {
		return err
	}
	return l.apply(e, nil)
}

// append adds an entry.
func (l *Log) append(ctx context.Context, e *entry) error {
	if l.sealed {
		return ErrSealed
	}
	err := l.engine.Results.Create(ctx,
		&nats.Msg{Subject: l.subject(), Header: e.header(), Data: e.data})
	if err == nil {
		l.next++
	}
	return err
}

// count records that a line has a result. It reports whether this is the line's first result,
// because only the first counts.
func (l *Log) count(r *line.Result) bool {
	if l.Has(r.Number) {
		return false
	}
	l.done[r.Number] = struct{}{}
	l.sum.Add(r, l.repeats(r.Number))
	return true
}
