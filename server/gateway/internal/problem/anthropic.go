package problem

import (
	"net/http"
	"regexp"

	"github.com/gemwire/gemwire/gen/anthropicapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/anthropic"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// AnthropicStatus returns the status of a problem. Clients come back later for 529, and at once for 503.
func AnthropicStatus(p *Problem) int {
	if p.Status == http.StatusServiceUnavailable {
		return anthropic.StatusOverloaded
	}
	return p.Status
}

// AppendAnthropic appends the envelope of a problem.
func AppendAnthropic(dst []byte, p *Problem, requestID string) []byte {
	body := anthropic.ErrorBody(anthropicErrorType(p), anthropicMessage(p), requestID)
	body.Error.Details = problemDetails(p)
	encoded, err := anthropic.EncodeErrorResponse(body)
	if err != nil { // of details that are no JSON, which they are
		return append(dst, `{"type":"error","error":{"type":"api_error","message":"the request failed"}}`...)
	}
	return append(dst, encoded...)
}

// anthropicErrorType returns what Anthropic calls a problem.
func anthropicErrorType(p *Problem) anthropicapi.ErrorType {
	return anthropic.ErrorTypeOf(AnthropicStatus(p))
}

// tokenCounts finds in Google's message how many tokens a prompt has, and how many it may have; lengthCounts finds them the
// other way around in that of OpenAI.
var (
	tokenCounts  = regexp.MustCompile(`token count \(?(\d+)\)? exceeds the maximum number of tokens allowed \(?(\d+)\)?`)
	lengthCounts = regexp.MustCompile(`maximum context length is (\d+) tokens\D+(\d+) tokens`)
)

// anthropicMessage words a problem so that Anthropic's clients do something about it: by "prompt is too long" Claude Code
// shortens the conversation.
func anthropicMessage(p *Problem) string {
	switch p.Code {
	case CodeTooLong:
		if counts := tokenCounts.FindStringSubmatch(p.Message); counts != nil {
			return "prompt is too long: " + counts[1] + " tokens > " + counts[2] + " maximum"
		}
		if counts := lengthCounts.FindStringSubmatch(p.Message); counts != nil {
			return "prompt is too long: " + counts[2] + " tokens > " + counts[1] + " maximum"
		}
		return "prompt is too long: " + p.Message
	case CodeModelNotFound:
		return "model: " + p.Message
	default:
		return p.Message
	}
}

// problemDetails returns the code of a problem, and the message that another one has taken the place of; nil for none.
func problemDetails(p *Problem) jsontext.Value {
	if p.Code == "" {
		return nil
	}
	details := struct {
		Code    string `json:"error_code"`
		Param   string `json:"param,omitzero"`
		Message string `json:"upstream_message,omitzero"`
	}{Code: p.Code, Param: p.Param}
	if message := anthropicMessage(p); message != p.Message {
		details.Message = p.Message
	}
	told, err := json.Marshal(details, jsonx.Canonical, jsontext.AllowInvalidUTF8(true))
	if err != nil {
		return nil
	}
	return told
}
