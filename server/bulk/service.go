package bulk

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"github.com/gemwire/gemwire/internal/option"
	"github.com/gemwire/gemwire/pkg/transform/forms"
	"github.com/gemwire/gemwire/server/bulk/internal/tally"
	"github.com/gemwire/gemwire/server/internal/engine"
	"github.com/gemwire/gemwire/server/internal/record"
)

// Service manages the jobs and files of a store. [Open] makes it. It is safe for concurrent use.
type Service struct {
	engine   *engine.Engine
	isShared bool // the caller closes the engine
	settings settings
	jobs     *record.Table[jobRecord]
	boards   *record.Table[tally.Board]
	files    *record.Table[fileRecord]
}

// Open opens a store; see [WithDirectory] and [WithServer].
func Open(ctx context.Context, opts ...Option) (*Service, error) {
	set := settings{
		forms:    forms.All(),
		replicas: 1, retention: DefaultRetention, now: time.Now,
		logger: slog.New(slog.DiscardHandler),
	}
	option.Apply(&set, opts)
	e, err := set.open(ctx)
	if err != nil {
		return nil, err
	}
	return &Service{
		engine: e, isShared: set.store != nil, settings: set,
		jobs:   record.NewTable[jobRecord](e.Jobs, "job"),
		boards: record.NewTable[tally.Board](e.Jobs, "board"),
		files:  record.NewTable[fileRecord](e.FileIndex, "file"),
	}, nil
}

// ErrInMemory is returned for a store in memory, because jobs outlive the process.
var ErrInMemory = errors.New("bulk: jobs need a store that lasts: a folder or NATS servers")

// open opens the engine, or takes the engine of an open store.
func (s *settings) open(ctx context.Context) (*engine.Engine, error) {
	if s.store != nil {
		if s.store.Engine() == nil {
			return nil, ErrInMemory
		}
		return s.store.Engine(), nil
	}
	if err := s.place(); err != nil {
		return nil, err
	}
	return engine.Open(ctx, engine.Settings{
		Directory: s.directory, Key: s.key, URL: s.url, Connection: s.connection,
		Replicas: s.replicas, MaxBytes: s.storeLimit(), Logger: s.logger,
	})
}

// place determines the location of the store.
func (s *settings) place() (err error) {
	switch {
	case s.url != "" && s.directory != "":
		return errors.New("bulk: a store is either in a directory or on servers")
	case s.url != "":
		return nil
	case s.directory == "":
		s.directory, err = DefaultDirectory()
		return err
	}
	s.directory, err = filepath.Abs(s.directory)
	return err
}

// DefaultDirectory returns the directory of the store if neither [WithDirectory] nor [WithServer]
// sets a store. It returns an error if the user has no home directory, because temporary
// directories may be deleted.
func DefaultDirectory() (string, error) {
	if state := os.Getenv("XDG_STATE_HOME"); filepath.IsAbs(state) {
		return filepath.Join(state, "gemwire", "bulk"), nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", fmt.Errorf("bulk: the store needs a directory: %w", err)
	}
	return filepath.Join(home, ".local", "state", "gemwire", "bulk"), nil
}

// Close closes the store, unless [WithStore] has set it. Work must have ended before.
func (s *Service) Close() error {
	if !s.isShared {
		s.engine.Close()
	}
	return nil
}

// Job returns a job, or a *NotFoundError.
func (s *Service) Job(ctx context.Context, id string) (*Job, error) {
	job, _, err := s.look(ctx, id)
	return job, err
}

// look returns a job with its counts, and the board with the counts, or nil for a job that has
// ended.
func (s *Service) look(ctx context.Context, id string) (*Job, *tally.Board, error) {
	found, err := s.jobRecord(ctx, id)
	if err != nil {
		return nil, nil, err
	}
	if found.State == Validating || found.State.Ended() {
		return found.view(nil), nil, nil
	}
	board, err := s.board(ctx, found)
	if err != nil {
		return nil, nil, err
	}
	return found.view(board), board, nil
}

func (s *Service) jobRecord(ctx context.Context, id string) (*jobRecord, error) {
	if !engine.Token(id) {
		return nil, &NotFoundError{Kind: "job", ID: id}
	}
	found, _, err := s.jobs.Get(ctx, id)
	if errors.Is(err, record.ErrNotFound) {
		return nil, &NotFoundError{Kind: "job", ID: id}
	}
	return found, err
}

// boardID returns the name of the board of a job and a generation. With "*" it matches all
// generations.
func boardID(job, generation string) string { return job + "." + generation }

// board returns the board of a job, or an empty one if it is missing or damaged. Workers then look
// at the ranges again, and count them without another call.
func (s *Service) board(ctx context.Context, job *jobRecord) (*tally.Board, error) {
	if job.Generation == "" {
		return &tally.Board{}, nil
	}
	board, _, err := s.boards.Get(ctx, boardID(job.ID, job.Generation))
	if isDamage(err) {
		s.settings.logger.Warn("bulk: the counts of a job are damaged and are made again", "job",
			job.ID, "error", err)
		return &tally.Board{}, nil
	}
	if errors.Is(err, record.ErrNotFound) {
		return &tally.Board{}, nil
	}
	return board, err
}

// changeJob changes the record of a job with change, and notifies watchers.
func (s *Service) changeJob(ctx context.Context, id string,
	change func(*jobRecord) error) (*jobRecord, error) {
	if !engine.Token(id) {
		return nil, &NotFoundError{Kind: "job", ID: id}
	}
	var before State
	changed, err := s.jobs.Change(ctx, id, func(found *jobRecord) error {
		before = found.State
		return change(found)
	})
	if errors.Is(err, record.ErrNotFound) {
		return nil, &NotFoundError{Kind: "job", ID: id}
	}
	if err == nil {
		s.notify(engine.SubjectChange+id, nil)
		s.settings.observers.jobChanged(changed, before)
	}
	return changed, err
}

// notify sends a change to other processes, which would otherwise find it a little later.
func (s *Service) notify(subject string, data []byte) {
	if err := s.engine.Publish(subject, data); err != nil {
		s.settings.logger.Debug("bulk: a notice was not sent", "subject", subject, "error", err)
	}
}
