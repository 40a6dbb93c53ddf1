package batch

import (
	"context"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/gemwire/gemwire/server/cli/health"
	"github.com/gemwire/gemwire/server/cli/message"
	"github.com/gemwire/gemwire/server/cli/telemetry"
)

// scrapes is the listener for a worker's metrics and health probes.
type scrapes struct {
	url     string // "" for none
	isReady atomic.Bool
	server  http.Server
	served  chan error
}

// scrapeHeaderTimeout is the time limit for a request's header.
const scrapeHeaderTimeout = 30 * time.Second

// listenForScrapes listens at addr, or nowhere for "". The caller closes the result.
func listenForScrapes(ctx context.Context, addr string, observers *telemetry.Observers) (*scrapes,
	error) {
	s := &scrapes{served: make(chan error, 1)}
	if addr == "" {
		s.served <- nil
		return s, nil
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", addr, message.ListenError("--metrics-addr", err))
	}
	mux := http.NewServeMux()
	mux.Handle("GET /healthz", health.Alive())
	mux.Handle("GET /readyz",
		health.Ready(func() bool { return s.isReady.Load() && ctx.Err() == nil }))
	if observers.IsScraped() {
		mux.Handle("GET /metrics", observers.Scrapes())
	}
	s.url = "http://" + listener.Addr().String()
	// of malformed HTTP requests
	s.server = http.Server{Handler: mux, ReadHeaderTimeout: scrapeHeaderTimeout,
		ErrorLog: log.New(io.Discard, "", 0)}
	go func() { s.served <- s.server.Serve(listener) }()
	return s, nil
}

// close stops the listener.
func (s *scrapes) close() {
	s.server.Close()
	<-s.served
}
