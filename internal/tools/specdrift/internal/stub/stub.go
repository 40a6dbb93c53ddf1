// Package stub writes what a document of ours lacks as YAML that is ready to be pasted into it.
//
// A stub has the outline of the document: mappings merge into the mappings of the same name, elements
// of a list are appended to the list, and a value under a comment that begins with [Replaces] takes
// the place of what is there. Each description says [Todo]. Pasted so, the stub leaves nothing missing;
// only where one schema of ours stands for several of theirs it may take a second round.
package stub

import (
	"bytes"
	"fmt"
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/gemwire/gemwire/internal/tools/specdrift/internal/drift"
	"github.com/gemwire/gemwire/internal/tools/specdrift/internal/openapi"
	"github.com/gemwire/gemwire/internal/tools/specdrift/internal/shape"
)

const (
	// Todo stands where a description is to be written.
	Todo = "TODO"
	// Replaces begins the comment on a value that is to be replaced.
	Replaces = "replaces what is there"
)

const header = `# Merge into %s: mappings into mappings of the same name, list elements at the end of the list.
`

// Render writes the stub for the report's missing findings; a comment alone when there are none.
// The error is an [*openapi.Error], about a schema of theirs that cannot be written down.
func Render(r *drift.Report, ours, theirs *openapi.Document) ([]byte, error) {
	w := newWriter(r, ours, theirs)
	for _, apply := range []func([]drift.Finding) error{w.properties, w.others, w.types} {
		if err := apply(r.Missing); err != nil {
			return nil, err
		}
	}
	out := bytes.NewBufferString(fmt.Sprintf(header, ours.File))
	patch := w.patch(w.root)
	if patch == nil {
		return out.Bytes(), nil
	}
	enc := yaml.NewEncoder(out)
	enc.SetIndent(2)
	if err := enc.Encode(patch); err != nil {
		return nil, err
	}
	if err := enc.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// writer holds the copy of our document that takes the changes, and their schemas.
type writer struct {
	*draft
	ours           *shape.Reader
	theirs         *shape.Reader
	theirDoc       *openapi.Document
	fitting        map[*openapi.Value]bool // see drift.Report
	names          map[string]string       // our component for a set of theirs, by shape.Identity
	taken          map[string]bool         // keys of our components
	writing        map[string]bool         // sets of theirs that are being written
	describesEnums bool                    // our enums have x-enum-descriptions
}

func newWriter(r *drift.Report, ours, theirs *openapi.Document) *writer {
	w := &writer{
		draft:    newDraft(ours),
		ours:     shape.NewReader(ours),
		theirs:   shape.NewReader(theirs),
		theirDoc: theirs,
		fitting:  r.Fitting,
		names:    map[string]string{},
		taken:    map[string]bool{},
		writing:  map[string]bool{},
	}
	for pointer, name := range r.Names {
		w.names[pointer] = name
	}
	if schemas := ours.At("/components/schemas"); schemas != nil {
		for _, m := range schemas.Members {
			w.taken[m.Key] = true
			w.describesEnums = w.describesEnums || m.Value.Get(enumDescriptions) != nil
		}
	}
	return w
}

// addition is a property of one schema object of ours, with all that theirs say of it.
type addition struct {
	leaf    *openapi.Value
	finding drift.Finding
	theirs  []*openapi.Value
}

// properties adds missing properties. Findings about different sets of our schemas may come down to
// one object; it takes the property once.
func (w *writer) properties(missing []drift.Finding) error {
	var additions []*addition
	for _, f := range missing {
		if f.Kind != drift.Property {
			continue
		}
		leaf, err := w.objectLeaf(f.Ours)
		if err != nil {
			return err
		}
		same := func(a *addition) bool { return a.leaf == leaf && a.finding.Subject() == f.Subject() }
		if i := slices.IndexFunc(additions, same); i >= 0 {
			additions[i].theirs = append(additions[i].theirs, f.Theirs...)
			continue
		}
		additions = append(additions, &addition{leaf: leaf, finding: f, theirs: f.Theirs})
	}
	for _, a := range additions {
		name := a.finding.Subject()
		schema, err := w.property(a.theirs, hint(drift.SchemaName(a.leaf), name))
		if err != nil {
			return err
		}
		w.set(w.mappingIn(w.nodes[a.leaf], "properties"), name, schema, a.finding.String())
	}
	return nil
}

// others adds what is neither a property nor a type.
func (w *writer) others(missing []drift.Finding) error {
	add := map[drift.Kind]func(drift.Finding) error{
		drift.MapValues: w.mapValues,
		drift.EnumValue: w.enumValue,
		drift.Format:    w.format,
		drift.Parameter: w.parameter,
		drift.Body:      w.body,
	}
	for _, f := range missing {
		if apply := add[f.Kind]; apply != nil {
			if err := apply(f); err != nil {
				return err
			}
		}
	}
	return nil
}

func (w *writer) mapValues(f drift.Finding) error {
	leaf, err := w.objectLeaf(f.Ours)
	if err != nil {
		return err
	}
	schema, err := w.schema(f.Theirs, hint(drift.SchemaName(leaf), "value"))
	if err != nil {
		return err
	}
	w.set(w.nodes[leaf], "additionalProperties", schema, f.String())
	return nil
}

// The members of a schema that list values.
const (
	enumList         = "enum"
	enumDescriptions = "x-enum-descriptions"
	openEnum         = "x-open-enum"
	knownValues      = "x-known-values"
)

func (w *writer) enumValue(f drift.Finding) error {
	leaf, err := w.valueLeaf(f.Ours, f.Value.Type)
	if err != nil {
		return err
	}
	keyword := enumList
	if leaf.Get(openEnum).IsTrue() && leaf.Get(enumList) == nil {
		keyword = knownValues
	}
	if leaf.Get("const") != nil {
		w.listConst(w.nodes[leaf])
	}
	list := w.listIn(w.nodes[leaf], keyword)
	w.push(list, valueNode(f.Value), f.String())
	if descriptions := leaf.Get(enumDescriptions); descriptions != nil {
		w.set(w.nodes[descriptions], f.Value.Text, text(Todo), "")
	}
	return nil
}

func (w *writer) format(f drift.Finding) error {
	leaf, err := w.leaf(f.Ours, func(v *openapi.Value) bool { return v.Get("format") != nil })
	if err != nil {
		return err
	}
	w.set(w.nodes[leaf], "format", text(f.Name), f.String())
	return nil
}

func (w *writer) parameter(f drift.Finding) error {
	p := f.Parameter
	node := mapping(pair{"name", text(p.Name)}, pair{"in", text(p.In)}, pair{"description", text(Todo)})
	if p.Schema != nil {
		schema, err := w.schema(f.Theirs, hint(f.Operation, p.Name))
		if err != nil {
			return err
		}
		appendMember(node, "schema", schema)
	}
	if p.In == "path" {
		appendMember(node, "required", boolean(true))
	}
	w.push(w.listIn(w.nodes[f.Ours[0]], "parameters"), node, f.String())
	return nil
}

// body adds a request body, or a response to status 200.
func (w *writer) body(f drift.Finding) error {
	schema, err := w.schema(f.Theirs, hint(f.Operation, string(f.Direction)))
	if err != nil {
		return err
	}
	node := w.nodes[f.Ours[len(f.Ours)-1]] // the body itself or, without one, the operation
	switch {
	case len(f.Ours) > 1:
	case f.Direction == drift.Request:
		node = w.mappingIn(node, "requestBody")
	default:
		node = w.mappingIn(w.mappingIn(node, "responses"), "200")
	}
	if member(node, "description") == nil {
		w.set(node, "description", text(Todo), "")
	}
	content := w.mappingIn(node, "content")
	w.set(content, "application/json", mapping(pair{"schema", schema}), f.String())
	return nil
}

// retyping is one use of a schema of ours, and the types that it lacks.
type retyping struct {
	site   *openapi.Value
	types  []shape.Type
	words  string
	theirs []*openapi.Value
}

// types gives each use of a schema the types that it lacks: beside what it has or, when nothing of
// that is theirs too, in its place.
func (w *writer) types(missing []drift.Finding) error {
	var uses []*retyping
	for _, f := range missing {
		if f.Kind != drift.Type {
			continue
		}
		for _, site := range f.Ours {
			i := slices.IndexFunc(uses, func(u *retyping) bool { return u.site == site })
			if i < 0 {
				i = len(uses)
				uses = append(uses, &retyping{site: site, words: f.String()})
			}
			uses[i].types = append(uses[i].types, f.Type)
			uses[i].theirs = append(uses[i].theirs, f.Theirs...)
		}
	}
	for _, u := range uses {
		if err := w.retype(u); err != nil {
			return err
		}
	}
	return nil
}

func (w *writer) retype(u *retyping) error {
	theirs, err := w.theirs.Of(u.theirs...)
	if err != nil {
		return err
	}
	name := hint(drift.SchemaName(u.site), "")
	if theirs.Any || !w.fitting[u.site] {
		schema, err := w.property(u.theirs, name)
		if err != nil {
			return err
		}
		w.replace(u.site, schema, u.words)
		return nil
	}
	var branches []*yaml.Node
	for _, t := range u.types {
		branch, err := w.named(theirs, t, name)
		if err != nil {
			return err
		}
		branches = append(branches, branch)
	}
	w.widen(u.site, branches, u.words)
	return nil
}
