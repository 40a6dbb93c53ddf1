package engine

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/nats-io/nats.go/jetstream"
)

// Subjects returns the subjects that have messages and match a filter such as "a.*.0".
func (s *Stream) Subjects(ctx context.Context, filter string) (subjects []string, err error) {
	err = s.engine.Ask(ctx, func(ctx context.Context) error {
		info, err := s.stream.Info(ctx, jetstream.WithSubjectFilter(filter))
		if err == nil {
			subjects = slices.Collect(maps.Keys(info.State.Subjects))
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("store: list the store: %w", err)
	}
	return subjects, nil
}
