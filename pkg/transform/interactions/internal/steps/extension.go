package steps

import (
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// extension is what the extension of a part has.
type extension struct {
	// Step and Content are the members of the step and of its block that the part does not have.
	Step    *interactionsapi.Step    `json:"step,omitzero"`
	Content *interactionsapi.Content `json:"content,omitzero"`
	// NewStep is true if the part begins a step, although the part before has one of the same type.
	NewStep bool `json:"new_step,omitzero"`
	// Signature says where the signature of the part was; empty for the usual place.
	Signature signaturePlace `json:"signature,omitzero"`
	// Result says what the result of a function was; empty for an object.
	Result resultForm `json:"result,omitzero"`
	// Next is true if the extension belongs to the step of the next part, and the part has nothing
	// else.
	Next bool `json:"next,omitzero"`
	// Unknown holds the other members.
	Unknown jsontext.Value `json:",embed"`
}

// signaturePlace is the place of a signature in the steps.
type signaturePlace string

const (
	// onThought is a thought before a call that has no signature itself.
	onThought signaturePlace = "thought"
	// onCall is a call without a thought that has the same signature.
	onCall signaturePlace = "call"
	// beforeOutput is a thought before a text. [Steps] with SignatureAfter puts it after the text.
	beforeOutput signaturePlace = "before"
)

// resultForm is the form of a function's result.
type resultForm string

const (
	textResult    resultForm = "text"    // a string
	contentResult resultForm = "content" // a list of content
	valueResult   resultForm = "value"   // any other value
)

// extensionMember and interactionsMember are the names of the extension in a part.
const (
	extensionMember    = "extraContent"
	interactionsMember = "interactions"
)

// isZero reports whether an extension has nothing.
func (e *extension) isZero() bool {
	return e.Step == nil && e.Content == nil && !e.NewStep && e.Signature == "" && e.Result == ""
}

// addTo adds the extension to a part.
func (e *extension) addTo(part *geminiapi.Part) {
	if e.isZero() {
		return
	}
	value, err := json.Marshal(e, jsonx.Canonical)
	if err != nil { // a free-form value that is not JSON, which decoding never returns
		return
	}
	part.Unknown = jsonx.MergeObjects(part.Unknown,
		jsonx.Object(extensionMember, jsonx.Object(interactionsMember, value)))
}

// extensionOf returns the extension of a part. An extension that cannot be read is empty.
func extensionOf(part *geminiapi.Part) (e extension) {
	if part.Unknown == nil {
		return e
	}
	value := Extension(part.Unknown)
	if value == nil {
		return e
	}
	if err := json.Unmarshal(value, &e); err != nil {
		return extension{}
	}
	return e
}

// reportUnread reports the members of the extension of a part that no version of it has.
func (e *extension) reportUnread(part *geminiapi.Part, at string, to *report.Report) {
	if part.Unknown == nil {
		return
	}
	whole := objectOrNil(jsonx.Member(part.Unknown, extensionMember))
	for name := range jsonx.Members(whole) {
		if name != interactionsMember {
			to.Add(report.Lost, jsonx.MemberPointer(at+"/"+extensionMember, name), detailUnread)
		}
	}
	for name := range jsonx.Members(e.Unknown) {
		to.Add(report.Lost, jsonx.MemberPointer(at+"/"+extensionMember+"/"+interactionsMember, name),
			detailUnread)
	}
}

const detailUnread = "the extension does not have it"

// Extension returns the members of the extension in unknown members, or nil.
func Extension(unknown jsontext.Value) jsontext.Value {
	if unknown == nil {
		return nil
	}
	return objectOrNil(jsonx.Member(objectOrNil(jsonx.Member(unknown, extensionMember)),
		interactionsMember))
}

// WithoutExtension returns unknown members without the extension, nil if there are no others.
func WithoutExtension(unknown jsontext.Value) jsontext.Value {
	if Extension(unknown) == nil {
		return unknown
	}
	var rest jsontext.Value
	for name, value := range jsonx.Members(unknown) {
		if name != extensionMember {
			rest = jsonx.MergeObjects(rest, jsonx.Object(name, value))
		}
	}
	return rest
}

// Wrap returns members as an extension, to be merged into unknown members.
func Wrap(members jsontext.Value) jsontext.Value {
	return jsonx.Object(extensionMember, jsonx.Object(interactionsMember, members))
}

func objectOrNil(value jsontext.Value) jsontext.Value {
	if value.Kind() != jsontext.KindBeginObject {
		return nil
	}
	return value
}
