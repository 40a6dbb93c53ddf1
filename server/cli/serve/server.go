package serve

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"runtime"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/gemwire/gemwire/server/bulk"
	"github.com/gemwire/gemwire/server/cli/message"
	"github.com/gemwire/gemwire/server/cli/setup"
	"github.com/gemwire/gemwire/server/cli/telemetry"
	"github.com/gemwire/gemwire/server/gateway"
	"github.com/gemwire/gemwire/server/gateway/accesslog"
	"github.com/gemwire/gemwire/server/gateway/config"
	"github.com/gemwire/gemwire/server/gateway/exchange"
	"github.com/gemwire/gemwire/server/inspector"
)

// server is a gateway with its listeners and stores.
type server struct {
	isByMake bool // make run has started the process

	settings  *config.Config
	latest    *config.Config // after a reload
	log       *slog.Logger
	level     *slog.LevelVar
	gateway   *gateway.Handler
	observers *telemetry.Observers // nil until the gateway is made
	inspector *inspector.Inspector // nil without
	shownJobs lateJobs
	rooms     *rooms           // of the store, nil without
	jobs      *bulk.Service    // nil without
	lasting   []gateway.Option // which stay when settings reloaded
	spending  spending

	isStoreAway bool // the store is opened later

	isReady   atomic.Bool
	listeners []*listener
	notifier  *notifier

	inspectorAddr string
}

// listener is an address that the server listens on.
type listener struct {
	net.Listener
	http *http.Server
}

// url returns the address as a URL for people.
func (l *listener) url() string { return "http://" + l.Addr().String() }

func newServer(settings *config.Config, stderr io.Writer) *server {
	s := &server{settings: settings, latest: settings, level: new(slog.LevelVar), notifier: newNotifier()}
	s.level.Set(levelOf(settings))
	s.log = slog.New(handlerOf(settings, stderr, s.level))
	return s
}

// setUp makes the gateway. Clients reach it at the URL.
func (s *server) setUp(ctx context.Context, url string) (err error) {
	warn := func(err error) { s.log.Warn("telemetry", "error", err.Error()) }
	if s.observers, err = telemetry.New(ctx, s.settings.Metrics, warn); err != nil {
		return err
	}
	observers := append([]exchange.Observer{accesslog.New(s.log)}, s.observers.Gateway...)
	if err := s.setUpStore(ctx); err != nil {
		return err
	}
	observers = append(observers, s.spending.usage.Observer())
	if s.settings.Inspect {
		if err := s.setUpInspector(ctx, url); err != nil {
			return err
		}
		observers = append(observers, s.inspector)
	}
	s.lasting = append(s.lasting, gateway.WithForms(setup.Forms(ctx)),
		gateway.WithObserver(observers...), gateway.WithLogger(s.log))
	opts, err := s.options(ctx, s.settings)
	if err != nil {
		return err
	}
	s.gateway, err = gateway.New(append(opts, s.lasting...)...)
	return err
}

func (s *server) setUpInspector(ctx context.Context, url string) (err error) {
	secrets, err := s.settings.Secrets()
	if err != nil {
		return err
	}
	opts := []inspector.Option{inspector.WithSecrets(secrets...), inspector.WithGatewayURL(url),
		inspector.WithForms(setup.Forms(ctx)), inspector.WithSpend(s.spending.usage)}
	opts = append(opts, inspectorLimits(s.settings)...)
	if command := linkCommand(); command != "" {
		opts = append(opts, inspector.WithLinkCommand(command))
	}
	switch {
	case s.settings.KeyFile != "":
		opts = append(opts, inspector.WithoutReplay("the gateway asks for a client key, and the "+
			"inspector does not keep keys"))
	case s.settings.CallersKey:
		opts = append(opts, inspector.WithoutReplay("each client sends its own key for Gemini, "+
			"and the inspector does not keep keys"))
	default:
		opts = append(opts,
			inspector.WithReplay(http.HandlerFunc(func(w http.ResponseWriter,
				r *http.Request) {
				s.gateway.ServeHTTP(w, r)
			})),
			inspector.WithAccounts(func() []string { return s.gateway.Accounts() }))
	}
	if s.jobs != nil || s.isStoreAway && s.settings.StoreLasts() && !s.settings.CallersKey {
		opts = append(opts, inspector.WithJobs(&s.shownJobs))
	}
	s.inspector, err = inspector.New(opts...)
	return err
}

// inspectorLimits returns what the inspector records, and how much of it.
func inspectorLimits(settings *config.Config) (opts []inspector.Option) {
	if settings.InspectBodies {
		opts = append(opts, inspector.WithBodies())
	}
	if n := settings.InspectCount; n > 0 {
		opts = append(opts, inspector.WithMaxExchanges(n))
	}
	if n := settings.InspectMaxMemory; n > 0 {
		opts = append(opts, inspector.WithMaxBytes(int(n)))
	}
	if n := settings.InspectMaxBody; n > 0 {
		opts = append(opts, inspector.WithMaxBodySize(int(n)))
	}
	if n := settings.InspectMaxString; n > 0 {
		opts = append(opts, inspector.WithMaxStringSize(int(n)))
	}
	if folder := settings.InspectStore; folder != "" {
		opts = append(opts, inspector.WithFolder(folder))
	}
	return opts
}

// linkCommand returns the command that makes this process print a new link to the inspector. It is
// "" where there is no SIGHUP.
func linkCommand() string {
	if runtime.GOOS == "windows" {
		return ""
	}
	return "kill -HUP " + strconv.Itoa(os.Getpid())
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

// open opens the listeners, makes the gateway, and logs that. The first line of the log names the
// upstream.
func (s *server) open(ctx context.Context, hints io.Writer) error {
	s.logUpstream()
	api, err := s.listen(ctx, "--addr", s.settings.Addr)
	if err != nil {
		return err
	}
	if err := s.setUp(ctx, api.url()); err != nil {
		return err
	}
	api.http.Handler = s.routes()
	s.log.Info("listening", "url", api.url(), "openai", api.url()+"/v1")
	if s.observers.IsScraped() && s.settings.MetricsAddr != "" {
		l, err := s.listen(ctx, "--metrics-addr", s.settings.MetricsAddr)
		if err != nil {
			return err
		}
		mux := http.NewServeMux()
		mux.Handle("GET /metrics", s.inTime(s.observers.Scrapes()))
		l.http.Handler = mux
		s.log.Info("metrics", "url", l.url()+"/metrics")
	}
	page, err := s.openInspector(ctx)
	if err != nil {
		return err
	}
	printHints(hints, api.url(), page, s.settings)
	return nil
}

// openInspector opens the inspector's listener. It returns a link to the inspector's page, or "" if
// the inspector is off.
func (s *server) openInspector(ctx context.Context) (page string, err error) {
	if s.inspector == nil {
		return "", nil
	}
	l, err := s.listen(ctx, "--inspect-addr", s.settings.InspectAddr)
	if err != nil {
		return "", err
	}
	l.http.Handler = s.inspector.Handler()
	l.http.RegisterOnShutdown(s.inspector.Close)
	s.inspectorAddr = l.Addr().String()
	return s.logInspector(), nil
}

// logInspector logs a link that opens the inspector's page, and returns the link.
func (s *server) logInspector() (page string) {
	if s.inspector == nil {
		return ""
	}
	page = s.inspector.URL(s.inspectorAddr)
	s.log.Info("inspector; the link works once, and SIGHUP prints another", "url", page)
	return page
}

// logUpstream logs the upstream.
func (s *server) logUpstream() {
	service := s.settings.Service()
	switch {
	case service != gateway.Embedded:
		s.log.Info("gemwire gateway", "upstream", string(service))
	case s.settings.Upstream == "":
		s.log.Info("gemwire gateway: no credentials, so the built-in fake server answers; set GEMINI_API_KEY for Gemini",
			"upstream", string(service))
	default:
		s.log.Info("gemwire gateway: the built-in fake server answers", "upstream",
			string(service))
	}
}

// instead says how to change an address: with a flag, or with a variable of make if make has
// started the gateway.
func (s *server) instead(flag string) string {
	variable := map[string]string{"--addr": "ADDR", "--inspect-addr": "INSPECT_ADDR"}[flag]
	if !s.isByMake || variable == "" {
		return flag
	}
	return flag + ", or with make run " + variable + "=..."
}

// listen opens a listener. Its handler is set before it serves. The gateway itself limits the time
// of bodies and answers.
func (s *server) listen(ctx context.Context, flag, addr string) (*listener, error) {
	opened, err := new(net.ListenConfig).Listen(ctx, "tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", addr, message.ListenError(s.instead(flag), err))
	}
	l := &listener{opened, &http.Server{
		ReadHeaderTimeout: time.Duration(s.settings.HeaderTimeout),
		IdleTimeout:       time.Duration(s.settings.IdleTimeout),
		// of malformed HTTP requests
		ErrorLog: slog.NewLogLogger(s.log.Handler(), slog.LevelDebug),
	}}
	s.listeners = append(s.listeners, l)
	return l, nil
}

// close frees the server's resources.
func (s *server) close() {
	for _, l := range s.listeners {
		l.http.Close()
		l.Close()
	}
	if s.inspector != nil {
		s.inspector.Close()
	}
	if s.gateway != nil {
		s.gateway.Close()
	}
	if s.inspector != nil { // to which the end of the gateway may write
		if err := s.inspector.CloseFolder(); err != nil {
			s.log.Error("keeping the inspector's requests failed", "error", err.Error())
		}
	}
	s.closeSpending()
	if s.rooms != nil {
		if err := s.rooms.close(); err != nil {
			s.log.Error("closing the store failed", "error", err.Error())
		}
	}
	s.observers.Close()
}
