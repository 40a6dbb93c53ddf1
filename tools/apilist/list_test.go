package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const source = `package p

import (
	"io"

	"example.com/m/internal/hidden"
	"example.com/m/pkg/shown"
)

const (
	A Kind = "a"
	b Kind = "b"
)

var ErrA, errB = io.EOF, io.EOF

type Kind string

type List[T any] struct {
	Items  []T
	hidden int
	io.Reader
}

func (l *List[T]) Len() (n int) { return 0 }

type Reader interface {
	Read(p []byte) (int, error)
}

type Bad = hidden.Type
type Good = shown.Type
type bad = hidden.Type

func F(a, b int, opts ...func(Kind)) error { return nil }
func f()                                  {}
func (k Kind) f()                         {}
`

func example(t *testing.T) []*pkg {
	t.Helper()
	folder := t.TempDir()
	for name, text := range map[string]string{"p/p.go": source,
		"p/p_test.go": "package p\nvar X int", "p/internal/q/q.go": "package q\nvar Y int"} {
		file := filepath.Join(folder, "pkg", filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	packages, err := readPackages(folder)
	if err != nil {
		t.Fatal(err)
	}
	return packages
}

func TestEachExportedNameIsALine(t *testing.T) {
	t.Parallel()
	want := []string{
		`pkg/p: const A Kind = "a"`,
		"pkg/p: func F(a, b int, opts ...func(Kind)) error",
		"pkg/p: method (*List[T]) Len() (n int)",
		"pkg/p: type Bad = hidden.Type",
		"pkg/p: type Good = shown.Type",
		"pkg/p: type Kind string",
		"pkg/p: type List[T any] struct",
		"pkg/p: type List[T any] struct, Items []T",
		"pkg/p: type List[T any] struct, embedded io.Reader",
		"pkg/p: type Reader interface",
		"pkg/p: type Reader interface, Read(p []byte) (int, error)",
		"pkg/p: var ErrA",
	}
	if diff := cmp.Diff(want, list(example(t))); diff != "" {
		t.Error(diff)
	}
}

func TestAnAliasOfAnInternalTypeIsFound(t *testing.T) {
	t.Parallel()
	if diff := cmp.Diff([]string{"pkg/p.Bad"}, internalAliases(example(t))); diff != "" {
		t.Error(diff)
	}
}

func TestNoPublicTypeIsAnAliasOfAnInternalOne(t *testing.T) {
	t.Parallel()
	packages, err := readPackages("../..")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range internalAliases(packages) {
		t.Errorf("%s is an alias of an internal type; declare the type in the public package", name)
	}
}

func TestEveryPublicErrorShowsFields(t *testing.T) {
	t.Parallel()
	packages, err := readPackages("../..")
	if err != nil {
		t.Fatal(err)
	}
	lines := list(packages)
	errors := 0
	for _, line := range lines {
		in, method, _ := strings.Cut(line, ": method (")
		receiver, isError := strings.CutSuffix(method, ") Error() string")
		if !isError {
			continue
		}
		errors++
		field := in + ": type " + strings.TrimPrefix(receiver, "*") + " struct, "
		if !slices.ContainsFunc(lines,
			func(other string) bool { return strings.HasPrefix(other, field) }) {
			t.Errorf("%s of %s is an error without an exported field", receiver, in)
		}
	}
	if errors == 0 {
		t.Error("the list has no errors")
	}
}

func TestTheListOfTheAPIIsUpToDate(t *testing.T) {
	t.Parallel()
	packages, err := readPackages("../..")
	if err != nil {
		t.Fatal(err)
	}
	written, err := os.ReadFile("../../api/sdk.txt")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(strings.TrimSuffix(string(written), "\n"), "\n"),
		list(packages)); diff != "" {
		t.Errorf("api/sdk.txt is stale; run go generate ./tools/apilist: %s", diff)
	}
}
