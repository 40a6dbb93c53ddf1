package interactions

import (
	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/internal/codec"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/go-json-experiment/json/jsontext"
)

// DecodeResponse decodes an interaction. It keeps unknown members, types and enum values. A member
// of a wrong type is an error. It does not validate; see [ValidateResponse]. For an interaction of
// the revision before May 2026, see [OldRevision].
//
// The error is a *[wire.MalformedError]. The result shares no memory with data.
func DecodeResponse(data []byte) (*interactionsapi.Interaction, error) {
	return codec.Decode[interactionsapi.Interaction](payloadInteraction, data)
}

// EncodeResponse encodes an interaction as JSON: compact, equal bytes for equal interactions,
// without HTML escapes. Free-form values and unknown members stay as they were received.
//
// It returns an *[wire.EncodeError] if r is nil, if a [jsontext.Value] in r is not JSON, or if a
// string is not UTF-8.
func EncodeResponse(r *interactionsapi.Interaction) ([]byte, error) {
	return codec.Encode(payloadInteraction, r)
}

// AppendResponse appends the encoding of [EncodeResponse] to dst and returns the extended slice.
// After an error it returns dst unchanged.
func AppendResponse(dst []byte, r *interactionsapi.Interaction) ([]byte, error) {
	return codec.Append(payloadInteraction, dst, r)
}

// OldRevision reports whether an interaction has the format before May 2026, with outputs in place
// of steps. Google's servers have not sent this format since June 2026.
func OldRevision(r *interactionsapi.Interaction) bool {
	if r.Steps != nil || r.Unknown == nil {
		return false
	}
	outputs := jsonx.Member(r.Unknown, "outputs")
	return outputs.Kind() == jsontext.KindBeginArray
}

// The payloads. They are never modified.
var (
	payloadRequest     = codec.Payload{Wire: "interactions", Name: "request"}
	payloadInteraction = codec.Payload{Wire: "interactions", Name: "interaction", Strict: true}
	payloadEvent       = codec.Payload{Wire: "interactions", Name: "event", Strict: true}
	payloadError       = codec.Payload{Wire: "interactions", Name: "error"}
)
