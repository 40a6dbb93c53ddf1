package main

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// reviewMark begins each description that a person has to write; `make lint` fails until they are
// written.
const reviewMark = "REVIEW:"

// reviews returns the descriptions below v that are still to be written.
func reviews(v *value) []*value {
	var out []*value
	if strings.HasPrefix(v.Value, reviewMark) {
		out = append(out, v)
	}
	for _, item := range v.items {
		out = append(out, reviews(item)...)
	}
	for _, m := range v.members {
		out = append(out, reviews(m.value)...)
	}
	return out
}

// mergeRounds is the maximum number of rounds. A second round is needed if one schema of ours
// represents several of theirs. Then the first round adds what one of them needs, which may still
// be too narrow for another one.
const mergeRounds = 10

// otherLineEnds are the characters other than a line feed that end a line in YAML.
const otherLineEnds = "\r\u0085\u2028\u2029"

// merge returns our document with the missing properties and enum values added. It also returns the
// findings that remain.
func merge(ours, theirs *document) (*document, []finding, error) {
	if ours.isJSON() || bytes.ContainsAny(ours.text, otherLineEnds) {
		return nil, nil, fmt.Errorf("%s: %w", ours.file, errMerge)
	}
	for range mergeRounds {
		r, err := compare(ours, theirs)
		if err != nil {
			return nil, nil, err
		}
		m := newMerger(r, ours, theirs)
		m.enumValues(r.missing)
		m.properties(r.missing)
		if err := cmp.Or(ours.err, theirs.err); m.isEmpty() || err != nil {
			return ours, r.missing, err
		}
		if ours, err = parseDocument(ours.file, m.apply()); err != nil {
			return nil, nil, fmt.Errorf("after merging: %v", err)
		}
	}
	return nil, nil, fmt.Errorf("%s: the merge does not complete: each pass finds more", ours.file)
}

// merger collects what one round adds to our document.
type merger struct {
	edits
	ours, theirs *reader
	components   map[string]string // our component for a set of theirs, by its identity
	taken        map[string]bool   // keys of our components
	writing      map[string]bool   // sets of theirs that are being written
	added        []entry           // new components
}

func newMerger(r *report, ours, theirs *document) *merger {
	m := &merger{
		edits: newEdits(ours.text), ours: newReader(ours), theirs: newReader(theirs),
		components: r.components, taken: map[string]bool{}, writing: map[string]bool{},
	}
	for _, c := range ours.mapping(ours.at("/components"), "schemas") {
		m.taken[c.key.Value] = true
	}
	return m
}

// enumValues adds strings to enums that already list some.
func (m *merger) enumValues(missing []finding) {
	missing = slices.DeleteFunc(slices.Clone(missing), func(f finding) bool {
		return f.kind != listedValue || f.of != stringType
	})
	slices.SortFunc(missing, func(a, b finding) int { return compareSites(a.theirs, b.theirs) })
	listsStrings := func(v *value) bool { return v.get("enum") != nil && m.ours.leaf(v).lists(stringType) }
	for _, f := range missing {
		leaf := m.leaf(f.ours, listsStrings)
		if leaf == nil {
			continue
		}
		site, also := f.theirs[0], ""
		if leaf.get("x-enum-numbers") != nil {
			also = "; its number, if there is one, belongs into x-enum-numbers"
		}
		before := m.theirs.before(site)
		m.addItem(leaf.get("enum"), before, f.name)
		if descriptions := leaf.get("x-enum-descriptions"); descriptions.isMapping() {
			m.addMember(descriptions, before, entry{key: f.name, text: review(site, also)})
		}
	}
}

// properties adds members to objects. Findings about different sets of our schemas may lead to one
// object. Each member is added to the object once.
func (m *merger) properties(missing []finding) {
	theirs := map[*value]map[string][]*value{} // by our object and the name of the member
	var leaves []*value
	for _, f := range missing {
		if f.kind != namedProperty {
			continue
		}
		leaf := cmp.Or(m.leaf(f.ours, hasProperties),
			m.leaf(f.ours, func(v *value) bool { return m.ours.leaf(v).has(objectType) }))
		if leaf == nil {
			continue
		}
		if theirs[leaf] == nil {
			theirs[leaf] = map[string][]*value{}
			leaves = append(leaves, leaf)
		}
		theirs[leaf][f.subject()] = append(theirs[leaf][f.subject()], f.theirs...)
	}
	for _, leaf := range leaves {
		m.objectMembers(leaf, theirs[leaf])
	}
}

func hasProperties(v *value) bool { return v.get("properties") != nil }

// objectMembers adds the members of one object in the order of their document, and the components
// for them.
func (m *merger) objectMembers(leaf *value, theirs map[string][]*value) {
	names := sortedBySite(theirs)
	var members []entry
	for _, name := range names {
		schema := m.property(theirs[name], schemaName(leaf)+" "+name)
		members = append(members, entry{key: name, members: schema})
	}
	if properties := leaf.get("properties"); properties != nil {
		for i, name := range names {
			m.addMember(properties, m.theirs.before(theirs[name][0]), members[i])
		}
	} else {
		m.addMember(leaf, nil, entry{key: "properties", members: members})
	}
	m.addComponents(leaf)
}

// addComponents adds the new components after the component that needs them, or else at the end.
func (m *merger) addComponents(needs *value) {
	schemas := m.ours.at("/components/schemas")
	if len(m.added) > 0 && !schemas.isMapping() {
		m.ours.failf(m.ours.root, "%w: no components/schemas to merge into", errStructure)
		return
	}
	path, _ := strings.CutPrefix(needs.pointer, componentPrefix)
	for _, c := range m.added {
		m.addMember(schemas, pointerTokens("/" + path)[:1], c)
	}
	m.added = nil
}

// leaf returns the first matching schema object among the objects that the schemas consist of. It
// returns nil if none matches.
func (m *merger) leaf(schemas []*value, suits func(*value) bool) *value {
	for _, v := range m.ours.shapeOf(schemas...).leaves {
		if suits(v) {
			return v
		}
	}
	return nil
}

// before returns the keys or values before a given one in its mapping or list, the nearest first.
func (d *document) before(site *value) []string {
	parent, _ := splitPointer(site.pointer)
	p := d.at(parent)
	var out []string
	for _, item := range p.items {
		if item == site {
			break
		}
		out = append(out, item.Value)
	}
	for _, m := range p.members {
		if m.value == site {
			break
		}
		out = append(out, m.key.Value)
	}
	slices.Reverse(out)
	return out
}

// sortedBySite returns the names of members in the order of their document.
func sortedBySite(members map[string][]*value) []string {
	return slices.SortedFunc(maps.Keys(members),
		func(a, b string) int { return compareSites(members[a], members[b]) })
}

func compareSites(a, b []*value) int { return cmp.Or(a[0].Line-b[0].Line, a[0].Column-b[0].Column) }
