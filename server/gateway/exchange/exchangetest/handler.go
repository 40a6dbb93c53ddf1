package exchangetest

import (
	"io"
	"net/http"
	"strings"

	"github.com/gemwire/gemwire/server/gateway/exchange"
)

// ServeHTTP answers a chat completion request with a scene, as a gateway answers a replay. The
// scene provides Gemini's answer, and the client provides the request.
func (g *Gateway) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil || r.URL.Path != "/v1/chat/completions" {
		http.NotFound(w, r)
		return
	}
	scene := ToolResult()
	if strings.Contains(string(body), `"stream":true`) {
		scene = Streamed()
	}
	scene.Request, scene.Client, scene.UserAgent = string(body), "", r.UserAgent()
	scene.Mark = exchange.MarkOf(r.Context())
	status, id := g.Play(scene)
	w.Header().Set("X-Request-Id", id)
	w.WriteHeader(status)
}
