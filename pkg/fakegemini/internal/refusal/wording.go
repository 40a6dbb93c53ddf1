package refusal

import (
	"slices"
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/gemini/models"
)

// wording is a row in the table of the servers' messages for violations.
type wording struct {
	// rule is the rule of the violation, by the names in gemini.ValidateRequest.
	rule string
	// at is a suffix of the violation's path without indexes; "" matches any path.
	at string
	// backend is the backend with this message; 0 is both.
	backend models.Backends
	// when is a further condition, or nil.
	when func(finding) bool

	// Exactly one of these three is set.

	// reader makes an error of the JSON reader.
	reader func(finding) fault
	// field is a sentence about the field, after "* GenerateContentRequest." and its path.
	field string
	// below is the text after the path in it.
	below string
	// whole is the whole message.
	whole string
}

// The pages that Vertex AI's messages link to.
const (
	vertexReference  = " Learn more: https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/gemini"
	vertexSignatures = " Learn more: https://docs.cloud.google.com/vertex-ai/generative-ai/docs/thought-signatures"
)

// wordings are tried from the top. The messages are from recorded answers and from the reports that
// pkg/gemini/internal/requestcheck names at its rules. Others are from BerriAI/litellm#10548
// (numbers out of range at Vertex AI), livekit/agents#1397 and boldsoftware/sketch#68 (fields of
// contents), googleapis/google-cloud-dart#26 (two kinds of data in a part), LibreChat-AI/agents#323
// (a model turn at the end), symfony/ai#803 (functions with JSON and with server tools) and
// ChatLunaLab/chatluna#519 (a budget of 0).
var wordings = []wording{
	// The JSON reader.
	{rule: "unknown", reader: noSuchMember},
	{rule: "backend", at: "category", reader: noSuchValue},
	{rule: "backend", reader: noSuchMember},
	{rule: "oneof", at: "contents.role", whole: "Please use a valid role: user, model."},
	{rule: "oneof", at: "response_mime_type", backend: models.GeminiAPI,
		field: "allowed mimetypes are `text/plain`, `application/json`, `application/xml`, `application/yaml` and `text/x.enum`."},
	{rule: "oneof", at: "safety_settings.category", when: isPaLMCategory, backend: models.GeminiAPI,
		field: "element predicate failed: $.category in (HarmCategory.HARM_CATEGORY_HATE_SPEECH, HarmCategory.HARM_CATEGORY_SEXUALLY_EXPLICIT, " +
			"HarmCategory.HARM_CATEGORY_DANGEROUS_CONTENT, HarmCategory.HARM_CATEGORY_HARASSMENT, HarmCategory.HARM_CATEGORY_CIVIC_INTEGRITY)"},
	{rule: "oneof", reader: noSuchValue},
	{rule: "one_member", at: "parts", when: hasTwoKindsOfData, reader: dataIsSet},
	{rule: "format", at: "data", reader: notBase64},
	{rule: "json_object", at: "args", reader: notAStruct},
	{rule: "json_object", at: "response", reader: notAStruct},

	// Turns and parts.
	{rule: "required", at: "contents", backend: models.GeminiAPI,
		field: "contents is not specified"},
	{rule: "required", at: "contents", backend: models.VertexAI,
		whole: "Unable to submit request because at least one contents field is required." +
			vertexReference},
	{rule: "required", at: "contents.parts", backend: models.GeminiAPI,
		field: "contents.parts must not be empty."},
	{rule: "required", at: "contents.parts", backend: models.VertexAI,
		whole: "Unable to submit request because it must include at least one parts field, which describes the prompt input." +
			vertexReference},
	{rule: "one_member", at: "parts", backend: models.GeminiAPI, below: ".data",
		field: "required oneof field 'data' must have one initialized field"},
	{rule: "one_member", at: "parts", backend: models.VertexAI,
		whole: "Unable to submit request because it must have a text parameter. Add a text parameter and try again." +
			vertexReference},
	{rule: "turns", at: "contents.role",
		whole: "Requests ending with a model turn are not supported unless the last part is a function response."},
	{rule: "turns", whole: "Please ensure that function call turn comes immediately after a user turn or after a function response turn."},
	{rule: "signature", backend: models.GeminiAPI,
		whole: "Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly, and missing thought_signature " +
			"may lead to degraded model performance. Additional data, function call `default_api:{call}` , position {content}. " +
			"Please refer to https://ai.google.dev/gemini-api/docs/thought-signatures for more details."},
	{rule: "signature", backend: models.VertexAI,
		whole: "Unable to submit request because function call `{call}` in the {content}. content block is missing a `thought_signature`." +
			vertexSignatures},
	{rule: "answers", when: answersNoTurn,
		whole: "Please ensure that function response turn comes immediately after a function call turn."},
	{rule: "answers", whole: "Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn."},

	// Functions and tools.
	{rule: "required", at: "function_declarations.name", backend: models.GeminiAPI,
		field: invalidFunctionName},
	{rule: "format", at: "function_declarations.name", backend: models.GeminiAPI,
		field: invalidFunctionName},
	{rule: "max", at: "function_declarations.name", backend: models.GeminiAPI,
		field: invalidFunctionName},
	{rule: "required", at: "function_call.name", backend: models.GeminiAPI,
		field: "Name cannot be empty."},
	{rule: "required", at: "function_response.name", backend: models.GeminiAPI,
		field: "Name cannot be empty."},
	{rule: "unique", at: "function_declarations.name",
		whole: "Duplicate function declaration found: {value}"},
	{rule: "type", at: "parameters.type", whole: "parameters schema should be of type OBJECT."},
	{rule: "required", at: "tools", backend: models.GeminiAPI, below: ".tool_type",
		field: "required one_of 'tool_type' must have one initialized field"},
	{rule: "needs", at: "function_calling_config",
		whole: "Function calling config is set without function_declarations."},
	{rule: "needs", at: "allowed_function_names",
		whole: "Please set allowed_function_names only when function calling mode is ANY."},
	{rule: "needs", at: "tools.google_search", whole: showServerCalls},
	{rule: "needs", at: "tools.code_execution", whole: showServerCalls},
	{rule: "needs", at: "tools.url_context", whole: showServerCalls},
	{rule: "model", at: "tools.google_search",
		whole: "Tool use with function calling is unsupported"},
	{rule: "excluded", when: isWithCache,
		whole: "CachedContent can not be used with GenerateContent request setting system_instruction, tools or tool_config.\n\n" +
			"Proposed fix: move those values to CachedContent from GenerateContent request."},
	{rule: "format", at: "cached_content", whole: "Invalid CachedContent name: {value}."},

	// Schemas.
	{rule: "required", at: "items", backend: models.GeminiAPI, field: "missing field."},
	{rule: "needs", at: "enum", backend: models.GeminiAPI, field: "only allowed for STRING type"},
	{rule: "needs", at: "items", backend: models.GeminiAPI, field: "only allowed for ARRAY type"},
	{rule: "needs", at: "properties", backend: models.GeminiAPI,
		field: "only allowed for OBJECT type"},
	{rule: "needs", at: "required", backend: models.GeminiAPI,
		field: "only allowed for OBJECT type"},
	{rule: "declared", at: "required", backend: models.GeminiAPI, field: "property is not defined"},

	// Configuration.
	{rule: "range", at: "temperature", backend: models.GeminiAPI,
		field: "temperature must be in the range [{lowest}.0, {highest}.0]."},
	{rule: "range", backend: models.GeminiAPI,
		field: "{field} must be in the range [{lowest}, {highest}]."},
	{rule: "range", backend: models.VertexAI,
		whole: "Unable to submit request because it has a {name} value of {value} but the supported range is from {lowest} (inclusive) to {above} (exclusive). Update the value and try again."},
	{rule: "one_member", at: "thinking_config",
		whole: "You can only set only one of thinking budget and thinking level."},
	{rule: "model", at: "thinking_config.thinking_level",
		whole: "Thinking level is not supported for this model."},
	{rule: "model", at: "thinking_config.thinking_budget", when: isZero,
		whole: "Budget 0 is invalid. This model only works in thinking mode."},
	{rule: "model", at: "thinking_config.thinking_budget", when: hasBounds,
		whole: "The thinking budget {value} is invalid. Please choose a value between {lowest} and {highest}."},
	{rule: "model", at: "thinking_config.thinking_budget",
		whole: "Thinking is not enabled for this model"},
	{rule: "model", at: "response_mime_type",
		whole: "Function calling with a response mime type: 'application/json' is unsupported"},
	{rule: "model", at: "response_logprobs", whole: "Logprobs is not enabled for models/{model}"},
	{rule: "model", at: "frequency_penalty", whole: "Penalty is not enabled for this model"},
	{rule: "model", at: "presence_penalty", whole: "Penalty is not enabled for this model"},
}

const (
	invalidFunctionName = "Invalid function name. Must start with a letter or an underscore. Must be alphameric (a-z, A-Z, 0-9), underscores (_), " +
		"dots (.), colons (:), or dashes (-), with a maximum length of 128."
	showServerCalls = "Please enable tool_config.include_server_side_tool_invocations to use Built-in tools with Function calling."
)

func noSuchMember(f finding) fault {
	message, member := up(f.pointer)
	return unknownName(member, locate(f.request.Body, message).path, cannotFindField)
}

func noSuchValue(f finding) fault {
	return invalidValue(f.at.path,
		typesPrefix(isVertexAI(f.request), f.request.Version)+typeOf(f.at.lastName()), f.at.value)
}

func notBase64(f finding) fault {
	path := f.at.path
	return fault{field: path,
		description: "Invalid value at '" + path + "' (TYPE_BYTES), Base64 decoding failed for \"" +
			shortened(f.value()) + "\""}
}

// shownValue is the maximum number of bytes of a value in a message.
const shownValue = 40

func shortened(text string) string {
	if len(text) <= shownValue {
		return text
	}
	return text[:shownValue] + "..."
}

func notAStruct(f finding) fault {
	return invalidValue(f.at.path, "type.googleapis.com/google.protobuf.Struct", f.at.value)
}

// partData are the members of a part that exclude each other.
var partData = []string{"text", "inlineData", "fileData", "functionCall", "functionResponse",
	"executableCode", "codeExecutionResult", "toolCall", "toolResponse"}

func hasTwoKindsOfData(f finding) bool { return len(f.dataOfPart()) > 1 }

// dataOfPart names the kinds of data of a part, in the order and spelling of the request.
func (f finding) dataOfPart() []string {
	var names []string
	for name := range jsonx.Members(f.at.value) {
		if slices.ContainsFunc(partData,
			func(kind string) bool { return jsonx.FoldName(kind) == jsonx.FoldName(name) }) {
			names = append(names, name)
		}
	}
	return names
}

func dataIsSet(f finding) fault {
	return fault{field: f.at.path,
		description: "Invalid value at '" + f.at.path +
			"' (oneof), oneof field 'data' is already set. Cannot set '" + f.dataOfPart()[1] + "'"}
}

// answersNoTurn reports whether a response does not follow a turn with calls at all.
func answersNoTurn(f finding) bool {
	_, content := f.call()
	if f.at.lastName() != "parts" || f.request.Content.Contents[content].Parts == nil {
		return false
	}
	if content == 0 {
		return true
	}
	before := f.request.Content.Contents[content-1].Parts
	hasCall := func(p geminiapi.Part) bool { return p.FunctionCall != nil }
	isCall := slices.ContainsFunc(before, hasCall)
	return !isCall && !strings.Contains(f.violation.Want, "is not answered")
}

func isWithCache(f finding) bool { return f.request.Content.CachedContent != nil }

func isZero(f finding) bool { return f.value() == "0" }

func hasBounds(f finding) bool {
	lowest, _ := f.bounds()
	return lowest != ""
}

func isPaLMCategory(f finding) bool { return strings.Contains(f.violation.Want, "PaLM") }
