package chatupstream

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/openai"
	"github.com/gemwire/gemwire/pkg/transform/chat/reverse"
	"github.com/gemwire/gemwire/pkg/wiretype"
	"github.com/gemwire/gemwire/server/gateway/internal/vector"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// embed answers with the embedding of one content.
func (c *call) embed() (*http.Response, error) {
	in, err := decode(c, gemini.Decode[geminiapi.EmbedContentRequest])
	if err != nil {
		return nil, err
	}
	found, usage, err := c.embeddings([]geminiapi.EmbedContentRequest{*in})
	if err != nil {
		return nil, err
	}
	return answerWith(c.request,
		&geminiapi.EmbedContentResponse{Embedding: &found[0], UsageMetadata: usage})
}

// embedBatch answers with the embeddings of several contents.
func (c *call) embedBatch() (*http.Response, error) {
	in, err := decode(c, gemini.Decode[geminiapi.BatchEmbedContentsRequest])
	if err != nil {
		return nil, err
	}
	if len(in.Requests) == 0 {
		return answerWith(c.request, &geminiapi.BatchEmbedContentsResponse{})
	}
	found, usage, err := c.embeddings(in.Requests)
	if err != nil {
		return nil, err
	}
	return answerWith(c.request,
		&geminiapi.BatchEmbedContentsResponse{Embeddings: found, UsageMetadata: usage})
}

// decode decodes the body of a request.
func decode[T any](c *call, as func([]byte) (*T, error)) (*T, error) {
	body, err := c.asked()
	if err != nil {
		return nil, err
	}
	in, err := as(body)
	if err != nil {
		return nil, invalid(err)
	}
	return in, nil
}

// embeddings requests the embeddings of several contents at once. The length of the vectors is the
// first content's, because one request has one length.
func (c *call) embeddings(in []geminiapi.EmbedContentRequest) ([]geminiapi.ContentEmbedding,
	*geminiapi.EmbeddingUsageMetadata, error) {
	texts := make([]wiretype.StringOr[jsontext.Value], len(in))
	for i := range in {
		text, ok := textOf(in[i].Content)
		if !ok {
			return nil, nil, invalid(errNotText)
		}
		texts[i] = wiretype.StringOf[jsontext.Value](text)
	}
	sent, err := json.Marshal(&openaiapi.CreateEmbeddingRequest{
		Model: c.op.model, Input: wiretype.ValueOf(texts), Dimensions: dimensionsOf(&in[0]),
		EncodingFormat: new(openaiapi.EncodingFormatFloat),
	}, jsonx.Canonical)
	if err != nil {
		return nil, nil, invalid(err)
	}
	reply, err := c.send(http.MethodPost, "/embeddings", sent)
	if err != nil {
		return nil, nil, err
	}
	body, err := c.read(reply)
	if err != nil {
		return nil, nil, err
	}
	found, err := openai.DecodeEmbeddingResponse(body)
	if err != nil {
		return nil, nil, badAnswer(err)
	}
	if said := openai.DecodeForeignError(body); len(found.Data) == 0 && said != nil {
		return nil, nil, &refusalError{reverse.FromError(&openai.Error{Response: *said})}
	}
	out, err := inOrder(found.Data, len(in))
	if err != nil {
		return nil, nil, badAnswer(err)
	}
	return out, &geminiapi.EmbeddingUsageMetadata{PromptTokenCount: &found.Usage.PromptTokens}, nil
}

// inOrder returns the embeddings in the order of the contents: by their indexes, or in the received
// order if a server sends no indexes.
func inOrder(data []openaiapi.Embedding, contents int) ([]geminiapi.ContentEmbedding, error) {
	if len(data) != contents {
		return nil, fmt.Errorf("got %d embeddings for %d contents", len(data), contents)
	}
	isCounted := slices.ContainsFunc(data, func(e openaiapi.Embedding) bool { return e.Index != 0 })
	out := make([]geminiapi.ContentEmbedding, contents)
	for i := range data {
		at := i
		if isCounted {
			at = data[i].Index
		}
		if at < 0 || at >= contents || out[at].Values != nil {
			return nil, fmt.Errorf("the embedding %d belongs to no content, or its content already has one",
				i)
		}
		values, ok := valuesOf(&data[i])
		if !ok {
			return nil, fmt.Errorf("the embedding %d has no numbers", i)
		}
		out[at].Values = values
	}
	return out, nil
}

// valuesOf returns the numbers of an embedding, also from a server that always sends base64.
func valuesOf(e *openaiapi.Embedding) (values []float64, ok bool) {
	encoded, isText := e.Embedding.AsString()
	if !isText {
		values, _ = e.Embedding.AsValue()
		return values, len(values) > 0
	}
	values, ok = vector.FromBase64(encoded)
	return values, ok && len(values) > 0
}

func dimensionsOf(in *geminiapi.EmbedContentRequest) *int {
	if in.OutputDimensionality != nil {
		return in.OutputDimensionality
	}
	return jsonx.Deref(in.EmbedContentConfig).OutputDimensionality
}

var errNotText = errors.New("the upstream embeds only texts")

// textOf returns the texts of a content. ok is false if the content has other parts.
func textOf(content *geminiapi.Content) (text string, ok bool) {
	var texts []string
	for _, part := range jsonx.Deref(content).Parts {
		if part.Text == nil {
			return "", false
		}
		texts = append(texts, *part.Text)
	}
	return strings.Join(texts, "\n"), true
}
