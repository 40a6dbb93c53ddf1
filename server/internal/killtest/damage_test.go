package killtest

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gemwire/gemwire/server/gateway/clientkey"
)

// damages change a block file.
var damages = map[string]func(path string, data []byte) error{
	"a byte is flipped": func(path string, data []byte) error {
		changed := append([]byte(nil), data...)
		changed[len(data)/3] ^= 1
		return os.WriteFile(path, changed, 0o600)
	},
	"it is cut": func(path string, data []byte) error {
		return os.WriteFile(path, data[:len(data)/2], 0o600)
	},
	"it is deleted": func(path string, _ []byte) error { return os.Remove(path) },
}

// filledStore fills every room of a store in a folder, and ends its gateway.
func filledStore(t *testing.T, u *upstream, isKilled bool) (f *fleet, l *load) {
	t.Helper()
	f = newFleet(t, filepath.Join(t.TempDir(), "store"), u)
	keys := ""
	for _, name := range []string{"alice", "admin"} {
		keys += fmt.Sprintf("- {name: %s, hash: %q, admin: %v, requests_per_minute: 10000}\n", name,
			clientkey.Hash("key-of-"+name), name == "admin")
	}
	if err := os.WriteFile(f.keys, []byte(keys), 0o600); err != nil {
		t.Fatal(err)
	}
	r := f.start(t)
	l = newLoad(f.URL, u)
	answer, _ := l.post("alice", "/v1/conversations", "{}")
	for i := range 6 {
		name := fmt.Sprint("a", i)
		l.respond(name, idIn(answer))
		l.callTool(name, false)
		l.upload(name, 20)
	}
	if len(l.responses) != 6 || len(l.turns) != 6 || len(l.files) != 6 {
		t.Fatalf("%d responses, %d turns, %d files", len(l.responses), len(l.turns), len(l.files))
	}
	if isKilled {
		time.Sleep(3 * time.Second) // until there is a checkpoint
		r.kill()
	} else {
		_ = r.Process.Signal(syscall.SIGTERM)
		_ = r.Wait()
	}
	f.running = nil
	_ = os.Remove(filepath.Join(f.store, "socket")) // which cannot be copied
	return f, l
}

// blockIn returns the largest block file of a stream.
func blockIn(t *testing.T, store, stream string) (path string, data []byte) {
	t.Helper()
	paths, _ := filepath.Glob(filepath.Join(store, "jetstream", "$G", "streams", stream, "msgs",
		"*.blk"))
	for _, p := range paths {
		if found, err := os.ReadFile(p); err == nil && len(found) > len(data) {
			path, data = p, found
		}
	}
	if path == "" {
		t.Fatalf("the stream %s has no data", stream)
	}
	return path, data
}

// refusal starts a gateway that ends with an error, and returns the error.
func (f *fleet) refusal(t *testing.T) string {
	t.Helper()
	path := filepath.Join(f.folder, "refused.log")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	p := f.launch(t, file, "refused")
	tooLong := time.AfterFunc(15*time.Second, func() { _ = p.Process.Kill() })
	defer tooLong.Stop()
	if err := p.Wait(); err == nil {
		t.Error("the gateway ends without an error")
	}
	text, _ := os.ReadFile(path)
	return string(text)
}

// checkWithoutStore starts a gateway that needs no store, and checks what it answers.
func (f *fleet) checkWithoutStore(t *testing.T, l *load) *replica {
	t.Helper()
	f.args = []string{"--store-required=false"}
	r := f.start(t)
	own := newLoad(f.URL, f.upstream)
	if answer, ok := own.post("alice", "/v1/chat/completions", fmt.Sprintf(
		`{"model":"gemini-3.6-flash","messages":[%s]}`, question("x"))); !ok {
		t.Errorf("without the store: %s", answer)
	}
	for id := range l.responses {
		if answer, _ := own.get("/v1/responses/" + id); !strings.Contains(answer,
			"the store of the gateway is not available") {
			t.Errorf("a response without the store: %s", answer)
		}
	}
	return r
}

// A damaged file is named, also for a store that is not required. The gateway then answers what
// needs no store. Nothing is changed, so when the file is back, everything is.
func TestADamagedFileIsNamedAndNothingElseIsLost(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it starts processes")
	}
	for how, isKilled := range map[string]bool{"killed": true, "ended": false} {
		filled, l := filledStore(t, newUpstream(t), isKilled)
		for room, stream := range map[string]string{"responses": "GEMWIRE_STORE_DOCUMENTS",
			"signatures": "GEMWIRE_STORE_SIGNATURES", "usage": "KV_gemwire_usage",
			"limits": "KV_gemwire_limits", "files": "KV_gemwire_bulk_files"} {
			if !isKilled && room != "responses" {
				continue
			}
			for name, damage := range damages {
				t.Run(how+", "+room+", "+name, func(t *testing.T) {
					t.Parallel()
					f := newFleet(t, filepath.Join(t.TempDir(), "store"), newUpstream(t))
					f.keys = filled.keys
					if err := os.CopyFS(f.store, os.DirFS(filled.store)); err != nil {
						t.Fatal(err)
					}
					path, data := blockIn(t, f.store, stream)
					if err := damage(path, data); err != nil {
						t.Fatal(err)
					}
					checkDamaged(t, f, l, path, data)
				})
			}
		}
	}
}

func checkDamaged(t *testing.T, f *fleet, l *load, path string, data []byte) {
	t.Helper()
	said := f.refusal(t)
	if !strings.Contains(said, "damaged") || !strings.Contains(said, filepath.Dir(path)) ||
		!strings.Contains(said, "restore it from a backup") {
		t.Fatalf("the error is %s", said)
	}
	r := f.checkWithoutStore(t, l)
	own := newLoad(f.URL, f.upstream)
	own.responses, own.conversations, own.files, own.turns = l.responses, l.conversations, l.files,
		l.turns
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	r.waitFor(t, f, "the store is available")
	own.checkAll(t)
	if answer, ok := own.send("admin", http.MethodGet, "/v1/organization/usage/rows", "",
		nil); !ok || !strings.Contains(answer, `"alice"`) {
		t.Errorf("the usage: %s", answer)
	}
}
