package serve

import (
	"io"
	"net/http"

	"github.com/gemwire/gemwire/internal/loopback"
)

// routes returns what answers at the gateway's address. Probes make no call of a model, and need neither a key nor a known
// host: who asks is the machine that runs the gateway. Whatever else comes is the gateway's, as it is: a [http.ServeMux]
// would send clients that write "/v1//models" elsewhere, before their host and key are looked at.
func (s *server) routes() http.Handler {
	own := map[string]http.Handler{
		"/healthz": http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { answer(w, http.StatusOK, "ok\n") }),
		"/readyz":  http.HandlerFunc(s.serveReady),
	}
	if s.metrics != nil && s.settings.MetricsAddr == "" {
		own["/metrics"] = s.ofThisMachine(s.metrics.Handler())
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		handler, isOwn := own[r.URL.Path]
		if !isOwn || r.Method != http.MethodGet && r.Method != http.MethodHead {
			handler = s.gateway
		}
		handler.ServeHTTP(w, r)
	})
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
