package request

import (
	"github.com/gemwire/gemwire/internal/rawobject"
	"github.com/gemwire/gemwire/pkg/transform"
	"github.com/go-json-experiment/json/jsontext"
)

// detailNobodyKnows is for members that neither API describes.
const detailNobodyKnows = "Gemini has no counterpart"

// loseUnknown reports the members at the pointer that the description does not know, each by its name.
func (c *converter) loseUnknown(pointer string, unknown jsontext.Value) {
	for name, value := range rawobject.Members(unknown) {
		if value.Kind() != jsontext.KindNull {
			c.report.Add(transform.Lost, below(pointer, name), detailNobodyKnows)
		}
	}
}

// loseUnknownIn reports the unknown members of a member, "" for what stands at the location itself. Nearly always
// there are none, and no pointer is made.
func (b *conversation) loseUnknownIn(at location, member string, unknown jsontext.Value) {
	if unknown != nil {
		b.loseUnknown(at.pointer(member), unknown)
	}
}

// below returns the pointer of a member.
func below(pointer, name string) string {
	return string(jsontext.Pointer(pointer).AppendToken(name))
}
