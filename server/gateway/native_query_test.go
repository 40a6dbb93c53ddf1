package gateway_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/server/gateway"
)

// With such a parameter Google's API would call a function of the requesting page, or accept
// another credential.
func TestGooglesSystemParametersReachNoServer(t *testing.T) {
	t.Parallel()
	seen := &seenPaths{}
	handler := gatewayAnswering(t, func(r *http.Request) *http.Response {
		t.Errorf("sent %s", r.URL)
		return seen.answer(r)
	}, gateway.WithClientKeys(keysOf(t, "alice")))
	for _, path := range []string{nativeWhole,
		"/v1beta/models/gemini-2.5-flash:streamGenerateContent", "/v1beta/models/m:countTokens", "/v1beta/files", "/upload/v1beta/files"} {
		for _, query := range []string{
			"callback=f", "%24callback=f", "oauth_token=t", "bearer_token=t", "access_token=t",
			"alt=js", "alt=sse&alt=json", "fields=a", "quotaUser=u", "a;callback=f",
		} {
			request := formRequest{method: "POST", path: path + "?" + query, body: nativeHello,
				headers: []string{"X-Goog-Api-Key", "key-of-alice"}}
			answer := request.send(handler)
			if answer.Code != http.StatusBadRequest ||
				answer.Header().Get("X-Content-Type-Options") != "nosniff" {
				t.Errorf("%s: HTTP %d, %v: %s", request.path, answer.Code, answer.Header(),
					answer.Body)
				continue
			}
			googleEnvelope(t, answer.Body.Bytes())
		}
	}
}

// A server's answer, such as a user's file, must never count as a page or a script of the gateway.
func TestAServersAnswerIsNeverAPageOrAScript(t *testing.T) {
	t.Parallel()
	for _, contentType := range []string{"text/html", "text/javascript; charset=UTF-8",
		"application/javascript", "application/json"} {
		handler := gatewayAnswering(t, func(*http.Request) *http.Response {
			reply := replyOf(200, "<script>f()</script>")
			reply.Header.Set("Content-Type", contentType)
			return reply
		})
		for _, path := range []string{"/v1beta/files/f:download?alt=media",
			"/download/v1beta/files/f:download", "/v1beta/files/f"} {
			header := get(handler, path).Header()
			if strings.Contains(header.Get("Content-Type"), "script") ||
				header.Get("X-Content-Type-Options") != "nosniff" ||
				header.Get("Content-Security-Policy") != "default-src 'none'; sandbox" {
				t.Errorf("%s as %s: %v", path, contentType, header)
			}
		}
	}
}
