package store

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"path/filepath"

	"github.com/nats-io/nats.go"

	"github.com/gemwire/gemwire/internal/option"
	"github.com/gemwire/gemwire/server/gateway/responsestore"
	"github.com/gemwire/gemwire/server/internal/engine"
	"github.com/gemwire/gemwire/server/store/internal/documents"
)

// Store is an open store. [Open] makes it. It is safe for concurrent use.
type Store struct {
	engine *engine.Engine // nil in memory
	bounds responsestore.Bounds
	logger *slog.Logger
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
	key        string
	bounds     responsestore.Bounds
	logger     *slog.Logger
}

// DefaultMaxBytes is the default of [WithMaxBytes] for a folder.
const DefaultMaxBytes = 128 << 30

// MinKeySize is the minimum length of the key of [WithKey].
const MinKeySize = 16

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

// WithMaxBytes limits the size of the files, lines and results of bulk jobs in bytes: half for
// files, and a quarter each for the lines and the results. The default for a folder is
// [DefaultMaxBytes]. Servers have their own limit, which is their default. They reserve the given
// size at once.
func WithMaxBytes(n int64) Option { return func(s *settings) { s.maxBytes = n } }

// WithKey encrypts everything in the folder. A store that was made with a key opens only with the
// same key. It has no effect in memory and on servers, which encrypt by their own settings.
func WithKey(key string) Option { return func(s *settings) { s.key = key } }

// WithBounds limits the stored responses and conversations.
func WithBounds(b responsestore.Bounds) Option { return func(s *settings) { s.bounds = b } }

// WithLogger sets the log for errors of the store. By default nothing is logged.
func WithLogger(logger *slog.Logger) Option { return func(s *settings) { s.logger = logger } }

// Open opens a store.
func Open(ctx context.Context, opts ...Option) (*Store, error) {
	set := settings{replicas: 1, logger: slog.New(slog.DiscardHandler)}
	option.Apply(&set, opts)
	if set.folder == "" && set.url == "" {
		return &Store{bounds: set.bounds}, nil
	}
	if set.folder != "" {
		set.maxBytes = cmp.Or(set.maxBytes, DefaultMaxBytes)
		folder, err := filepath.Abs(set.folder)
		if err != nil {
			return nil, fmt.Errorf("store: find the folder: %w", err)
		}
		set.folder = folder
	}
	opened, err := engine.Open(ctx, engine.Settings{Directory: set.folder, URL: set.url,
		Connection: set.connection, Replicas: set.replicas, MaxBytes: set.maxBytes, ExtraBytes: extraBytes(set.bounds),
		Key:    set.key,
		Logger: set.logger})
	if err != nil {
		return nil, err
	}
	return &Store{engine: opened, bounds: set.bounds, logger: set.logger}, nil
}

// extraBytes returns the space for everything but bulk jobs, with room for what was replaced.
func extraBytes(bounds responsestore.Bounds) int64 {
	return 2*bounds.WithDefaults().TotalBytes + 2*engine.SignatureBytes
}

// Engine returns the engine for packages of the server, or nil for a store in memory.
func (s *Store) Engine() *engine.Engine { return s.engine }

// Documents opens the room of responses and conversations. The caller closes it before the store.
func (s *Store) Documents(ctx context.Context) (responsestore.Store, error) {
	if s.engine == nil {
		return responsestore.NewMemory(s.bounds), nil
	}
	return documents.Open(ctx, s.engine, s.bounds, documents.WithLogger(s.logger))
}

// Close closes the store. No method may be called after it.
func (s *Store) Close() error {
	if s.engine != nil {
		s.engine.Close()
	}
	return nil
}
