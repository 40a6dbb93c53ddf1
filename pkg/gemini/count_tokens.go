package gemini

import (
	"cmp"
	"context"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/gemini/internal/errorbody"
)

// CountTokens counts the tokens of a prompt without answering it.
//
// The model is the member Model of the request, else the model of its GenerateContentRequest, else
// the model of [WithModel]. The two services spell some members differently, and either spelling
// works. For Vertex AI, the client sends the members of GenerateContentRequest directly. For the
// Gemini API, it sends a GenerateContentRequest with the other members inside, because the API
// counts system instruction and tools only there.
func (c *Client) CountTokens(ctx context.Context, req *geminiapi.CountTokensRequest,
	opts ...CallOption) (*geminiapi.CountTokensResponse, error) {
	s, err := c.with(opts)
	if err != nil {
		return nil, err
	}
	if req == nil {
		req = &geminiapi.CountTokensRequest{}
	}
	inner := jsonx.Deref(req.GenerateContentRequest)
	op, err := s.modelOperation("countTokens",
		cmp.Or(jsonx.Deref(req.Model), jsonx.Deref(inner.Model)))
	if err != nil {
		return nil, err
	}
	own := forGeminiAPI(*req, op.resource)
	if s.endpoint.IsVertexAI() {
		own = forVertexAI(*req)
	}
	if op.body, err = EncodeCountTokensRequest(&own); err != nil {
		return nil, err
	}
	return callJSON(ctx, s, op, decodeCount)
}

// forGeminiAPI returns a request in the form of the Gemini API, which accepts only contents or a
// whole request that names its model.
func forGeminiAPI(req geminiapi.CountTokensRequest, resource string) geminiapi.CountTokensRequest {
	req.Model = nil
	hasMore := req.SystemInstruction != nil || req.Tools != nil || req.GenerationConfig != nil
	if req.GenerateContentRequest == nil && !hasMore {
		return req
	}
	whole := jsonx.Deref(req.GenerateContentRequest)
	whole.Model = &resource
	if whole.Contents == nil {
		whole.Contents = req.Contents
	}
	whole.SystemInstruction = cmp.Or(whole.SystemInstruction, req.SystemInstruction)
	whole.GenerationConfig = cmp.Or(whole.GenerationConfig, req.GenerationConfig)
	if whole.Tools == nil {
		whole.Tools = req.Tools
	}
	req.Contents, req.SystemInstruction, req.Tools, req.GenerationConfig = nil, nil, nil, nil
	req.GenerateContentRequest = &whole
	return req
}

// forVertexAI returns a request in the form of Vertex AI, which does not accept a whole request.
func forVertexAI(req geminiapi.CountTokensRequest) geminiapi.CountTokensRequest {
	req.Model = nil
	whole := jsonx.Deref(req.GenerateContentRequest)
	req.GenerateContentRequest = nil
	if whole.Contents != nil {
		req.Contents = whole.Contents
	}
	req.SystemInstruction = cmp.Or(whole.SystemInstruction, req.SystemInstruction)
	req.GenerationConfig = cmp.Or(whole.GenerationConfig, req.GenerationConfig)
	if whole.Tools != nil {
		req.Tools = whole.Tools
	}
	return req
}

// decodeCount decodes the answer to a countTokens request.
func decodeCount(body []byte) (*geminiapi.CountTokensResponse, error) {
	response, err := DecodeCountTokensResponse(body)
	if err == nil && response.TotalTokens == nil && errorbody.IsPresent(errorbody.Member(body)) {
		return nil, DecodeError(0, nil, body)
	}
	return response, err
}
