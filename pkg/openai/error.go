package openai

import (
	"cmp"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/codec"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Error is a failure that a server reports, instead of a completion or at the end of a stream.
type Error struct {
	Response openaiapi.ErrorResponse
}

// Error returns one line such as "openai: rate_limit_error: try again later".
func (e *Error) Error() string {
	return "openai: " + cmp.Or(e.Response.Error.Type, "error") + ": " + e.Response.Error.Message
}

// DecodeErrorResponse decodes the body of a failed call. The error is a *[wire.MalformedError].
func DecodeErrorResponse(data []byte) (*openaiapi.ErrorResponse, error) {
	return codec.Decode[openaiapi.ErrorResponse](payloadError, data)
}

// EncodeErrorResponse encodes the body of a failed call. It replaces invalid UTF-8 in texts, so
// that every failure can be written. The only error is for unknown members that are not JSON. nil
// is an error without a text.
func EncodeErrorResponse(r *openaiapi.ErrorResponse) ([]byte, error) {
	if r == nil {
		r = &openaiapi.ErrorResponse{}
	}
	// an overloaded server writes thousands of these per second
	if body, isPlain := r.AppendPlainJSON(nil); isPlain {
		return body, nil
	}
	return json.Marshal(r, jsonx.Canonical, jsontext.AllowInvalidUTF8(true))
}

// isErrorResponse reports whether data is an object that contains an error.
func isErrorResponse(data []byte) bool {
	var reply struct {
		Error jsontext.Value `json:"error"`
	}
	return json.Unmarshal(data, &reply) == nil && reply.Error != nil
}
