package serve

import (
	"html/template"
	"net/http"
	"strings"
)

// Title is the title of the page that a browser shows at the gateway's address.
const Title = "gemwire gateway"

// welcome is the page that a browser shows at the gateway's address. It has no script and loads
// nothing.
var welcome = template.Must(template.New("welcome").Parse(`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>` + Title + `</title>
<style>
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { max-width: 50rem; margin: 2rem auto; padding: 0 1rem }
pre { overflow: auto; padding: 1rem; border: 1px solid }
</style>
<main>
<h1>gemwire gateway</h1>
<p>This is an API. Ask it:</p>
<pre tabindex="0">{{.Curl}}</pre>
<pre tabindex="0">{{.Clients}}</pre>
{{with .Upstream}}<pre tabindex="0">{{.}}</pre>
{{end}}<p>{{if .HasInspector}}The inspector shows each request. The log of the gateway has the link to it.{{else}}Start the
gateway with <code>--inspect</code> to see each request in the inspector.{{end}}</p>
</main>
</html>
`))

// isOfBrowser reports whether a browser requests a page.
func isOfBrowser(r *http.Request) bool {
	return r.URL.Path == "/" && strings.Contains(r.Header.Get("Accept"), "text/html")
}

// serveWelcome writes the page for browsers.
func (s *server) serveWelcome(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	header.Set("Content-Type", "text/html; charset=utf-8")
	header.Set("Content-Security-Policy",
		"default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'")
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Cache-Control", "no-store")
	scheme := "http://"
	if r.TLS != nil || r.Header.Get("X-Forwarded-Proto") == "https" {
		scheme = "https://"
	}
	url := scheme + r.Host
	_ = welcome.Execute(w, map[string]any{
		"Curl": curlHint(url, s.settings), "Clients": clientHints(url, s.settings),
		"Upstream": upstreamHint(s.settings, "gemwire serve"), "HasInspector": s.inspector != nil,
	}) // or the client is gone
}
