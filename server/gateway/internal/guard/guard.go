// Package guard keeps pages of other sites from making a browser use the gateway: by a name of
// their own that leads to it (DNS rebinding), or by requests that a browser sends without asking
// (CSRF). Pages of sites that are allowed may call it.
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

// Guard decides who may ask. It is safe for use by several goroutines.
type Guard struct {
	hosts     []string // in lower case; "*" is any, "*.example.com" those below
	origins   []string
	protector *http.CrossOriginProtection
}

// anyone allows every host or origin.
const anyone = "*"

// New returns a guard for a gateway that is reached by names besides those of this machine and
// addresses, and by pages of origins such as "https://app.example.com".
func New(hosts, origins []string) (*Guard, error) {
	g := &Guard{protector: http.NewCrossOriginProtection()}
	for _, host := range hosts {
		if host == "" || strings.ContainsAny(host, "/ @") ||
			strings.Contains(strings.TrimPrefix(host, "*."), "*") && host != anyone {
			return nil, fmt.Errorf("allowed host %q is no host name, such as gateway.example.com, *.example.com or *",
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
			return nil, fmt.Errorf("allowed origin %q is no origin, such as https://app.example.com or *",
				origin)
		}
		g.origins = append(g.origins, strings.ToLower(origin))
	}
	return g, nil
}

// Refusal is why a request is refused.
type Refusal struct {
	// Status is that of the answer, Code a word for it.
	Status int
	Code   string
	// Reason is for people, and says what would allow it.
	Reason string
}

// Check returns why a request is refused, nil for one that is not. Bodies of the types that a page
// may send to any site are refused where the request's own is JSON.
func (g *Guard) Check(r *http.Request, takesJSON bool) *Refusal {
	switch origin := r.Header.Get("Origin"); {
	case !g.allowsHost(r.Host):
		return &Refusal{http.StatusMisdirectedRequest, "host_not_allowed",
			fmt.Sprintf("this gateway is not called %q; its other names are those of --allowed-hosts",
				r.Host)}
	case g.AllowsOrigin(origin):
	case g.protector.Check(r) != nil || !isSameOrigin(r):
		return &Refusal{http.StatusForbidden, "origin_not_allowed",
			"a page of another site sent this" + named(origin) + "; --allowed-origins allows sites"}
	}
	if takesJSON && r.Method == http.MethodPost && !isJSON(r.Header.Get("Content-Type")) {
		return &Refusal{http.StatusUnsupportedMediaType, "unsupported_media_type",
			"the header Content-Type must be application/json"}
	}
	return nil
}

// isSameOrigin reports whether a request comes from a page of the gateway itself, or from no page.
// The protector lets other sites send what has no effect, such as GET, whose answer their pages
// cannot read. They have no reason to. What the browser itself says counts first: a proxy may pass
// another host on than the one of the page.
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

// allowsHost reports whether a Host, with a port or without, is a name of the gateway's. Addresses
// are: rebinding takes a name. Browsers always send one.
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

// isJSON reports whether a body is said to be JSON, or nothing is said of it.
func isJSON(contentType string) bool {
	if contentType == "" {
		return true
	}
	mediaType, _, err := mime.ParseMediaType(contentType)
	return err == nil && (mediaType == "application/json" || strings.HasSuffix(mediaType, "+json"))
}
