package batch_test

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestThePagesCallTheCommandsAsTheyAre checks that the commands of the pages use existing flags.
func TestThePagesCallTheCommandsAsTheyAre(t *testing.T) {
	t.Parallel()
	calls := 0
	for _, page := range []string{"README.md", filepath.Join("docs", "bulk.md"), filepath.Join("docs", "bulk-workers.md"),
		filepath.Join("docs", "command.md")} {
		text := strings.ReplaceAll(readFile(t, filepath.Join("..", "..", "..", page)), "\n", " ")
		for _, call := range regexp.MustCompile(
			"gemwire (batch [a-z]+|worker)([^#&`$|]*)").FindAllStringSubmatch(text, -1) {
			calls++
			help := gemwire(t.Context(), append(strings.Fields(call[1]), "--help")...)
			if help.code != 0 {
				t.Errorf("%s: gemwire %s: %s", page, call[1], help.stderr)
			}
			for _, flag := range regexp.MustCompile(` (--?[a-z-]+)`).FindAllStringSubmatch(call[2],
				-1) {
				if !strings.Contains(help.stdout, flag[1]+" ") &&
					!strings.Contains(help.stdout, flag[1]+",") {
					t.Errorf("%s: gemwire %s has no %s", page, call[1], flag[1])
				}
			}
		}
	}
	if calls < 15 {
		t.Errorf("only %d calls", calls)
	}
}
