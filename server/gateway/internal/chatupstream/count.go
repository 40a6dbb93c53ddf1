package chatupstream

import (
	"net/http"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/server/internal/tokenestimate"
)

// countTokens estimates the number of prompt tokens, and says that it is an estimate. Servers of
// OpenAI's API do not count tokens.
func (c *call) countTokens() (*http.Response, error) {
	if !c.Estimates {
		return nil, &refusalError{newError(http.StatusNotImplemented,
			geminiapi.ErrorStatusUnimplemented,
			"the upstream speaks OpenAI's API, which has no token count; start the gateway with --count-tokens estimate for an estimate")}
	}
	in, err := decode(c, gemini.DecodeCountTokensRequest)
	if err != nil {
		return nil, err
	}
	request := in.GenerateContentRequest
	if request == nil {
		request = &geminiapi.GenerateContentRequest{Contents: in.Contents,
			SystemInstruction: in.SystemInstruction, Tools: in.Tools}
	}
	reply, err := answerWith(c.request,
		&geminiapi.CountTokensResponse{TotalTokens: new(tokenestimate.Of(request))})
	if err == nil {
		reply.Header.Set(HeaderEstimated, "true")
	}
	return reply, err
}
