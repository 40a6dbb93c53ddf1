package serve

import (
	"net/http"
	"time"

	"github.com/gemwire/gemwire/internal/loopback"
	"github.com/gemwire/gemwire/server/cli/health"
)

// routes returns the handler for the gateway's address. Probes call no model, and need neither a
// key nor a known host, because the machine that runs the gateway sends them. Every other request
// goes to the gateway unchanged. An [http.ServeMux] would redirect clients that request
// "/v1//models" before their host and key are checked.
func (s *server) routes() http.Handler {
	own := map[string]http.Handler{
		"/healthz": health.Alive(),
		// which fails as soon as the gateway shuts down
		"/readyz": health.Ready(s.isReady.Load),
	}
	if s.observers.IsScraped() && s.settings.MetricsAddr == "" {
		own["/metrics"] = s.ofThisMachine(s.observers.Scrapes())
	}
	page := s.ofThisMachine(http.HandlerFunc(s.serveWelcome))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		handler, isOwn := own[r.URL.Path]
		if isOfBrowser(r) {
			handler, isOwn = page, true
		}
		if !isOwn || r.Method != http.MethodGet && r.Method != http.MethodHead {
			s.gateway.ServeHTTP(w, r)
			return
		}
		if r.ContentLength != 0 { // the server waits for a body that is not read
			_ = http.NewResponseController(
				w).SetReadDeadline(time.Now().Add(time.Duration(s.settings.HeaderTimeout)))
		}
		s.inTime(handler).ServeHTTP(w, r)
	})
}

// inTime applies the write timeout to a handler. The gateway applies it itself.
func (s *server) inTime(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_ = http.NewResponseController(w).SetWriteDeadline(
			time.Now().Add(time.Duration(s.settings.WriteTimeout)))
		next.ServeHTTP(w, r)
	})
}

// ofThisMachine refuses requests for a host name other than this machine's if the listener is
// local. Otherwise a page whose name resolves to this machine (DNS rebinding) could read the
// answer.
func (s *server) ofThisMachine(next http.Handler) http.Handler {
	if s.settings.IsOpen() {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !loopback.IsAddress(r.Host) {
			health.Answer(w, http.StatusMisdirectedRequest, "this host is not served here\n")
			return
		}
		next.ServeHTTP(w, r)
	})
}
