package main

import (
	"fmt"
	"slices"
	"strings"
)

// page returns a page of Markdown with the diagram of the packages in Mermaid, which hosts of code draw:
// a box for each layer, and an arrow for each import that others do not imply.
func page(ls layers, imports graph) []byte {
	shown := graph{}
	for pkg, imported := range imports {
		if !isForTests(pkg) && !slices.ContainsFunc(notShown, func(folder string) bool { return strings.HasPrefix(pkg, folder) }) {
			shown[pkg] = imported
		}
	}
	var boxes, arrows strings.Builder
	for i, layer := range ls {
		fmt.Fprintf(&boxes, "  subgraph layer%d[\"%s\"]\n", i, layer.name)
		for _, pkg := range shown.packages() {
			if index, _ := ls.find(pkg); index == i {
				fmt.Fprintf(&boxes, "    %s[\"%s\"]\n", id.Replace(pkg), pkg)
			}
		}
		boxes.WriteString("  end\n")
	}
	reduced := shown.reduced()
	for _, pkg := range reduced.packages() {
		for _, imported := range reduced[pkg] {
			fmt.Fprintf(&arrows, "  %s --> %s\n", id.Replace(pkg), id.Replace(imported))
		}
	}
	return []byte(pageHead + boxes.String() + arrows.String() + pageEnd)
}

// notShown are folders of packages that nothing outside them imports.
var notShown = []string{"api/", "examples/", "internal/tools/"}

// id makes the name of a node out of a package.
var id = strings.NewReplacer("/", "_", "-", "_")

const (
	pageHead = "<!-- Written by `make packages`. DO NOT EDIT. -->\n\n# The packages and what they import\n\n" +
		"An arrow goes from a package to one that it imports; imports that others imply are not drawn.\n" +
		"The layers stand in their order: no arrow goes up. Tests, examples and tools are left out.\n\n" +
		"```mermaid\nflowchart TD\n"
	pageEnd = "```\n"
)
