package steps

import (
	"slices"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/interactions"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// outputName and errorName are the members of a response that Gemini documents for results that are
// not objects, and for errors.
const outputName, errorName = "output", "error"

// partOfFunctionResult returns the result of a function as a part, the members of the step that the
// part does not have, and the form of the result. A text becomes the member output. A failure
// becomes the member error. Of a list of content, the texts become the member output, and media
// become parts.
func partOfFunctionResult(s *interactionsapi.Step) (part geminiapi.Part, rest interactionsapi.Step,
	form resultForm) {
	rest = *s
	rest.Type, rest.CallID, rest.Name, rest.Result = "", nil, nil, nil
	response := &geminiapi.FunctionResponse{ID: s.CallID, Name: s.Name}
	part.FunctionResponse = response
	name := outputName
	if jsonx.Deref(s.IsError) {
		name, rest.IsError = errorName, nil
	}
	switch s.Result.Kind() {
	case jsontext.KindInvalid:
		response.Response = jsontext.Value("{}")
		return part, rest, ""
	case jsontext.KindBeginObject:
		if response.Response = s.Result; name == errorName {
			response.Response = jsonx.Object(errorName, s.Result)
		}
		return part, rest, ""
	case jsontext.KindString:
		response.Response = jsonx.Object(name, s.Result)
		return part, rest, textResult
	}
	if parts, text, ok := contentResultParts(s.Result); ok {
		response.Response, response.Parts = jsonx.Object(name, quote(text)), parts
		return part, rest, contentResult
	}
	response.Response = jsonx.Object(name, s.Result)
	return part, rest, valueResult
}

// contentResultParts returns a list of content as the joined texts and the media. ok is false for
// any other value, and for a list that is not one text before its media.
func contentResultParts(result jsontext.Value) (parts []geminiapi.FunctionResponsePart, text string,
	ok bool) {
	var content []interactionsapi.Content
	if result.Kind() != jsontext.KindBeginArray || json.Unmarshal(result, &content) != nil ||
		len(content) == 0 {
		return nil, "", false
	}
	for i := range content {
		c := &content[i]
		part, rest := PartOfContent(c)
		if rest.Type != "" || part.MediaResolution != nil || part.VideoMetadata != nil {
			return nil, "", false
		}
		switch {
		case part.Text != nil && i == 0:
			text = *part.Text
		case part.InlineData != nil:
			parts = append(parts, geminiapi.FunctionResponsePart{
				InlineData: &geminiapi.FunctionResponseBlob{MIMEType: part.InlineData.MIMEType,
					Data: part.InlineData.Data}})
		case part.FileData != nil:
			parts = append(parts, geminiapi.FunctionResponsePart{
				FileData: &geminiapi.FunctionResponseFileData{MIMEType: part.FileData.MIMEType,
					FileURI: part.FileData.FileURI}})
		default:
			return nil, "", false
		}
		if !isEmptyContent(&rest) {
			return nil, "", false
		}
	}
	return parts, text, true
}

// stepOfFunctionResult returns the result of a function as a step, and the members of the part that
// the step does not have. form is the form of the result that the extension has. Without one, a
// response is an object, but for a failure: {"error": ...} alone is an error.
func stepOfFunctionResult(r *geminiapi.FunctionResponse, form resultForm) (s interactionsapi.Step,
	rest geminiapi.Part) {
	s = interactionsapi.Step{Type: interactionsapi.StepTypeFunctionResult, CallID: r.ID,
		Name: r.Name, Result: r.Response}
	left := geminiapi.FunctionResponse{Scheduling: r.Scheduling, WillContinue: r.WillContinue,
		Unknown: r.Unknown}
	var inner jsontext.Value
	if memberCount(objectOrNil(r.Response)) == 1 {
		if inner = jsonx.Member(r.Response, errorName); inner != nil {
			s.IsError, s.Result = new(true), inner
		} else if form != "" || len(r.Parts) > 0 {
			inner = jsonx.Member(r.Response, outputName)
		}
	}
	switch {
	case len(r.Parts) > 0:
		s.Result = contentOfResponse(r, inner, &left)
	case form == contentResult && inner.Kind() == jsontext.KindString:
		s.Result = contentList([]interactionsapi.Content{interactions.TextContent(unquote(inner))})
	case inner != nil:
		s.Result = inner
	}
	if left.Scheduling != nil || left.WillContinue != nil || left.Unknown != nil ||
		left.Parts != nil {
		rest.FunctionResponse = &left
	}
	return s, rest
}

// contentOfResponse returns a response with parts as a list of content: its text or its object, and
// the media. inner is the only member of the response, or nil.
func contentOfResponse(r *geminiapi.FunctionResponse, inner jsontext.Value,
	left *geminiapi.FunctionResponse) jsontext.Value {
	var content []interactionsapi.Content
	switch {
	case inner.Kind() == jsontext.KindString:
		if text := unquote(inner); text != "" {
			content = append(content, interactions.TextContent(text))
		}
	case memberCount(objectOrNil(r.Response)) > 0:
		content = append(content, interactions.TextContent(string(r.Response)))
	}
	for i := range r.Parts {
		part, unread := &r.Parts[i], r.Parts[i]
		var c interactionsapi.Content
		switch {
		case part.InlineData != nil:
			c, _, _ = ContentOfPart(&geminiapi.Part{InlineData: &geminiapi.Blob{
				MIMEType: part.InlineData.MIMEType, Data: part.InlineData.Data}})
			unread.InlineData = restOfBlob(part.InlineData)
		case part.FileData != nil:
			c, _, _ = ContentOfPart(&geminiapi.Part{FileData: &geminiapi.FileData{
				MIMEType: part.FileData.MIMEType, FileURI: part.FileData.FileURI}})
			unread.FileData = restOfFile(part.FileData)
		default:
			left.Parts = append(left.Parts, *part)
			continue
		}
		content = append(content, c)
		if unread.InlineData != nil || unread.FileData != nil || unread.Unknown != nil {
			left.Parts = append(left.Parts, unread)
		}
	}
	return contentList(content)
}

func restOfBlob(b *geminiapi.FunctionResponseBlob) *geminiapi.FunctionResponseBlob {
	if b.DisplayName == nil && b.Unknown == nil {
		return nil
	}
	return &geminiapi.FunctionResponseBlob{DisplayName: b.DisplayName, Unknown: b.Unknown}
}

func restOfFile(f *geminiapi.FunctionResponseFileData) *geminiapi.FunctionResponseFileData {
	if f.DisplayName == nil && f.Unknown == nil {
		return nil
	}
	return &geminiapi.FunctionResponseFileData{DisplayName: f.DisplayName, Unknown: f.Unknown}
}

// contentList returns content as JSON.
func contentList(content []interactionsapi.Content) jsontext.Value {
	value := jsontext.Value("[")
	for i := range content {
		if i > 0 {
			value = append(value, ',')
		}
		encoded, err := json.Marshal(content[i], jsonx.Canonical, jsontext.AllowInvalidUTF8(true))
		if err == nil { // always: content of a part has no free-form members
			value = slices.Concat(value, encoded)
		}
	}
	return append(value, ']')
}
