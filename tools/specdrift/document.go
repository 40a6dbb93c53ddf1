package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"go.yaml.in/yaml/v3"
)

// document is an OpenAPI 3 document as a tree with the positions of all values. Its methods do not
// return errors. They store the first error in err, and later results have no meaning.
type document struct {
	file string
	text []byte
	root *value
	err  error // names file, line and pointer
}

// readDocument reads the document in a file; see [parseDocument].
func readDocument(file string) (*document, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	return parseDocument(file, text)
}

// parseDocument reads a document in JSON or YAML. It is JSON if its first character is an opening
// brace, and the file's name does not say YAML. Only the parts that are used are checked.
func parseDocument(file string, text []byte) (*document, error) {
	d := &document{file: file, text: text}
	if d.isJSON() {
		// The YAML parser refuses the surrogate pairs that JSON writers use for emoji, and accepts
		// a missing value.
		formatted := jsontext.Value(bytes.Clone(text))
		if err := formatted.Format(jsontext.Multiline(true)); err != nil {
			return nil, fmt.Errorf("%s: %w: %w", file, errSyntax, err)
		}
		d.text = formatted
	}
	root, err := parseYAML(d.text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %w", file, errSyntax, err)
	}
	d.root = d.tree(root, "")
	nameRecursion(d.root, nil)
	if version := d.root.get("openapi").str(); !strings.HasPrefix(version, "3.") {
		d.failf(d.root, "%w: member openapi is %q, expected 3.0.x or 3.1.x", errNotOpenAPI, version)
	}
	return d, d.err
}

func (d *document) isJSON() bool {
	extension := strings.ToLower(filepath.Ext(d.file))
	return extension != ".yaml" && extension != ".yml" &&
		bytes.HasPrefix(bytes.TrimSpace(d.text), []byte("{"))
}

func parseYAML(text []byte) (*yaml.Node, error) {
	dec := yaml.NewDecoder(bytes.NewReader(text))
	var node yaml.Node
	switch err := dec.Decode(&node); {
	case errors.Is(err, io.EOF):
		return nil, errors.New("the document is empty")
	case err != nil:
		return nil, err
	case !errors.Is(dec.Decode(new(yaml.Node)), io.EOF):
		return nil, errors.New("more than one document")
	case len(node.Content) == 0:
		return nil, errors.New("the document is empty")
	}
	return node.Content[0], nil
}

// tree makes values from nodes. It refuses aliases and merge keys, because each value must have one
// pointer.
func (d *document) tree(n *yaml.Node, pointer string) *value {
	v := &value{Node: n, pointer: pointer}
	switch n.Kind {
	case yaml.AliasNode:
		d.failf(v, "%w: aliases are not supported", errSyntax)
	case yaml.SequenceNode:
		for i, item := range n.Content {
			v.items = append(v.items, d.tree(item, pointer+"/"+strconv.Itoa(i)))
		}
	case yaml.MappingNode:
		for i := 0; i+1 < len(n.Content); i += 2 {
			d.checkKey(v, n.Content[i])
			child := d.tree(n.Content[i+1], pointer+"/"+escapePointer(n.Content[i].Value))
			v.members = append(v.members, member{key: n.Content[i], value: child})
		}
	}
	return v
}

func (d *document) checkKey(v *value, key *yaml.Node) {
	at := &value{Node: key, pointer: v.pointer}
	switch {
	case key.Kind != yaml.ScalarNode:
		d.failf(at, "%w: a key that is not a scalar", errSyntax)
	case key.ShortTag() == "!!merge":
		d.failf(at, "%w: merge keys are not supported", errSyntax)
	case v.get(key.Value) != nil:
		d.failf(at, "%w: key %q occurs twice", errSyntax, key.Value)
	}
}

// nameRecursion turns each $recursiveRef of JSON Schema 2019-09 into a $ref to the enclosing schema
// that is marked as the target. If no enclosing schema is marked, the reference stays, and reading
// it is an error.
func nameRecursion(v, anchor *value) {
	if v.get("$recursiveAnchor").isTrue() {
		anchor = v
	}
	for _, m := range v.members {
		if m.key.Value == "$recursiveRef" && m.value.str() == "#" && anchor != nil {
			m.key.Value, m.value.Value = "$ref", "#"+anchor.pointer
		}
		nameRecursion(m.value, anchor)
	}
	for _, item := range v.items {
		nameRecursion(item, anchor)
	}
}

// resolve follows the $ref of a value repeatedly, until a value has none. It returns nil for a
// circle.
func (d *document) resolve(v *value) *value {
	for seen := map[*value]bool{}; v.get("$ref") != nil; v = d.target(v) {
		if seen[v] {
			d.failf(v, "%w: %q refers to itself", errReference, v.get("$ref").str())
			return nil
		}
		seen[v] = true
	}
	return v
}

// target returns the value at the $ref of v. It follows one reference only.
func (d *document) target(v *value) *value {
	ref := v.get("$ref")
	if !ref.isString() {
		d.failf(v, "%w: $ref is not a string", errReference)
		return nil
	}
	pointer, local := strings.CutPrefix(ref.Value, "#")
	if !local || pointer != "" && !strings.HasPrefix(pointer, "/") {
		d.failf(ref, "%w: %q is not inside this document", errReference, ref.Value)
		return nil
	}
	target := d.at(pointer)
	if target == nil {
		d.failf(ref, "%w: %q points at nothing", errReference, ref.Value)
	}
	return target
}

// at returns the value at a JSON pointer, or nil.
func (d *document) at(pointer string) *value {
	v := d.root
	for _, token := range pointerTokens(pointer) {
		v = v.child(token)
	}
	return v
}

// list returns the elements of a member that must be a list. It returns none if the member is
// missing.
func (d *document) list(v *value, key string) []*value {
	return d.collection(v, key, yaml.SequenceNode, "list").items
}

// mapping returns the members of a member that must be a mapping. It returns none if the member is
// missing.
func (d *document) mapping(v *value, key string) []member {
	return d.collection(v, key, yaml.MappingNode, "mapping").members
}

func (d *document) collection(v *value, key string, kind yaml.Kind, name string) *value {
	found := v.get(key)
	switch {
	case found == nil:
		return &value{}
	case found.Kind != kind:
		d.failf(found, "%w: %s is not a %s", errStructure, key, name)
	}
	return found
}

// failf stores an error that points at v, unless there is one already.
func (d *document) failf(v *value, format string, args ...any) {
	if d.err == nil {
		at := strings.TrimSuffix(fmt.Sprintf("%s:%d: %s", d.file, v.Line, v.pointer), ": ")
		d.err = fmt.Errorf("%s: %w", at, fmt.Errorf(format, args...))
	}
}

// Possible errors in a document.
var (
	errSyntax     = errors.New("syntax error")
	errNotOpenAPI = errors.New("not an OpenAPI 3 document")
	// out of the document, nowhere or in a circle
	errReference = errors.New("unusable reference")
	errStructure = errors.New("unexpected structure") // the wrong kind of value
	errKeyword   = errors.New("unsupported keyword")  // of a schema
	errMerge     = errors.New("-merge needs a YAML file with line feeds")
)
