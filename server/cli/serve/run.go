package serve

import (
	"context"
	"errors"
	"time"

	"github.com/gemwire/gemwire/internal/errortext"
	"github.com/gemwire/gemwire/server/cli/process"
	"github.com/gemwire/gemwire/server/gateway/config"
)

// serve serves until ctx ends, and then waits for requests in flight. A hangup reloads the
// settings.
func (s *server) serve(ctx context.Context, load func() (*config.Config, error)) error {
	hangups := make(chan struct{}, 1)
	defer process.CatchHangups(ctx, func() {
		select {
		case hangups <- struct{}{}:
		default: // they are about to be read
		}
	})()
	failed := make(chan error, len(s.listeners))
	for _, l := range s.listeners {
		go func() { failed <- l.http.Serve(l) }()
	}
	stopBatches := s.workAtBatches(context.WithoutCancel(ctx))
	defer func() { stopBatches() }()
	opened, stopWaiting := s.awaitStore(ctx)
	defer stopWaiting()
	keys := time.NewTicker(keyPause)
	defer keys.Stop()
	s.isReady.Store(true)
	s.notifier.ready()
	for {
		select {
		case <-hangups:
			s.reload(load)
		case r := <-opened:
			stopBatches = s.begin(ctx, r)
		case <-keys.C:
			s.reloadChangedKeys(ctx)
		case err := <-failed:
			s.log.Error("the gateway failed", "error", errortext.WithoutPackage(err.Error()))
			return process.ErrFailed
		case <-ctx.Done():
			stopBatches() // whose requests go back to the queue
			return s.shutdown(ctx)
		}
	}
}

// begin starts to use a store that was not available before.
func (s *server) begin(ctx context.Context, r *rooms) (stopBatches func()) {
	s.use(r)
	if err := s.apply(s.latest); err != nil {
		s.log.Error("the store cannot be used", "error", errortext.WithoutPackage(err.Error()))
		return func() {}
	}
	s.log.Info("the store is available")
	return s.workAtBatches(context.WithoutCancel(ctx))
}

// reload reloads the settings. Requests in flight keep the settings they started with. Invalid
// settings change nothing.
func (s *server) reload(load func() (*config.Config, error)) {
	s.notifier.reloading()
	defer s.notifier.ready()
	settings, err := load()
	if err == nil {
		err = s.apply(settings)
	}
	if err != nil {
		s.log.Error("reload failed; the settings stay unchanged", "error",
			errortext.WithoutPackage(err.Error()))
		return
	}
	for _, name := range fixed {
		if was, is := valueOf(name, s.settings), valueOf(name, settings); was != is {
			s.log.Warn("a changed setting takes effect after a restart", "setting", name, "is", was,
				"next", is)
		}
	}
	s.settings.LogLevel = settings.LogLevel
	s.latest = settings
	s.log.Info("settings reloaded", "upstream", string(settings.Service()))
	s.logInspector()
}

func (s *server) apply(settings *config.Config) error {
	if err := settings.CheckAt(s.settings.Addr); err != nil {
		return err
	}
	opts, err := s.options(context.Background(), settings)
	if err != nil {
		return err
	}
	if err := s.gateway.Reload(append(opts, s.lasting...)...); err != nil {
		return err
	}
	s.level.Set(levelOf(settings))
	if s.inspector == nil {
		return nil
	}
	secrets, err := settings.Secrets()
	s.inspector.AddSecrets(secrets...)
	return err
}

// fixed are the settings that only a restart changes.
var fixed = []string{
	"addr", "header_timeout", "idle_timeout", "inspect", "inspect_addr", "inspect_bodies",
	"inspect_store", "inspect_count", "inspect_max_memory", "inspect_max_body", "inspect_max_string",
	"metrics", "metrics_addr", "log_format", "shutdown_grace", "shutdown_delay",
	"store", "store_required", "store_key_file", "store_replicas", "store_count", "store_size",
	"store_total_size", "store_age", "bulk_concurrency", "bulk_limit_requests", "bulk_limit_tokens",
	"bulk_limit_output_tokens",
}

func valueOf(name string, settings *config.Config) string {
	for _, s := range config.Settings() {
		if s.Name == name {
			return s.Of(settings)
		}
	}
	return ""
}

// afterGrace is how long clients have to read why their stream ends.
const afterGrace = time.Second

// shutdown shuts the server down. First /readyz fails, so that load balancers stop sending
// requests. Then the server accepts no more connections, and requests in flight have time to end.
func (s *server) shutdown(ctx context.Context) error {
	s.isReady.Store(false)
	s.notifier.stopping()
	ctx = context.WithoutCancel(ctx)
	if delay := time.Duration(s.settings.ShutdownDelay); delay > 0 {
		s.log.Info("shutting down: no longer ready", "delay", delay.String())
		time.Sleep(delay)
	}
	s.log.Info("shutting down: waiting for requests in flight", "grace",
		time.Duration(s.settings.ShutdownGrace).String())
	ctx, cancel := context.WithTimeout(ctx, time.Duration(s.settings.ShutdownGrace))
	defer cancel()
	ended := make(chan error, 1)
	// after this it answers 503 on connections that are still open
	go func() { ended <- s.gateway.Shutdown(ctx) }()
	err := s.drain(ctx)
	if failed := <-ended; failed != nil { // which waits for WebSockets and background requests too
		s.endSockets(ctx)
		err = errors.Join(err, failed)
	}
	if err != nil {
		s.log.Warn("shut down: requests were cut off", "error", errortext.WithoutPackage(err.Error()))
		return process.ErrFailed
	}
	s.log.Info("ended")
	return nil
}

// endSockets ends the requests on WebSockets, which the listeners do not know. Their clients have
// time to read why.
func (s *server) endSockets(ctx context.Context) {
	s.gateway.Close()
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), afterGrace)
	defer cancel()
	_ = s.gateway.Shutdown(last) // the process ends in any case
}

// drain waits until all connections have ended. If ctx ends first, it closes them.
func (s *server) drain(ctx context.Context) error {
	var failed error
	for _, l := range s.listeners {
		failed = errors.Join(failed, l.http.Shutdown(ctx))
	}
	if failed == nil {
		return nil
	}
	s.gateway.Close() // which has requests end by an error that their clients can read
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), afterGrace)
	defer cancel()
	for _, l := range s.listeners {
		if l.http.Shutdown(last) != nil {
			l.http.Close()
		}
	}
	return failed
}
