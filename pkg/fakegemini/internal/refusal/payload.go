package refusal

import (
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/go-json-experiment/json/jsontext"
)

// fault is an error of the servers' JSON reader for one member.
type fault struct {
	// field is the path of the message with the error, or "" for the request itself.
	field string
	// description is the whole sentence.
	description string
}

// notReadable is the answer to a body that the servers' JSON reader refuses. It lists all errors.
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

// unknownName is the error of a member that a message does not have, or not in this form.
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

// invalidValue is the error of a value that does not have the type of its member.
func invalidValue(path, typeName string, value jsontext.Value) fault {
	return fault{field: path,
		description: "Invalid value at '" + path + "' (" + typeName + "), " + string(value)}
}

// typesPrefix is the prefix of the names of a backend's messages and enums.
func typesPrefix(isVertexAI bool, version string) string {
	if isVertexAI {
		return "type.googleapis.com/google.cloud.aiplatform." + version + "."
	}
	return "type.googleapis.com/google.ai.generativelanguage." + version + "."
}

// memberTypes has the message and enum types of members whose names do not imply the type.
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

// typeOf returns the type of a member with the given name.
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
