// Command specdrift tells what an API's own OpenAPI document has that our description of the API
// lacks: the way to refresh the wire types when the vendor adds a field.
//
//	go run ./internal/tools/specdrift [-stub] OURS THEIRS
//
// Either document is YAML or JSON, OpenAPI 3.0 or 3.1. Google serves the current one of the Gemini API
// at https://generativelanguage.googleapis.com/$discovery/OPENAPI3_0?version=v1beta.
//
// # What is compared
//
// The operations that ours describes, found in theirs by method and path (the base path, the version
// and the names of path parameters do not count), and from them parameters, request and successful
// response, member by member. Schemas are compared by what they admit, not by name: references, allOf,
// oneOf and anyOf are folded, so that an enum in place equals a named one, and one flat object equals a
// choice of several.
//
// Missing, and a reason to fail, is what theirs has and ours lacks: parameters, properties, map values,
// enum values, JSON types, and 64 bits for an integer. A value that ours leaves free of type, or an
// object without properties but with additionalProperties true, lacks nothing. Whatever only ours has
// is listed. Required members, limits, patterns, defaults, null and descriptions are not compared.
//
// # Open enums
//
// An anyOf of string and enum in theirs is an open set. Of a plain string of ours its values are not
// demanded, of an enum they are. Where theirs has an enum and ours wants a string, ours lists the values
// beside it:
//
//	type: string
//	x-open-enum: true
//	x-known-values: [low, high]
//
// # Accepted drift
//
// What ours lacks on purpose is named, with the reason, at the schema or operation that lacks it; it is
// then a note. The name is that of the property, parameter, enum value or type, {*} for map values.
//
//	PartMediaResolution:
//	  type: object
//	  x-accepted-drift:
//	    string: the document of that month has a placeholder here
//
// # Output
//
// The report names each schema once, at the place where it is reached first, and ends in a line like
// "2 missing, 99 only ours". With -stub, standard output holds YAML to paste into ours instead, and the
// report goes to standard error.
//
// The exit code is 0 when nothing is missing, 1 when something is, 2 when the arguments are wrong or a
// document cannot be read.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/gemwire/gemwire/internal/tools/specdrift/internal/drift"
	"github.com/gemwire/gemwire/internal/tools/specdrift/internal/openapi"
	"github.com/gemwire/gemwire/internal/tools/specdrift/internal/stub"
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

// run is the command: it returns the exit code.
func run(args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("specdrift", flag.ContinueOnError)
	flags.SetOutput(stderr)
	withStub := flags.Bool("stub", false, "print YAML for what is missing; the report goes to standard error")
	flags.Usage = func() {
		fmt.Fprintln(stderr, "usage: specdrift [-stub] OURS THEIRS")
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
	missing, err := compare(flags.Arg(0), flags.Arg(1), *withStub, stdout, stderr)
	switch {
	case err != nil:
		fmt.Fprintln(stderr, "specdrift:", err)
		return exitError
	case missing > 0:
		return exitDrift
	}
	return exitSame
}

// compare prints the report of two files, and the stub, and returns how much is missing.
func compare(ourFile, theirFile string, withStub bool, stdout, stderr io.Writer) (int, error) {
	ours, err := openapi.Read(ourFile)
	if err != nil {
		return 0, err
	}
	theirs, err := openapi.Read(theirFile)
	if err != nil {
		return 0, err
	}
	report, err := drift.Compare(ours, theirs)
	if err != nil {
		return 0, err
	}
	if !withStub {
		return len(report.Missing), printReport(stdout, report)
	}
	yaml, err := stub.Render(report, ours, theirs)
	if err != nil {
		return 0, err
	}
	if err := printReport(stderr, report); err != nil {
		return 0, err
	}
	_, err = stdout.Write(yaml)
	return len(report.Missing), err
}
