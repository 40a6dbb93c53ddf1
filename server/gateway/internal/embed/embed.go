// Package embed gets embedding vectors of texts from Gemini.
package embed

import (
	"context"
	"net/http"
	"strconv"
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/internal/recovered"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/server/gateway/internal/problem"
	"github.com/gemwire/gemwire/server/gateway/internal/upstream"
	"github.com/go-json-experiment/json/jsontext"
	"golang.org/x/sync/errgroup"
)

// Request is a request for the vectors of texts.
type Request struct {
	Texts []string
	// Dimensions is the length of the vectors. Nil selects the model's own length.
	Dimensions *int
	// OnVertexAI reports that the service is Vertex AI. There a call takes one text, or does not
	// report token counts.
	OnVertexAI bool
	// Begin returns the options of a model call, and a function to call after its end. Several
	// goroutines make calls.
	Begin func(model string) (opts []gemini.CallOption, ended func(error))
	// Found are the vectors of the first texts so far.
	Found Vectors
}

// Vectors are the vectors of texts, in their order.
type Vectors struct {
	Values [][]float64
	// Tokens is the token count of the texts. IsEstimated says that it is partly estimated.
	Tokens      int
	IsEstimated bool
}

const (
	// batchSize is the number of texts that one call of the Gemini API accepts.
	batchSize = 100
	// callsAtOnce is the number of parallel calls with one text each.
	callsAtOnce = 8
)

// Embed gets the vectors with the account of an attempt. It keeps the vectors of earlier attempts,
// because all attempts call the same model.
func (r *Request) Embed(ctx context.Context, t *upstream.Try) error {
	step, call := batchSize, r.embedBatch
	if r.OnVertexAI {
		step, call = callsAtOnce, r.embedEach
	}
	for len(r.Found.Values) < len(r.Texts) {
		begin := len(r.Found.Values)
		texts := r.Texts[begin:min(begin+step, len(r.Texts))]
		if len(texts) == 1 {
			call = r.embedEach
		}
		found, err := call(ctx, t, texts)
		if err != nil {
			return err
		}
		if err := r.check(found.Values, begin); err != nil {
			return err
		}
		r.Found.Values = append(r.Found.Values, found.Values...)
		r.Found.Tokens += found.Tokens
		r.Found.IsEstimated = r.Found.IsEstimated || found.IsEstimated
	}
	return nil
}

// embedEach embeds a few texts with one call each.
func (r *Request) embedEach(ctx context.Context, t *upstream.Try, texts []string) (Vectors, error) {
	answers := make([]*geminiapi.EmbedContentResponse, len(texts))
	group, ctx := errgroup.WithContext(ctx)
	for i, text := range texts {
		group.Go(func() error {
			return recovered.Call(func() (err error) {
				opts, ended := r.Begin(t.Model)
				answers[i], err = t.Account.Client.EmbedContent(ctx, r.content(t.Model, text),
					opts...)
				ended(err)
				return err
			})
		})
	}
	if err := group.Wait(); err != nil {
		return Vectors{}, err
	}
	var found Vectors
	for i, answer := range answers {
		found.Values = append(found.Values, jsonx.Deref(answer.Embedding).Values)
		found.count(answer.UsageMetadata, texts[i:i+1])
	}
	return found, nil
}

// embedBatch embeds texts with one call. It checks that the call returns the same number of
// vectors.
func (r *Request) embedBatch(ctx context.Context, t *upstream.Try, texts []string) (Vectors,
	error) {
	batch := &geminiapi.BatchEmbedContentsRequest{Requests: make([]geminiapi.EmbedContentRequest,
		len(texts))}
	for i, text := range texts {
		batch.Requests[i] = *r.content(t.Model, text)
	}
	opts, ended := r.Begin(t.Model)
	answer, err := t.Account.Client.BatchEmbedContents(ctx, batch, opts...)
	ended(err)
	if err != nil {
		return Vectors{}, err
	}
	var found Vectors
	for i := range answer.Embeddings {
		found.Values = append(found.Values, answer.Embeddings[i].Values)
	}
	found.count(answer.UsageMetadata, texts)
	return found, nil
}

// content returns the request for the vector of a text.
func (r *Request) content(model, text string) *geminiapi.EmbedContentRequest {
	content := gemini.UserText(text)
	out := &geminiapi.EmbedContentRequest{Model: &model, Content: &content}
	if r.Dimensions != nil { // the member of the request itself is deprecated
		out.EmbedContentConfig = &geminiapi.EmbedContentConfig{OutputDimensionality: r.Dimensions}
	}
	return out
}

// Requests returns the bodies of requests for one vector each.
func (r *Request) Requests(model string) ([]jsontext.Value, error) {
	out := make([]jsontext.Value, len(r.Texts))
	for i, text := range r.Texts {
		request := r.content("models/"+strings.TrimPrefix(model, "models/"), text)
		body, err := gemini.Encode(request)
		if err != nil {
			return nil, err
		}
		out[i] = body
	}
	return out, nil
}

// Add adds the vector of the next text from the answer to its request.
func (r *Request) Add(body []byte) error {
	answer, err := gemini.Decode[geminiapi.EmbedContentResponse](body)
	if err != nil {
		return err
	}
	begin := len(r.Found.Values)
	values := [][]float64{jsonx.Deref(answer.Embedding).Values}
	if begin >= len(r.Texts) {
		return nil
	}
	if err := r.check(values, begin); err != nil {
		return err
	}
	r.Found.Values = append(r.Found.Values, values...)
	r.Found.count(answer.UsageMetadata, r.Texts[begin:begin+1])
	return nil
}

// bytesPerToken is the approximate size of a token of English text.
const bytesPerToken = 4

// count adds the token count of texts. Models before gemini-embedding-2 do not report it.
func (v *Vectors) count(usage *geminiapi.EmbeddingUsageMetadata, texts []string) {
	if usage != nil && usage.PromptTokenCount != nil {
		v.Tokens += max(*usage.PromptTokenCount, 0)
		return
	}
	v.IsEstimated = true
	for _, text := range texts {
		v.Tokens += (len(text) + bytesPerToken - 1) / bytesPerToken
	}
}

// check refuses empty vectors, and vectors of another length than requested. Begin is the index of
// the first vector.
func (r *Request) check(values [][]float64, begin int) error {
	for i := range values {
		if n := len(values[i]); n == 0 || r.Dimensions != nil && n != *r.Dimensions {
			return &problem.Problem{
				Status: http.StatusBadGateway, Type: problem.TypeServer,
				Code: "bad_upstream_answer",
				Message: "the vector of text " + strconv.Itoa(begin+i) + " has " + strconv.Itoa(n) +
					" numbers" + expectedLength(r.Dimensions),
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

// Report lists what the client's form cannot express, or expresses in another way.
func (v *Vectors) Report(isScaled bool) report.Report {
	var entries report.Report
	if isScaled {
		entries.Add(report.Approximated, "/embeddings",
			"shortened vectors are scaled to the length 1")
	}
	if v.IsEstimated {
		entries.Add(report.Added, "/usageMetadata",
			"the model does not count tokens; they are estimated from the length of the texts")
	}
	return entries
}
