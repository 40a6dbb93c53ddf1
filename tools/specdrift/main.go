// Command specdrift compares a vendor's OpenAPI document with our description of the same API, and
// can add what ours lacks. Use it to update the wire types when the vendor adds a field.
//
//	go run ./tools/specdrift [-merge] OURS THEIRS
//
// Either document is YAML or JSON, OpenAPI 3.0 or 3.1. Google serves the current one of the Gemini
// API at https://generativelanguage.googleapis.com/$discovery/OPENAPI3_0?version=v1beta.
//
// # What is compared
//
// The operations that ours describes, found in theirs by method and path (the base path, the
// version and the names of path parameters do not count), and from them parameters, request and
// successful response, member by member. Schemas are compared by what they admit, not by name:
// references, allOf, oneOf and anyOf are folded, so that an enum in place equals a named one, and
// one flat object equals a choice of several.
//
// The command fails when theirs has something that ours lacks: parameters, properties, map values,
// enum values, JSON types, and 64 bits for an integer. A value that ours leaves free of type, or an
// object without properties but with additionalProperties true, lacks nothing. Whatever only ours
// has is listed. Required members, limits, patterns, defaults, null and descriptions are not
// compared. An anyOf of string and enum in theirs is an open set: its values are not demanded of a
// plain string of ours, but of an enum. So is the extension x-open-enum. If theirs does not have
// the type integer at all, as a document made of JavaScript's types, its numbers may be integers.
//
// What ours lacks on purpose is named, with the reason, at the schema or operation that lacks it;
// it is then a note. It is named by the name of the property, parameter, enum value or type, or by
// {*} for map values.
//
//	PartMediaResolution:
//	  type: object
//	  x-accepted-drift:
//	    string: the document of that month has a placeholder here
//
// The report names each schema once, at the place where it is reached first, and ends in a line
// like "2 missing, 99 only ours".
//
// # What is merged
//
// With -merge, missing properties and enum values are written into OURS, each after the one that it
// follows in theirs. The schemas that they need are written after the schema that needs them. The
// rest of the file does not change. A value of several types becomes free-form JSON (x-free-form).
// Descriptions are not copied: each new one begins with "REVIEW:", and these are listed, so that a
// person writes them. What cannot be merged (types, parameters, bodies, map values) is listed too.
// A second run changes nothing.
//
// The exit code is 0 when nothing is missing or with -merge, 1 when something is missing, 2 when
// the arguments are wrong or a document cannot be read.
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
)

// The exit codes.
const (
	exitSame  = 0
	exitDrift = 1
	exitError = 2
)

func main() {
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

// run runs the command and returns the exit code.
func run(args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("specdrift", flag.ContinueOnError)
	flags.SetOutput(stderr)
	withMerge := flags.Bool("merge", false, "write into OURS what is missing")
	flags.Usage = func() {
		fmt.Fprintln(stderr, "usage: specdrift [-merge] OURS THEIRS")
		flags.PrintDefaults()
	}
	switch err := flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		return exitSame
	case err != nil:
		return exitError
	case flags.NArg() != 2:
		flags.Usage()
		return exitError
	}
	command := printReport
	if *withMerge {
		command = mergeFile
	}
	missing, err := runOn(flags.Arg(0), flags.Arg(1), command, stdout)
	switch {
	case err != nil:
		fmt.Fprintln(stderr, "specdrift:", err)
		return exitError
	case missing:
		return exitDrift
	}
	return exitSame
}

// runOn reads both documents and runs a command on them. It returns whether anything is missing.
func runOn(ourFile, theirFile string,
	command func(ours, theirs *document, w io.Writer) (bool, error), w io.Writer) (bool, error) {
	ours, err := readDocument(ourFile)
	if err != nil {
		return false, err
	}
	theirs, err := readDocument(theirFile)
	if err != nil {
		return false, err
	}
	return command(ours, theirs, w)
}

func printReport(ours, theirs *document, w io.Writer) (bool, error) {
	r, err := compare(ours, theirs)
	if err != nil {
		return false, err
	}
	return len(r.missing) > 0, r.print(w)
}

// mergeFile adds the missing members to our file, and prints what a person must still do.
func mergeFile(ours, theirs *document, w io.Writer) (bool, error) {
	merged, left, err := merge(ours, theirs)
	if err != nil {
		return false, err
	}
	if !bytes.Equal(merged.text, ours.text) {
		if err := os.WriteFile(ours.file, merged.text, 0o644); err != nil {
			return false, err
		}
	}
	for _, v := range reviews(merged.root) {
		fmt.Fprintf(w, "%s:%d: %s\n", ours.file, v.Line, printable(v.Value))
	}
	for _, f := range left {
		fmt.Fprintln(w, "by hand:", f)
	}
	return false, nil
}
