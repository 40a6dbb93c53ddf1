package geminitest

import (
	"context"
	"net/http"
	"time"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/optional"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/geminitest/internal/batch"
	"github.com/gemwire/gemwire/pkg/geminitest/internal/received"
	"github.com/gemwire/gemwire/pkg/geminitest/internal/refusal"
	"github.com/go-json-experiment/json/jsontext"
)

// AsyncBatchEmbedContent takes contents to be embedded later.
func (a *api) AsyncBatchEmbedContent(w http.ResponseWriter, r *http.Request, _ geminiapi.ModelID) {
	a.createEmbeddingBatch(w, r)
}

// AsyncBatchEmbedContentByTunedModel is AsyncBatchEmbedContent for a model that was tuned, of which none embeds.
func (a *api) AsyncBatchEmbedContentByTunedModel(w http.ResponseWriter, r *http.Request, _ geminiapi.ModelID) {
	a.createEmbeddingBatch(w, r)
}

func (a *api) createEmbeddingBatch(w http.ResponseWriter, r *http.Request) {
	request := received.From(r)
	if !a.isKnown(request.Model) || !supports(request.Model, request.Operation) {
		refuse(w, r, refusal.UnknownModel(request.Route))
		return
	}
	body, why := bodyOf[geminiapi.AsyncBatchEmbedContentRequest](request)
	if why == nil {
		why = refusal.UnknownMembers(body.Unknown)
	}
	var lines []batch.Line
	input := &geminiapi.EmbedContentInputConfig{}
	if why == nil && body.Batch != nil && body.Batch.InputConfig != nil {
		input = body.Batch.InputConfig
	}
	if why == nil {
		lines, why = a.contentsOf(input)
	}
	if why != nil {
		refuse(w, r, why)
		return
	}
	id := a.batches.NewID(36)
	made, status := batch.New(batch.Job{
		ID: id, Model: request.Resource, Message: "EmbedContentBatch", DisplayName: body.Batch.DisplayName,
		Lines: lines, FromFile: input.FileName != nil, Duration: a.settings.batchTime,
		Run: func(ctx context.Context, line batch.Line) batch.Result { return a.runLine(ctx, r, line) },
		Keep: func(lines []byte) string {
			return "files/" + a.files.AddGenerated("batch-"+id, "application/jsonl", lines).ID
		},
	})
	a.batches.Put("batches/"+id, made, time.Time{})
	writeResource(w, made.Operation(status))
}

// contentsOf returns the requests of a batch of embeddings, from its body or from a file.
func (a *api) contentsOf(input *geminiapi.EmbedContentInputConfig) ([]batch.Line, *refusal.Refusal) {
	requests := optional.Value(input.Requests).Requests
	if input.FileName != nil {
		return a.linesIn(*input.FileName, contentOf)
	}
	if len(requests) == 0 || len(requests) > maxLines {
		return nil, refusal.InvalidArgument()
	}
	lines := make([]batch.Line, len(requests))
	for i, request := range requests {
		lines[i] = batch.Line{Metadata: request.Metadata, Request: encodedContent(request.Request)}
	}
	return lines, nil
}

func contentOf(text []byte) (batch.Line, error) {
	line, err := gemini.Decode[geminiapi.EmbedContentRequestLine](text)
	if err != nil {
		return batch.Line{}, err
	}
	return batch.Line{Key: optional.Value(line.Key), Request: encodedContent(line.Request)}, nil
}

// encodedContent returns a request as JSON, nil when there is none.
func encodedContent(request *geminiapi.EmbedContentRequest) jsontext.Value {
	if request == nil {
		return nil
	}
	body, err := gemini.Encode(request)
	if err != nil {
		return nil // What was decoded has a form in JSON.
	}
	return body
}
