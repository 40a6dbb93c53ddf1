package merge

import (
	"slices"

	"github.com/gemwire/gemwire/internal/rawobject"
	"github.com/gemwire/gemwire/internal/wirejson"
	"github.com/gemwire/gemwire/pkg/transform"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// provenance knows which chunks said the values of a response, a candidate or a call of which there is
// one, such as the safety ratings. It reports a value, wherever it was said, when another one replaces
// it. Of what has no location it reports nothing: an accumulator of events merges so.
type provenance struct {
	log     *Log
	at      Location // of what is being merged
	members []memberValue
}

// memberValue is the value that a member has so far.
type memberValue struct {
	pointer   string
	value     string // in a form that is the same for equal values
	locations Locations
}

// replace records that a member has a value.
func (p *provenance) replace(pointer, value string) {
	if p.at.IsZero() {
		return
	}
	m := p.member(pointer)
	if m == nil {
		p.members = append(p.members, memberValue{pointer: pointer, value: value})
		m = &p.members[len(p.members)-1]
	}
	if m.value != value {
		for _, at := range m.locations.runs() {
			p.log.addRun(at, transform.Entry{Pointer: pointer, Kind: transform.Approximated, Detail: detailReplaced}, p.scope(pointer))
		}
		m.value, m.locations = value, Locations{}
	}
	m.locations.Add(p.at)
}

func (p *provenance) member(pointer string) *memberValue {
	for i := range p.members {
		if p.members[i].pointer == pointer {
			return &p.members[i]
		}
	}
	return nil
}

// report reports what becomes of a value that is being merged.
func (p *provenance) report(pointer, detail string) {
	if !p.at.IsZero() {
		p.log.Add(p.at, transform.Approximated, pointer, detail, p.scope(pointer))
	}
}

// The members of a candidate that the event of its end has, and no event before.
const (
	memberRole          = "/content/role"
	memberFinishReason  = "/finishReason"
	memberFinishMessage = "/finishMessage"

	memberSignature = "/thoughtSignature"
)

// scope reports whether an event says all values of a member. Of what the pieces of a call say besides the
// arguments, it does so only for the signature.
func (p *provenance) scope(pointer string) Scope {
	switch pointer {
	case memberRole, memberFinishReason, memberFinishMessage:
		return ForAll
	case memberSignature:
		return ForJoined
	}
	if p.at.part > 0 {
		return ForAll
	}
	return ForJoined
}

// replaceJSON notes that a member has a value of the wire.
func replaceJSON[T any](p *provenance, pointer string, value *T) {
	if !p.at.IsZero() {
		data, err := json.Marshal(value, wirejson.Canonical)
		if err != nil {
			data = nil // it holds a free-form value that is not JSON, which no output can hold either
		}
		p.replace(pointer, sortedMembers(data))
	}
}

// replaceMembers records that an object has the members of another one, which is that at a pointer.
func (p *provenance) replaceMembers(pointer string, members jsontext.Value) {
	if p.at.IsZero() {
		return
	}
	for name, value := range rawobject.Members(members) {
		p.replace(string(jsontext.Pointer(pointer).AppendToken(name)), sortedMembers(value))
	}
}

// sortedMembers returns a value with all members in the order of their names: in another order they say
// the same.
func sortedMembers(value jsontext.Value) string {
	value = slices.Clone(value)
	if err := value.Format(jsontext.ReorderRawObjects(true), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true), jsontext.PreserveRawStrings(true)); err != nil {
		return ""
	}
	return string(value)
}
