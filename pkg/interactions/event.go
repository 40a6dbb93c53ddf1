package interactions

import (
	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/internal/codec"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/go-json-experiment/json/jsontext"
)

// DecodeEvent decodes the data of an event of a stream, by the rules of [DecodeResponse] and with
// the same errors.
func DecodeEvent(data []byte) (*interactionsapi.StreamEvent, error) {
	return codec.Decode[interactionsapi.StreamEvent](payloadEvent, data)
}

// EncodeEvent encodes the data of an event of a stream as JSON, by the rules of [EncodeResponse]
// and with the same errors. A [StreamWriter] writes the lines around it.
func EncodeEvent(e *interactionsapi.StreamEvent) ([]byte, error) {
	return codec.Encode(payloadEvent, e)
}

// AppendEvent appends the encoding of [EncodeEvent] to dst and returns the extended slice. After an
// error it returns dst unchanged.
func AppendEvent(dst []byte, e *interactionsapi.StreamEvent) ([]byte, error) {
	return codec.Append(payloadEvent, dst, e)
}

// DeltaType returns the type of a delta. Some agents send deltas without a type. Then the members
// of the delta and the type of its step decide. The result is empty if they do not.
func DeltaType(d *interactionsapi.StepDelta,
	step interactionsapi.StepType) interactionsapi.DeltaType {
	if d.Type != "" {
		return d.Type
	}
	switch {
	case d.Text != nil && step != interactionsapi.StepTypeThought:
		return interactionsapi.DeltaTypeText
	case d.Text != nil, d.Content != nil:
		return interactionsapi.DeltaTypeThoughtSummary
	case d.Annotations != nil:
		return interactionsapi.DeltaTypeTextAnnotationDelta
	case d.Arguments.Kind() == jsontext.KindString:
		return interactionsapi.DeltaTypeArgumentsDelta
	case d.Signature != nil && step == interactionsapi.StepTypeThought:
		return interactionsapi.DeltaTypeThoughtSignature
	default:
		return ""
	}
}

// Fragment returns the piece of arguments in a delta of type arguments_delta. It is empty for any
// other delta.
func Fragment(d *interactionsapi.StepDelta) string {
	if d.Arguments.Kind() != jsontext.KindString {
		return ""
	}
	text, _ := jsontext.AppendUnquote(nil, d.Arguments) // it replaces half a surrogate pair
	return string(text)
}

// SummaryContent returns what a delta of type thought_summary adds to the summary. A delta without
// a type may have the text itself.
func SummaryContent(d *interactionsapi.StepDelta) interactionsapi.Content {
	switch {
	case d.Content == nil:
		return TextContent(jsonx.Deref(d.Text))
	case d.Content.Type == "" && d.Content.Text != nil:
		out := *d.Content
		out.Type = interactionsapi.ContentTypeText
		return out
	default:
		return *d.Content
	}
}

// MediaContent returns the block of a delta with media. Older servers name the rate of the samples
// rate.
func MediaContent(d *interactionsapi.StepDelta) interactionsapi.Content {
	rate := d.SampleRate
	if rate == nil {
		rate = d.Rate
	}
	return interactionsapi.Content{
		Type: interactionsapi.ContentType(d.Type), Data: d.Data, URI: d.URI, MIMEType: d.MIMEType,
		Resolution: d.Resolution, Channels: d.Channels, SampleRate: rate, Unknown: d.Unknown,
	}
}
