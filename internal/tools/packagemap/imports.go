package main

import (
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// A graph has the packages of a module, named by their folders, with the packages of the module that
// each imports, sorted.
type graph map[string][]string

// packages returns the packages in sorted order.
func (g graph) packages() []string { return slices.Sorted(maps.Keys(g)) }

// readImports reads the packages of the module at root. Its own folder and modules inside are left out.
func readImports(root string) (graph, error) {
	text, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		return nil, err
	}
	_, line, _ := strings.Cut("\n"+string(text), "\nmodule ")
	module, _, _ := strings.Cut(line, "\n")
	imports := graph{}
	err = filepath.WalkDir(root, func(file string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			return enter(root, file, entry.Name())
		}
		folder, err := filepath.Rel(root, filepath.Dir(file))
		if err != nil || folder == "." || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
			return err
		}
		return imports.add(filepath.ToSlash(folder), file, module)
	})
	return imports, err
}

// enter returns [filepath.SkipDir] for a folder that holds no packages of the module.
func enter(root, folder, name string) error {
	if folder == root {
		return nil
	}
	if name == "testdata" || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") {
		return filepath.SkipDir
	}
	if _, err := os.Stat(filepath.Join(folder, "go.mod")); err == nil {
		return filepath.SkipDir
	}
	return nil
}

// add adds the imports of a file to those of its package.
func (g graph) add(pkg, file, module string) error {
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
	if err != nil {
		return err
	}
	found := g[pkg]
	for _, spec := range parsed.Imports {
		name, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return err
		}
		if inside, ok := strings.CutPrefix(name, module+"/"); ok {
			found = append(found, path.Clean(inside))
		}
	}
	slices.Sort(found)
	g[pkg] = slices.Compact(found)
	return nil
}

// reachable returns the packages below the folders, but those for tests, and all that they import.
func (g graph) reachable(folders ...string) graph {
	reached := graph{}
	var visit func(pkg string)
	visit = func(pkg string) {
		if _, done := reached[pkg]; done {
			return
		}
		reached[pkg] = g[pkg]
		for _, imported := range g[pkg] {
			visit(imported)
		}
	}
	for _, pkg := range g.packages() {
		inside := func(folder string) bool { return strings.HasPrefix(pkg, folder) }
		if slices.ContainsFunc(folders, inside) && !isForTests(pkg) {
			visit(pkg)
		}
	}
	return reached
}

// reduced returns the graph without the imports that others imply: a package that imports b and c, and
// b imports c, keeps b.
func (g graph) reduced() graph {
	reduced := graph{}
	for pkg, imports := range g {
		reduced[pkg] = slices.DeleteFunc(slices.Clone(imports), func(target string) bool {
			return slices.ContainsFunc(imports, func(other string) bool {
				return other != target && g.leads(other, target)
			})
		})
	}
	return reduced
}

// leads reports whether a package imports another one, itself or by others.
func (g graph) leads(from, to string) bool {
	return from == to || slices.ContainsFunc(g[from], func(next string) bool { return g.leads(next, to) })
}
