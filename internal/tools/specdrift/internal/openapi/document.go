// Package openapi reads an OpenAPI 3 document, YAML or JSON, as a tree that remembers where each
// value stands, and finds its operations and their schemas.
//
// It reads what specdrift needs and nothing more: no validation beyond the members that are looked
// at, and only references inside the document ("#/..."). A document that cannot be read as such is
// an [*Error] with the line, and with the JSON pointer where there is one; it is never a panic.
package openapi

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Document is one OpenAPI document. It does not change after it is read and may be shared.
type Document struct {
	// File is the name that errors carry.
	File string
	// Root is the whole document.
	Root *Value
}

// Read reads the document in a file; see [Parse]. A file that cannot be opened is an [*Error]
// without a line.
func Read(file string) (*Document, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, &Error{File: file, Err: err}
	}
	return Parse(file, data)
}

// Parse reads a document of either syntax: JSON when its first character is an opening brace, YAML
// otherwise and whenever the file's name says so.
func Parse(file string, data []byte) (*Document, error) {
	parse := parseYAML
	if isJSON(file, data) {
		parse = parseJSON
	}
	root, err := parse(file, data)
	if err != nil {
		return nil, err
	}
	d := &Document{File: file, Root: root}
	version := root.Get("openapi")
	if !strings.HasPrefix(version.String(), "3.") {
		return nil, d.Errorf(root, "%w: member openapi is %q, expected 3.0.x or 3.1.x", ErrNotOpenAPI, version.String())
	}
	return d, nil
}

func isJSON(file string, data []byte) bool {
	switch strings.ToLower(filepath.Ext(file)) {
	case ".yaml", ".yml":
		return false
	}
	return bytes.HasPrefix(bytes.TrimLeft(data, " \t\r\n"), []byte("{"))
}

// Resolve follows a value's $ref, and the next one, until it meets a value without one, and returns
// that. A value without $ref is returned as it is. A reference to another file, to nothing or in a
// circle is an [*Error].
func (d *Document) Resolve(v *Value) (*Value, error) {
	seen := map[*Value]bool{}
	for v.Get("$ref") != nil {
		if seen[v] {
			return nil, d.Errorf(v, "%w: %q refers to itself", ErrReference, v.Get("$ref").String())
		}
		seen[v] = true
		target, err := d.Target(v)
		if err != nil {
			return nil, err
		}
		v = target
	}
	return v, nil
}

// Target returns the value that the $ref of v points at, one step and no further.
func (d *Document) Target(v *Value) (*Value, error) {
	ref := v.Get("$ref")
	if ref.KindOf() != String {
		return nil, d.Errorf(v, "%w: $ref is not a string", ErrReference)
	}
	path, local := strings.CutPrefix(ref.Text, "#")
	if !local || path != "" && !strings.HasPrefix(path, "/") {
		return nil, d.Errorf(ref, "%w: %q is not inside this document", ErrReference, ref.Text)
	}
	target := d.At(path)
	if target == nil {
		return nil, d.Errorf(ref, "%w: %q points at nothing", ErrReference, ref.Text)
	}
	return target, nil
}

// At returns the value at a JSON pointer, nil when there is none.
func (d *Document) At(pointer string) *Value {
	v := d.Root
	for _, token := range strings.Split(pointer, "/")[1:] {
		v = v.child(UnescapePointer(token))
	}
	return v
}

// Errorf makes an [*Error] that points at v, which may be nil.
func (d *Document) Errorf(v *Value, format string, args ...any) error {
	e := &Error{File: d.File, Err: fmt.Errorf(format, args...)}
	if v != nil {
		e.Line, e.Pointer = v.Line, v.Pointer
	}
	return e
}
