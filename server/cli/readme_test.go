package cli_test

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/google/go-cmp/cmp"
)

// pages returns the README and the pages of the docs, by their paths in the repository.
func pages(t *testing.T) []string {
	t.Helper()
	root := filepath.Join("..", "..")
	out := []string{"README.md"}
	err := fs.WalkDir(os.DirFS(root), "docs", func(path string, _ fs.DirEntry, err error) error {
		if strings.HasSuffix(path, ".md") {
			out = append(out, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestPagesShowWhatTheirCommandsPrint runs the commands of the console blocks of all pages in a
// copy of the examples. With -update it writes their outputs into the pages.
func TestPagesShowWhatTheirCommandsPrint(t *testing.T) {
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	names := pages(t)
	copied := t.TempDir()
	if err := os.CopyFS(filepath.Join(copied, "examples"),
		os.DirFS(filepath.Join(root, "examples"))); err != nil {
		t.Fatal(err)
	}
	t.Chdir(copied)
	for _, name := range []string{"GEMINI_API_KEY", "GOOGLE_API_KEY", "GOOGLE_GEMINI_BASE_URL",
		"GOOGLE_BASE_URL"} {
		t.Setenv(name, "") // so that the fake server answers
	}
	t.Setenv("XDG_STATE_HOME", t.TempDir()) // where jobs are kept

	all := 0
	for _, name := range names {
		path := filepath.Join(root, name)
		before := readFile(t, path)
		after, commands := runPage(t, name, before, root)
		all += commands
		if *update && after != before {
			if err := os.WriteFile(path, []byte(after), 0o666); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if diff := cmp.Diff(before, after); diff != "" {
			t.Errorf("%s (- as it is, + as it would be true):\n%s", name, diff)
		}
	}
	if all < 24 {
		t.Errorf("the pages have only %d commands", all)
	}
}

// runPage returns a page with the outputs that its commands have, and counts the commands.
func runPage(t *testing.T, name, page, root string) (string, int) {
	t.Helper()
	var out strings.Builder
	commands, console := 0, false
	for line := range strings.Lines(page) {
		command, isCommand := strings.CutPrefix(line, "$ ")
		switch {
		case line == "```console\n":
			console = true
		case line == "```\n":
			console = false
		}
		if !console || line == "```console\n" || isCommand {
			out.WriteString(line)
		}
		if console && isCommand {
			commands++
			out.WriteString(runShown(t, name, strings.TrimSuffix(command, "\n"), root))
		}
	}
	return out.String(), commands
}

// runShown runs a command of a page and returns what a terminal would show.
func runShown(t *testing.T, page, command, root string) string {
	t.Helper()
	if args, ok := strings.CutPrefix(strings.TrimPrefix(command, "go run ./server/cmd/"),
		"gemwire "); ok {
		got := gemwire(t, "", shellWords(args)...)
		return got.stdout + got.stderr
	}
	if path, ok := strings.CutPrefix(command, "cat "); ok {
		return readFile(t, path)
	}
	program, ok := strings.CutPrefix(command, "go run ")
	if !ok || !isShownProgram(strings.TrimPrefix(program, "./")) {
		t.Fatalf("%s has a command that this test does not know: %s", page, command)
	}
	run := exec.CommandContext(t.Context(), "go", "run", program)
	run.Dir = root
	output, err := run.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", command, err, output)
	}
	return string(output)
}

// shellWords splits a command into words like a shell. It understands spaces, double quotes, and
// backslashes within quotes.
func shellWords(command string) []string {
	var words []string
	var word strings.Builder
	inQuotes, begun := false, false
	for i := 0; i < len(command); i++ {
		switch c := command[i]; {
		case c == '"':
			inQuotes, begun = !inQuotes, true
		case c == '\\' && inQuotes:
			i++
			word.WriteByte(command[i])
		case c == ' ' && !inQuotes:
			if begun {
				words = append(words, word.String())
			}
			word.Reset()
			begun = false
		default:
			word.WriteByte(c)
			begun = true
		}
	}
	if begun {
		words = append(words, word.String())
	}
	return words
}

// shownPrograms are the programs that pages show completely.
var shownPrograms = map[string]string{
	"docs/go.md":              "examples/quickstart",
	"docs/conversion.md":      "examples/conversion",
	"docs/gateway-library.md": "server/examples/gateway",
}

func isShownProgram(program string) bool {
	for _, shown := range shownPrograms {
		if shown == program {
			return true
		}
	}
	return false
}

func TestPagesShowProgramsAsTheyAre(t *testing.T) {
	t.Parallel()
	for _, page := range pages(t) {
		for _, block := range strings.Split(readFile(t, filepath.Join("..", "..", page)),
			"```go\n")[1:] {
			shown, _, _ := strings.Cut(block, "```\n")
			if !strings.Contains(shown, "\npackage main\n") {
				continue
			}
			program, ok := shownPrograms[page]
			if !ok {
				t.Errorf("%s shows a program that is not one of the examples:\n%s", page, shown)
				continue
			}
			if diff := cmp.Diff(readFile(t, filepath.Join("..", "..", program, "main.go")),
				shown); diff != "" {
				t.Errorf("%s (-) and %s (+):\n%s", program, page, diff)
			}
		}
	}
}

// The lines of Go in the README compile, so that they can be copied.
func TestTheGoOfTheReadmeCompiles(t *testing.T) {
	t.Parallel()
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, ok := strings.Cut(readFile(t, filepath.Join(root, "README.md")),
		"```go\nclient, err := gemini.NewClient()")
	lines, _, _ := strings.Cut(rest, "```\n")
	if !ok {
		t.Fatal("the README makes no client")
	}
	program := `package main

import (
	"context"
	"fmt"
	"log"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/normalize"
)

func main() {
	ctx := context.Background()
	client, err := gemini.NewClient()` + lines + "}\n"
	folder := t.TempDir()
	source, overlay := filepath.Join(folder, "main.go"), filepath.Join(folder, "overlay.json")
	replaced, err := json.Marshal(map[string]any{"Replace": map[string]string{filepath.Join(root,
		"examples", "readme", "main.go"): source}})
	if err != nil {
		t.Fatal(err)
	}
	for path, data := range map[string][]byte{source: []byte(program), overlay: replaced} {
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	build := exec.CommandContext(t.Context(), "go", "build", "-overlay", overlay, "-o", os.DevNull,
		"./examples/readme")
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s\n%s", err, out, program)
	}
}

func TestTheExamplesThatTheGuideNamesAreThere(t *testing.T) {
	t.Parallel()
	root := filepath.Join("..", "..")
	rows := regexp.MustCompile("\\(\\.\\./(pkg/[a-z/]+)\\): `(Example[A-Za-z_]+)`").FindAllStringSubmatch(readFile(t,
		filepath.Join(root, "docs", "go.md")),
		-1)
	if len(rows) < 20 {
		t.Errorf("docs/go.md names only %d examples", len(rows))
	}
	for _, row := range rows {
		files, err := filepath.Glob(filepath.Join(root, row[1], "*_test.go"))
		if err != nil {
			t.Fatal(err)
		}
		if !slices.ContainsFunc(files,
			func(file string) bool { return strings.Contains(readFile(t, file), "\nfunc "+row[2]+"() {") }) {
			t.Errorf("%s has no %s", row[1], row[2])
		}
	}
}
