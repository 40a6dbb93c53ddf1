package keyfile_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gemwire/gemwire/server/gateway/clientkey"
	"github.com/gemwire/gemwire/server/internal/engine/enginetest"
	"github.com/gemwire/gemwire/server/keyfile"
)

func entry(name string) []keyfile.Member {
	return []keyfile.Member{{"name", name}, {"hash", clientkey.Hash(name)}}
}

func TestChangesKeepTheCommentsOfAFile(t *testing.T) {
	t.Parallel()
	hash := clientkey.Hash("secret")
	before := "# ours\nkeys:\n  # of the team\n  - name: alice # Alice\n    hash: " + hash +
		"\n    requests_per_minute: 60 # enough\n"
	text, err := keyfile.Set([]byte(before), "alice",
		keyfile.Member{"requests_per_minute", "90"}, keyfile.Member{"models", ""},
		keyfile.Member{"budget", "{amount: 5, period: month}"})
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Replace(before, "60", "90", 1) + "    budget: {amount: 5, period: month}\n"
	if diff := cmp.Diff(want, string(text)); diff != "" {
		t.Error(diff)
	}
	if text, err = keyfile.Add(text, entry("bob")...); err != nil {
		t.Fatal(err)
	}
	want += "  - name: bob\n    hash: " + clientkey.Hash("bob") + "\n"
	if diff := cmp.Diff(want, string(text)); diff != "" {
		t.Error(diff)
	}
	if text, err = keyfile.Remove(text, "alice"); err != nil || strings.Contains(string(text),
		hash) || !strings.HasPrefix(string(text), "# ours\n") {
		t.Errorf("%v\n%s", err, text)
	}
	if _, err := keyfile.Remove(text, "bob"); err == nil {
		t.Error("the last key is removed")
	}
	for _, change := range []func() ([]byte, error){
		func() ([]byte, error) { return keyfile.Remove(text, "carol") },
		func() ([]byte, error) { return keyfile.Set(text, "carol") },
	} {
		if _, err := change(); !errors.As(err, new(*keyfile.NotFoundError)) {
			t.Errorf("%v", err)
		}
	}
}

func TestKeysOfEveryFormOfAFileAreAdded(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "# none yet\n", "- name: a\n  hash: " + clientkey.Hash("a"),
		`{"keys":[{"name":"a","hash":"` + clientkey.Hash("a") + `"}]}`} {
		next, err := keyfile.Add([]byte(text), entry("bob")...)
		if err != nil {
			t.Fatal(err)
		}
		if keys, err := clientkey.Read(next); err != nil || keys.Find("bob") == nil {
			t.Errorf("%q becomes %q: %v", text, next, err)
		}
	}
}

func TestConcurrentChangesAllCount(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "keys.yaml")
	for name, source := range map[string]keyfile.Source{"file": keyfile.InFile(path),
		"store": keyfile.InStore(enginetest.Open(t))} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if text, version, err := source.Read(t.Context()); len(text) > 0 || version != "" ||
				err != nil {
				t.Fatalf("%q, %q, %v", text, version, err)
			}
			var all sync.WaitGroup
			for i := range 10 {
				all.Go(func() {
					if err := source.Change(context.Background(), func(text []byte) ([]byte, error) {
						return keyfile.Add(text, entry(fmt.Sprint("key", i))...)
					}); err != nil {
						t.Error(err)
					}
				})
			}
			all.Wait()
			text, version, err := source.Read(t.Context())
			keys, invalid := keyfile.Keys(text)
			if err != nil || invalid != nil || keys.Len() != 10 || version == "" {
				t.Errorf("%v, %v, %v", keys, err, invalid)
			}
			no := errors.New("no")
			if err := source.Change(t.Context(), func([]byte) ([]byte, error) {
				return nil, no
			}); !errors.Is(err, no) {
				t.Error(err)
			}
			if err := source.Change(t.Context(), func([]byte) ([]byte, error) {
				return []byte("keys: [{}]"), nil
			}); err == nil {
				t.Error("an invalid text is written")
			}
			if _, again, _ := source.Read(t.Context()); again != version {
				t.Error("a change that failed has changed the keys")
			}
		})
	}
	t.Cleanup(func() {
		left, err := os.ReadDir(filepath.Dir(path))
		if err != nil || len(left) != 1 {
			t.Errorf("%v, %v; expected only the file", left, err)
		}
	})
}
