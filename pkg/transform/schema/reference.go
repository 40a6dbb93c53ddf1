package schema

import (
	"net/url"
	"strconv"
	"strings"
)

// stepsPerValue is the number of skipped values that cost as much as one value that is read.
const stepsPerValue = 256

// jump is a reference that was followed on the way to a schema.
type jump struct {
	target *value
	from   *value // The reference.
	before *jump  // the earlier reference to the schema with this one, or nil
}

// follow returns the target of a reference, or nil if the conversion has failed.
func (c *converter) follow(v *value, jumps *jump) *value {
	target := c.resolve(v)
	switch {
	case target == nil:
		c.failReference(v, ErrUnresolved, v.text())
		return nil
	case c.isWithin(v, target, jumps):
		c.failReference(v, ErrCycle, target.pointer())
		return nil
	}
	target.use()
	return target
}

func (c *converter) failReference(v *value, err error, target string) {
	if c.err == nil {
		c.err = &Error{Pointer: v.pointer(), Target: target, Err: err}
	}
}

// isWithin reports whether a target was passed on the way to a reference, from the document's top
// level through all earlier references.
func (c *converter) isWithin(v, target *value, jumps *jump) bool {
	for steps := 0; ; {
		for v != nil {
			if v == target {
				return true
			}
			if steps++; steps%stepsPerValue == 0 {
				c.charge(v, 1)
			}
			if jumps != nil && v == jumps.target {
				break
			}
			v = v.parent
		}
		if jumps == nil {
			return false
		}
		v, jumps = jumps.from, jumps.before
	}
}

// resolve returns the schema that the text of a reference names, or nil.
func (c *converter) resolve(v *value) *value {
	if !v.isString() {
		return nil
	}
	uri, fragment, _ := strings.Cut(v.text(), "#")
	fragment, err := url.PathUnescape(fragment)
	if err != nil {
		return nil
	}
	var target *value
	if uri != "" {
		target = c.named(c.allIdentifiers().withName(c.identifiers.ids, uri), fragment)
	} else {
		target = c.named(resourceOf(v, c.root), fragment)
		// Many documents have a $id in schemas that are not separate documents.
		if target == nil {
			target = c.named(c.root, fragment)
		}
	}
	if target == nil || !target.isObject() && !target.isBoolean() {
		return nil
	}
	return target
}

// resourceOf returns the innermost schema with an identifier around a reference, else the document.
func resourceOf(v, root *value) *value {
	for p := v.parent; p != nil; p = p.parent {
		if p.hasIdentifier {
			return p
		}
	}
	return root
}

// named returns what a fragment names in a resource: the whole resource, a JSON pointer, or an
// anchor.
func (c *converter) named(resource *value, fragment string) *value {
	switch {
	case resource == nil, fragment == "":
		return resource
	case fragment[0] != '/':
		return c.allIdentifiers().withName(c.identifiers.anchors, fragment)
	}
	at := resource
	for token := range strings.SplitSeq(fragment[1:], "/") {
		if at = c.part(at, unescapeToken(token)); at == nil {
			return nil
		}
	}
	return at
}

// part returns the member or element that one token of a JSON pointer names.
func (c *converter) part(v *value, token string) *value {
	position := int32(-1)
	if v.isList() {
		index, err := strconv.ParseUint(token, 10, 31)
		if err != nil || token != strconv.FormatUint(index, 10) {
			return nil
		}
		position = int32(index)
	}
	steps := 0
	for m := v.first; m != nil; m = m.next {
		if steps++; steps%stepsPerValue == 0 {
			c.charge(v, 1)
		}
		if m.index == position || position < 0 && m.name == token {
			return m
		}
	}
	return nil
}

// unescapeToken unescapes a token of a JSON pointer.
func unescapeToken(token string) string {
	if !strings.Contains(token, "~") {
		return token
	}
	return strings.ReplaceAll(strings.ReplaceAll(token, "~1", "/"), "~0", "~")
}

// identifiers maps names to the members with which the document names schemas.
type identifiers struct {
	ids     map[string]*value
	anchors map[string]*value
}

func (c *converter) allIdentifiers() *identifiers {
	if c.identifiers == nil {
		c.identifiers = &identifiers{ids: map[string]*value{}, anchors: map[string]*value{}}
		c.identifiers.addAll(c.root)
	}
	return c.identifiers
}

// addAll adds the names of a schema and of all nested schemas.
func (d *identifiers) addAll(v *value) {
	for m := v.first; m != nil; m = m.next {
		if v.isObject() && m.isString() {
			d.add(m)
		}
		if !m.keyword().isData {
			d.addAll(m)
		}
	}
}

// add adds the name of a member. If several members have the same name, the first one counts.
func (d *identifiers) add(m *value) {
	names, name := d.anchors, m.text()
	switch m.name {
	case "$anchor", "$dynamicAnchor":
	case "$id", "id":
		anchor, isAnchor := strings.CutPrefix(name, "#") // as older drafts write it
		if name = anchor; !isAnchor {
			names, name = d.ids, strings.TrimSuffix(name, "#")
		}
	default:
		return
	}
	if names[name] == nil {
		names[name] = m
	}
}

// withName returns the schema with a name, or nil.
func (d *identifiers) withName(names map[string]*value, name string) *value {
	m := names[name]
	if m == nil {
		return nil
	}
	m.use()
	return m.parent
}
