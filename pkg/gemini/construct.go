package gemini

import (
	"encoding/base64"
	"errors"
	"fmt"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/internal/merge"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// UserText returns a user turn with one text.
func UserText(text string) geminiapi.Content { return UserParts(TextPart(text)) }

// UserParts returns a user turn with several parts, for example a picture and a question about it.
// The turn keeps the slice.
func UserParts(parts ...geminiapi.Part) geminiapi.Content {
	return geminiapi.Content{Role: new("user"), Parts: parts}
}

// UserResults returns the turn that answers the calls in a model turn: one result for each call, in
// the order of the calls. On this wire, results have the role of the user. [FunctionResult] or the
// tool itself makes a result.
func UserResults(results ...*geminiapi.FunctionResponse) geminiapi.Content {
	parts := make([]geminiapi.Part, len(results))
	for i, result := range results {
		parts[i].FunctionResponse = result
	}
	return UserParts(parts...)
}

// ModelText returns a model turn with one text, for an example of an answer or a turn of a
// plain-text history. Send real answers of the model back unchanged, as the whole Content of the
// candidate, because their thought signatures must not be lost.
func ModelText(text string) geminiapi.Content {
	return geminiapi.Content{Role: new("model"), Parts: []geminiapi.Part{TextPart(text)}}
}

// SystemInstruction returns a value for the member systemInstruction of a request: one text, and no
// role.
func SystemInstruction(text string) *geminiapi.Content {
	return &geminiapi.Content{Parts: []geminiapi.Part{TextPart(text)}}
}

// TextPart returns a part with a text.
func TextPart(text string) geminiapi.Part { return geminiapi.Part{Text: &text} }

// InlineDataPart returns a part with media. data is the raw file, not base64, and mimeType is its
// type, for example "image/png". The part holds base64, which is a third larger than data. Upload a
// large file first and name it with a [FileDataPart].
func InlineDataPart(mimeType string, data []byte) geminiapi.Part {
	return geminiapi.Part{InlineData: &geminiapi.Blob{
		MIMEType: &mimeType,
		Data:     new(base64.StdEncoding.EncodeToString(data)),
	}}
}

// FileDataPart returns a part that refers to a file: an uploaded file, gs://bucket/object, or a
// YouTube video. Without a mimeType, the Gemini API detects the type of an uploaded file; Vertex AI
// requires a mimeType.
func FileDataPart(mimeType, uri string) geminiapi.Part {
	return geminiapi.Part{FileData: &geminiapi.FileData{MIMEType: jsonx.NonEmpty(mimeType),
		FileURI: &uri}}
}

// FunctionTool returns the tool that offers functions to the model. Put all functions of a request
// into one such tool.
func FunctionTool(functions ...geminiapi.FunctionDeclaration) geminiapi.Tool {
	return geminiapi.Tool{FunctionDeclarations: functions}
}

// FunctionDeclaration returns the declaration of a function. The model chooses functions by their
// descriptions. parameters is the JSON Schema of the object that holds the arguments, which
// structured.SchemaOf can make from a Go type. Pass nil for a function without arguments.
func FunctionDeclaration(name, description string,
	parameters jsontext.Value) geminiapi.FunctionDeclaration {
	return geminiapi.FunctionDeclaration{
		Name: &name, Description: jsonx.NonEmpty(description), ParametersJSONSchema: parameters,
	}
}

// FunctionResult returns the result of a function that the model called, for [UserResults]. It has
// the id and the name of the call. The wire accepts objects only:
//
//   - a struct, a map or raw JSON ([jsontext.Value]) that is an object is the response itself;
//   - an error is {"error": "its text"}. The model reads the text, so it must not hold a secret;
//   - any other value is put under "output", as in Google's documentation. "sunny" becomes
//     {"output":"sunny"}, and so does a string that holds JSON; nil becomes {"output":null}.
//
// Go values are encoded by the rules of encoding/json/v2; a []byte is base64. Raw JSON keeps the
// order of its members and all digits of its numbers.
//
// It returns an error for a nil call, and for a result that cannot be encoded as JSON.
func FunctionResult(call *geminiapi.FunctionCall, result any) (*geminiapi.FunctionResponse, error) {
	if call == nil {
		return nil, errors.New("gemini: result of a function: no call")
	}
	response, err := responseObject(result)
	if err != nil {
		return nil, fmt.Errorf("gemini: result of a function: %w", err)
	}
	return &geminiapi.FunctionResponse{ID: call.ID, Name: call.Name, Response: response}, nil
}

// responseObject returns the JSON object for a result of any kind.
func responseObject(result any) (jsontext.Value, error) {
	asItIs := json.JoinOptions(json.Deterministic(true), jsontext.PreserveRawStrings(true))
	if failure, ok := result.(error); ok {
		result = map[string]string{"error": failure.Error()}
	}
	value, err := json.Marshal(result, asItIs)
	if err != nil || jsontext.Value(value).Kind() == jsontext.KindBeginObject {
		return value, err
	}
	return json.Marshal(map[string]jsontext.Value{"output": value}, asItIs)
}

// FirstCandidate returns the candidate to use where only one is wanted: the candidate with the
// lowest index, wherever it is in the list. The packages chats, toolloop and structured use it, as
// do the methods of normalize.Response. A candidate without an index has index 0, or the lowest
// free index if another candidate has 0. The result is nil for a nil answer or an answer without
// candidates. It points into the answer.
func FirstCandidate(answer *geminiapi.GenerateContentResponse) *geminiapi.Candidate {
	return merge.FirstCandidate(answer)
}
