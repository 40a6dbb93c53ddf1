package agent

import (
	"bytes"

	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/internal/plainjson"
	"github.com/go-json-experiment/json/jsontext"
)

// member is a member of an event.
type member struct {
	plainjson.Member
	used      bool // the value was used
	inSession bool // it was used for a session update
}

// text returns the value of a string. exact is false if U+FFFD replaces lone surrogates.
func (m *member) text() (text string, exact bool) {
	if bytes.IndexByte(m.Value, '\\') < 0 {
		return string(m.Value[1 : len(m.Value)-1]), true
	}
	unquoted, err := jsontext.AppendUnquote(nil, m.Value)
	return string(unquoted), err == nil
}

// lookup returns the member with a name, or nil. If there are several, it returns the last one, as
// in JavaScript.
func lookup(members []member, name string) *member {
	for i := len(members) - 1; i >= 0; i-- {
		if string(members[i].Name) == name {
			return &members[i]
		}
	}
	return nil
}

// pointerTo returns the JSON pointer (RFC 6901) of a member of the event.
func pointerTo(name string) string { return jsonx.MemberPointer("", name) }
