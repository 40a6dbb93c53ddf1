package merge

import (
	"slices"
	"strings"

	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// provenance knows from which chunks the members of a response, a candidate or a call come. It
// covers only members that a later chunk replaces, such as the safety ratings. If a chunk has
// another value, provenance reports the old value at each chunk that had it. It reports nothing
// without a location, because an accumulator of events has no locations.
type provenance struct {
	log     *Log
	at      Location // of the value that is being merged
	members []memberValue
}

// memberValue is the current value of a member.
type memberValue struct {
	pointer   string
	value     string // as JSON with sorted members, the same for equal values
	locations Locations

	isReported bool // The value was reported as superseded, at all its locations.
}

// replace sets the value of a member. It reports the previous value if that was different.
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
		p.supersede(pointer, detailReplaced)
	}
	if m.value != value || m.isReported {
		m.value, m.locations, m.isReported = value, Locations{}, false
	}
	m.locations.Add(p.at)
}

// supersede reports the value of a member once, at each chunk that has it.
func (p *provenance) supersede(pointer, detail string) {
	m := p.member(pointer)
	if m == nil || m.isReported {
		return
	}
	m.isReported = true
	entry := report.Entry{Pointer: pointer, Kind: report.Approximated, Detail: detail}
	for _, at := range m.locations.runs() {
		p.log.addRun(at, entry, p.scope(pointer))
	}
}

func (p *provenance) member(pointer string) *memberValue {
	for i := range p.members {
		if p.members[i].pointer == pointer {
			return &p.members[i]
		}
	}
	return nil
}

// source returns the last location of a member, of a member around it, or of a member in it. It
// returns nil if the location is unknown.
func (p *provenance) source(pointer string) []Location {
	for whole := pointer; whole != ""; whole = parentPointer(whole) {
		if m := p.member(whole); m != nil {
			return []Location{m.locations.latest()}
		}
	}
	for i := range p.members {
		if m := &p.members[i]; pointer != "" && strings.HasPrefix(m.pointer, pointer+"/") {
			return []Location{m.locations.latest()}
		}
	}
	return nil
}

// report adds an entry about a member of the value that is being merged.
func (p *provenance) report(pointer, detail string) {
	if !p.at.IsZero() {
		p.log.Add(p.at, report.Approximated, pointer, detail, p.scope(pointer))
	}
}

// The members of a candidate that only its last event, [normalize.EventFinish], has.
const (
	memberRole          = "/content/role"
	memberFinishReason  = "/finishReason"
	memberFinishMessage = "/finishMessage"

	memberIndex     = "/index"
	memberSignature = "/thoughtSignature"
)

// scope returns which readers a replaced value of a member concerns. Readers of events have already
// seen the value if each chunk with the member causes an event, as for the safety ratings. A call
// causes events only for its arguments and its signature.
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

// replaceJSON is replace for a value in JSON.
func replaceJSON[T any](p *provenance, pointer string, value *T) {
	if !p.at.IsZero() {
		data, err := json.Marshal(value, jsonx.Canonical)
		if err != nil {
			// It contains a free-form value that is not JSON. No output can contain it either.
			data = nil
		}
		p.replace(pointer, sortedMembers(data))
	}
}

// replaceMembers is replace for each member of an object at a pointer.
func (p *provenance) replaceMembers(pointer string, members jsontext.Value) {
	if p.at.IsZero() {
		return
	}
	for name, value := range jsonx.Members(members) {
		p.replace(jsonx.MemberPointer(pointer, name), sortedMembers(value))
	}
}

// sortedMembers returns a value with the members in the order of their names, because the order of
// members has no meaning.
func sortedMembers(value jsontext.Value) string {
	value = slices.Clone(value)
	if err := value.Format(jsontext.ReorderRawObjects(true), jsontext.AllowDuplicateNames(true),
		jsontext.AllowInvalidUTF8(true), jsontext.PreserveRawStrings(true)); err != nil {
		return ""
	}
	return string(value)
}
