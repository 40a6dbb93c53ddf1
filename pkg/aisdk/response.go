package aisdk

import "time"

// StreamStart is the begin of a stream that a provider makes itself: what it could not do as asked.
type StreamStart struct {
	// Warnings may be empty; nil is written as an empty list.
	Warnings []Warning
}

// PartType returns [TypeStreamStart].
func (StreamStart) PartType() PartType { return TypeStreamStart }

// MarshalJSON returns what [EncodePart] returns.
func (p StreamStart) MarshalJSON() ([]byte, error) { return EncodePart(p) }

func (p StreamStart) write(w *partWriter) {
	w.beginList("warnings")
	for i, warning := range p.Warnings {
		w.beginElement(i)
		warning.write(w)
		w.endElement()
	}
	w.endList()
}

func readStreamStart(r *partReader) Part {
	var p StreamStart
	r.list("warnings", func(r *partReader) { p.Warnings = append(p.Warnings, readWarning(r)) })
	return p
}

// WarningType says what a warning is about.
type WarningType string

// The types of warnings.
const (
	// WarningUnsupported is about a feature that the model does not have.
	WarningUnsupported WarningType = "unsupported"
	// WarningCompatibility is about a feature that is imitated.
	WarningCompatibility WarningType = "compatibility"
	// WarningOther is about anything else.
	WarningOther WarningType = "other"
	// WarningDeprecated is about a setting that has a successor. V4 only.
	WarningDeprecated WarningType = "deprecated"
)

// Warning says that a call was not carried out quite as it was asked.
type Warning struct {
	// Type says which of the members below apply.
	Type WarningType
	// Feature is the feature. Only for [WarningUnsupported] and [WarningCompatibility].
	Feature string
	// Details says more about the feature; "" is absent.
	Details string
	// Setting is the old setting. Only for [WarningDeprecated].
	Setting string
	// Message says it in words. Only for [WarningOther] and [WarningDeprecated].
	Message string
}

func (v Warning) write(w *partWriter) {
	w.text("type", string(v.Type))
	switch v.Type {
	case WarningUnsupported, WarningCompatibility:
		w.text("feature", v.Feature)
		w.optionalText("details", v.Details)
		w.rejectText("setting", v.Setting)
		w.rejectText("message", v.Message)
	case WarningOther, WarningDeprecated:
		if v.Type == WarningDeprecated {
			w.onlyV4("type")
			w.text("setting", v.Setting)
		} else {
			w.rejectText("setting", v.Setting)
		}
		w.text("message", v.Message)
		w.rejectText("feature", v.Feature)
		w.rejectText("details", v.Details)
	default:
		w.fail("type", reasonUnknownValue)
	}
}

func readWarning(r *partReader) Warning {
	v := Warning{Type: WarningType(r.text("type"))}
	switch v.Type {
	case WarningUnsupported, WarningCompatibility:
		v.Feature = r.text("feature")
		v.Details = r.optionalText("details")
	case WarningDeprecated:
		v.Setting = r.text("setting")
		v.Message = r.text("message")
	case WarningOther:
		v.Message = r.text("message")
	default:
		r.fail("type", reasonUnknownValue)
	}
	return v
}

// ResponseMetadata tells about the response as soon as it is known. A stream may have several; each
// adds to those before it.
type ResponseMetadata struct {
	// ID is the provider's id of the response; "" is absent.
	ID string
	// Timestamp is when the response was begun; the zero time is absent. It is written in UTC.
	Timestamp time.Time
	// ModelID is the model that answers; "" is absent.
	ModelID string
}

// PartType returns [TypeResponseMetadata].
func (ResponseMetadata) PartType() PartType { return TypeResponseMetadata }

// MarshalJSON returns what [EncodePart] returns.
func (p ResponseMetadata) MarshalJSON() ([]byte, error) { return EncodePart(p) }

func (p ResponseMetadata) write(w *partWriter) {
	w.optionalText("id", p.ID)
	w.optionalTime("timestamp", p.Timestamp)
	w.optionalText("modelId", p.ModelID)
}

func readResponseMetadata(r *partReader) Part {
	return ResponseMetadata{
		ID:        r.optionalText("id"),
		Timestamp: r.optionalTime("timestamp"),
		ModelID:   r.optionalText("modelId"),
	}
}
