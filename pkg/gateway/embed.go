package gateway

import (
	"context"
	"net/http"
	"strconv"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/optional"
	"github.com/gemwire/gemwire/internal/recovered"
	"github.com/gemwire/gemwire/pkg/gateway/internal/problem"
	"github.com/gemwire/gemwire/pkg/gateway/internal/upstream"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/transform"
	"golang.org/x/sync/errgroup"
)

// vectors are those of texts, in their order.
type vectors struct {
	values [][]float64
	// tokens is what the texts took, in part by a guess where isEstimated.
	tokens      int
	isEstimated bool
}

const (
	// batchSize is how many texts the Gemini API embeds by one call.
	batchSize = 100
	// callsAtOnce is how many calls with one text each are made at the same time.
	callsAtOnce = 8
)

// embed has the texts embedded by the account of an attempt. What an attempt before has found stays: all of them ask the
// same model.
func (e *embeddings) embed(ctx context.Context, t *upstream.Try) error {
	step, call := batchSize, e.embedBatch
	if e.upstream.isVertexAI() { // where a call takes one text, or does not tell the tokens
		step, call = callsAtOnce, e.embedEach
	}
	for len(e.found.values) < len(e.texts) {
		begin := len(e.found.values)
		texts := e.texts[begin:min(begin+step, len(e.texts))]
		if len(texts) == 1 {
			call = e.embedEach
		}
		found, err := call(ctx, t, texts)
		if err != nil {
			return err
		}
		if err := e.check(found.values, begin); err != nil {
			return err
		}
		e.found.values = append(e.found.values, found.values...)
		e.found.tokens += found.tokens
		e.found.isEstimated = e.found.isEstimated || found.isEstimated
	}
	return nil
}

// embedEach embeds few texts by a call each.
func (e *embeddings) embedEach(ctx context.Context, t *upstream.Try, texts []string) (vectors, error) {
	answers := make([]*geminiapi.EmbedContentResponse, len(texts))
	group, ctx := errgroup.WithContext(ctx)
	for i, text := range texts {
		group.Go(func() error {
			return recovered.Call(func() (err error) {
				opts, ended := e.recorders.Captured(false, e.limits(t.Model).options(false))
				answers[i], err = t.Account.Client.EmbedContent(ctx, e.content(t.Model, text), opts...)
				ended(err)
				return err
			})
		})
	}
	if err := group.Wait(); err != nil {
		return vectors{}, err
	}
	var found vectors
	for i, answer := range answers {
		found.values = append(found.values, optional.Value(answer.Embedding).Values)
		found.count(answer.UsageMetadata, texts[i:i+1])
	}
	return found, nil
}

// embedBatch embeds texts by one call, which has as many vectors.
func (e *embeddings) embedBatch(ctx context.Context, t *upstream.Try, texts []string) (vectors, error) {
	batch := &geminiapi.BatchEmbedContentsRequest{Requests: make([]geminiapi.EmbedContentRequest, len(texts))}
	for i, text := range texts {
		batch.Requests[i] = *e.content(t.Model, text)
	}
	opts, ended := e.recorders.Captured(false, e.limits(t.Model).options(false))
	answer, err := t.Account.Client.BatchEmbedContents(ctx, batch, opts...)
	ended(err)
	if err != nil {
		return vectors{}, err
	}
	var found vectors
	for i := range answer.Embeddings {
		found.values = append(found.values, answer.Embeddings[i].Values)
	}
	found.count(answer.UsageMetadata, texts)
	return found, nil
}

// content returns the request for the vector of a text.
func (e *embeddings) content(model, text string) *geminiapi.EmbedContentRequest {
	content := gemini.UserText(text)
	out := &geminiapi.EmbedContentRequest{Model: &model, Content: &content}
	if e.dimensions != nil { // the member of the request itself is deprecated
		out.EmbedContentConfig = &geminiapi.EmbedContentConfig{OutputDimensionality: e.dimensions}
	}
	return out
}

// count adds what texts took. Models before gemini-embedding-2 do not tell it.
func (v *vectors) count(usage *geminiapi.EmbeddingUsageMetadata, texts []string) {
	if usage != nil && usage.PromptTokenCount != nil {
		v.tokens += max(*usage.PromptTokenCount, 0)
		return
	}
	v.isEstimated = true
	for _, text := range texts {
		v.tokens += (len(text) + bytesPerToken - 1) / bytesPerToken
	}
}

// check refuses vectors that are none, or not as long as was asked for. Begin is the place of the first of them.
func (e *embeddings) check(values [][]float64, begin int) error {
	for i := range values {
		if n := len(values[i]); n == 0 || e.dimensions != nil && n != *e.dimensions {
			return &problem.Problem{
				Status: http.StatusBadGateway, Type: problem.TypeServer, Code: "bad_upstream_answer",
				Message: "the vector of text " + strconv.Itoa(begin+i) + " has " + strconv.Itoa(n) + " numbers" + expectedLength(e.dimensions),
			}
		}
	}
	return nil
}

func expectedLength(dimensions *int) string {
	if dimensions == nil {
		return ""
	}
	return "; expected " + strconv.Itoa(*dimensions)
}

// answerReport says what the client's form does not have, or has otherwise.
func (v *vectors) answerReport(isScaled bool) transform.Report {
	var report transform.Report
	if isScaled {
		report.Add(transform.Approximated, "/embeddings", "a vector that was cut is scaled to the length 1")
	}
	if v.isEstimated {
		report.Add(transform.Added, "/usageMetadata", "the model does not count tokens: they are estimated by the length of the texts")
	}
	return report
}
