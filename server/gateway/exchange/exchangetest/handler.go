package exchangetest

import (
	"io"
	"net/http"
	"strings"
)

// ServeHTTP answers a request for a chat completion by a scene, and with the client's side of it:
// as a gateway would be used for a replay. The scene's answer stays, the request is that of the
// client.
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
	status, id := g.Play(scene)
	w.Header().Set("X-Request-Id", id)
	w.WriteHeader(status)
}
