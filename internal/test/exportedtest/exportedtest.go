// Package exportedtest lists the exported functions of a package, so that a test can check that it
// covers all of them.
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

// Functions returns the sorted names of the exported functions and methods of the package in the
// working directory, for example "New" or "Loop.Run". The working directory of a test is the
// directory of its package.
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

// exportedName returns the name of a function. It returns "" if the function, or the type of the
// method, is not exported.
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
