package gateway_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/gemwire/gemwire/pkg/geminitest"
	"github.com/gemwire/gemwire/server/gateway"
)

// catalogTags returns the tag of the catalogue that each way to ask for a response shows.
func catalogTags(t *testing.T, handler http.Handler, key string) map[string]string {
	t.Helper()
	bearer := []string{"Authorization", "Bearer " + key}
	server := httptest.NewServer(handler)
	defer server.Close()
	client, upgrade := dialAt(t, t.Context(), server.Client(), server.URL, bearer...)
	defer client.CloseNow()
	out := map[string]string{"upgrade": upgrade.Header.Get("X-Models-Etag")}
	for way, members := range map[string]string{"whole": "", "stream": `,"stream":true`} {
		answer := post(handler, responsesPath, asked("hello", members), bearer...)
		out[way] = answer.Header().Get("X-Models-Etag")
	}
	return out
}

// codex 0.169 reads the catalogue again if the tag is not the one that it has.
func TestCodexLearnsWhichCatalogueIsCurrent(t *testing.T) {
	t.Parallel()
	server := geminitest.NewServer(t)
	opts := []gateway.Option{gateway.WithUpstream(upstreamOf(server)),
		gateway.WithAllowedHosts("example.com"), gateway.WithClientKeys(keysOf(t, "ann", "bob"))}
	handler := newGateway(t, opts...)
	read := func() string {
		return get(handler, "/v1/models?client_version=0.169.0", "Authorization",
			"Bearer key-of-ann").Header().Get("Etag")
	}
	check := func(when, key, want string) {
		t.Helper()
		for way, tag := range catalogTags(t, handler, key) {
			if tag != want {
				t.Errorf("%s, %s: the tag is %q, want %q", when, way, tag, want)
			}
		}
	}
	check("before it is read", "key-of-ann", "")
	first := read()
	check("after it is read", "key-of-ann", first)
	check("by another client", "key-of-bob", "")
	if err := handler.Reload(append(opts,
		gateway.WithAliases(map[string]string{"gpt-5.1": "gemini-3.6-flash"}))...); err != nil {
		t.Fatal(err)
	}
	check("after a reload", "key-of-ann", `"newer"`)
	second := read()
	if second == first {
		t.Errorf("the tag stays %s", first)
	}
	check("after it is read again", "key-of-ann", second)
}
