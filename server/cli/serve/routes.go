package serve

import (
	"net/http"
	"time"

	"github.com/gemwire/gemwire/internal/loopback"
	"github.com/gemwire/gemwire/server/cli/health"
)

// routes returns what answers at the gateway's address. Probes make no call of a model, and need
// neither a key nor a known host: who asks is the machine that runs the gateway. Whatever else
// comes is the gateway's, as it is: a [http.ServeMux] would send clients that write "/v1//models"
// elsewhere, before their host and key are looked at.
func (s *server) routes() http.Handler {
	own := map[string]http.Handler{
		"/healthz": health.Alive(),
		// which fails as soon as the gateway is told to end
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

// inTime gives a client the write timeout to take an answer. The gateway does that by itself.
func (s *server) inTime(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_ = http.NewResponseController(w).SetWriteDeadline(
			time.Now().Add(time.Duration(s.settings.WriteTimeout)))
		next.ServeHTTP(w, r)
	})
}

// ofThisMachine refuses requests by another name than this machine's where only that listens: a
// page whose name was made to lead here (DNS rebinding) could read the answer.
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
