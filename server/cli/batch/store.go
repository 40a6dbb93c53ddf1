package batch

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"strings"
	"time"

	"github.com/gemwire/gemwire/server/bulk"
	"github.com/gemwire/gemwire/server/cli/setup"
	"github.com/gemwire/gemwire/server/gateway/config"
	"github.com/nats-io/nats.go"
	"github.com/spf13/pflag"
)

// store has the flags that select the job store.
type store struct {
	where     string // a folder, or URLs of servers
	keyFile   string // of an encrypted folder
	replicas  int
	keep      int             // days, 0 for the default
	logger    *slog.Logger    // for warnings of the store
	observers []bulk.Observer // of the jobs of this process
}

func (s *store) addFlags(flags *pflag.FlagSet) {
	flags.StringVar(&s.where, "store", "", "store jobs in this `FOLDER|URLS`: a folder, or the "+
		"URLs of NATS JetStream servers (default ~/.local/state/gemwire/bulk)")
	flags.IntVar(&s.replicas, "replicas", 1,
		"number of servers that store each message, `N` (--store with URLs)")
	flags.StringVar(&s.keyFile, "store-key-file", os.Getenv("GEMWIRE_STORE_KEY_FILE"),
		"`FILE` with the key of an encrypted folder (default $GEMWIRE_STORE_KEY_FILE)")
	flags.Lookup("store-key-file").DefValue = "" // man pages do not show the environment
	flags.Var(natsFlag{}, "nats", "")
	_ = flags.MarkHidden("nats") // which was just added
}

// addKeep adds the flag of how long ended jobs are stored, for commands that work.
func (s *store) addKeep(flags *pflag.FlagSet) {
	flags.IntVar(&s.keep, "keep", 0, "delete ended jobs after this number of `DAYS` (default 30)")
}

var errKeep = usageError{errors.New("--keep must be 1 day or more")}

// natsFlag is the flag of an earlier version for servers.
type natsFlag struct{}

// Set implements [pflag.Value].
func (natsFlag) Set(string) error { return errNATS }

// String implements [pflag.Value].
func (natsFlag) String() string { return "" }

// Type implements [pflag.Value].
func (natsFlag) Type() string { return "string" }

var errNATS = errors.New("it is --store now, which takes a folder or URLs of servers")

var errReplicas = usageError{errors.New("--replicas must be 1 or more, and needs --store with URLs")}

var errKeyFile = usageError{errors.New("--store-key-file needs --store with a folder; servers encrypt by their own settings")}

// open opens the store. The caller closes it.
func (s *store) open(ctx context.Context) (*bulk.Service, error) {
	opts := []bulk.Option{bulk.WithForms(setup.Forms(ctx)), bulk.WithObserver(s.observers...)}
	if s.logger != nil {
		opts = append(opts, bulk.WithLogger(s.logger))
	}
	if s.keep > 0 {
		opts = append(opts, bulk.WithRetention(time.Duration(s.keep)*24*time.Hour))
	}
	key, err := (&config.Config{StoreKeyFile: s.keyFile}).StoreKey()
	if err != nil {
		return nil, err
	}
	opts = append(opts, bulk.WithKey(key))
	isOnServers := strings.Contains(s.where, "://")
	switch {
	case s.keep < 0:
		return nil, errKeep
	case s.replicas < 1 || s.replicas > 1 && !isOnServers:
		return nil, errReplicas
	case s.keyFile != "" && isOnServers:
		return nil, errKeyFile
	case isOnServers:
		opts = append(opts, bulk.WithServer(s.where, s.connection()...),
			bulk.WithReplicas(s.replicas))
	case s.where == "memory":
		return nil, bulk.ErrInMemory
	case s.where != "":
		opts = append(opts, bulk.WithDirectory(s.where))
	}
	return bulk.Open(ctx, opts...)
}

// connection returns the options of the connection to servers. They log when the servers are away
// and when they are back.
func (s *store) connection() []nats.Option {
	if s.logger == nil {
		return nil
	}
	return []nats.Option{
		nats.DisconnectErrHandler(func(conn *nats.Conn, err error) {
			if err != nil && !conn.IsClosed() {
				s.logger.Warn("the server of the store is away", "at", time.Now().Format(time.TimeOnly),
					"error", err)
			}
		}),
		nats.ReconnectHandler(func(*nats.Conn) {
			s.logger.Warn("the server of the store is back", "at", time.Now().Format(time.TimeOnly))
		}),
	}
}

// with runs do with the store.
func (s *store) with(ctx context.Context, do func(*bulk.Service) error) error {
	service, err := s.open(ctx)
	if err != nil {
		return err
	}
	return errors.Join(do(service), service.Close())
}

// find returns the job with an id, or the newest job for "".
func find(ctx context.Context, service *bulk.Service, id string) (*bulk.Job, error) {
	if id != "" {
		return service.Job(ctx, id)
	}
	for job, err := range service.Jobs(ctx, bulk.Page{Limit: 1}) {
		return job, err
	}
	return nil, errors.New("there are no jobs yet; make one with gemwire batch run")
}
