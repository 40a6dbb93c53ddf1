package geminitest_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"slices"
	"strings"
	"testing"
)

// Scripts of tests need one import. So each function of package fakegemini that makes a piece of a
// script or an option has the same name in package geminitest.
func TestTheVocabularyOfScriptsIsWhole(t *testing.T) {
	t.Parallel()
	pieces := []string{"Block", "Matcher", "Fixture", "Option"}
	want, got := functions(t, "../fakegemini", pieces), functions(t, ".", pieces)
	if len(want) < 50 {
		t.Fatalf("package fakegemini has %d such functions: this test sees too few", len(want))
	}
	// only a test has this
	got = slices.DeleteFunc(got, func(name string) bool { return name == "WithAllFixturesUsed" })
	if !slices.Equal(want, got) {
		t.Errorf("package fakegemini has  %v\npackage geminitest has %v", want, got)
	}
}

// functions returns the names of the exported functions in a folder that return one of the types.
func functions(t *testing.T, folder string, types []string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		if !strings.HasSuffix(entry.Name(), ".go") || strings.HasSuffix(entry.Name(), "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), folder+"/"+entry.Name(), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, declaration := range file.Decls {
			f, ok := declaration.(*ast.FuncDecl)
			if ok && f.Recv == nil && f.Name.IsExported() && f.Type.Results != nil &&
				returns(f, types) {
				names = append(names, f.Name.Name)
			}
		}
	}
	slices.Sort(names)
	return names
}

// returns reports whether the first result of a function is one of the types, or a pointer to it.
func returns(f *ast.FuncDecl, types []string) bool {
	result := f.Type.Results.List[0].Type
	if pointer, ok := result.(*ast.StarExpr); ok {
		result = pointer.X
	}
	name, ok := result.(*ast.Ident)
	return ok && slices.Contains(types, name.Name)
}
