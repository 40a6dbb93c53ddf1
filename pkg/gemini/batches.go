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

// Batches has many requests answered within a day, at a lower price. It is [Client.Batches]. Vertex
// AI has batches of another kind: there its methods are an [errors.ErrUnsupported].
//
// A batch is an operation that the server runs. Its Metadata tells the state at any time; once Done
// is true, Response has the results, or Error says why there are none. The results are where the
// requests were: in the body, or in a file, named by ResponsesFile, for [Files.Download], with a
// [geminiapi.BatchResultLine] a line.
//
// A batch of embeddings ([Batches.CreateEmbeddings]) is one among all others for List, Cancel and
// Delete. Its vectors are in the types of [Batches.GetEmbeddings]; in those of Get and List they
// are unknown members.
//
// A name is "batches/ID" or the ID.
type Batches struct{ client *Client }

// Create hands in a batch. Its requests are in InputConfig, either themselves or by the name of an
// uploaded file with a [geminiapi.BatchRequestLine] a line. All are for one model, which is the
// member Model of batch, else that of [WithModel].
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

// CreateEmbeddings hands in a batch of contents to be embedded. They are in InputConfig, either
// themselves or by the name of an uploaded file with a [geminiapi.EmbedContentRequestLine] a line.
// All are for one model, which is the member Model of batch, else that of its first request that
// names one, else that of [WithModel]; those in the body are sent with it. The results of a file
// have a [geminiapi.EmbedContentResultLine] a line.
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

// modelOfInlined returns the first model that requests name, "" for none.
func modelOfInlined(requests []geminiapi.InlinedEmbedContentRequest) string {
	for _, request := range requests {
		if model := jsonx.Deref(request.Request).Model; model != nil {
			return *model
		}
	}
	return ""
}

// withModel returns copies of requests, each of which names the model, as the server wants it.
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

// Get returns a batch as it is now.
func (b Batches) Get(ctx context.Context, name string,
	opts ...CallOption) (*geminiapi.BatchOperation, error) {
	return getBatch(ctx, b, name, opts, Decode[geminiapi.BatchOperation])
}

// GetEmbeddings returns a batch of embeddings as it is now.
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

// List yields all batches, page by page as the loop goes on. An error is the last pair, beside a
// nil batch.
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

// Cancel has a batch stopped. It returns at once; the state tells when the batch has stopped.
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

// Delete deletes a batch with its results. One that still runs is not stopped by it.
func (b Batches) Delete(ctx context.Context, name string, opts ...CallOption) error {
	s, err := b.client.with(opts)
	if err != nil {
		return err
	}
	return collectionBatches.deleteOne(ctx, s, "deleteBatch", name)
}
