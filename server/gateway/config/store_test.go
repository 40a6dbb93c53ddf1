package config_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/server/gateway/config"
)

func TestASettingOfAnEarlierVersionIsAnErrorThatSaysTheNewName(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"response_store", "response_store_count", "response_store_size",
		"response_store_age", "bulk_store"} {
		want := "\"" + strings.Replace(strings.TrimPrefix(name, "bulk_"), "response_", "", 1) + "\" now"
		for how, from := range map[string]config.Sources{
			"in a file":          {File: file(t, name+": 1")},
			"in the environment": {LookupEnv: environment("GEMWIRE_"+strings.ToUpper(name), "1")},
		} {
			if _, err := config.Load(from); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s %s: %v; expected %q", name, how, err, want)
			}
		}
		flag := strings.ReplaceAll(name, "_", "-")
		if err := config.RenamedError(flag); !strings.Contains(err.Error(), want) {
			t.Errorf("--%s: %v; expected %q", flag, err, want)
		}
	}
}

func TestSettingsOfTheStoreThatExcludeEachOther(t *testing.T) {
	t.Parallel()
	for content, want := range map[string]string{
		"store: memory\nstore_key_file: a":   "store_key_file: only a store in a folder",
		"store: nats://a\nstore_key_file: a": "store_key_file: only a store in a folder",
		"store: /a\nstore_replicas: 3":       "store_replicas: only a store on NATS servers",
		"store: nats://a\nstore_replicas: 3": "",
		"store: /a\nstore_key_file: a":       "",
		"store_key_file: a":                  "store_key_file: only a store in a folder",
	} {
		_, err := config.Load(config.Sources{File: file(t, content)})
		if want == "" && err != nil || want != "" && (err == nil ||
			!strings.Contains(err.Error(), want)) {
			t.Errorf("%q: %v; expected %q", content, err, want)
		}
	}
}

func TestAKeyOfTheStoreIsNotShort(t *testing.T) {
	t.Parallel()
	key := filepath.Join(t.TempDir(), "key")
	if err := os.WriteFile(key, []byte("short\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	c := load(t, config.Sources{File: file(t, "store: /a\nstore_key_file: "+key)})
	if _, err := c.StoreKey(); err == nil || !strings.Contains(err.Error(), "want at least 16") ||
		strings.Contains(err.Error(), "short") {
		t.Errorf("got %v", err)
	}
}
