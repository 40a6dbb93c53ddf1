package inspector

import (
	"bytes"
	_ "embed" // the page
	"html"
	"net/http"
)

//go:generate go -C ../../tools/bundle run . ../../server/inspector/page

// The files of the page. make generate bundles page/src to page/dist.
var (
	//go:embed page/index.html
	indexHTML []byte
	//go:embed page/refused.html
	refusedHTML []byte
	//go:embed page/dist/main.js
	mainJS []byte
	//go:embed page/dist/style.css
	styleCSS []byte
	//go:embed page/icon.svg
	iconSVG []byte
)

// asset is a file that the page loads. It contains no secret, so it needs no session.
type asset struct {
	mediaType string
	data      []byte
}

// assets are the files by their paths.
var assets = map[string]asset{
	"/main.js":   {"text/javascript; charset=utf-8", mainJS},
	"/style.css": {"text/css; charset=utf-8", styleCSS},
	"/icon.svg":  {"image/svg+xml", iconSVG},
}

// pagePaths are the addresses of the page. The page reads what it shows from its address, so that a
// link to a request can be shared.
var pagePaths = []string{
	"/{$}", "/requests", "/requests/{id}", "/overview", "/spend", "/jobs", "/jobs/{id}",
	"/compare/{a}/{b}",
}

func (a asset) serve(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", a.mediaType)
	_, _ = w.Write(a.data)
}

// page answers with the page if there is a session, or if a link opens one. It answers at once and
// not with a redirect: a browser that followed a link from another site would not send the new
// cookie with the redirected request.
func (i *Inspector) page(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	if session, ok := i.sessions.redeem(r.URL.Query().Get("token")); ok {
		http.SetCookie(w, sessionCookie(r, session))
	} else if !i.sessions.has(r) {
		w.WriteHeader(http.StatusUnauthorized)
		_, _ = w.Write(i.refused(r.URL.Query().Has("token")))
		return
	}
	_, _ = w.Write(indexHTML)
}

// refused returns the page for a browser without a session, or for a link that has expired. It has
// the command that prints a new link.
func (i *Inspector) refused(isLink bool) []byte {
	page := refusedHTML
	if !isLink {
		page = bytes.Replace(page, []byte("This link has expired"), []byte("You are not signed in"), 1)
		page = bytes.Replace(page, []byte("Sign-in links work once, so a link left in a log can’t "+
			"expose your traffic."), []byte("Sign in with a new link in this browser. Then open "+
			"this address again."), 1)
	}
	if i.linkCommand == "" {
		return page
	}
	return bytes.Replace(page, []byte("kill -HUP &lt;pid&gt;"),
		[]byte(html.EscapeString(i.linkCommand)), 1)
}
