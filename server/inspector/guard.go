package inspector

import (
	"mime"
	"net/http"
	"net/url"
	"slices"

	"github.com/gemwire/gemwire/internal/loopback"
)

// contentSecurityPolicy allows the page's own files and nothing else. Trusted types without a
// policy make every way to turn a text into elements throw. So a bug in the page cannot run what a
// model wrote.
const contentSecurityPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; " +
	"media-src 'self'; " +
	"connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; " +
	"require-trusted-types-for 'script'; trusted-types 'none'"

// guarded refuses requests that do not come from this machine's own browser, on every route: other
// host names, which DNS rebinding uses to reach loopback, and requests from pages of other origins.
func (i *Inspector) guarded(next http.Handler) http.Handler {
	next = http.NewCrossOriginProtection().Handler(next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		header := w.Header()
		header.Set("Content-Security-Policy", contentSecurityPolicy)
		header.Set("X-Content-Type-Options", "nosniff")
		header.Set("Referrer-Policy", "no-referrer")
		header.Set("Cross-Origin-Opener-Policy", "same-origin")
		header.Set("Cross-Origin-Resource-Policy", "same-origin")
		header.Set("Cache-Control", "no-store")
		if !i.allowsHost(r.Host) {
			refuse(w, http.StatusMisdirectedRequest, "the inspector is not served under this name")
			return
		}
		if hasForeignOrigin(r) {
			refuse(w, http.StatusForbidden, "the inspector answers its own page only")
			return
		}
		next.ServeHTTP(w, r)
	})
}

// hasForeignOrigin reports whether a page of another origin sent the request. Browsers send the
// origin with each POST, and with a GET only to another origin. So a GET of the inspector's own
// page has none. [http.CrossOriginProtection] does not check a GET.
func hasForeignOrigin(r *http.Request) bool {
	origin := r.Header.Get("Origin")
	if origin == "" {
		return false
	}
	from, err := url.Parse(origin) // of "null", too, which has no host
	return err != nil || from.Host != r.Host
}

// allowsHost reports whether a Host, with or without a port, is this machine or one of the option.
// Unlike the gateway's guard it allows no other address and no pattern, because the page is for one
// machine.
func (i *Inspector) allowsHost(host string) bool {
	if loopback.IsAddress(host) {
		return true
	}
	return slices.Contains(i.hosts, loopback.HostName(host))
}

// withSession refuses requests without a session, and requests from pages of another origin.
// Browsers report the origin of a request.
func (i *Inspector) withSession(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		from := r.Header.Get("Sec-Fetch-Site")
		switch {
		case from != "" && from != "same-origin" && from != "none":
			refuse(w, http.StatusForbidden, "the inspector answers only its own page")
		case !i.sessions.has(r):
			i.refuseSession(w)
		default:
			next(w, r)
		}
	}
}

// refuseSession answers that there is no session, and how to get a new link.
func (i *Inspector) refuseSession(w http.ResponseWriter) {
	writeJSON(w, http.StatusUnauthorized, struct {
		Error string `json:"error"`
		// Command prints a new link in the log of the gateway. It is "" if it is unknown.
		Command string `json:"command"`
	}{"no session; open the link in the gateway's log", i.linkCommand})
}

// changing refuses body types that forms of other pages can send, and bodies that are too large.
func changing(next http.HandlerFunc) http.HandlerFunc { return changingUpTo(maxChange, next) }

// maxChange is the maximum size of a body of the page in bytes.
const maxChange = 64 << 20

// changingUpTo is changing with another maximum size of a body.
func changingUpTo(most int, next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		mediaType, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
		if err != nil || mediaType != "application/json" {
			refuse(w, http.StatusUnsupportedMediaType, "expected application/json")
			return
		}
		r.Body = http.MaxBytesReader(w, r.Body, int64(most))
		next(w, r)
	}
}
