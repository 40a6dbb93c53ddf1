package process_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/gemwire/gemwire/server/cli/process"
)

func TestOnlyAbandonedTemporaryFilesAreRemoved(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	old := time.Now().Add(-2 * time.Hour)
	for name, isKept := range map[string]bool{
		".gemwire-0123456789abcdef.tmp": false, ".gemwire-mine.tmp": true, "answers.jsonl": true,
		".gemwire-fedcba9876543210.tmp": true, // which is written now
	} {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if name != ".gemwire-fedcba9876543210.tmp" {
			if err := os.Chtimes(path, old, old); err != nil {
				t.Fatal(err)
			}
		}
		process.RemoveOldOutputs(folder)
		if _, err := os.Stat(path); (err == nil) != isKept {
			t.Errorf("%s: %v", name, err)
		}
	}
}
