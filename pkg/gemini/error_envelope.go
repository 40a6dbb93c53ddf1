package gemini

import (
	"bytes"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/wire"
	"github.com/go-json-experiment/json/jsontext"
)

// IsError reports whether a decoded response is the envelope of an error, {"error": {...}}, which the
// API sends in place of a response and also as the last chunk of a stream; [DecodeError] makes an
// *[Error] of it. The wire type has no member for an error, so it is among the unknown ones.
//
// An error member that tells no fault, false, 0 or an empty value, is none beside candidates, usage or
// what the filters say of the prompt: some servers write it into every chunk.
func IsError(r *geminiapi.GenerateContentResponse) bool {
	if r == nil || len(r.Unknown) == 0 {
		return false
	}
	value := replyOf(r.Unknown).Error
	if saysNothing(value) {
		return isPresent(value) && len(r.Candidates) == 0 && r.PromptFeedback == nil && r.UsageMetadata == nil
	}
	return isPresent(value)
}

func isPresent(value jsontext.Value) bool {
	return len(value) > 0 && value.Kind() != jsontext.KindNull
}

// saysNothing reports whether the value of an error member tells no fault: false is a denial, 0 the
// code of success, and what is empty has no code, no status and no message.
func saysNothing(value jsontext.Value) bool {
	switch value.Kind() {
	case jsontext.KindBeginObject, jsontext.KindBeginArray:
		return len(bytes.Trim(value[1:len(value)-1], wire.Space)) == 0
	default:
		return nothings[string(value)]
	}
}

var nothings = map[string]bool{"false": true, "0": true, `""`: true}
