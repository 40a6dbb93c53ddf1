package bulk

import (
	"log/slog"
	"time"

	"github.com/gemwire/gemwire/pkg/transform"
	"github.com/nats-io/nats.go"
)

// Option sets up a [Service].
type Option func(*settings)

// settings are what options set.
type settings struct {
	forms      transform.Forms
	directory  string
	url        string
	connection []nats.Option
	replicas   int
	maxBytes   int64
	retention  time.Duration
	now        func() time.Time
	logger     *slog.Logger
	observers  observers
}

// WithForms sets the forms that requests may have, by their paths. The default is [forms.All].
func WithForms(forms transform.Forms) Option { return func(s *settings) { s.forms = forms } }

// WithDirectory keeps everything in a directory, with a server within the process. The default is
// $XDG_STATE_HOME/gemwire/bulk, or ~/.local/state/gemwire/bulk. The directory is made, for its
// owner alone. It must not be on a network file system.
//
// Several processes may open the same directory: the first one runs the server, the others reach it
// by a Unix socket, and one of them goes on with it when the first one ends.
func WithDirectory(path string) Option { return func(s *settings) { s.directory = path } }

// WithServer keeps everything on NATS servers with JetStream, such as
// "nats://a:4222,nats://b:4222". The servers should have sync_interval set to always.
func WithServer(url string, options ...nats.Option) Option {
	return func(s *settings) { s.url, s.connection = url, options }
}

// WithReplicas is on how many servers of a cluster everything is, 1 by default, at most 5. It makes
// a store that is there already have more, and never fewer.
func WithReplicas(n int) Option { return func(s *settings) { s.replicas = n } }

// WithMaxBytes is how much the store may take: half of it for files, a quarter each for lines and
// results of jobs that have not ended. The default is [DefaultMaxBytes] in a directory. Servers
// have a limit of their own, which holds by default: of what is said here they set all aside at
// once.
func WithMaxBytes(n int64) Option { return func(s *settings) { s.maxBytes = n } }

// storeLimit is how much the store may take, 0 for what servers allow.
func (s *settings) storeLimit() int64 {
	if s.maxBytes == 0 && s.url == "" {
		return DefaultMaxBytes
	}
	return s.maxBytes
}

// WithRetention is how long ended jobs stay, with their files, by default 30 days.
func WithRetention(d time.Duration) Option { return func(s *settings) { s.retention = d } }

// WithClock is what time it is, time.Now by default.
func WithClock(now func() time.Time) Option { return func(s *settings) { s.now = now } }

// WithLogger is told what workers do and what goes wrong, by default nobody.
func WithLogger(logger *slog.Logger) Option { return func(s *settings) { s.logger = logger } }

// The defaults of options.
const (
	DefaultMaxBytes  = 128 << 30
	DefaultRetention = 30 * 24 * time.Hour
)
