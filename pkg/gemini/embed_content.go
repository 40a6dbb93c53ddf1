package gemini

import (
	"context"
	"fmt"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/gemini/internal/prediction"
)

// EmbedContent turns a content into a vector.
//
// The model is the member Model of the request, or else the model of [WithModel]. Vertex AI serves
// its text models by another method, predict, with other members. The client then translates the
// request and the answer, and can embed only text.
func (c *Client) EmbedContent(ctx context.Context, req *geminiapi.EmbedContentRequest,
	opts ...CallOption) (*geminiapi.EmbedContentResponse, error) {
	s, err := c.with(opts)
	if err != nil {
		return nil, err
	}
	own := jsonx.Deref(req)
	op, err := s.modelOperation("embedContent", jsonx.Deref(own.Model))
	if err != nil {
		return nil, err
	}
	if s.endpoint.IsVertexAI() && prediction.Serves(op.resource) {
		return embedByPredict(ctx, s, op, own)
	}
	own.Model = nil
	if !s.endpoint.IsVertexAI() {
		own.Model = &op.resource
	}
	if op.body, err = Encode(&own); err != nil {
		return nil, err
	}
	return callJSON(ctx, s, op, Decode[geminiapi.EmbedContentResponse])
}

// embedByPredict embeds a text with a model of Vertex AI that has only predict.
func embedByPredict(ctx context.Context, s *settings, op *operation,
	req geminiapi.EmbedContentRequest) (*geminiapi.EmbedContentResponse, error) {
	response, err := embedAllByPredict(ctx, s, op, []geminiapi.EmbedContentRequest{req})
	if err != nil {
		return nil, err
	}
	first := response.Predictions[0].Embeddings
	out := &geminiapi.EmbedContentResponse{Embedding: &geminiapi.ContentEmbedding{Values: first.Values}}
	if first.Statistics != nil {
		out.Truncated = first.Statistics.Truncated
		out.UsageMetadata = &geminiapi.EmbeddingUsageMetadata{PromptTokenCount: first.Statistics.TokenCount}
	}
	return out, nil
}

// embedAllByPredict embeds texts in one call of predict. It returns one embedding per text.
func embedAllByPredict(ctx context.Context, s *settings, op *operation,
	requests []geminiapi.EmbedContentRequest) (*geminiapi.PredictResponse, error) {
	body, err := prediction.Request(requests)
	if err != nil {
		return nil, fmt.Errorf("gemini: %s: %w", op.name, err)
	}
	own := *op
	own.verb = "predict"
	if own.body, err = Encode(body); err != nil {
		return nil, err
	}
	return callJSON(ctx, s, &own, func(body []byte) (*geminiapi.PredictResponse, error) {
		response, err := Decode[geminiapi.PredictResponse](body)
		if err == nil {
			err = prediction.Check(response, len(requests))
		}
		return response, err
	})
}

// BatchEmbedContents turns several contents into vectors in one call. The call fails as a whole if
// one request is wrong. The answer has one vector per request, in the same order.
//
// The model is the first model that a request names, or else the model of [WithModel]. All requests
// are sent with it. On Vertex AI only text models support this, and all settings of the requests
// except TaskType and Title must be equal.
func (c *Client) BatchEmbedContents(ctx context.Context, req *geminiapi.BatchEmbedContentsRequest,
	opts ...CallOption) (*geminiapi.BatchEmbedContentsResponse, error) {
	s, err := c.with(opts)
	if err != nil {
		return nil, err
	}
	own := jsonx.Deref(req)
	op, err := s.modelOperation("batchEmbedContents", modelOf(own.Requests))
	if err != nil {
		return nil, err
	}
	if s.endpoint.IsVertexAI() {
		return batchByPredict(ctx, s, op, own.Requests)
	}
	requests := own.Requests
	own.Requests = make([]geminiapi.EmbedContentRequest, len(requests))
	for i, request := range requests {
		request.Model = &op.resource
		own.Requests[i] = request
	}
	if op.body, err = Encode(&own); err != nil {
		return nil, err
	}
	return callJSON(ctx, s, op, func(body []byte) (*geminiapi.BatchEmbedContentsResponse, error) {
		response, err := Decode[geminiapi.BatchEmbedContentsResponse](body)
		if err == nil && len(response.Embeddings) != len(requests) {
			// Vectors cannot be matched with requests.
			err = fmt.Errorf("gemini: %d vectors for %d requests", len(response.Embeddings),
				len(requests))
		}
		return response, err
	})
}

// modelOf returns the first model that a request names, or "".
func modelOf(requests []geminiapi.EmbedContentRequest) string {
	for _, request := range requests {
		if request.Model != nil {
			return *request.Model
		}
	}
	return ""
}

// batchByPredict embeds texts with a model of Vertex AI. Only its models with predict embed several
// texts at once.
func batchByPredict(ctx context.Context, s *settings, op *operation,
	requests []geminiapi.EmbedContentRequest) (*geminiapi.BatchEmbedContentsResponse, error) {
	if !prediction.Serves(op.resource) {
		return nil, notOnVertexAI(op.name)
	}
	response, err := embedAllByPredict(ctx, s, op, requests)
	if err != nil {
		return nil, err
	}
	out := &geminiapi.BatchEmbedContentsResponse{}
	for _, p := range response.Predictions {
		out.Embeddings = append(out.Embeddings,
			geminiapi.ContentEmbedding{Values: p.Embeddings.Values})
	}
	return out, nil
}
