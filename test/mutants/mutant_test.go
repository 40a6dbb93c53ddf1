package main

import (
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const original = `package p

func f(a, b int) *int {
	for a < b && b != 0 {
		a += b - 1
		if a > 7 {
			break
		}
		a++
	}
	a = -a
	return &a
}
`

// write writes the first file of a module and returns the module's root.
func write(t *testing.T, name, content string) string {
	t.Helper()
	root := t.TempDir()
	writeIn(t, root, name, content)
	return root
}

// writeIn writes a file below a root.
func writeIn(t *testing.T, root, name, content string) {
	t.Helper()
	target := filepath.Join(root, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(target, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestAMutantChangesOneTokenOfTheFile(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		listed        listedMutant
		before, after string
	}{
		{listedMutant{"CONDITIONALS_BOUNDARY", 4, 8}, "a < b", "a <= b"},
		{listedMutant{"CONDITIONALS_NEGATION", 4, 8}, "a < b", "a >= b"},
		{listedMutant{"INVERT_LOGICAL", 4, 12}, "a < b && b", "a < b || b"},
		{listedMutant{"CONDITIONALS_NEGATION", 4, 17}, "b != 0", "b == 0"},
		{listedMutant{"INVERT_ASSIGNMENTS", 5, 5}, "a += b", "a -= b"},
		{listedMutant{"REMOVE_SELF_ASSIGNMENTS", 5, 5}, "a += b", "a = b"},
		{listedMutant{"ARITHMETIC_BASE", 5, 10}, "b - 1", "b + 1"},
		{listedMutant{"INVERT_LOOPCTRL", 7, 4}, "break", "continue"},
		{listedMutant{"INCREMENT_DECREMENT", 9, 4}, "a++", "a--"},
		{listedMutant{"INVERT_NEGATIVES", 11, 6}, "= -a", "= +a"},
	} {
		root := write(t, "pkg/p/p.go", original)
		mutants, err := mutantsOf(root, "pkg/p/p.go", []listedMutant{test.listed})
		if err != nil || len(mutants) != 1 {
			t.Errorf("%v: %v, %v; want one mutant", test.listed, mutants, err)
			continue
		}
		want := strings.Replace(original, test.before, test.after, 1)
		if got := string(mutants[0].source([]byte(original))); got != want {
			t.Errorf("%v: got\n%s\nwant\n%s", test.listed, got, want)
		}
	}
}

func TestTheAddressOfAValueIsNotMutated(t *testing.T) {
	t.Parallel()
	root := write(t, "p.go", original)
	mutants, err := mutantsOf(root, "p.go", []listedMutant{{"INVERT_BITWISE", 12, 9}})
	if err != nil || len(mutants) != 0 {
		t.Errorf("got %v, %v; want no mutant", mutants, err)
	}
}

func TestTwoKindsWithTheSameCodeAreOneMutant(t *testing.T) {
	t.Parallel()
	root := write(t, "p.go", original)
	mutants, err := mutantsOf(root, "p.go",
		[]listedMutant{{"INVERT_NEGATIVES", 5, 10}, {"ARITHMETIC_BASE", 5, 10}})
	if err != nil || len(mutants) != 1 {
		t.Errorf("got %v, %v; want one mutant", mutants, err)
	}
}

func TestAnUnknownKindOfMutantIsAnError(t *testing.T) {
	t.Parallel()
	root := write(t, "p.go", original)
	_, err := mutantsOf(root, "p.go", []listedMutant{{"REMOVE_STATEMENT", 9, 4}})
	if err == nil || !strings.Contains(err.Error(), "p.go:9:4: REMOVE_STATEMENT") {
		t.Errorf("got %v; want an error that names place and kind", err)
	}
}

func TestAPlaceGivesAllItsMutants(t *testing.T) {
	t.Parallel()
	m := &module{settings: settings{root: write(t, "p.go", original)}}
	mutants, err := m.at("p.go:4:8")
	if err != nil {
		t.Fatal(err)
	}
	var after []token.Token
	for _, mutant := range mutants {
		after = append(after, mutant.after)
	}
	if want := []token.Token{token.LEQ, token.GEQ}; !slices.Equal(after, want) {
		t.Errorf("got %v, want %v", after, want)
	}
	for _, wrong := range []string{"p.go", "p.go:four:8", "p.go:4:9", "p.go:11:4", "q.go:4:8"} {
		if mutants, err := m.at(wrong); err == nil {
			t.Errorf("%s: got %v; want an error", wrong, mutants)
		}
	}
}

func TestASeedGivesTheSameSampleInAnyOrderOfTheList(t *testing.T) {
	t.Parallel()
	var listed []mutant
	for line := range 50 {
		listed = append(listed, mutant{file: "p.go", line: line, offset: line})
	}
	first := shuffled(listed, 7)
	slices.Reverse(listed)
	if !slices.Equal(first, shuffled(listed, 7)) {
		t.Error("the same seed gives another order")
	}
	if slices.Equal(first, shuffled(listed, 8)) {
		t.Error("another seed gives the same order")
	}
}

func TestARoomInsideARoomIsItsOwn(t *testing.T) {
	t.Parallel()
	for file, want := range map[string]string{
		"pkg/transform/chat/answer.go":                  "openai",
		"pkg/transform/chat/request/tools.go":           "openai",
		"pkg/transform/chat/reverse/answer.go":          "reverse",
		"pkg/transform/chat/reverse/request/content.go": "reverse",
	} {
		if r, err := roomOf(file); err != nil || r.name != want {
			t.Errorf("%s: got %v, %v; want %s", file, r, err, want)
		}
	}
	if r, err := roomOf("server/ratecard/card.go"); err == nil {
		t.Errorf("got %v; want an error for a file in no room", r)
	}
}

func TestEachRoomIsAFolder(t *testing.T) {
	t.Parallel()
	for _, r := range rooms {
		if info, err := os.Stat(filepath.Join("../..", filepath.FromSlash(r.folder))); err != nil ||
			!info.IsDir() {
			t.Errorf("%s: %s is not a folder: %v", r.name, r.folder, err)
		}
	}
}

func TestAnUnknownRoomIsAnError(t *testing.T) {
	t.Parallel()
	if _, err := roomsNamed("bulk,attic"); err == nil || !strings.Contains(err.Error(), `"attic"`) {
		t.Errorf("got %v; want an error that names the room", err)
	}
	named, err := roomsNamed("bulk, cli")
	if err != nil || len(named) != 2 || named[1].folder != "server/cli" {
		t.Errorf("got %v, %v; want the rooms bulk and cli", named, err)
	}
}

// The rooms stand once more in the workflow, because each is a job.
func TestTheNightlyWorkflowHasEachRoom(t *testing.T) {
	t.Parallel()
	workflow, err := os.ReadFile("../../.github/workflows/mutants.yml")
	if err != nil {
		t.Fatal(err)
	}
	_, matrix, _ := strings.Cut(string(workflow), "        room:\n")
	matrix, _, _ = strings.Cut(matrix, "    env:")
	var listed []string
	for line := range strings.Lines(matrix) {
		listed = append(listed, strings.TrimPrefix(strings.TrimSpace(line), "- "))
	}
	if !slices.Equal(listed, roomNames()) {
		t.Errorf("the workflow has %v, the table %v", listed, roomNames())
	}
}
