package guard

import (
	"net/http"

	"github.com/gemwire/gemwire/server/gateway/internal/headervalue"
)

// exposed are the response headers that pages may read, in addition to those they can always read.
const exposed = "X-Request-Id, Request-Id, Retry-After, Retry-After-Ms, X-Should-Retry, Openai-Processing-Ms, X-Gemwire-Model, X-Gemwire-Losses, " +
	"X-Ratelimit-Limit-Requests, X-Ratelimit-Limit-Tokens, X-Ratelimit-Remaining-Requests, X-Ratelimit-Remaining-Tokens, " +
	"X-Ratelimit-Reset-Requests, X-Ratelimit-Reset-Tokens"

// SetHeaders sets the CORS headers of every answer.
func (g *Guard) SetHeaders(header http.Header, r *http.Request) {
	header["X-Content-Type-Options"] = noSniff
	if len(g.origins) == 0 {
		return
	}
	header.Add("Vary", "Origin")
	if origin := r.Header.Get("Origin"); g.AllowsOrigin(origin) {
		headervalue.Set(header, "Access-Control-Allow-Origin", origin)
		header.Set("Access-Control-Expose-Headers", exposed)
	}
}

var noSniff = []string{"nosniff"}

// IsPreflight reports whether a browser asks what a page of an allowed origin may send. Such a
// request has no credential.
func (g *Guard) IsPreflight(r *http.Request) bool {
	return r.Method == http.MethodOptions && r.Header.Get("Access-Control-Request-Method") != "" &&
		g.AllowsOrigin(r.Header.Get("Origin")) && g.allowsHost(r.Host)
}

// AnswerPreflight allows what the page asks for. SDKs send their own headers, such as
// x-stainless-os, so a fixed list of names is not possible.
func (g *Guard) AnswerPreflight(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	g.SetHeaders(header, r)
	header.Add("Vary", "Access-Control-Request-Headers")
	header.Set("Access-Control-Allow-Methods", "GET, POST, PUT, PATCH, DELETE")
	if asked := r.Header.Get("Access-Control-Request-Headers"); asked != "" {
		headervalue.Set(header, "Access-Control-Allow-Headers", asked)
	}
	if r.Header.Get("Access-Control-Request-Private-Network") == "true" {
		header.Set("Access-Control-Allow-Private-Network", "true")
	}
	header.Set("Access-Control-Max-Age", "7200") // the longest that Chromium heeds
	w.WriteHeader(http.StatusNoContent)
}
