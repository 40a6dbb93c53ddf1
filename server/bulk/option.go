package bulk

import (
	"log/slog"
	"time"

	"github.com/gemwire/gemwire/pkg/transform"
	"github.com/gemwire/gemwire/server/store"
	"github.com/nats-io/nats.go"
)

// Option configures a [Service].
type Option func(*settings)

// settings are the values that options set.
type settings struct {
	forms      transform.Forms
	store      *store.Store
	directory  string
	key        string
	url        string
	connection []nats.Option
	replicas   int
	maxBytes   int64
	retention  time.Duration
	now        func() time.Time
	logger     *slog.Logger
	observers  observers
}

// WithForms sets the forms of requests, by their paths. The default is [forms.All].
func WithForms(forms transform.Forms) Option { return func(s *settings) { s.forms = forms } }

// WithDirectory stores everything in a directory, with a server in this process. The default is
// $XDG_STATE_HOME/gemwire/bulk, or ~/.local/state/gemwire/bulk. Open creates the directory,
// accessible to its owner only. It must not be on a network file system.
//
// Several processes may open the same directory. The first one runs the server, and the others
// reach it through a Unix socket. When the first one ends, another one takes over.
func WithDirectory(path string) Option { return func(s *settings) { s.directory = path } }

// WithKey encrypts everything in the directory. A store that was made with a key opens only with
// the same key. It has no effect on servers, which encrypt by their own settings.
func WithKey(key string) Option { return func(s *settings) { s.key = key } }

// WithStore stores everything in an open store, with its connection. The caller closes the store
// after the service. A store in memory is an error.
func WithStore(s *store.Store) Option { return func(set *settings) { set.store = s } }

// WithServer stores everything on NATS servers with JetStream, such as
// "nats://a:4222,nats://b:4222". The servers should have sync_interval set to always.
func WithServer(url string, options ...nats.Option) Option {
	return func(s *settings) { s.url, s.connection = url, options }
}

// WithReplicas sets the number of servers in a cluster that hold each message (default 1, at most
// 5). It can raise the number of an existing store, but never lowers it.
func WithReplicas(n int) Option { return func(s *settings) { s.replicas = n } }

// WithMaxBytes limits the size of the store in bytes: half of it for files, and a quarter each for
// the lines and the results of jobs that have not ended. The default for a directory is
// [DefaultMaxBytes]. Servers have their own limit, which is their default. They reserve the given
// size at once.
func WithMaxBytes(n int64) Option { return func(s *settings) { s.maxBytes = n } }

// storeLimit returns the size limit of the store, or 0 for the servers' own limit.
func (s *settings) storeLimit() int64 {
	if s.maxBytes == 0 && s.url == "" {
		return DefaultMaxBytes
	}
	return s.maxBytes
}

// WithRetention sets how long ended jobs are stored, with their files (default 30 days).
func WithRetention(d time.Duration) Option { return func(s *settings) { s.retention = d } }

// WithClock sets the clock (default time.Now).
func WithClock(now func() time.Time) Option { return func(s *settings) { s.now = now } }

// WithLogger sets the log for the work and its errors. By default nothing is logged.
func WithLogger(logger *slog.Logger) Option { return func(s *settings) { s.logger = logger } }

// The defaults of options.
const (
	DefaultMaxBytes  = 128 << 30
	DefaultRetention = 30 * 24 * time.Hour
)
