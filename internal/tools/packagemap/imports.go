package main

import (
	"errors"
	"go/build"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
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
	context := build.Default
	context.UseAllFiles = true
	imports := graph{}
	err = filepath.WalkDir(root, func(folder string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil || !entry.IsDir() || folder == root:
			return err
		case isLeftOut(folder, entry.Name()):
			return filepath.SkipDir
		}
		pkg, err := context.ImportDir(folder, 0)
		if _, isEmpty := errors.AsType[*build.NoGoError](err); isEmpty {
			return nil
		}
		name, _ := filepath.Rel(root, folder)
		imports[filepath.ToSlash(name)] = inside(module, pkg.Imports)
		return err
	})
	return imports, err
}

// isLeftOut reports whether a folder holds no packages of the module.
func isLeftOut(folder, name string) bool {
	_, err := os.Stat(filepath.Join(folder, "go.mod"))
	return err == nil || name == "testdata" || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_")
}

// inside returns the folders of those packages that are inside the module.
func inside(module string, packages []string) []string {
	var folders []string
	for _, name := range packages {
		if folder, ok := strings.CutPrefix(name, module+"/"); ok {
			folders = append(folders, folder)
		}
	}
	return folders
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
		isBelow := func(folder string) bool { return strings.HasPrefix(pkg, folder) }
		if slices.ContainsFunc(folders, isBelow) && !isForTests(pkg) {
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
