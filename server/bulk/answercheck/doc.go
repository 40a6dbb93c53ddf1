// Package answercheck checks the answers of bulk jobs against the schema that their requests ask
// for.
//
//	var checker answercheck.Checker
//	if err := checker.Check(&l, body); err != nil {
//		// err says where the answer differs: "/kind: must be one of "kind", "unkind""
//	}
//
// The schema is in a different member in each API:
//
//	/v1/chat/completions  response_format
//	/v1/responses         text.format
//	/v1/messages          output_config.format, output_format
//	Gemini's own form     generationConfig: responseSchema, responseJsonSchema, responseFormat.text
//
// A request for JSON without a schema accepts any JSON. These answers fit any request: an answer to
// a request without such a member, and an answer without text, such as a refusal or a tool call. A
// schema that cannot be checked accepts any JSON too, for example a schema that refers to a URL.
package answercheck
