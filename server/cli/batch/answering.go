package batch

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gemwire/gemwire/pkg/fakegemini"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/transform"
	"github.com/gemwire/gemwire/server/bulk"
	"github.com/gemwire/gemwire/server/bulk/budget"
	"github.com/gemwire/gemwire/server/bulk/geminibatch"
	"github.com/gemwire/gemwire/server/bulk/limit"
	"github.com/gemwire/gemwire/server/bulk/live"
	"github.com/gemwire/gemwire/server/cli/setup"
	"github.com/gemwire/gemwire/server/cli/telemetry"
	"github.com/gemwire/gemwire/server/gateway"
	"github.com/gemwire/gemwire/server/gateway/config"
	"github.com/gemwire/gemwire/server/gateway/exchange"
	"github.com/gemwire/gemwire/server/usage"
	"github.com/spf13/pflag"
)

// answering has the flags of how lines are answered: by a gateway within the process, with the
// usual gateway settings.
type answering struct {
	source      setup.Sources
	settings    *config.Config
	concurrency int
	fallback    bool // live calls of lines that the batch mode does not answer
	limits      limit.Limits
	observers   *telemetry.Observers // nil for none
	forms       transform.Forms
	budget      *budget.Budget // nil for no maximum cost
	liveOnly    bool           // no job uses the batch mode
}

// gatewaySettings are the settings that have flags in all commands. A file or the environment can
// set the others.
var gatewaySettings = []string{
	"upstream", "base_url", "api_key_file", "vertex", "location", "alias", "fallback", "strict",
	"rate_card",
}

// addFlags adds these flags, and flags for further settings.
func (a *answering) addFlags(flags *pflag.FlagSet, further ...string) {
	flags.IntVar(&a.concurrency, "concurrency", defaultConcurrency,
		"number of `LINES` in flight")
	flags.BoolVar(&a.fallback, "fallback-live", false,
		"call lines that batch mode does not answer live, at the full price")
	addLimitFlags(flags, &a.limits)
	a.source.AddFlags(flags, slices.Concat(gatewaySettings, further)...)
}

// addLimitFlags adds the flags of a project's limits.
func addLimitFlags(flags *pflag.FlagSet, limits *limit.Limits) {
	flags.Int64Var(&limits.Requests, "limit-requests", 0,
		"maximum `REQUESTS` per minute (default no limit)")
	flags.Int64Var(&limits.TokensIn, "limit-tokens", 0,
		"maximum input `TOKENS` per minute (default no limit)")
	flags.Int64Var(&limits.TokensOut, "limit-output-tokens", 0,
		"maximum output `TOKENS` per minute (default no limit)")
}

// defaultConcurrency is the number of lines in flight.
const defaultConcurrency = 64

// load loads the settings, and checks the flags.
func (a *answering) load() error {
	if a.concurrency < 1 {
		return usageError{errors.New("--concurrency must be 1 or more")}
	}
	if err := checkLimits(a.limits); err != nil {
		return err
	}
	settings, err := a.source.Load()
	if err != nil {
		return err
	}
	// This process is the only client. A gateway's rules for clients do not matter here, and the
	// job's limits replace the gateway's.
	settings.KeyFile, settings.CallersKey, settings.MaxConcurrent = "", false, 0
	a.settings = settings
	return nil
}

func checkLimits(limits limit.Limits) error {
	if min(limits.Requests, limits.TokensIn, limits.TokensOut) < 0 {
		return usageError{errors.New("limits must not be negative")}
	}
	return nil
}

// service returns the upstream service, such as "embedded".
func (a *answering) service() string { return string(a.settings.Service()) }

// project returns the name under which workers share limits and pauses: the service, and a digest
// of its keys or projects. Workers with other keys have other limits.
func (a *answering) project() (string, error) {
	names, err := a.settings.Secrets()
	if err != nil {
		return "", err
	}
	names = append(names, a.settings.Vertex)
	for _, account := range a.settings.Accounts {
		names = append(names, account.Project)
	}
	slices.Sort(names)
	sum := sha256.Sum256(fmt.Appendf(nil, "%q", names))
	return a.service() + "-" + hex.EncodeToString(sum[:8]), nil
}

// noteFake notes that the fake server answers, if it does.
func (a *answering) noteFake(s *session) {
	if a.settings.Service() == gateway.Embedded && a.settings.Upstream == "" {
		s.note("no API key in GEMINI_API_KEY; the built-in fake server answers")
	}
}

// observe sets up monitoring: metrics for scrapes if they are enabled, and OpenTelemetry if the
// environment configures it. The caller closes the observers.
func (a *answering) observe(ctx context.Context, s *session, isScraped bool) (err error) {
	a.forms = setup.Forms(ctx)
	warn := func(err error) { s.note("telemetry: %s", err) }
	a.observers, err = telemetry.New(ctx, isScraped, warn)
	return err
}

// limitPause is how long calls that ask for slots at the same time are collected.
const limitPause = 10 * time.Millisecond

// worker makes a worker for the jobs that takes accepts, or for one job. The caller closes it.
func (a *answering) worker(ctx context.Context, s *session, service *bulk.Service, job string,
	takes func(*bulk.Job) bool) (_ *worker, err error) {
	opts, err := a.settings.Options()
	if err != nil {
		return nil, err
	}
	spent, err := a.openSpending(ctx, s, service)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			spent.close()
		}
	}()
	handler, err := gateway.New(slices.Concat(opts, []gateway.Option{gateway.WithForms(a.forms),
		gateway.WithQuota(spent.quota), a.gatewayObservers(spent.usage)})...)
	if err != nil {
		return nil, err
	}
	liveOpts := []live.Option{live.WithConcurrency(a.concurrency), live.WithBudget(a.budget),
		live.WithAccounts(len(a.settings.Accounts))}
	if !a.limits.IsZero() {
		project, err := a.project()
		if err != nil {
			return nil, err
		}
		liveOpts = append(liveOpts,
			live.WithLimiter(limit.New(project, a.limits, service.Ledger(),
				limit.WithPause(limitPause))))
	}
	end := func() { handler.Close(); spent.close() }
	w := &worker{service: service, close: end, work: bulk.Worker{
		Executors: map[string]bulk.Executor{bulk.ExecutorLive: live.New(handler, liveOpts...)},
		Takes:     takes,
		Job:       job,
		Items:     bulk.DefaultItems + a.concurrency/minRange,
	}}
	if err := a.addBatchMode(w, handler, spent); err != nil {
		handler.Close()
		return nil, err
	}
	return w, nil
}

// gatewayObservers are the observers of live calls.
func (a *answering) gatewayObservers(book *usage.Book) gateway.Option {
	observers := []exchange.Observer{book.Observer()}
	if a.observers != nil {
		observers = append(observers, a.observers.Gateway...)
	}
	return gateway.WithObserver(observers...)
}

// hasBatchMode reports whether an upstream supports Gemini's batch mode: the Gemini API, and the
// fake server in its place.
func hasBatchMode(service gateway.Service) bool {
	return service == gateway.Embedded || service == gateway.GeminiAPI
}

// addBatchMode adds Gemini's batch mode to a worker if the upstream supports it.
func (a *answering) addBatchMode(w *worker, handler *gateway.Handler, spent *spent) error {
	if a.liveOnly || !hasBatchMode(a.settings.Service()) {
		return nil
	}
	client, disconnect, err := a.batchClient()
	if err != nil {
		return err
	}
	closeLive := w.close
	w.close = func() { disconnect(); closeLive() }
	prices, err := pricesOf(a.settings, modeGemini, time.Now())
	if err != nil {
		return err
	}
	opts := []geminibatch.Option{geminibatch.WithRateCard(prices.card),
		geminibatch.WithSpending(&batchSpending{spent, a.settings.Budgets(), a.service()})}
	if a.budget != nil {
		opts = append(opts, geminibatch.WithBudget(a.budget))
	}
	if !a.fallback {
		opts = append(opts, geminibatch.WithoutLiveFallback())
	}
	executor, err := geminibatch.New(client, handler, w.work.Executors[bulk.ExecutorLive], opts...)
	if err != nil {
		return err
	}
	w.work.Executors[bulk.ExecutorGeminiBatch] = executor
	return nil
}

// batchClient returns a client of the batch mode, and a function that closes it.
func (a *answering) batchClient() (*gemini.Client, func(), error) {
	if a.settings.Service() == gateway.Embedded {
		fake, err := fakegemini.Start(fakegemini.WithoutRequestLog())
		if err != nil {
			return nil, nil, err
		}
		client, err := fake.NewClient()
		return client, fake.Close, err
	}
	keys, err := a.settings.Secrets()
	if err != nil {
		return nil, nil, err
	}
	opts := []gemini.ClientOption{gemini.WithUserAgent("gemwire-command"),
		gemini.WithAPIKey(strings.Join(keys[:min(1, len(keys))], ""))}
	if a.settings.BaseURL != "" {
		opts = append(opts, gemini.WithBaseURL(a.settings.BaseURL))
	}
	client, err := gemini.NewClient(opts...)
	return client, func() {}, err
}

// worker works at jobs.
type worker struct {
	service *bulk.Service
	work    bulk.Worker
	close   func() // ends what answers
}

// run works until ctx ends and calls in flight have ended.
func (w *worker) run(ctx context.Context) error { return w.service.Work(ctx, w.work) }
