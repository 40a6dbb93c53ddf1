// Package prediction converts embedding requests to predict requests, with which Vertex AI serves
// its text embedding models, and converts the answers back.
package prediction

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
)

// Serves reports whether an embedding model of Vertex AI, given by its resource name, has only
// predict. All models do, except models of the second generation, which have embedContent.
func Serves(resource string) bool {
	return !strings.Contains(resource, "/models/gemini-embedding-2")
}

var (
	errNotText         = errors.New("this model of Vertex AI embeds text only")
	errUnequalSettings = errors.New("at Vertex AI all texts of a call must have the same OutputDimensionality and AutoTruncate")
)

// Request returns the body of predict for texts. Settings in EmbedContentConfig have the same
// meaning as settings of the request itself.
func Request(requests []geminiapi.EmbedContentRequest) (*geminiapi.PredictRequest, error) {
	out := &geminiapi.PredictRequest{Instances: make([]geminiapi.PredictInstance, len(requests))}
	for i, request := range requests {
		config := jsonx.Deref(request.EmbedContentConfig)
		text, ok := textOf(jsonx.Deref(request.Content))
		if !ok {
			return nil, errNotText
		}
		out.Instances[i] = geminiapi.PredictInstance{
			Content:  &text,
			TaskType: cmp.Or(config.TaskType, request.TaskType),
			Title:    cmp.Or(config.Title, request.Title),
		}
		parameters := &geminiapi.PredictParameters{
			AutoTruncate:         cmp.Or(config.AutoTruncate, request.AutoTruncate),
			OutputDimensionality: cmp.Or(config.OutputDimensionality, request.OutputDimensionality),
		}
		if i > 0 && (!equalMembers(out.Parameters.AutoTruncate, parameters.AutoTruncate) ||
			!equalMembers(out.Parameters.OutputDimensionality, parameters.OutputDimensionality)) {
			return nil, errUnequalSettings
		}
		out.Parameters = parameters
	}
	if out.Parameters != nil && out.Parameters.IsEmpty() {
		out.Parameters = nil
	}
	return out, nil
}

func equalMembers[T comparable](a, b *T) bool {
	return (a == nil) == (b == nil) && jsonx.Deref(a) == jsonx.Deref(b)
}

// textOf joins the texts of a content, and returns false if the content has anything else.
func textOf(content geminiapi.Content) (string, bool) {
	var text strings.Builder
	for _, part := range content.Parts {
		if part.Text == nil {
			return "", false
		}
		text.WriteString(*part.Text)
	}
	return text.String(), true
}

var errNoEmbedding = errors.New("a prediction has no embedding")

// Check refuses an answer that does not have one embedding per text.
func Check(response *geminiapi.PredictResponse, texts int) error {
	if n := len(response.Predictions); n != texts {
		return fmt.Errorf("%d predictions for %d texts", n, texts)
	}
	for _, p := range response.Predictions {
		if p.Embeddings == nil {
			return errNoEmbedding
		}
	}
	return nil
}
