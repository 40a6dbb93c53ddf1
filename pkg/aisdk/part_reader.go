package aisdk

import (
	"slices"
	"strconv"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// partReader reads the members of one part, or of an object in it. Its methods read one member each;
// those named optional take its absence, or null, for the zero value. The first fault is kept in err.
type partReader struct {
	members []member
	path    []string
	err     *PartError
}

func (r *partReader) text(name string) string {
	m := r.required(name)
	if m == nil {
		return ""
	}
	if !m.isText() {
		r.fail(name, "a string was expected")
		return ""
	}
	text, _ := m.text()
	return text
}

func (r *partReader) optionalText(name string) string {
	if r.optional(name) == nil {
		return ""
	}
	return r.text(name)
}

func (r *partReader) optionalFlag(name string) *bool {
	m := r.optional(name)
	if m == nil {
		return nil
	}
	kind := m.value.Kind()
	if kind != jsontext.KindTrue && kind != jsontext.KindFalse {
		r.fail(name, "a boolean was expected")
	}
	return new(kind == jsontext.KindTrue)
}

func (r *partReader) optionalCount(name string) *int {
	m := r.optional(name)
	if m == nil {
		return nil
	}
	n, err := strconv.Atoi(string(m.value))
	if err != nil {
		r.fail(name, "a whole number was expected")
	}
	return &n
}

func (r *partReader) optionalTime(name string) time.Time {
	text := r.optionalText(name)
	if text == "" {
		return time.Time{}
	}
	out, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		r.fail(name, "a time by RFC 3339 was expected")
	}
	return out
}

// value reads any JSON; null and absence are nil.
func (r *partReader) value(name string) jsontext.Value {
	if m := r.optional(name); m != nil {
		return m.value
	}
	return nil
}

func (r *partReader) nonNull(name string) jsontext.Value {
	if m := r.required(name); m != nil {
		return m.value
	}
	return nil
}

func (r *partReader) optionalObject(name string) jsontext.Value {
	v := r.value(name)
	if v != nil && v.Kind() != jsontext.KindBeginObject {
		r.fail(name, reasonNoObject)
	}
	return v
}

// metadata reads the member providerMetadata.
func (r *partReader) metadata() ProviderMetadata {
	const name = "providerMetadata"
	v := r.optionalObject(name)
	if v == nil || r.err != nil {
		return nil
	}
	out := ProviderMetadata{}
	r.within(v, []string{name}, func(r *partReader) {
		for i := range r.members {
			provider := string(r.members[i].name)
			out[provider] = r.optionalObject(provider)
			if out[provider] == nil {
				r.fail(provider, reasonNoObject)
			}
		}
	})
	return out
}

// object reads a required member that is an object by a function for its members.
func (r *partReader) object(name string, read func(*partReader)) {
	m := r.required(name)
	if m == nil {
		return
	}
	r.within(m.value, []string{name}, read)
}

// list reads a required member that is a list of objects by a function for their members.
func (r *partReader) list(name string, read func(*partReader)) {
	m := r.required(name)
	if m == nil {
		return
	}
	elements, err := splitList(m.value)
	if err != nil {
		r.fail(name, "a list was expected")
		return
	}
	for i, element := range elements {
		r.within(element, []string{name, strconv.Itoa(i)}, read)
	}
}

// within reads an object below this one and refuses members of it that were not asked for.
func (r *partReader) within(v jsontext.Value, at []string, read func(*partReader)) {
	inner := &partReader{path: slices.Concat(r.path, at)}
	if members, err := splitObject(v); err != nil {
		inner.fail("", reasonNoObject)
	} else {
		inner.members = members
		read(inner)
		inner.rejectOthers()
	}
	if r.err == nil {
		r.err = inner.err
	}
}

func (r *partReader) required(name string) *member {
	m := r.optional(name)
	if m == nil {
		r.fail(name, "a member that must be there is not")
	}
	return m
}

// optional returns a member that is there and not null, and marks it as read.
func (r *partReader) optional(name string) *member {
	m := lookup(r.members, name)
	if m == nil {
		return nil
	}
	m.used = true
	if m.value.Kind() == jsontext.KindNull {
		return nil
	}
	return m
}

// rejectOthers fails when there is a member that nobody asked for, or one of them is there twice.
func (r *partReader) rejectOthers() {
	for _, m := range r.members {
		if !m.used {
			r.fail(string(m.name), "no member of this part, or there twice")
		}
	}
}

func (r *partReader) fail(name, reason string) {
	if r.err == nil {
		r.err = &PartError{Pointer: pointer(r.path, name), Reason: reason}
	}
}
