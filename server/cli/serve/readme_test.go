//go:build unix

package serve_test

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// root is the folder of the repository.
var root = filepath.Join("..", "..", "..")

func readFile(t *testing.T, elements ...string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(append([]string{root}, elements...)...))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// blocks returns the blocks of a language that a page shows.
func blocks(page, language string) []string {
	var out []string
	for _, rest := range strings.Split(page, "\n```"+language+"\n")[1:] {
		block, _, _ := strings.Cut(rest, "\n```\n")
		out = append(out, block)
	}
	return out
}

// TestThePagesAskTheGatewayAsItWantsToBeAsked runs each curl of the README.
func TestThePagesAskTheGatewayAsItWantsToBeAsked(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("curl"); err != nil {
		t.Skip(err)
	}
	r := serve(t)
	asked := 0
	for _, block := range blocks(readFile(t, "README.md"), "sh") {
		if !strings.HasPrefix(block, "curl ") {
			continue
		}
		asked++
		command := strings.ReplaceAll(block, "http://127.0.0.1:8080", r.URL)
		out, err := exec.CommandContext(t.Context(), "sh", "-c",
			"curl -sS --fail "+strings.TrimPrefix(command, "curl ")).CombinedOutput()
		if err != nil || !strings.Contains(string(out), "You said: hello") {
			t.Errorf("%s\n%v\n%s", command, err, out)
		}
	}
	if asked == 0 {
		t.Error("the README asks nothing")
	}
}

// TestThePagesCallServeAsItIs checks that the commands of the pages use existing flags.
func TestThePagesCallServeAsItIs(t *testing.T) {
	t.Parallel()
	help := func(command string) string {
		_, text, _ := run(t, command, "--help")
		return text
	}
	known := map[string]string{"serve": help("serve"), "health": help("health"),
		"emulate": help("emulate")}
	calls := 0
	pages := []string{"README.md", "server/examples/gateway/gateway.yaml"}
	for _, pattern := range []string{"docs/*.md", "docs/start/*.md", "docs/clients/*.md"} {
		found, err := fs.Glob(os.DirFS(root), pattern)
		if err != nil {
			t.Fatal(err)
		}
		pages = append(pages, found...)
	}
	for _, page := range pages {
		for _, call := range regexp.MustCompile(
			"gemwire (serve|health|emulate)([^#&\n`]*)").FindAllStringSubmatch(readFile(t, page),
			-1) {
			calls++
			for _, flag := range regexp.MustCompile(`--[a-z-]+`).FindAllString(call[2], -1) {
				if !strings.Contains(known[call[1]], flag+" ") {
					t.Errorf("%s: gemwire %s has no %s", page, call[1], flag)
				}
			}
		}
	}
	if calls < 8 {
		t.Errorf("only %d calls", calls)
	}
}

// TestThePageForJavaScriptShowsAProgramThatWorks runs it where the package that it needs is
// installed, which test/clients/run.sh does.
func TestThePageForJavaScriptShowsAProgramThatWorks(t *testing.T) {
	t.Parallel()
	program := readFile(t, "server", "examples", "gateway", "chat.mjs")
	if shown := blocks(readFile(t, "docs", "clients", "openai-js.md"), "js"); len(shown) == 0 ||
		shown[0]+"\n" != program {
		t.Errorf("the page shows another program than server/examples/gateway/chat.mjs: %q", shown)
	}
	packages, err := filepath.Abs(filepath.Join(root, "test", "clients", "openai", "node_modules"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(packages, "openai")); err != nil {
		t.Skip(err)
	}
	folder := t.TempDir()
	if err := os.Symlink(packages, filepath.Join(folder, "node_modules")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "chat.mjs"), []byte(program), 0o600); err != nil {
		t.Fatal(err)
	}
	r := serve(t)
	node := exec.CommandContext(t.Context(), "node", "chat.mjs")
	node.Dir = folder
	node.Env = append(os.Environ(), "OPENAI_BASE_URL="+r.URL+"/v1")
	if out, err := node.CombinedOutput(); err != nil ||
		string(out) != "You said: Why is the sky blue?\n" {
		t.Errorf("%v\n%s", err, out)
	}
}
