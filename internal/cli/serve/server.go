package serve

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/gemwire/gemwire/pkg/gateway"
	"github.com/gemwire/gemwire/pkg/gateway/accesslog"
	"github.com/gemwire/gemwire/pkg/gateway/config"
	"github.com/gemwire/gemwire/pkg/gateway/metrics"
)

// server is a gateway with what is around it.
type server struct {
	settings *config.Config
	log      *slog.Logger
	level    *slog.LevelVar
	gateway  *gateway.Handler
	metrics  *metrics.Metrics // nil without
	watchers []gateway.Option // the observers, which stay when the settings are read again

	isReady   atomic.Bool
	listeners []*listener
	notifier  *notifier
}

// listener is an address that is listened at.
type listener struct {
	net.Listener
	http *http.Server
}

// newServer sets a gateway up. It listens nowhere yet.
func newServer(settings *config.Config, stderr io.Writer) (*server, error) {
	s := &server{settings: settings, level: new(slog.LevelVar), notifier: newNotifier()}
	s.level.Set(levelOf(settings))
	s.log = slog.New(handlerOf(settings, stderr, s.level))
	observers := gateway.WithObserver(accesslog.New(s.log))
	s.watchers = append(s.watchers, observers, gateway.WithLogger(s.log))
	if settings.Metrics {
		s.metrics = metrics.New()
		s.watchers = append(s.watchers, gateway.WithObserver(s.metrics))
	}
	opts, err := settings.Options()
	if err != nil {
		return nil, err
	}
	s.gateway, err = gateway.New(append(opts, s.watchers...)...)
	return s, err
}

func levelOf(settings *config.Config) slog.Level {
	var level slog.Level
	_ = level.UnmarshalText([]byte(settings.LogLevel)) // which was checked
	return level
}

func handlerOf(settings *config.Config, out io.Writer, level slog.Leveler) slog.Handler {
	opts := &slog.HandlerOptions{Level: level}
	if settings.LogFormat == "json" {
		return slog.NewJSONHandler(out, opts)
	}
	return slog.NewTextHandler(out, opts)
}

// listen opens the addresses, and says so. The first line of the log says what answers.
func (s *server) listen(ctx context.Context, hints io.Writer) error {
	s.logUpstream()
	routes := s.routes()
	if err := s.listenAt(ctx, s.settings.Addr, routes); err != nil {
		return err
	}
	url := "http://" + s.listeners[0].Addr().String()
	s.log.Info("listening", "url", url, "openai", url+"/v1")
	if s.metrics != nil && s.settings.MetricsAddr != "" {
		mux := http.NewServeMux()
		mux.Handle("GET /metrics", s.metrics.Handler())
		if err := s.listenAt(ctx, s.settings.MetricsAddr, mux); err != nil {
			return err
		}
		s.log.Info("metrics", "url", "http://"+s.listeners[len(s.listeners)-1].Addr().String()+"/metrics")
	}
	printHints(hints, url, s.settings)
	return nil
}

// logUpstream says what answers.
func (s *server) logUpstream() {
	service := s.settings.Service()
	switch {
	case service != gateway.Embedded:
		s.log.Info("gemwire gateway", "upstream", string(service))
	case s.settings.Upstream == "":
		s.log.Info("gemwire gateway: no credentials, so the fake server that is built in answers; set GEMINI_API_KEY for Gemini",
			"upstream", string(service))
	default:
		s.log.Info("gemwire gateway: the fake server that is built in answers", "upstream", string(service))
	}
}

// Clients get so long to send the head of a request, and to ask again on a connection. A body and an answer may take as
// long as they take: the gateway has limits of its own for these.
const (
	headerTimeout = 30 * time.Second
	idleTimeout   = 3 * time.Minute
)

func (s *server) listenAt(ctx context.Context, addr string, routes http.Handler) error {
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", addr)
	if err != nil {
		return fmt.Errorf("%s: %w", addr, listenError(err))
	}
	s.listeners = append(s.listeners, &listener{l, &http.Server{
		Handler:           routes,
		ReadHeaderTimeout: headerTimeout,
		IdleTimeout:       idleTimeout,
		ErrorLog:          slog.NewLogLogger(s.log.Handler(), slog.LevelDebug), // of requests that are no HTTP
	}})
	return nil
}

// listenError leaves out what of an error of package net is said already.
func listenError(err error) error {
	if op, ok := errors.AsType[*net.OpError](err); ok {
		return fmt.Errorf("cannot listen there: %w", op.Err)
	}
	return err
}

// close frees what the server holds.
func (s *server) close() {
	for _, l := range s.listeners {
		l.http.Close()
		l.Close()
	}
	s.gateway.Close()
}
