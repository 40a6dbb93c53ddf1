package gemini

import (
	"context"
	"iter"
	"net/http"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/optional"
)

// Batches has many requests answered within a day, at a lower price. It is [Client.Batches]. Vertex AI has batches of
// another kind: there its methods are an [errors.ErrUnsupported].
//
// A batch is an operation that the server runs. Its Metadata tells the state at any time; once Done is true, Response
// has the results, or Error says why there are none. The results are where the requests were: in the body, or in a
// file, named by ResponsesFile, for [Files.Download], with a [geminiapi.BatchResultLine] a line.
//
// A name is "batches/ID" or the ID.
type Batches struct{ client *Client }

// Create hands in a batch. Its requests are in InputConfig, either themselves or by the name of an uploaded file with
// a [geminiapi.BatchRequestLine] a line. All are for one model, which is the member Model of batch, else that of
// [WithModel].
func (b Batches) Create(ctx context.Context, batch *geminiapi.GenerateContentBatch, opts ...Option) (*geminiapi.BatchOperation, error) {
	s, err := b.client.with(opts)
	if err != nil {
		return nil, err
	}
	const name = "batchGenerateContent"
	if err := collectionBatches.check(s, name); err != nil {
		return nil, err
	}
	own := optional.Value(batch)
	op, err := s.modelOperation(name, optional.Value(own.Model))
	if err != nil {
		return nil, err
	}
	own.Model = &op.resource
	if op.body, err = Encode(&geminiapi.BatchGenerateContentRequest{Batch: &own}); err != nil {
		return nil, err
	}
	return callJSON(ctx, s, op, Decode[geminiapi.BatchOperation])
}

// Get returns a batch as it is now.
func (b Batches) Get(ctx context.Context, name string, opts ...Option) (*geminiapi.BatchOperation, error) {
	s, err := b.client.with(opts)
	if err != nil {
		return nil, err
	}
	op, err := collectionBatches.one(s, "getBatch", http.MethodGet, name)
	if err != nil {
		return nil, err
	}
	return callJSON(ctx, s, op, Decode[geminiapi.BatchOperation])
}

// List yields all batches, page by page as the loop goes on. An error is the last pair, beside a nil batch.
func (b Batches) List(ctx context.Context, opts ...Option) iter.Seq2[*geminiapi.BatchOperation, error] {
	return list[geminiapi.BatchOperation, geminiapi.ListBatchesResponse]{
		client: b.client, collection: collectionBatches, name: "listBatches",
		decode: Decode[geminiapi.ListBatchesResponse],
		elements: func(page *geminiapi.ListBatchesResponse) ([]geminiapi.BatchOperation, *string) {
			return page.Operations, page.NextPageToken
		},
	}.all(ctx, opts)
}

// Cancel has a batch stopped. It returns at once; the state tells when the batch has stopped.
func (b Batches) Cancel(ctx context.Context, name string, opts ...Option) error {
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
func (b Batches) Delete(ctx context.Context, name string, opts ...Option) error {
	s, err := b.client.with(opts)
	if err != nil {
		return err
	}
	return collectionBatches.deleteOne(ctx, s, "deleteBatch", name)
}
