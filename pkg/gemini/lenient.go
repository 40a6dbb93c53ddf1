package gemini

import (
	"errors"
	"strconv"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/nonfinite"
	"github.com/gemwire/gemwire/pkg/union"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// otherForms accepts the forms of a value that Google's servers take besides the canonical one: a
// number in quotes or with an exponent, and a list's only element without the list around it.
var otherForms = json.WithUnmarshalers(json.JoinUnmarshalers(append(loneElements(),
	json.UnmarshalFromFunc(unmarshalNull),
	json.UnmarshalFromFunc(unmarshalNullValue),
	json.UnmarshalFromFunc(unmarshalInt),
	nonfinite.LenientUnmarshalers)...))

// absentNulls makes a free-form member absent that is given as null, as null makes every other
// member absent. It leaves alone the nulls inside a free-form value and in unknown members.
var absentNulls = json.WithUnmarshalers(json.JoinUnmarshalers(
	json.UnmarshalFromFunc(unmarshalNull),
	json.UnmarshalFromFunc(unmarshalNullValue)))

func unmarshalNull(dec *jsontext.Decoder, v *jsontext.Value) error {
	if dec.PeekKind() != jsontext.KindNull {
		return errors.ErrUnsupported // the default takes over
	}
	*v = nil
	return dec.SkipValue()
}

// unmarshalNullValue reads the one null that is a value: protocol buffers write NullValue so in JSON.
func unmarshalNullValue(dec *jsontext.Decoder, v **geminiapi.NullValue) error {
	if dec.PeekKind() != jsontext.KindNull {
		return errors.ErrUnsupported
	}
	*v = new(geminiapi.NullValueNull)
	return dec.SkipValue()
}

// unmarshalInt accepts 40.0, 4e1 and "40" for 40.
func unmarshalInt(dec *jsontext.Decoder, v *int) error {
	var whole union.Int64
	if err := json.UnmarshalDecode(dec, &whole); err != nil {
		return err
	}
	*v = int(whole.Int64())
	if int64(*v) != whole.Int64() {
		return strconv.ErrRange // where int has 32 bits
	}
	return nil
}

// loneElements returns, for every type that the wire types hold a list of, a function that accepts
// one element where the list belongs. A test compares the table with the generated code.
func loneElements() []*json.Unmarshalers {
	return []*json.Unmarshalers{
		lone[string](jsontext.KindString),
		lone[int](jsontext.KindNumber, jsontext.KindString),
		lone[float64](jsontext.KindNumber, jsontext.KindString),
		lone[jsontext.Value](jsontext.KindBeginObject, jsontext.KindString, jsontext.KindNumber, jsontext.KindTrue, jsontext.KindFalse),

		lone[geminiapi.ResponseModality](jsontext.KindString, jsontext.KindNumber),
		lone[geminiapi.SafetyPolicy](jsontext.KindString, jsontext.KindNumber),

		lone[geminiapi.AudioTranscriptionWordInfo](jsontext.KindBeginObject),
		lone[geminiapi.Candidate](jsontext.KindBeginObject),
		lone[geminiapi.CitationSource](jsontext.KindBeginObject),
		lone[geminiapi.Content](jsontext.KindBeginObject),
		lone[geminiapi.ErrorDetail](jsontext.KindBeginObject),
		lone[geminiapi.FieldViolation](jsontext.KindBeginObject),
		lone[geminiapi.FunctionDeclaration](jsontext.KindBeginObject),
		lone[geminiapi.FunctionResponsePart](jsontext.KindBeginObject),
		lone[geminiapi.GroundingAttribution](jsontext.KindBeginObject),
		lone[geminiapi.GroundingChunk](jsontext.KindBeginObject),
		lone[geminiapi.GroundingChunkCustomMetadata](jsontext.KindBeginObject),
		lone[geminiapi.GroundingSupport](jsontext.KindBeginObject),
		lone[geminiapi.HelpLink](jsontext.KindBeginObject),
		lone[geminiapi.LegacyError](jsontext.KindBeginObject),
		lone[geminiapi.LogprobsResultCandidate](jsontext.KindBeginObject),
		lone[geminiapi.MCPServer](jsontext.KindBeginObject),
		lone[geminiapi.ModalityTokenCount](jsontext.KindBeginObject),
		lone[geminiapi.Model](jsontext.KindBeginObject),
		lone[geminiapi.Part](jsontext.KindBeginObject),
		lone[geminiapi.PartialArg](jsontext.KindBeginObject),
		lone[geminiapi.ReviewSnippet](jsontext.KindBeginObject),
		lone[geminiapi.SafetyRating](jsontext.KindBeginObject),
		lone[geminiapi.SafetySetting](jsontext.KindBeginObject),
		lone[geminiapi.Schema](jsontext.KindBeginObject),
		lone[geminiapi.SourceFlaggingURI](jsontext.KindBeginObject),
		lone[geminiapi.SpeakerVoiceConfig](jsontext.KindBeginObject),
		lone[geminiapi.Tool](jsontext.KindBeginObject),
		lone[geminiapi.TopCandidates](jsontext.KindBeginObject),
		lone[geminiapi.URLMetadata](jsontext.KindBeginObject),
		lone[geminiapi.VertexAISearchDataStoreSpec](jsontext.KindBeginObject),
		lone[geminiapi.VertexRAGStoreResource](jsontext.KindBeginObject),
		lone[geminiapi.Violation](jsontext.KindBeginObject),
	}
}

// lone reads a value of one of the kinds as a list that holds only it.
func lone[T any](kinds ...jsontext.Kind) *json.Unmarshalers {
	return json.UnmarshalFromFunc(func(dec *jsontext.Decoder, list *[]T) error {
		kind := dec.PeekKind()
		for _, k := range kinds {
			if k == kind {
				*list = make([]T, 1)
				return json.UnmarshalDecode(dec, &(*list)[0])
			}
		}
		return errors.ErrUnsupported // a list, or the default's error
	})
}
