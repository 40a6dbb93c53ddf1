// Command codecgen writes codecs for generated wire types: functions that read and write plain JSON
// without reflection. For what is not plain, see package plainjson, they step back, and the JSON
// library does the same work by the struct tags.
//
//	go run ./internal/tools/codecgen DIR[:TYPE,TYPE...]...
//
// In each DIR it reads the files *.gen.go, except for its own, and writes codec.gen.go: codecs for the
// listed types, the roots, and for every type that they hold. A package may hold types of packages
// listed before it, which need no roots of their own. The output depends on nothing but the input.
//
// # What it understands
//
// Structs whose fields have json tags with a name, omitzero and case; a field Unknown of type
// jsontext.Value with the tag ",embed" in each of them; fields of string, bool, int, int64, float64,
// named strings, structs, jsontext.Value, the types of package union, and pointers to, lists of and
// maps by string of these. Anything else is an error that names the field, so that a new kind of type
// in the description does not go unnoticed.
//
// # What it writes
//
// Each root has AppendPlainJSON and ReadPlainJSON. A type that another package holds has EncodePlain,
// DecodePlain and PlainSize; the rest is not exported.
package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

func main() {
	os.Exit(run(os.Args[1:], os.Stderr))
}

// run is the command: it returns the exit code.
func run(args []string, stderr io.Writer) int {
	if len(args) == 0 {
		fmt.Fprintln(stderr, "usage: codecgen DIR[:TYPE,TYPE...]...")
		return 2
	}
	if err := generate(args); err != nil {
		fmt.Fprintln(stderr, "codecgen:", err)
		return 1
	}
	return 0
}

const outputName = "codec.gen.go"

// generate writes the codecs of all packages, or none when one of them is not understood.
func generate(args []string) error {
	var packages []*Package
	for _, arg := range args {
		dir, roots, _ := strings.Cut(arg, ":")
		p, err := readPackage(dir, packages)
		if err != nil {
			return err
		}
		if err := p.reach(strings.FieldsFunc(roots, func(r rune) bool { return r == ',' })); err != nil {
			return fmt.Errorf("%s: %w", dir, err)
		}
		packages = append(packages, p)
	}
	outputs := make([][]byte, len(packages))
	for i, p := range packages {
		p.findRecursion()
		source, err := emit(p)
		if err != nil {
			return fmt.Errorf("%s: %w", p.Dir, err)
		}
		outputs[i] = source
	}
	for i, p := range packages {
		if err := os.WriteFile(filepath.Join(p.Dir, outputName), outputs[i], 0o644); err != nil {
			return err
		}
	}
	return nil
}
