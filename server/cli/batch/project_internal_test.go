package batch

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/server/gateway/config"
)

func TestWorkersWithOtherKeysHaveOtherLimits(t *testing.T) {
	t.Parallel()
	of := func(key string) string {
		path := filepath.Join(t.TempDir(), "key")
		if err := os.WriteFile(path, []byte(key), 0o600); err != nil {
			t.Fatal(err)
		}
		a := &answering{settings: &config.Config{Upstream: "gemini", APIKeyFile: path}}
		project, err := a.project()
		if err != nil {
			t.Fatal(err)
		}
		return project
	}
	first := of("first-key")
	if first != of("first-key") || first == of("second-key") || strings.Contains(first, "key") {
		t.Errorf("%s, %s", first, of("second-key"))
	}
}
