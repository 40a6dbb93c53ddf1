package batch

import (
	"context"
	"errors"

	"github.com/gemwire/gemwire/server/bulk"
	"github.com/gemwire/gemwire/server/cli/setup"
	"github.com/spf13/pflag"
)

// store has the flags that select the job store.
type store struct {
	directory, servers string
	replicas           int
	observers          []bulk.Observer // of the jobs of this process
}

func (s *store) addFlags(flags *pflag.FlagSet) {
	flags.StringVar(&s.directory, "store", "",
		"store jobs in this `FOLDER` (default ~/.local/state/gemwire/bulk)")
	flags.StringVar(&s.servers, "nats", "",
		"store jobs on the NATS JetStream servers at these `URLS`")
	flags.IntVar(&s.replicas, "replicas", 1, "number of servers that store each message, `N` (--nats)")
}

var errReplicas = usageError{errors.New("--replicas must be 1 or more, and needs --nats")}

var errTwoStores = usageError{errors.New("--store and --nats exclude each other")}

// open opens the store. The caller closes it.
func (s *store) open(ctx context.Context) (*bulk.Service, error) {
	opts := []bulk.Option{bulk.WithForms(setup.Forms(ctx)), bulk.WithObserver(s.observers...)}
	switch {
	case s.directory != "" && s.servers != "":
		return nil, errTwoStores
	case s.replicas < 1 || s.replicas > 1 && s.servers == "":
		return nil, errReplicas
	case s.servers != "":
		opts = append(opts, bulk.WithServer(s.servers), bulk.WithReplicas(s.replicas))
	case s.directory != "":
		opts = append(opts, bulk.WithDirectory(s.directory))
	}
	return bulk.Open(ctx, opts...)
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
