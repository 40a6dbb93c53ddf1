package main

import (
	"fmt"
	"maps"
	"os/exec"
	"slices"
	"strings"
)

// graph has the packages of the modules by their folders, with the sorted imports of each. It has
// only packages of the modules.
type graph map[string][]string

// packages returns the packages in sorted order.
func (g graph) packages() []string { return slices.Sorted(maps.Keys(g)) }

// readImports asks the go command for the packages of the module at root and of the given modules
// inside it, with the imports of their files. It omits tests and the package of the root folder.
func readImports(root string, inside ...string) (graph, error) {
	path, err := goList(root, "-m")
	if err != nil {
		return nil, err
	}
	args := []string{"-f", `{{.ImportPath}} {{join .Imports " "}}`, "./..."}
	for _, folder := range inside {
		args = append(args, "./"+folder+"/...")
	}
	lines, err := goList(root, args...)
	if err != nil {
		return nil, err
	}
	first, _, _ := strings.Cut(path, "\n") // in a workspace the root is the first
	module, imports := first+"/", graph{}
	for line := range strings.Lines(lines) {
		words := strings.Fields(line)
		if pkg, ok := strings.CutPrefix(words[0], module); ok {
			imports[pkg] = foldersIn(module, words[1:])
		}
	}
	return imports, nil
}

func goList(root string, args ...string) (string, error) {
	list := exec.Command("go", append([]string{"list"}, args...)...)
	list.Dir = root
	lines, err := list.Output()
	if err != nil {
		return "", fmt.Errorf("go list in %s: %w", root, err)
	}
	return string(lines), nil
}

// foldersIn returns the folders of the packages whose paths begin with the path of the module.
func foldersIn(module string, packages []string) []string {
	var folders []string
	for _, pkg := range packages {
		if folder, ok := strings.CutPrefix(pkg, module); ok {
			folders = append(folders, folder)
		}
	}
	return folders
}

// reduced returns the graph without implied imports. For example, if a package imports b and c, and
// b imports c, only the import of b remains.
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

// leads reports whether a package imports another one, directly or indirectly.
func (g graph) leads(from, to string) bool {
	return from == to ||
		slices.ContainsFunc(g[from], func(next string) bool { return g.leads(next, to) })
}
