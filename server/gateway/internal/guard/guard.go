// Package guard prevents pages of other sites from using the gateway through a browser: with a name
// of their own that resolves to it (DNS rebinding), or with requests that a browser sends without
// asking (CSRF). Pages of allowed origins may call the gateway.
package guard

import (
	"fmt"
	"mime"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"github.com/gemwire/gemwire/internal/loopback"
)

// Guard decides which requests are allowed. It is safe for concurrent use.
type Guard struct {
	hosts     []string // in lower case; "*" is any, "*.example.com" those below
	origins   []string
	protector *http.CrossOriginProtection
}

// anyone allows every host or origin.
const anyone = "*"

// New returns a guard for a gateway. The hosts are allowed in addition to names of this machine and
// IP addresses. The origins are web origins such as "https://app.example.com".
func New(hosts, origins []string) (*Guard, error) {
	g := &Guard{protector: http.NewCrossOriginProtection()}
	for _, host := range hosts {
		if host == "" || strings.ContainsAny(host, "/ @") ||
			strings.Contains(strings.TrimPrefix(host, "*."), "*") && host != anyone {
			return nil, fmt.Errorf("allowed host %q is not a host name; want one such as gateway.example.com, *.example.com or *",
				host)
		}
		g.hosts = append(g.hosts, strings.ToLower(strings.TrimSuffix(host, ".")))
	}
	for _, origin := range origins {
		if origin == anyone {
			g.origins = append(g.origins, anyone)
			continue
		}
		parsed, err := url.Parse(origin)
		if err != nil || parsed.Host == "" || parsed.Scheme+"://"+parsed.Host != origin {
			return nil, fmt.Errorf("allowed origin %q is not an origin; want one such as https://app.example.com or *",
				origin)
		}
		g.origins = append(g.origins, strings.ToLower(origin))
	}
	return g, nil
}

// Refusal is the reason why a request is refused.
type Refusal struct {
	// Status is the HTTP status. Code is the error code.
	Status int
	Code   string
	// Reason is for people. It says which setting would allow the request.
	Reason string
}

// Check returns the reason to refuse a request, or nil. It refuses body types that a page may send
// to any site if the request's own type is JSON.
func (g *Guard) Check(r *http.Request, takesJSON bool) *Refusal {
	switch origin := r.Header.Get("Origin"); {
	case !g.allowsHost(r.Host):
		return &Refusal{http.StatusMisdirectedRequest, "host_not_allowed",
			fmt.Sprintf("unknown host name %q; add it with --allowed-hosts",
				r.Host)}
	case g.AllowsOrigin(origin):
	case g.protector.Check(r) != nil || !isSameOrigin(r):
		return &Refusal{http.StatusForbidden, "origin_not_allowed",
			"a page of another site sent this" + named(origin) + "; allow the site with --allowed-origins"}
	}
	if takesJSON && r.Method == http.MethodPost && !isJSON(r.Header.Get("Content-Type")) {
		return &Refusal{http.StatusUnsupportedMediaType, "unsupported_media_type",
			"the header Content-Type must be application/json"}
	}
	return nil
}

// isSameOrigin reports whether a request comes from a page of the gateway itself, or from no page.
// The standard protection lets other sites send requests without effects, such as GET, because
// their pages cannot read the answers. The gateway refuses these too, because other sites have no
// reason to send them. What the browser itself reports takes precedence, because a proxy may change
// the host.
func isSameOrigin(r *http.Request) bool {
	origin := r.Header.Get("Origin")
	if origin == "" || r.Header.Get("Sec-Fetch-Site") == "same-origin" {
		return true
	}
	_, from, _ := strings.Cut(origin, "://")
	return strings.EqualFold(from, r.Host)
}

func named(origin string) string {
	if origin == "" {
		return ""
	}
	return ", " + origin
}

// allowsHost reports whether a Host, with or without a port, is a name of the gateway. IP addresses
// are allowed, because rebinding needs a name. Browsers always send a Host.
func (g *Guard) allowsHost(host string) bool {
	if host == "" || loopback.IsAddress(host) {
		return true
	}
	host = loopback.HostName(host)
	if address, err := netip.ParseAddr(strings.Trim(host, "[]")); err == nil {
		return !address.IsUnspecified() // 0.0.0.0 leads pages to this machine
	}
	return slices.ContainsFunc(g.hosts, func(allowed string) bool {
		below, isPattern := strings.CutPrefix(allowed, "*")
		return allowed == host || isPattern && strings.HasSuffix(host, below)
	})
}

// AllowsOrigin reports whether pages of an origin may call the gateway.
func (g *Guard) AllowsOrigin(origin string) bool {
	return origin != "" &&
		(slices.Contains(g.origins, anyone) || slices.Contains(g.origins, strings.ToLower(origin)))
}

// isJSON reports whether the content type is JSON or missing.
func isJSON(contentType string) bool {
	if contentType == "" {
		return true
	}
	mediaType, _, err := mime.ParseMediaType(contentType)
	return err == nil && (mediaType == "application/json" || strings.HasSuffix(mediaType, "+json"))
}
