package serve_test

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestANewKeyLetsItsClientIn(t *testing.T) {
	t.Parallel()
	code, entry, said := run(t, "serve", "--new-key", "alice")
	_, key, found := strings.Cut(said, "\n\n")
	key, _, _ = strings.Cut(key, "\n")
	_, another, _ := run(t, "serve", "--new-key", "bob")
	entry += another // as >> appends it
	if code != 0 || !found || len(key) < 40 || strings.Contains(entry, key) {
		t.Fatalf("%d %q %q", code, key, entry)
	}
	file := filepath.Join(t.TempDir(), "keys.yaml")
	if err := os.WriteFile(file, []byte(entry), 0o600); err != nil {
		t.Fatal(err)
	}
	r := serve(t, "--key-file", file)
	ask := func(key string) int {
		t.Helper()
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPost,
			r.URL+"/v1/chat/completions",
			strings.NewReader(`{"model":"gemini-3.6-flash","messages":[{"role":"user","content":"hello"}]}`))
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Content-Type", "application/json")
		request.Header.Set("Authorization", "Bearer "+key)
		reply, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		defer reply.Body.Close()
		return reply.StatusCode
	}
	if status := ask(key); status != http.StatusOK {
		t.Errorf("with the key: %d", status)
	}
	if status := ask("gw-of-somebody-else"); status != http.StatusUnauthorized {
		t.Errorf("with another: %d", status)
	}
	r.Stderr.WaitFor(t, `msg=request .*client=alice`)
	if _, metrics := r.Get(t, "/metrics"); !strings.Contains(metrics, `client="alice"`) {
		t.Error("the client is not in the metrics")
	}
	if strings.Contains(r.Stderr.String(), key) {
		t.Error("the key is in the log")
	}
}
