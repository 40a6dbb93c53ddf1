package guard

import (
	"net/http"

	"github.com/gemwire/gemwire/server/gateway/internal/headervalue"
)

// exposed are the headers of answers that pages may read, besides those that they always may.
const exposed = "X-Request-Id, Request-Id, Retry-After, Retry-After-Ms, X-Should-Retry, Openai-Processing-Ms, X-Gemwire-Model, X-Gemwire-Losses, " +
	"X-Ratelimit-Limit-Requests, X-Ratelimit-Limit-Tokens, X-Ratelimit-Remaining-Requests, X-Ratelimit-Remaining-Tokens, " +
	"X-Ratelimit-Reset-Requests, X-Ratelimit-Reset-Tokens"

// SetHeaders sets what browsers heed of every answer.
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

// AnswerPreflight allows what the page asks for. Its SDK sends headers of its own, such as
// x-stainless-os, whose names nobody can list beforehand.
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
