package inspector_test

import (
	"strings"
	"testing"

	"github.com/gemwire/gemwire/server/gateway/exchange"
	"github.com/gemwire/gemwire/server/inspector"
)

// A stream may end a chunk in the middle of a secret, and JSON may escape a character of it.
func TestASecretOfSeveralPiecesIsRemovedFromViews(t *testing.T) {
	t.Parallel()
	const secret = "sk-secret-XYZ12345"
	b := open(t, inspector.WithBodies(), inspector.WithSecrets(secret))
	r := b.Begin(exchange.Start{ID: "req_pieces", At: morning, Method: "POST",
		Form: "generate_content", Path: "/v1beta/models/m:streamGenerateContent"})
	request := exchange.Request{Method: "POST", URL: "/v1beta/models/m:streamGenerateContent",
		Body: []byte(`{"contents":[{"role":"user","parts":[{"text":"ask sk\u002dsecret-XYZ12345"}]}]}`)}
	r.Request(exchange.Client, request)
	r.Request(exchange.Upstream, request)
	for _, part := range []string{`{"text":"found sk-secr"}`, `{"text":"et-XYZ12345 here"}`,
		`{"functionCall":{"name":"f","args":{"key":"sk\u002dsecret-XYZ12345"}}}`} {
		r.Chunk(exchange.Upstream, []byte(`{"candidates":[{"content":{"role":"model","parts":[`+
			part+`]}}]}`))
	}
	r.End(exchange.End{Status: 200})
	b.detail(1)
	for path, want := range map[string]string{
		"/api/exchanges/1/conversation": `"found REDACTED here"`,
		"/api/compare/1/1":              `"found REDACTED here"`,
		"/api/search?q=found":           `" REDACTED here"`,
		"/api/search?q=ask":             `"hit":"ask","after":" REDACTED`,
		"/api/search?q=sk-secr":         `"query":"sk-secr"`,
	} {
		answer := b.get(path)
		plain := strings.NewReplacer(`\\u002d`, "-", `\u002d`, "-", `","hit":"`, "",
			`","after":"`, "").Replace(answer)
		if strings.Contains(plain, secret) || !strings.Contains(answer, want) {
			t.Errorf("%s: expected %s and no secret in %s", path, want, answer)
		}
	}
}
