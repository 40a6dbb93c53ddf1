package normalize

import "github.com/gemwire/gemwire/gen/geminiapi"

// FinishReason is why a candidate ended.
type FinishReason string

// The reasons why a candidate ends.
const (
	// FinishStop is the normal end.
	FinishStop FinishReason = "stop"
	// FinishLength is the end of the token budget, or of what one response may hold.
	FinishLength FinishReason = "length"
	// FinishToolUse is a normal end with calls that the caller has to run.
	FinishToolUse FinishReason = "tool_use"
	// FinishContentFilter is an end by a filter: safety, recitation, block lists, personal data.
	FinishContentFilter FinishReason = "content_filter"
	// FinishError is an end because the model produced something unusable.
	FinishError FinishReason = "error"
	// FinishUnknown is an end without a reason, or for a reason that says nothing more.
	FinishUnknown FinishReason = "unknown"
)

// finishReasons maps each of the wire's reasons that means something to a caller; all others,
// values newer than this table among them, are FinishUnknown.
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

// MapFinishReason returns what a finish reason of the wire means. The match is exact; "" and
// values that the table does not know are FinishUnknown.
func MapFinishReason(reason geminiapi.FinishReason) FinishReason {
	if mapped, ok := finishReasons[reason]; ok {
		return mapped
	}
	return FinishUnknown
}

// finishWithTools is the finish reason of a candidate in view of its content: Gemini ends a turn
// of function calls in STOP. A turn that was cut off or filtered keeps its own reason.
func finishWithTools(reason FinishReason, hasToolCall bool) FinishReason {
	if reason == FinishStop && hasToolCall {
		return FinishToolUse
	}
	return reason
}
