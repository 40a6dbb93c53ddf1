// Package openaianswer converts the parts of an answer that are equal in OpenAI's two APIs, chat
// completions and Responses: errors, times, log probabilities, the text in which spans are counted,
// and Google's members in extra_content.
package openaianswer

import (
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/openai"
	"github.com/gemwire/gemwire/pkg/transform"
)

// AppendError appends an error with all four members. param has OpenAI's notation of the invalid
// member, and the message has its pointer.
func AppendError(dst []byte, e *transform.Error) []byte {
	body, err := openai.EncodeErrorResponse(&openaiapi.ErrorResponse{Error: openaiapi.Error{
		Message: e.Message, Type: e.Type, Param: jsonx.NonEmpty(jsonx.ParamOf(e.Param)),
		Code: jsonx.NonEmpty(e.Code),
	}})
	if err != nil { // there are no unknown members
		return append(dst,
			`{"error":{"message":"the request failed","type":"server_error","param":null,"code":null}}`...)
	}
	return append(dst, body...)
}
