package serve_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/gemwire/gemwire/server/gateway"
	"github.com/gemwire/gemwire/server/gateway/clientkey"
)

// keyFile writes keys: a name, and further members after a comma.
func keyFile(t *testing.T, path string, keys ...string) string {
	t.Helper()
	var text strings.Builder
	for _, key := range keys {
		name, members, _ := strings.Cut(key, ",")
		fmt.Fprintf(&text, "- {name: %s, hash: %q%s}\n", name, clientkey.Hash("key-of-"+name),
			strings.TrimSuffix(","+members, ","))
	}
	if err := os.WriteFile(path, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// as sends a request with a client's key.
func (r *running) as(t *testing.T, name, method, path, body string) (status int, answer string) {
	t.Helper()
	request, err := http.NewRequestWithContext(context.Background(), method, r.URL+path,
		strings.NewReader(body))
	if err != nil {
		t.Error(err)
		return 0, ""
	}
	request.Header.Set("Authorization", "Bearer key-of-"+name)
	request.Header.Set("Content-Type", "application/json")
	reply, err := http.DefaultClient.Do(request)
	if err != nil {
		return 0, err.Error()
	}
	defer reply.Body.Close()
	text, err := io.ReadAll(reply.Body)
	if err != nil {
		return 0, err.Error()
	}
	return reply.StatusCode, string(text)
}

const greeting = `{"model":"gemini-3.6-flash","messages":[{"role":"user","content":"hello"}]}`

// chats asks for a chat completion.
func (r *running) chats(t *testing.T, name string) (status int, answer string) {
	t.Helper()
	return r.as(t, name, http.MethodPost, "/v1/chat/completions", greeting)
}

// usage returns what all replicas have counted.
func (r *running) usage(t *testing.T) gateway.UsageReport {
	t.Helper()
	status, text := r.as(t, "admin", http.MethodGet, "/v1/organization/usage/rows", "")
	var report gateway.UsageReport
	if err := json.Unmarshal([]byte(text), &report); err != nil || status != http.StatusOK {
		t.Fatalf("HTTP %d: %s, %v", status, text, err)
	}
	return report
}

func (r *running) requestsOf(t *testing.T, name string) (n int64) {
	t.Helper()
	for _, row := range r.usage(t).Rows {
		if row.Client == name {
			n += row.Requests
		}
	}
	return n
}

func TestReplicasShareUsageLimitsAndBudgets(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	keys := keyFile(t, filepath.Join(folder, "keys.yaml"), `alice, requests_per_minute: 30`,
		`bob, budget: {tokens: 400, period: total}`, `admin, admin: true`)
	store := filepath.Join(folder, "store")
	var replicas []*running
	for range 2 {
		replicas = append(replicas, serve(t, "--store", store, "--key-file", keys))
	}
	answered := map[string]int{}
	var mu sync.Mutex
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			for range 25 {
				for _, name := range []string{"alice", "bob"} {
					status, text := replicas[i%2].chats(t, name)
					if status != http.StatusOK && status != http.StatusTooManyRequests {
						t.Errorf("HTTP %d: %s", status, text)
					}
					mu.Lock()
					if status == http.StatusOK {
						answered[name]++
					}
					mu.Unlock()
				}
			}
		})
	}
	all.Wait()
	if n := answered["alice"]; n < 20 || n > 45 { // some refill meanwhile
		t.Errorf("alice has %d answers of 30 a minute", n)
	}
	if code := replicas[0].Terminate(t); code != 0 {
		t.Errorf("exit code %d", code)
	}
	var tokens int64
	for _, row := range replicas[1].usage(t).Rows {
		if row.Client == "bob" {
			tokens += row.Tokens()
		}
	}
	perRequest := tokens / int64(max(answered["bob"], 1))
	if tokens < 400 || tokens > 400+8*perRequest {
		t.Errorf("bob has used %d tokens of 400", tokens)
	}
	for _, name := range []string{"alice", "bob"} {
		if n := replicas[1].requestsOf(t, name); n != int64(answered[name]) {
			t.Errorf("%d requests of %s are counted; %d were answered", n, name, answered[name])
		}
	}
}

func TestAChangedKeyFileIsInForceWithoutARestart(t *testing.T) {
	t.Parallel()
	path := keyFile(t, filepath.Join(t.TempDir(), "keys.yaml"), "alice")
	r := serve(t, "--key-file", path)
	if status, text := r.chats(t, "bob"); status != http.StatusUnauthorized {
		t.Fatalf("HTTP %d: %s", status, text)
	}
	if err := os.WriteFile(path, []byte("keys: ["), 0o600); err != nil {
		t.Fatal(err)
	}
	r.Stderr.WaitFor(t, `the changed client keys are invalid`)
	if status, text := r.chats(t, "alice"); status != http.StatusOK {
		t.Errorf("HTTP %d: %s", status, text)
	}
	keyFile(t, path, "bob")
	r.Stderr.WaitFor(t, `client keys reloaded`)
	for name, want := range map[string]int{"alice": http.StatusUnauthorized,
		"bob": http.StatusOK} {
		if status, text := r.chats(t, name); status != want {
			t.Errorf("%s: HTTP %d: %s", name, status, text)
		}
	}
}

func TestKeysInTheStoreAreForAllReplicas(t *testing.T) {
	t.Parallel()
	store := filepath.Join(t.TempDir(), "store")
	r := serve(t, "--store", store, "--key-file", "store")
	if status, text := r.chats(t, "alice"); status != http.StatusUnauthorized {
		t.Fatalf("HTTP %d: %s", status, text)
	}
	code, key, said := run(t, "keys", "new", "alice", "--store", store, "--key-file", "store")
	if code != 0 {
		t.Fatal(said)
	}
	key = strings.TrimSpace(key)
	r.Stderr.WaitFor(t, `client keys reloaded`)
	second := serve(t, "--store", store, "--key-file", "store")
	for _, replica := range []*running{r, second} {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPost,
			replica.URL+"/v1/chat/completions", strings.NewReader(greeting))
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Authorization", "Bearer "+key)
		request.Header.Set("Content-Type", "application/json")
		reply, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		if text := text(t, reply); reply.StatusCode != http.StatusOK {
			t.Errorf("HTTP %d: %s", reply.StatusCode, text)
		}
		reply.Body.Close()
	}
	if code, _, said := run(t, "serve", "--check", "--key-file", "store"); code == 0 ||
		!strings.Contains(said, "need a store that lasts") {
		t.Errorf("%d: %s", code, said)
	}
}

func TestUsageIsKeptOverARestart(t *testing.T) {
	t.Parallel()
	store := filepath.Join(t.TempDir(), "store")
	r := serve(t, "--store", store)
	if status, text := r.chats(t, "any"); status != http.StatusOK {
		t.Fatalf("HTTP %d: %s", status, text)
	}
	if code := r.Terminate(t); code != 0 {
		t.Fatalf("exit code %d", code)
	}
	r = serve(t, "--store", store)
	report := r.usage(t)
	if len(report.Rows) != 1 || report.Rows[0].Requests != 1 || len(report.Losses) != 0 ||
		report.Rows[0].Day != time.Now().UTC().Format(time.DateOnly) {
		t.Errorf("%+v", report)
	}
}
