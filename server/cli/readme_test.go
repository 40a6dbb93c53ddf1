package cli_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestTheReadmeShowsWhatItsCommandsPrint runs the commands of the README's console blocks in a copy
// of the examples. With -update it writes their outputs into the README.
func TestTheReadmeShowsWhatItsCommandsPrint(t *testing.T) {
	readme, err := filepath.Abs(filepath.Join("..", "..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	root, copied := filepath.Dir(readme), t.TempDir()
	if err := os.CopyFS(filepath.Join(copied, "examples"), os.DirFS(filepath.Join(root, "examples"))); err != nil {
		t.Fatal(err)
	}
	t.Chdir(copied)
	for _, name := range []string{"GEMINI_API_KEY", "GOOGLE_API_KEY", "GOOGLE_GEMINI_BASE_URL", "GOOGLE_BASE_URL"} {
		t.Setenv(name, "") // so that the fake server answers
	}
	t.Setenv("XDG_STATE_HOME", t.TempDir()) // where jobs are kept

	before := readFile(t, readme)
	after, commands := runReadme(t, before, root)
	if commands < 4 {
		t.Errorf("the README has only %d commands", commands)
	}
	if *update && after != before {
		if err := os.WriteFile(readme, []byte(after), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(before, after); diff != "" {
		t.Errorf("README.md (- as it is, + as it would be true):\n%s", diff)
	}
}

// runReadme returns the README with the outputs that its commands have, and counts the commands.
func runReadme(t *testing.T, readme, root string) (string, int) {
	t.Helper()
	var out strings.Builder
	commands, console := 0, false
	for line := range strings.Lines(readme) {
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
			out.WriteString(runShown(t, strings.TrimSuffix(command, "\n"), root))
		}
	}
	return out.String(), commands
}

// runShown runs a command of the README and returns what a terminal would show.
func runShown(t *testing.T, command, root string) string {
	t.Helper()
	if args, ok := strings.CutPrefix(strings.TrimPrefix(command, "go run ./server/cmd/"), "gemwire "); ok {
		got := gemwire(t, "", shellWords(args)...)
		return got.stdout + got.stderr
	}
	if path, ok := strings.CutPrefix(command, "cat "); ok {
		return readFile(t, path)
	}
	program, ok := strings.CutPrefix(command, "go run ")
	if !ok || !slices.Contains(readmePrograms, strings.TrimPrefix(program, "./")) {
		t.Fatalf("the README has a command that this test does not know: %s", command)
	}
	run := exec.CommandContext(t.Context(), "go", "run", program)
	run.Dir = root
	output, err := run.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", command, err, output)
	}
	return string(output)
}

// shellWords divides a command into words, as a shell does by blanks, double quotes and backslashes within these.
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

// readmePrograms are the programs that the README shows whole, in their order.
var readmePrograms = []string{"server/examples/gateway", "examples/quickstart", "examples/conversion"}

func TestTheReadmeShowsProgramsAsTheyAre(t *testing.T) {
	t.Parallel()
	readme := readFile(t, filepath.Join("..", "..", "README.md"))
	var shown []string
	for _, block := range strings.Split(readme, "```go\n")[1:] {
		if program, _, _ := strings.Cut(block, "```\n"); strings.Contains(program, "\npackage main\n") {
			shown = append(shown, program)
		}
	}
	var want []string
	for _, program := range readmePrograms {
		want = append(want, readFile(t, filepath.Join("..", "..", program, "main.go")))
	}
	if diff := cmp.Diff(want, shown); diff != "" {
		t.Errorf("the programs (-) and README.md (+):\n%s", diff)
	}
}

func TestTheExamplesThatTheReadmeNamesAreThere(t *testing.T) {
	t.Parallel()
	root := filepath.Join("..", "..")
	rows := regexp.MustCompile("\\((pkg/[a-z]+)\\): `(Example[A-Za-z_]+)`").FindAllStringSubmatch(readFile(t, filepath.Join(root, "README.md")), -1)
	if len(rows) < 20 {
		t.Errorf("the README names only %d examples", len(rows))
	}
	for _, row := range rows {
		files, err := filepath.Glob(filepath.Join(root, row[1], "*_test.go"))
		if err != nil {
			t.Fatal(err)
		}
		if !slices.ContainsFunc(files, func(file string) bool { return strings.Contains(readFile(t, file), "\nfunc "+row[2]+"() {") }) {
			t.Errorf("%s has no %s", row[1], row[2])
		}
	}
}
