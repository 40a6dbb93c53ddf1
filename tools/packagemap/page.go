package main

import (
	"fmt"
	"slices"
	"strings"
)

// diagram draws the packages of one module.
type diagram struct {
	title string
	// folder is the folder of the module with a slash. It is "" for the module at the root.
	folder string
}

// diagrams are the diagrams of the page, in the order of the modules' dependencies.
var diagrams = []diagram{{"The SDK", ""}, {"The server", "server/"}, {"The workshop", "tools/"}}

// page returns a Markdown page with a Mermaid diagram of each module. Code hosts draw such
// diagrams. Each layer is a box, and each import that is not implied is an arrow.
func page(ls layers, imports graph) []byte {
	shown := graph{}
	for pkg, imported := range imports {
		if !isForTests(pkg) &&
			!slices.ContainsFunc(notShown,
				func(folder string) bool { return strings.HasPrefix(pkg, folder) }) {
			shown[pkg] = imported
		}
	}
	reduced := shown.reduced()
	var out strings.Builder
	out.WriteString(pageHead)
	for _, d := range diagrams {
		d.write(&out, ls, reduced)
	}
	return []byte(out.String())
}

// write writes the diagram if its module has packages. Imports of another module are one arrow to
// that module.
func (d diagram) write(out *strings.Builder, ls layers, reduced graph) {
	var boxes, arrows strings.Builder
	others := map[string]bool{}
	for i, layer := range ls {
		var nodes strings.Builder
		for _, pkg := range reduced.packages() {
			if index, _ := ls.find(pkg); index != i || diagramOf(pkg) != d {
				continue
			}
			fmt.Fprintf(&nodes, "    %s[\"%s\"]\n", id.Replace(pkg), pkg)
			for _, target := range d.targets(reduced[pkg]) {
				fmt.Fprintf(&arrows, "  %s --> %s\n", id.Replace(pkg), id.Replace(target))
				if of := strings.TrimPrefix(target, "module/"); of != target {
					others[of] = true
				}
			}
		}
		if nodes.Len() > 0 {
			fmt.Fprintf(&boxes, "  subgraph layer%d[\"%s\"]\n%s  end\n", i, layer.name,
				nodes.String())
		}
	}
	if boxes.Len() == 0 {
		return
	}
	for _, other := range diagrams {
		if others[other.title] {
			fmt.Fprintf(&boxes, "  %s([\"%s\"])\n", id.Replace("module/"+other.title), other.title)
		}
	}
	fmt.Fprintf(out, "\n## %s\n\n```mermaid\nflowchart TD\n%s%s```\n", d.title, boxes.String(),
		arrows.String())
}

// targets returns the imports of a package in the diagram: packages of its module, and other
// modules as module/TITLE.
func (d diagram) targets(imported []string) []string {
	var out []string
	for _, pkg := range imported {
		target := pkg
		if other := diagramOf(pkg); other != d {
			target = "module/" + other.title
		}
		if !slices.Contains(out, target) {
			out = append(out, target)
		}
	}
	return out
}

// diagramOf returns the diagram that contains a package.
func diagramOf(pkg string) diagram {
	for _, d := range diagrams[1:] {
		if strings.HasPrefix(pkg, d.folder) {
			return d
		}
	}
	return diagrams[0]
}

// notShown are folders with packages that are only imported within the folder.
var notShown = []string{"api/", "examples/", "server/examples/"}

// id makes the name of a node from a package or a module.
var id = strings.NewReplacer("/", "_", "-", "_", " ", "_")

const pageHead = "<!-- Written by `make packages`. DO NOT EDIT. -->\n\n# The packages and what they import\n\n" +
	"An arrow goes from a package to one that it imports. Imports that others imply are not drawn.\n" +
	"The layers stand in their order: no arrow goes up. Tests and examples are left out.\n" +
	"Another module is one box.\n"
