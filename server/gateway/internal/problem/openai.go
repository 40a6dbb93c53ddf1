package problem

import (
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/openai"
)

// AppendOpenAI appends the envelope of a problem, in which all four members stand. The member at fault is named as
// OpenAI does; the message has its pointer.
func AppendOpenAI(dst []byte, p *Problem, _ string) []byte {
	body, err := openai.EncodeErrorResponse(&openaiapi.ErrorResponse{Error: openaiapi.Error{
		Message: p.Message, Type: p.Type, Param: jsonx.NonEmpty(jsonx.ParamOf(p.Param)), Code: jsonx.NonEmpty(p.Code),
	}})
	if err != nil { // of unknown members, which it has not
		return append(dst, `{"error":{"message":"the request failed","type":"server_error","param":null,"code":null}}`...)
	}
	return append(dst, body...)
}
