package normalize

import "github.com/gemwire/gemwire/gen/geminiapi"

// FinishReason says why a candidate ended.
type FinishReason string

// The finish reasons.
const (
	// FinishStop is the normal end.
	FinishStop FinishReason = "stop"
	// FinishLength is the end of the token budget, or of the maximum size of one response.
	FinishLength FinishReason = "length"
	// FinishToolUse is a normal end with tool calls that the caller has to run.
	FinishToolUse FinishReason = "tool_use"
	// FinishContentFilter is an end by a filter: safety, recitation, block lists, personal data.
	FinishContentFilter FinishReason = "content_filter"
	// FinishError is an end because the model produced something unusable.
	FinishError FinishReason = "error"
	// FinishUnknown is an end without a reason, or with a reason that has no other meaning here.
	FinishUnknown FinishReason = "unknown"
)

// finishReasons maps the wire's reasons that mean something to a caller. All others, including
// values newer than this table, are FinishUnknown.
var finishReasons = map[geminiapi.FinishReason]FinishReason{
	geminiapi.FinishReasonUnspecified:             FinishUnknown,
	geminiapi.FinishReasonStop:                    FinishStop,
	geminiapi.FinishReasonMaxTokens:               FinishLength,
	geminiapi.FinishReasonContinuation:            FinishLength,
	geminiapi.FinishReasonSafety:                  FinishContentFilter,
	geminiapi.FinishReasonRecitation:              FinishContentFilter,
	geminiapi.FinishReasonBlocklist:               FinishContentFilter,
	geminiapi.FinishReasonProhibitedContent:       FinishContentFilter,
	geminiapi.FinishReasonSPII:                    FinishContentFilter,
	geminiapi.FinishReasonModelArmor:              FinishContentFilter,
	geminiapi.FinishReasonImageSafety:             FinishContentFilter,
	geminiapi.FinishReasonImageProhibitedContent:  FinishContentFilter,
	geminiapi.FinishReasonImageRecitation:         FinishContentFilter,
	geminiapi.FinishReasonMalformedFunctionCall:   FinishError,
	geminiapi.FinishReasonUnexpectedToolCall:      FinishError,
	geminiapi.FinishReasonTooManyToolCalls:        FinishError,
	geminiapi.FinishReasonMissingThoughtSignature: FinishError,
	geminiapi.FinishReasonMalformedResponse:       FinishError,
	geminiapi.FinishReasonNoImage:                 FinishError,
	geminiapi.FinishReasonImageOther:              FinishError,
	geminiapi.FinishReasonLanguage:                FinishUnknown,
	geminiapi.FinishReasonOther:                   FinishUnknown,
	geminiapi.FinishReasonEscalation:              FinishUnknown,
}

// MapFinishReason returns the meaning of a finish reason of the wire. The match is exact. For ""
// and unknown values it returns FinishUnknown.
func MapFinishReason(reason geminiapi.FinishReason) FinishReason {
	if mapped, ok := finishReasons[reason]; ok {
		return mapped
	}
	return FinishUnknown
}

// finishWithTools adjusts a finish reason to the candidate's content: Gemini ends a turn of
// function calls with STOP. A turn that was cut off or filtered keeps its own reason.
func finishWithTools(reason FinishReason, hasToolCall bool) FinishReason {
	if reason == FinishStop && hasToolCall {
		return FinishToolUse
	}
	return reason
}
