package fakegemini

import (
	"net/http"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/fakegemini/internal/batch"
	"github.com/gemwire/gemwire/pkg/fakegemini/internal/refusal"
	"github.com/gemwire/gemwire/pkg/gemini"
)

// AsyncBatchEmbedContent accepts contents to be embedded later.
func (a *api) AsyncBatchEmbedContent(w http.ResponseWriter, r *http.Request, _ geminiapi.ModelID) {
	a.createEmbeddingBatch(w, r)
}

// AsyncBatchEmbedContentByTunedModel is AsyncBatchEmbedContent for a tuned model. No tuned model
// embeds.
func (a *api) AsyncBatchEmbedContentByTunedModel(w http.ResponseWriter, r *http.Request,
	_ geminiapi.ModelID) {
	a.createEmbeddingBatch(w, r)
}

func (a *api) createEmbeddingBatch(w http.ResponseWriter, r *http.Request) {
	acceptBatch(a, w, r,
		func(body *geminiapi.AsyncBatchEmbedContentRequest) (batch.Job, *refusal.Refusal) {
			input := jsonx.Deref(jsonx.Deref(body.Batch).InputConfig)
			lines, why := a.contentsOf(&input)
			if unknown := refusal.UnknownMembers(body.Unknown); unknown != nil {
				why = unknown
			}
			return batch.Job{
				Message: "EmbedContentBatch", DisplayName: jsonx.Deref(body.Batch).DisplayName,
				Lines: lines, FromFile: input.FileName != nil,
			}, why
		})
}

// contentsOf returns the requests of a batch of embeddings, from its body or from a file.
func (a *api) contentsOf(input *geminiapi.EmbedContentInputConfig) ([]batch.Line,
	*refusal.Refusal) {
	requests := jsonx.Deref(input.Requests).Requests
	if input.FileName != nil {
		return a.linesIn(*input.FileName, contentOf)
	}
	if len(requests) == 0 || len(requests) > maxLines {
		return nil, refusal.InvalidArgument()
	}
	lines := make([]batch.Line, len(requests))
	for i, request := range requests {
		lines[i] = batch.Line{Metadata: request.Metadata, Request: encoded(request.Request)}
	}
	return lines, nil
}

func contentOf(text []byte) (batch.Line, error) {
	line, err := gemini.Decode[geminiapi.EmbedContentRequestLine](text)
	if err != nil {
		return batch.Line{}, err
	}
	return batch.Line{Key: jsonx.Deref(line.Key), Request: encoded(line.Request)}, nil
}
