package usage

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/gemwire/gemwire/server/internal/engine"
	"github.com/gemwire/gemwire/server/internal/record"
)

// shared is a room in a store. Its keys are part.DAY.PROCESS_NUMBER and process.ID.
type shared struct {
	table     *engine.Table
	processes *record.Table[marker]
}

func newShared(e *engine.Engine) *shared {
	return &shared{table: e.Usage, processes: record.NewTable[marker](e.Usage, "process")}
}

// part is a part of the rows of a day.
type part struct {
	Rows []Row `json:"rows"`
	// Joined are the ids of the parts that this part contains. It is set for the part [joined].
	Joined []string `json:"joined,omitempty"`
}

// joined is the id of the part that contains the parts of ended processes.
const joined = "joined"

const partPrefix = "part"

func (s *shared) of(day string) *record.Table[part] {
	return record.NewTable[part](s.table, partPrefix+"."+day)
}

func (s *shared) put(ctx context.Context, day, id string, rows []Row) error {
	return replace(ctx, s.of(day), id, &part{Rows: rows})
}

// replace sets a value that only this process writes.
func replace[T any](ctx context.Context, table *record.Table[T], id string, value *T) error {
	set := func(old *T) error { *old = *value; return nil }
	_, err := table.Change(ctx, id, set)
	if !errors.Is(err, record.ErrNotFound) {
		return err
	}
	if err = table.Create(ctx, id, value); errors.Is(err, record.ErrExists) {
		_, err = table.Change(ctx, id, set) // written by a request whose answer was lost
	}
	return err
}

func (s *shared) days(ctx context.Context) ([]string, error) {
	keys, err := s.table.Keys(ctx, partPrefix+".>")
	if err != nil {
		return nil, err
	}
	var days []string
	for _, key := range keys {
		if tokens := strings.Split(key, "."); len(tokens) == 3 {
			days = append(days, tokens[1])
		}
	}
	slices.Sort(days)
	return slices.Compact(days), nil
}

func (s *shared) rows(ctx context.Context, day string) ([]Row, error) {
	parts, err := s.of(day).All(ctx)
	if err != nil {
		return nil, err
	}
	var done []string
	for _, p := range parts {
		done = append(done, p.Value.Joined...)
	}
	var rows []Row
	for _, p := range parts {
		if !slices.Contains(done, p.ID) {
			rows = append(rows, p.Value.Rows...)
		}
	}
	return rows, nil
}

// maxJoined is the largest number of rows in one record.
const maxJoined = 1500

func (s *shared) tidy(ctx context.Context, full, last string) error {
	days, err := s.days(ctx)
	if err != nil {
		return err
	}
	for _, day := range days {
		switch {
		case day < last:
			err = s.of(day).Drop(ctx, "*")
		case day < full:
			err = s.join(ctx, day)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// join makes one part of the parts of a day, which no process writes any more. A part counts until
// its id is in the joined part. So nothing is lost or counted twice if join ends in between.
func (s *shared) join(ctx context.Context, day string) error {
	table := s.of(day)
	parts, err := table.All(ctx)
	if err != nil || len(parts) < 2 {
		return err
	}
	if err := table.Create(ctx, joined, &part{}); err != nil && !errors.Is(err, record.ErrExists) {
		return err
	}
	errTooMany := errors.New("usage: too many rows")
	after, err := table.Change(ctx, joined, func(whole *part) error {
		rows := whole.Rows
		for _, p := range parts {
			if p.ID == joined || slices.Contains(whole.Joined, p.ID) {
				continue
			}
			rows = append(rows, p.Value.Rows...)
			whole.Joined = append(whole.Joined, p.ID)
		}
		whole.Rows = Sum(rows, func(key Key) Key { return key })
		if len(whole.Rows) > maxJoined {
			return errTooMany
		}
		return nil
	})
	if errors.Is(err, errTooMany) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, p := range parts {
		if p.ID != joined && slices.Contains(after.Joined, p.ID) {
			if err := table.Drop(ctx, p.ID); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *shared) mark(ctx context.Context, id string, m *marker) error {
	return replace(ctx, s.processes, id, m)
}

func (s *shared) end(ctx context.Context, id string) error { return s.processes.Drop(ctx, id) }

func (s *shared) markers(ctx context.Context) ([]marker, error) {
	found, err := s.processes.All(ctx)
	if err != nil {
		return nil, err
	}
	out := make([]marker, len(found))
	for i, entry := range found {
		out[i] = *entry.Value
	}
	return out, nil
}
