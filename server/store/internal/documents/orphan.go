package documents

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/gemwire/gemwire/server/gateway/responsestore"
	"github.com/gemwire/gemwire/server/internal/engine"
)

const (
	// orphanAge is the age from which a piece that no head names has no writer any more.
	orphanAge = 10 * time.Minute
	// orphanSweeps is how many sweeps there are for each removal of such pieces.
	orphanSweeps = 60
)

// removeOrphans removes pieces that no head names, because their writer was killed before it wrote
// the head.
func (s *Store) removeOrphans(ctx context.Context) error {
	subjects, err := s.stream.Subjects(ctx, engine.SubjectPiece+">")
	if err != nil {
		return err
	}
	blobs := map[key][]string{}
	for _, subject := range subjects {
		tokens := strings.Split(strings.TrimPrefix(subject, engine.SubjectPiece), ".")
		if len(tokens) != 4 {
			continue
		}
		k := key{tokens[0], tokens[1]}
		if !slices.Contains(blobs[k], tokens[2]) {
			blobs[k] = append(blobs[k], tokens[2])
		}
	}
	for k, names := range blobs {
		if err := s.removeUnnamed(ctx, k, names); err != nil {
			return err
		}
	}
	return nil
}

// removeUnnamed removes those of a document's blobs that its head does not name.
func (s *Store) removeUnnamed(ctx context.Context, k key, names []string) error {
	h, _, err := s.head(ctx, k)
	if errors.Is(err, responsestore.ErrNotFound) {
		h, err = &head{}, nil
	}
	if err != nil {
		return err
	}
	for _, name := range names {
		if slices.Contains(h.blobs(), name) {
			continue
		}
		last, err := s.stream.Latest(ctx, k.piece(name, "*"))
		switch {
		case engine.IsNotFound(err):
		case err != nil:
			return err
		case s.now().Sub(last.Time) >= orphanAge:
			if err := s.stream.Purge(ctx, k.piece(name, "*")); err != nil {
				return err
			}
		}
	}
	return nil
}
