// Command packagemap holds the imports between the packages of a module to the order of its layers,
// and draws them.
//
//	go run ./internal/tools/packagemap ROOT DIAGRAM
//
// ROOT is the folder of go.mod, DIAGRAM the SVG file to write. What is read are the imports of all Go
// files but tests, whatever their build constraints. The order of the layers is the table in order.go.
//
// The diagram shows the packages of pkg/ and cmd/ and what they import, in rows by layer, so that every
// import points down. An import that longer ways of the diagram imply is left out. The drawing depends on
// nothing but the imports: who runs the command again gets the same bytes.
//
// The exit code is 1 when an import breaks the order; the diagram is then not written. It is 2 when
// the arguments are wrong or a file cannot be read.
package main

import (
	"fmt"
	"os"
)

//go:generate go run . ../../.. ../../../docs/packages.svg

func main() {
	if len(os.Args) != 3 {
		fail(2, "usage: packagemap ROOT DIAGRAM")
	}
	imports, err := readImports(os.Args[1])
	if err != nil {
		fail(2, err.Error())
	}
	if violations := order.check(imports); len(violations) > 0 {
		fail(1, violations...)
	}
	diagram := draw(newLayout(order, imports.reachable("cmd/", "pkg/").reduced()))
	if err := os.WriteFile(os.Args[2], diagram, 0o644); err != nil {
		fail(2, err.Error())
	}
}

func fail(code int, messages ...string) {
	for _, message := range messages {
		fmt.Fprintln(os.Stderr, "packagemap:", message)
	}
	os.Exit(code)
}
