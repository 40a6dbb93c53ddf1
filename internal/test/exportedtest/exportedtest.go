// Package exportedtest lists what a package exports, so that a test can be held to be about all of
// it.
package exportedtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Functions returns the names of the functions and methods that the package in the working
// directory exports, sorted: "New", "Loop.Run". The package of a test is in the working directory.
func Functions(t testing.TB) []string {
	t.Helper()
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, declared := range parsed.Decls {
			if function, ok := declared.(*ast.FuncDecl); ok {
				names = append(names, exportedName(function)...)
			}
		}
	}
	slices.Sort(names)
	return names
}

// exportedName returns the name of a function, none if it or the type that it is a method of is not
// exported.
func exportedName(function *ast.FuncDecl) []string {
	name := function.Name.Name
	if !function.Name.IsExported() {
		return nil
	}
	if function.Recv == nil {
		return []string{name}
	}
	receiver := function.Recv.List[0].Type
	if pointer, ok := receiver.(*ast.StarExpr); ok {
		receiver = pointer.X
	}
	of, ok := receiver.(*ast.Ident)
	if !ok || !of.IsExported() {
		return nil
	}
	return []string{of.Name + "." + name}
}
