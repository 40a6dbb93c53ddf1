// Command codecgen writes codecs for generated wire types: functions that read and write plain JSON
// without reflection. If JSON is not plain (see package plainjson), the JSON library does the same
// work by the struct tags.
//
//	go run ./tools/codecgen DIR[=DESCRIPTION][:[TYPE,TYPE...][:protojson]]...
//
// In each DIR it reads the files *.gen.go, except for its own, and writes codec.gen.go: codecs for
// every wire type, which is a struct with a field Unknown. The listed types are payloads, the
// roots. A package may hold types of packages listed before it. With protojson, the codecs of a
// package also read the JSON form of protocol buffers. The output depends on nothing but the
// input.
//
// Of the description, an OpenAPI document, it takes what Go's types do not say. A schema that is
// oneOf with a discriminator is a union: codecgen declares it, an interface with a type for the
// values of the discriminator, where it is listed or a field holds it, and a struct for each
// variant without members. Members are written in the order of the description; a property with one
// value only is no field, and is written and looked for. Where additionalProperties is false, the
// object is closed: other members, required ones that are absent or null, and unknown values of its
// enums are faults, with their location. What is marked with x-since (for values of an enum,
// x-enum-since) is a fault for encoders of an earlier version. Such types never need the JSON
// library: what is not plain is read and written by the same functions, leniently.
//
// # What it understands
//
// Structs whose fields have json tags with a name, omitzero and case; a field Unknown of type
// jsontext.Value with the tag ",embed" in each of them; fields of string, bool, int, int64,
// float64, named strings, structs, jsontext.Value, the types of package wiretype, and pointers to,
// lists of and maps by string of these. A tag forms:"alone" says that the member, a string, may
// stand for the object; forms:"object" that an object may stand for its text. Anything else is an
// error that names the field, so that a new kind of type in the description does not go unnoticed.
//
// # What it writes
//
// Each wire type has MarshalJSON, UnmarshalJSON and their relatives MarshalJSONTo and
// UnmarshalJSONFrom, so that all JSON libraries do as the codec does, and IsEmpty. Each root has
// AppendPlainJSON, ReadPlainJSON and ReadAnyJSON. A type that another package holds has
// EncodePlain, DecodePlain and PlainSize; the rest is not exported.
//
// # Quick checks
//
//	go run ./tools/codecgen check DIR:TYPE,TYPE... DIR...
//
// In the first DIR it writes quickcheck.gen.go: for each TYPE a function isValidTYPE, which reports
// what validator would by the validate tags of the type and of all that it holds, and by the rules
// of the package, the functions that it gives to WithRule. The types are in the package or, with a
// package name in front, in one of the other folders. A tag that the command does not understand is
// an error.
//
// # Structural checks
//
//	go run ./tools/codecgen structure DIR:TYPE,TYPE... DIR=DESCRIPTION...
//
// In the first DIR it writes structure.gen.go: for each TYPE, a type of one of the other folders,
// and for all that it holds, a method walkTYPE of the package's checker. It checks each member
// against the description, and then the value of the member: enum, format, minimum, maximum,
// minItems, maxItems, maxLength, required (of a text, minLength, as in Go an absent one is empty),
// a free-form object, and
//
//   - x-only: VertexAI at a member that only one backend has;
//   - x-as-is: true at a member that is not looked at;
//   - x-selected-by: type at a schema of whose members only the one that type names is read, and
//     must be there;
//   - x-enum-refused at an enum: values that a message does not offer.
//
// Members that no description knows go to the checker's method unknown, if it has one. Where it has
// a method checkTYPE, the walk calls that for every value of the type; where skipsTYPE returns
// true, the walk does not look into such values. So the package says by hand only what no
// description can.
//
// # Descriptions of payloads
//
//	go run ./tools/codecgen described DIR:SCHEMA,SCHEMA...[:protojson] DESCRIPTION
//
// In DIR it writes described.gen.go: the variable described, a table for package payloadcheck of
// the schemas and of all that they hold. At a schema, x-answers-have lists the members that all
// recorded answers have, in place of required: that is for requests, or for all that a vendor
// documents. x-answers-null lists those that were recorded as null although the description does
// not allow it. Where protojson says so, an enum may be a number.
//
// # Visits of members
//
//	go run ./tools/codecgen members DIR:TYPE,TYPE... DIR...
//
// In the first DIR it writes members.gen.go: for each TYPE a function visitMembersOfTYPE, which
// names the present members. So a package can report members that it does not use, including
// members that the description gets later.
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

// run runs the command and returns the exit code.
func run(args []string, stderr io.Writer) int {
	var err error
	switch {
	case len(args) == 0:
		fmt.Fprintln(stderr,
			"usage: codecgen DIR[=DESCRIPTION][:[TYPE,TYPE...][:protojson]]...\n       codecgen check DIR:TYPE,TYPE... DIR...\n       codecgen structure DIR:TYPE,TYPE... DIR=DESCRIPTION...\n       codecgen described DIR:SCHEMA,SCHEMA...[:protojson] DESCRIPTION\n       codecgen members DIR:TYPE,TYPE... DIR...")
		return 2
	case args[0] == "check" && len(args) > 1:
		err = generateFor(args[1:], quickCheckName, emitCheck)
	case args[0] == "structure" && len(args) > 1:
		err = generateFor(args[1:], structureName, emitStructure)
	case args[0] == "described" && len(args) == 3:
		err = generateDescribed(args[1], args[2])
	case args[0] == "members" && len(args) > 1:
		err = generateFor(args[1:], membersName, emitMembers)
	default:
		err = generate(args)
	}
	if err != nil {
		fmt.Fprintln(stderr, "codecgen:", err)
		return 1
	}
	return 0
}

const (
	codecName      = "codec.gen.go"
	quickCheckName = "quickcheck.gen.go"
	structureName  = "structure.gen.go"
	membersName    = "members.gen.go"
	describedName  = "described.gen.go"

	// protoJSON is the mark of a package in an argument.
	protoJSON = "protojson"
)

// written are the files that this command writes. It never reads them.
var written = []string{codecName, quickCheckName, structureName, membersName, describedName}

// generate writes the codecs of all packages. If it does not understand one of them, it writes
// none.
func generate(args []string) error {
	var packages []*Package
	for _, arg := range args {
		p, err := newPackage(arg, packages)
		if err != nil {
			return err
		}
		packages = append(packages, p)
	}
	outputs := make([][]byte, len(packages))
	for i, p := range packages {
		source, err := emit(p)
		if err != nil {
			return fmt.Errorf("%s: %w", p.Dir, err)
		}
		outputs[i] = source
	}
	for i, p := range packages {
		if err := os.WriteFile(filepath.Join(p.Dir, codecName), outputs[i], 0o644); err != nil {
			return err
		}
	}
	return nil
}

// newPackage reads an argument. others are the packages of the earlier arguments.
func newPackage(arg string, others []*Package) (*Package, error) {
	dir, roots, _ := strings.Cut(arg, ":")
	dir, file, _ := strings.Cut(dir, "=")
	roots, forms, _ := strings.Cut(roots, ":")
	if forms != "" && forms != protoJSON {
		return nil, fmt.Errorf("%s: unknown forms %q", dir, forms)
	}
	p, err := readPackage(dir, "*.gen.go", others)
	if err != nil {
		return nil, err
	}
	p.ProtoJSON = forms == protoJSON
	if p.description, err = readDescription(file); err != nil {
		return nil, err
	}
	if err := p.reach(strings.FieldsFunc(roots,
		func(r rune) bool { return r == ',' })); err != nil {
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	p.findRecursion()
	p.findRepeated()
	return p, nil
}

// generateFor writes a file into the package of the first argument, for the types that the argument
// names. The other folders contain types. A folder may use types of the folders before it.
func generateFor(args []string, file string,
	emit func(p *Package, types []string) ([]byte, error)) error {
	var others []*Package
	for _, arg := range args[1:] {
		dir, description, _ := strings.Cut(arg, "=")
		p, err := newPackage(dir, others)
		if err != nil {
			return err
		}
		// The description is read only now, so that it does not close the objects.
		if p.description, err = readDescription(description); err != nil {
			return err
		}
		others = append(others, p)
	}
	dir, types, _ := strings.Cut(args[0], ":")
	p, err := readPackage(dir, "*.go", others)
	if err != nil {
		return err
	}
	source, err := emit(p, strings.Split(types, ","))
	if err != nil {
		return fmt.Errorf("%s: %w", dir, err)
	}
	return os.WriteFile(filepath.Join(dir, file), source, 0o644)
}
