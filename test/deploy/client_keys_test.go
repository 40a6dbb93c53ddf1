package deploy_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/server/gateway/clientkey"
)

// keysFile is what Compose and docker run mount. A fresh clone does not have it.
const keysFile = "server/deploy/client-keys"

// TestThePrintedCommandsMakeTheFileOfClientKeys runs them in a folder that is like a fresh clone.
func TestThePrintedCommandsMakeTheFileOfClientKeys(t *testing.T) {
	t.Parallel()
	gemwire := build(t)
	for file, commands := range map[string]string{
		"docs/deployment.md": shellBlockWith(t, "docs/deployment.md", "gemwire keys new"),
		composeFile:          commentedCommands(t, composeFile),
	} {
		clone := t.TempDir()
		if err := os.MkdirAll(filepath.Join(clone, "server/deploy"), 0o755); err != nil {
			t.Fatal(err)
		}
		shell := exec.CommandContext(t.Context(), "sh", "-e", "-c", commands)
		shell.Dir = clone
		shell.Env = append(os.Environ(), "PATH="+filepath.Dir(gemwire)+":"+os.Getenv("PATH"))
		printed, err := shell.CombinedOutput()
		if err != nil {
			t.Errorf("%s: %v\n%s\n%s", file, err, commands, printed)
			continue
		}
		key := regexp.MustCompile(`(?m)^gw-\S+$`).FindString(string(printed))
		made := filepath.Join(clone, keysFile)
		keys, err := clientkey.ReadFile(made)
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		if found := keys.Find(key); found == nil || found.Name() != "alice" {
			t.Errorf("%s: the file does not have the key %q", file, key)
		}
		if info, err := os.Stat(made); err != nil || info.Mode().Perm()&0o004 == 0 {
			t.Errorf("%s: user 65532 cannot read the file: %v, %v", file, info.Mode(), err)
		}
	}
}

// shellBlockWith returns the shell commands of a page's block that has a text.
func shellBlockWith(t *testing.T, page, text string) string {
	t.Helper()
	for _, rest := range strings.Split(string(read(t, page)), "\n```sh\n")[1:] {
		if block, _, _ := strings.Cut(rest, "\n```"); strings.Contains(block, text) {
			return block
		}
	}
	t.Fatalf("%s has no shell command with %s", page, text)
	return ""
}

// commentedCommands returns the indented lines of a file's first comment that do not start a
// container.
func commentedCommands(t *testing.T, file string) string {
	t.Helper()
	var out []string
	for line := range strings.Lines(string(read(t, file))) {
		if !strings.HasPrefix(line, "#") {
			break
		}
		command, ok := strings.CutPrefix(line, "#   ")
		if ok && !strings.Contains(command, "docker") {
			out = append(out, command)
		}
	}
	if len(out) == 0 {
		t.Fatalf("%s shows no command", file)
	}
	return strings.Join(out, "")
}
