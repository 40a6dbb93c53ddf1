package gateway_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/pkg/geminitest"
)

// A stream was cut when net/http closed the body of the request while its own client still looked
// for the end of the body.
func TestAStreamFromAPathThatIsPassedOnIsWhole(t *testing.T) {
	t.Parallel()
	upstream := geminitest.NewServer(t)
	server := httptest.NewServer(gatewayOf(t, upstream))
	defer server.Close()
	const body = `{"model":"gemini-3.6-flash","input":"Hi [words 60]","stream":true}`
	const streams = 60
	for i := range streams {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPost,
			server.URL+"/v1alpha/interactions", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Content-Type", "application/json")
		reply, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(reply.Body)
		_ = reply.Body.Close()
		if err != nil || !strings.Contains(string(got), "interaction.completed") {
			t.Fatalf("stream %d of %d is cut: %v\n%s", i, streams, err, got)
		}
	}
}
