package main

import (
	"fmt"
	"maps"
	"os/exec"
	"slices"
	"strings"
)

// A graph has the packages of a module, named by their folders, with the packages of the module that
// each imports, sorted.
type graph map[string][]string

// packages returns the packages in sorted order.
func (g graph) packages() []string { return slices.Sorted(maps.Keys(g)) }

// readImports asks the go command for the packages of the module at root and what their files import,
// without those of tests. The module's own folder and modules inside are left out.
func readImports(root string) (graph, error) {
	list := exec.Command("go", "list", "-f", `{{.Module.Path}} {{.ImportPath}} {{join .Imports " "}}`, "./...")
	list.Dir = root
	lines, err := list.Output()
	if err != nil {
		return nil, fmt.Errorf("go list in %s: %w", root, err)
	}
	imports := graph{}
	for line := range strings.Lines(string(lines)) {
		words := strings.Fields(line)
		module := words[0] + "/"
		if pkg, ok := strings.CutPrefix(words[1], module); ok {
			imports[pkg] = foldersIn(module, words[2:])
		}
	}
	return imports, nil
}

// foldersIn returns the folders of those packages that are inside the module.
func foldersIn(module string, packages []string) []string {
	var folders []string
	for _, pkg := range packages {
		if folder, ok := strings.CutPrefix(pkg, module); ok {
			folders = append(folders, folder)
		}
	}
	return folders
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
