package gemini

import (
	"cmp"
	"context"
	"iter"
	"net/http"
	"slices"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
)

// Batches runs many requests within a day, at a lower price. It is [Client.Batches]. Vertex AI has
// a different kind of batches, so these methods return an [errors.ErrUnsupported] there.
//
// A batch is an operation that the server runs. Its Metadata holds the current state. When Done is
// true, Response has the results, or Error says why there are no results. The results are where the
// requests were: in the body or in a file. ResponsesFile names that file for [Files.Download]; each
// of its lines is a [geminiapi.BatchResultLine].
//
// List, Cancel and Delete treat a batch of embeddings ([Batches.CreateEmbeddings]) like any other
// batch. Use [Batches.GetEmbeddings] to get its vectors: in the types of Get and List they are
// unknown members.
//
// A name is "batches/ID" or the ID.
type Batches struct{ client *Client }

// Create starts a batch. InputConfig holds the requests, or the name of an uploaded file with one
// [geminiapi.BatchRequestLine] per line. All requests use one model: the member Model of batch, or
// else the model of [WithModel].
func (b Batches) Create(ctx context.Context, batch *geminiapi.GenerateContentBatch,
	opts ...CallOption) (*geminiapi.BatchOperation, error) {
	s, err := b.client.with(opts)
	if err != nil {
		return nil, err
	}
	const name = "batchGenerateContent"
	if err := collectionBatches.check(s, name); err != nil {
		return nil, err
	}
	own := jsonx.Deref(batch)
	op, err := s.modelOperation(name, jsonx.Deref(own.Model))
	if err != nil {
		return nil, err
	}
	own.Model = &op.resource
	if input := jsonx.Deref(own.InputConfig); input.Requests != nil {
		requests := *input.Requests
		requests.Requests = s.withStore(requests.Requests)
		input.Requests, own.InputConfig = &requests, &input
	}
	if op.body, err = Encode(&geminiapi.BatchGenerateContentRequest{Batch: &own}); err != nil {
		return nil, err
	}
	return callJSON(ctx, s, op, Decode[geminiapi.BatchOperation])
}

// CreateEmbeddings starts a batch that embeds contents. InputConfig holds the requests, or the name
// of an uploaded file with one [geminiapi.EmbedContentRequestLine] per line. All requests use one
// model: the member Model of batch, else the first model that a request names, else the model of
// [WithModel]. Requests in the body are sent with this model. Each line of a results file is a
// [geminiapi.EmbedContentResultLine].
func (b Batches) CreateEmbeddings(ctx context.Context, batch *geminiapi.EmbedContentBatch,
	opts ...CallOption) (*geminiapi.EmbedContentBatchOperation, error) {
	s, err := b.client.with(opts)
	if err != nil {
		return nil, err
	}
	const name = "asyncBatchEmbedContent"
	if err := collectionBatches.check(s, name); err != nil {
		return nil, err
	}
	own := jsonx.Deref(batch)
	input := jsonx.Deref(own.InputConfig)
	requests := jsonx.Deref(input.Requests)
	op, err := s.modelOperation(name,
		cmp.Or(jsonx.Deref(own.Model), modelOfInlined(requests.Requests)))
	if err != nil {
		return nil, err
	}
	own.Model = &op.resource
	if input.Requests != nil {
		requests.Requests = withModel(requests.Requests, &op.resource)
		input.Requests, own.InputConfig = &requests, &input
	}
	if op.body, err = Encode(&geminiapi.AsyncBatchEmbedContentRequest{Batch: &own}); err != nil {
		return nil, err
	}
	return callJSON(ctx, s, op, Decode[geminiapi.EmbedContentBatchOperation])
}

// modelOfInlined returns the first model that a request names, or "".
func modelOfInlined(requests []geminiapi.InlinedEmbedContentRequest) string {
	for _, request := range requests {
		if model := jsonx.Deref(request.Request).Model; model != nil {
			return *model
		}
	}
	return ""
}

// withModel returns copies of requests, each with the model, because the server requires it.
func withModel(requests []geminiapi.InlinedEmbedContentRequest,
	model *string) []geminiapi.InlinedEmbedContentRequest {
	out := slices.Clone(requests)
	for i := range out {
		if out[i].Request != nil {
			own := *out[i].Request
			own.Model = model
			out[i].Request = &own
		}
	}
	return out
}

// Get returns the current state of a batch.
func (b Batches) Get(ctx context.Context, name string,
	opts ...CallOption) (*geminiapi.BatchOperation, error) {
	return getBatch(ctx, b, name, opts, Decode[geminiapi.BatchOperation])
}

// GetEmbeddings returns the current state of a batch of embeddings.
func (b Batches) GetEmbeddings(ctx context.Context, name string,
	opts ...CallOption) (*geminiapi.EmbedContentBatchOperation, error) {
	return getBatch(ctx, b, name, opts, Decode[geminiapi.EmbedContentBatchOperation])
}

func getBatch[T any](ctx context.Context, b Batches, name string, opts []CallOption,
	decode func([]byte) (*T, error)) (*T, error) {
	s, err := b.client.with(opts)
	if err != nil {
		return nil, err
	}
	op, err := collectionBatches.one(s, "getBatch", http.MethodGet, name)
	if err != nil {
		return nil, err
	}
	return callJSON(ctx, s, op, decode)
}

// List yields all batches and requests each page when the loop reaches it. An error is the last
// pair, with a nil batch.
func (b Batches) List(ctx context.Context, opts ...CallOption) iter.Seq2[*geminiapi.BatchOperation,
	error] {
	return list[geminiapi.BatchOperation, geminiapi.ListBatchesResponse]{
		client: b.client, collection: collectionBatches, name: "listBatches",
		decode: Decode[geminiapi.ListBatchesResponse],
		elements: func(page *geminiapi.ListBatchesResponse) ([]geminiapi.BatchOperation, *string) {
			return page.Operations, page.NextPageToken
		},
	}.all(ctx, opts)
}

// Cancel asks the server to stop a batch. It returns at once; the batch's state shows when the
// batch has stopped.
func (b Batches) Cancel(ctx context.Context, name string, opts ...CallOption) error {
	s, err := b.client.with(opts)
	if err != nil {
		return err
	}
	op, err := collectionBatches.one(s, "cancelBatch", http.MethodPost, name)
	if err != nil {
		return err
	}
	op.verb, op.body = "cancel", []byte("{}")
	_, err = callJSON(ctx, s, op, decodeEmpty)
	return err
}

// Delete deletes a batch and its results. It does not stop a running batch.
func (b Batches) Delete(ctx context.Context, name string, opts ...CallOption) error {
	s, err := b.client.with(opts)
	if err != nil {
		return err
	}
	return collectionBatches.deleteOne(ctx, s, "deleteBatch", name)
}
