package store

import (
	"context"
	"fmt"
	"log/slog"
	"path/filepath"

	"github.com/nats-io/nats.go"

	"github.com/gemwire/gemwire/internal/option"
	"github.com/gemwire/gemwire/server/internal/engine"
)

// Store is an open store. [Open] makes it. It is safe for concurrent use.
type Store struct {
	engine *engine.Engine // nil in memory
}

// Option configures [Open].
type Option func(*settings)

// settings are the values that options set.
type settings struct {
	folder     string
	url        string
	connection []nats.Option
	replicas   int
	maxBytes   int64
	logger     *slog.Logger
}

// InMemory keeps everything in this process until it ends. It is the default.
func InMemory() Option { return func(s *settings) { s.folder, s.url = "", "" } }

// InFolder keeps everything in a folder, with a server in this process. Open creates the folder,
// accessible to its owner only. It must not be on a network file system.
func InFolder(path string) Option { return func(s *settings) { s.folder, s.url = path, "" } }

// OnServers keeps everything on NATS servers with JetStream, such as
// "nats://a:4222,nats://b:4222". The servers should have sync_interval set to always.
func OnServers(url string, options ...nats.Option) Option {
	return func(s *settings) { s.folder, s.url, s.connection = "", url, options }
}

// WithReplicas sets the number of servers in a cluster that hold each message (default 1, at most
// 5). It can raise the number of an existing store, but never lowers it.
func WithReplicas(n int) Option { return func(s *settings) { s.replicas = n } }

// WithLogger sets the log for errors of the store. By default nothing is logged.
func WithLogger(logger *slog.Logger) Option { return func(s *settings) { s.logger = logger } }

// Open opens a store.
func Open(ctx context.Context, opts ...Option) (*Store, error) {
	set := settings{replicas: 1, logger: slog.New(slog.DiscardHandler)}
	option.Apply(&set, opts)
	if set.folder == "" && set.url == "" {
		return &Store{}, nil
	}
	if set.folder != "" {
		folder, err := filepath.Abs(set.folder)
		if err != nil {
			return nil, fmt.Errorf("store: find the folder: %w", err)
		}
		set.folder = folder
	}
	opened, err := engine.Open(ctx, engine.Settings{Directory: set.folder, URL: set.url,
		Connection: set.connection, Replicas: set.replicas, MaxBytes: set.maxBytes,
		Logger: set.logger})
	if err != nil {
		return nil, err
	}
	return &Store{engine: opened}, nil
}

// Engine returns the engine for packages of the server, or nil for a store in memory.
func (s *Store) Engine() *engine.Engine { return s.engine }

// Close closes the store. No method may be called after it.
func (s *Store) Close() error {
	if s.engine != nil {
		s.engine.Close()
	}
	return nil
}
