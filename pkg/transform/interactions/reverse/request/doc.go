// Package request converts Gemini's generateContent requests to requests for interactions. With it,
// programs that speak generateContent reach models and agents that only the Interactions API has:
//
//	in, err := gemini.DecodeRequest(body)
//	...
//	out, report, err := request.FromGemini(in, request.ForModel("gemini-3.8-flash-tts"))
//	...
//	data, err := interactions.EncodeRequest(out)
//
// # How a request is converted
//
// Each content becomes steps. Texts and media of the user are steps of type user_input. Function
// results are steps of type function_result, which name their call by its id. A result without an
// id belongs to the first call of its name without a result. A call without an id gets one, which
// is the same each time the request is converted. Turns of the model become steps of type thought,
// model_output, function_call, and of the types for Google's own tools. Arguments of calls and
// results stay byte for byte.
//
// A thought signature becomes the signature of a thought and, for a call, of the call too. Models
// from Gemini 3 on refuse unsigned calls. An unsigned call gets the word with which Google skips
// its check, and the report says so.
//
// The texts of the instruction are joined with line breaks. Each function is a tool. Schemas in
// Gemini's form become JSON Schema. Formats of the answer, of images, sounds and videos become the
// list response_format.
//
// # Storage
//
// Google stores interactions unless a request says otherwise, and does not store requests to
// generateContent. So the result has store: false, unless the request or [WithStore] asks to store
// the interaction. [WithPreviousInteraction] continues a stored interaction.
//
// # What is refused
//
// A request with cachedContent is an error, because an interaction cannot read the cache and the
// prompt would be incomplete. Other members without a counterpart are lost, and the report lists
// them: further candidates, penalties, log probabilities. Members that only Vertex AI has in
// interactions, such as safetySettings and labels, are lost in the Gemini API; see [ForVertexAI].
//
// # What is reported
//
// Each value of the request is visible in the result, or the report has an entry at its pointer or
// above it. All functions are safe for concurrent use and do not change their arguments.
package request
