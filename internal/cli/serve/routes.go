package serve

import (
	"io"
	"net/http"

	"github.com/gemwire/gemwire/internal/loopback"
)

// routes returns what answers at the gateway's address. Probes make no call of a model, and need neither a key nor a known
// host: who asks is the machine that runs the gateway.
func (s *server) routes() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { answer(w, http.StatusOK, "ok\n") })
	mux.HandleFunc("GET /readyz", s.serveReady)
	if s.metrics != nil && s.settings.MetricsAddr == "" {
		mux.Handle("GET /metrics", s.ofThisMachine(s.metrics.Handler()))
	}
	mux.Handle("/", s.gateway)
	return mux
}

// serveReady says whether requests may be sent here. It fails as soon as the gateway is told to end.
func (s *server) serveReady(w http.ResponseWriter, _ *http.Request) {
	if !s.isReady.Load() {
		answer(w, http.StatusServiceUnavailable, "not ready\n")
		return
	}
	answer(w, http.StatusOK, "ready\n")
}

func answer(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	io.WriteString(w, text)
}

// ofThisMachine refuses requests by another name than this machine's where only that listens: a page whose name was made
// to lead here (DNS rebinding) could read the answer.
func (s *server) ofThisMachine(next http.Handler) http.Handler {
	if s.settings.IsOpen() {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !loopback.IsAddress(r.Host) {
			answer(w, http.StatusMisdirectedRequest, "this host is not served here\n")
			return
		}
		next.ServeHTTP(w, r)
	})
}
