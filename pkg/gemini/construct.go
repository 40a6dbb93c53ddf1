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

// UserText returns a turn of the user that is one text.
func UserText(text string) geminiapi.Content { return UserParts(TextPart(text)) }

// UserParts returns a turn of the user, for example a picture and a question about it. The turn
// keeps the slice.
func UserParts(parts ...geminiapi.Part) geminiapi.Content {
	return geminiapi.Content{Role: new("user"), Parts: parts}
}

// UserResults returns the turn that answers the calls in a turn of the model: their results, which
// are the user's on this wire, one for each call and in the order of the calls. A result is made by
// [FunctionResult] or by the tool itself.
func UserResults(results ...*geminiapi.FunctionResponse) geminiapi.Content {
	parts := make([]geminiapi.Part, len(results))
	for i, result := range results {
		parts[i].FunctionResponse = result
	}
	return UserParts(parts...)
}

// ModelText returns a turn of the model that is one text: an example of an answer, or one from a
// history of plain texts. What the model itself has answered goes back as it came, the whole
// Content of the candidate, because its thought signatures must not be lost.
func ModelText(text string) geminiapi.Content {
	return geminiapi.Content{Role: new("model"), Parts: []geminiapi.Part{TextPart(text)}}
}

// SystemInstruction returns what a request holds under systemInstruction: one text, and no role.
func SystemInstruction(text string) *geminiapi.Content {
	return &geminiapi.Content{Parts: []geminiapi.Part{TextPart(text)}}
}

// TextPart returns a part that is a text.
func TextPart(text string) geminiapi.Part { return geminiapi.Part{Text: &text} }

// InlineDataPart returns a part that holds media: data is the file as it is, not base64, and
// mimeType is its type, for example "image/png". The part holds data in base64, which is a third
// longer; a large file is uploaded first and named by a [FileDataPart].
func InlineDataPart(mimeType string, data []byte) geminiapi.Part {
	return geminiapi.Part{InlineData: &geminiapi.Blob{
		MIMEType: &mimeType,
		Data:     new(base64.StdEncoding.EncodeToString(data)),
	}}
}

// FileDataPart returns a part that names a file elsewhere: an uploaded one, gs://bucket/object, or
// a video of YouTube. Without a mimeType the Gemini API finds out the type of an uploaded file
// itself; Vertex AI requires it.
func FileDataPart(mimeType, uri string) geminiapi.Part {
	return geminiapi.Part{FileData: &geminiapi.FileData{MIMEType: jsonx.NonEmpty(mimeType),
		FileURI: &uri}}
}

// FunctionTool returns the tool that offers functions to the model. A request has all its functions
// in one of these.
func FunctionTool(functions ...geminiapi.FunctionDeclaration) geminiapi.Tool {
	return geminiapi.Tool{FunctionDeclarations: functions}
}

// FunctionDeclaration returns the declaration of a function. The model chooses by the description.
// parameters is the JSON Schema of the object that holds the arguments, such as structured.SchemaOf
// makes from a Go type; nil stands for a function without any.
func FunctionDeclaration(name, description string,
	parameters jsontext.Value) geminiapi.FunctionDeclaration {
	return geminiapi.FunctionDeclaration{
		Name: &name, Description: jsonx.NonEmpty(description), ParametersJSONSchema: parameters,
	}
}

// FunctionResult returns the result of a function that the model called, with the call's id and
// name, for [UserResults]. The wire takes an object only:
//
//   - a struct, a map or raw JSON ([jsontext.Value]) that is an object is the response as it is;
//   - an error is {"error": "its text"}. The model reads the text, so it must hold no secret;
//   - everything else is under "output", as Google's documentation has it: "sunny" becomes
//     {"output":"sunny"}, also a string that holds JSON, and nil becomes {"output":null}.
//
// Go values are encoded by the rules of encoding/json/v2; a []byte is base64. Raw JSON keeps the
// order of its members and all digits of its numbers.
//
// It returns an error for a nil call, and for a result that has no form in JSON.
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

// FirstCandidate returns the candidate that an answer is taken from where one is wanted, as by the
// packages chats, toolloop and structured, and the methods of normalize.Response: that of the
// lowest index, wherever it stands in the list. A candidate without an index has 0, or the lowest
// that is free when another one has that. It is nil for an answer without candidates, and for a nil
// one. It points into the answer.
func FirstCandidate(answer *geminiapi.GenerateContentResponse) *geminiapi.Candidate {
	return merge.FirstCandidate(answer)
}
