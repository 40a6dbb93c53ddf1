// Command packagemap checks that imports between packages follow the order of the layers, and draws
// the imports.
//
//	go run ./tools/packagemap ROOT PAGE
//
// ROOT is the folder of go.work, PAGE the Markdown file to write. The command reads the imports of
// the Go files that the go command builds on this machine, but not the imports of tests. The order
// of the layers is the table in order.go.
//
// The page depends only on the imports, so a second run writes the same bytes.
//
// The exit code is 1 when an import breaks the order; the page is then not written. It is 2 when
// the arguments are wrong or a file cannot be read.
package main

import (
	"fmt"
	"os"
)

//go:generate go run . ../.. ../../docs/packages.md

// inside are the folders of the modules inside the root module.
var inside = []string{"server", "tools"}

func main() {
	if len(os.Args) != 3 {
		fail(2, "usage: packagemap ROOT PAGE")
	}
	imports, err := readImports(os.Args[1], inside...)
	if err != nil {
		fail(2, err.Error())
	}
	if violations := order.check(imports); len(violations) > 0 {
		fail(1, violations...)
	}
	if err := os.WriteFile(os.Args[2], page(order, imports), 0o644); err != nil {
		fail(2, err.Error())
	}
}

func fail(code int, messages ...string) {
	for _, message := range messages {
		fmt.Fprintln(os.Stderr, "packagemap:", message)
	}
	os.Exit(code)
}
