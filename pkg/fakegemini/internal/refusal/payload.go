package refusal

import (
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/go-json-experiment/json/jsontext"
)

// fault is what the servers' reader of JSON says of one member.
type fault struct {
	// field is the path of the message at fault, "" for the request itself.
	field string
	// description is the whole sentence.
	description string
}

// notReadable is the answer to a body that the servers' reader of JSON does not understand. It
// lists all faults.
func notReadable(faults []fault) *Refusal {
	descriptions := make([]string, len(faults))
	violations := make([]geminiapi.FieldViolation, len(faults))
	for i := range faults {
		descriptions[i] = faults[i].description
		violations[i].Description = &faults[i].description
		if faults[i].field != "" {
			violations[i].Field = &faults[i].field
		}
	}
	return New(geminiapi.ErrorStatusInvalidArgument, strings.Join(descriptions, "\n")).
		with("BadRequest", geminiapi.ErrorDetail{FieldViolations: violations})
}

// unknownName is the fault of a member that a message does not have, or not in this form.
func unknownName(name, message, problem string) fault {
	at := ""
	if message != "" {
		at = " at '" + message + "'"
	}
	return fault{field: message,
		description: `Invalid JSON payload received. Unknown name "` + name + `"` + at + ": " +
			problem}
}

// The problems of [unknownName].
const (
	cannotFindField = "Cannot find field."
	notRepeating    = "Proto field is not repeating, cannot start list."
	notAMessage     = "Starting an object on a scalar field."
	notAnObject     = "Root element must be a message."
)

// invalidValue is the fault of a value that is not of the type of its member.
func invalidValue(path, typeName string, value jsontext.Value) fault {
	return fault{field: path,
		description: "Invalid value at '" + path + "' (" + typeName + "), " + string(value)}
}

// typesPrefix stands in front of the names of messages and enums of a backend.
func typesPrefix(isVertexAI bool, version string) string {
	if isVertexAI {
		return "type.googleapis.com/google.cloud.aiplatform." + version + "."
	}
	return "type.googleapis.com/google.ai.generativelanguage." + version + "."
}

// memberTypes has the messages and enums that members are of, where the member's name does not
// tell.
var memberTypes = map[string]string{
	"contents":                "Content",
	"system_instruction":      "Content",
	"parts":                   "Part",
	"tools":                   "Tool",
	"inline_data":             "Blob",
	"function_declarations":   "FunctionDeclaration",
	"safety_settings":         "SafetySetting",
	"category":                "HarmCategory",
	"threshold":               "SafetySetting.HarmBlockThreshold",
	"method":                  "SafetySetting.HarmBlockMethod",
	"type":                    "Type",
	"mode":                    "FunctionCallingConfig.Mode",
	"thinking_level":          "ThinkingConfig.ThinkingLevel",
	"thinking_config":         "ThinkingConfig",
	"response_modalities":     "GenerationConfig.Modality",
	"media_resolution":        "GenerationConfig.MediaResolution",
	"language":                "ExecutableCode.Language",
	"outcome":                 "CodeExecutionResult.Outcome",
	"scheduling":              "FunctionResponse.Scheduling",
	"behavior":                "FunctionDeclaration.Behavior",
	"response_schema":         "Schema",
	"parameters":              "Schema",
	"items":                   "Schema",
	"properties":              "Schema",
	"any_of":                  "Schema",
	"google_search":           "GoogleSearch",
	"tool_config":             "ToolConfig",
	"generation_config":       "GenerationConfig",
	"function_calling_config": "FunctionCallingConfig",
}

// typeOf is the type of a member by its name.
func typeOf(member string) string {
	if name := memberTypes[member]; name != "" {
		return name
	}
	var b strings.Builder
	for word := range strings.SplitSeq(member, "_") {
		if word != "" {
			b.WriteString(strings.ToUpper(word[:1]) + word[1:])
		}
	}
	return b.String()
}
