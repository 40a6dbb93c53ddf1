package batch

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"github.com/gemwire/gemwire/internal/heapgrowth"
	"github.com/gemwire/gemwire/server/bulk"
	"github.com/gemwire/gemwire/server/cli/setup"
	"github.com/spf13/cobra"
)

const workerHelp = `Answer the lines of jobs in a store, which gemwire batch submit or a gateway has submitted.
Several workers can share a store: each line gets one answer, even if a worker dies. On
SIGTERM the worker finishes its calls in flight, and returns the lines that it has not begun.

The upstream is configured as for a gateway (docs/gateway.md). The limits apply to the
project, over all workers. A worker with the fake server takes only jobs that ask for it.

With --metrics-addr it serves /metrics, /healthz and /readyz at that address. If the
environment names an OpenTelemetry collector, it sends spans and metrics, as gemwire serve
does.`

const workerExamples = `  gemwire worker --store nats://nats-0:4222,nats://nats-1:4222 --limit-requests 2000
  gemwire worker --store /var/lib/gemwire/bulk --metrics-addr 127.0.0.1:9090`

// working has the flags of worker.
type working struct {
	*session
	answering answering
	store     store
}

func newWorker() *cobra.Command {
	var w working
	cmd := &cobra.Command{
		Use:                   "worker [flags]",
		Short:                 "Answer the lines of submitted jobs",
		Long:                  workerHelp,
		Example:               workerExamples,
		Args:                  cobra.NoArgs,
		DisableFlagsInUseLine: true,
		RunE: func(cmd *cobra.Command, _ []string) error {
			w.session = newSession(cmd)
			return w.fail(cmd.Context(), w.execute(cmd.Context()))
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	w.store.addFlags(flags)
	w.store.addKeep(flags)
	w.answering.addFlags(flags, "metrics_addr")
	return cmd
}

func (w *working) execute(ctx context.Context) error {
	if err := w.answering.load(); err != nil {
		return err
	}
	defer heapgrowth.Keep(heapgrowth.Server)()
	w.answering.noteFake(w.session)
	settings := w.answering.settings
	if err := w.answering.observe(ctx, w.session,
		settings.Metrics && settings.MetricsAddr != ""); err != nil {
		return err
	}
	defer w.answering.observers.Close()
	scrapes, err := listenForScrapes(ctx, settings.MetricsAddr, w.answering.observers)
	if err != nil {
		return err
	}
	defer scrapes.close()
	if scrapes.url != "" {
		w.note("serving /metrics, /healthz and /readyz at %s", scrapes.url)
	}
	w.store.observers, w.store.logger = w.answering.observers.Jobs, w.logger()
	return w.store.with(ctx, func(service *bulk.Service) error {
		worker, err := w.answering.worker(ctx, w.session, service, "",
			func(job *bulk.Job) bool { return setup.Takes(settings, job) })
		if err != nil {
			return err
		}
		defer worker.close()
		w.note("working on jobs with the upstream %s", w.answering.service())
		if !w.answering.fallback && hasBatchMode(settings.Service()) {
			w.note("without --fallback-live a job in batch mode is paused if it needs live calls")
		}
		return w.work(ctx, worker, &scrapes.isReady)
	})
}

// fullPause is how long a worker waits before it checks again whether the store has room.
const fullPause = 10 * time.Second

// work works until ctx ends. While the store cannot be written it waits, and is not ready.
func (w *working) work(ctx context.Context, worker *worker, isReady *atomic.Bool) error {
	for {
		isReady.Store(true)
		err := worker.run(ctx)
		isReady.Store(false)
		storage, isStorage := errors.AsType[*bulk.StorageError](err)
		if !isStorage {
			return err
		}
		w.note("%s; trying again in %s", storage, fullPause)
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(fullPause):
		}
	}
}
