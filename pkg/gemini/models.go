package gemini

import (
	"context"
	"iter"
	"net/http"

	"github.com/gemwire/gemwire/gen/geminiapi"
)

// Models describes the models that a key may use. It is [Client.Models]. Vertex AI has no such list: there its methods
// are an [errors.ErrUnsupported].
type Models struct{ client *Client }

// List yields all models, page by page as the loop goes on. An error is the last pair, beside a nil model.
func (m Models) List(ctx context.Context, opts ...CallOption) iter.Seq2[*geminiapi.Model, error] {
	return list[geminiapi.Model, geminiapi.ListModelsResponse]{
		client: m.client, collection: collectionModels, name: "listModels",
		decode: Decode[geminiapi.ListModelsResponse],
		elements: func(page *geminiapi.ListModelsResponse) ([]geminiapi.Model, *string) {
			return page.Models, page.NextPageToken
		},
	}.all(ctx, opts)
}

// Get describes one model, which is named as in a request: "gemini-3.6-flash" or "models/gemini-3.6-flash".
func (m Models) Get(ctx context.Context, name string, opts ...CallOption) (*geminiapi.Model, error) {
	s, err := m.client.with(opts)
	if err != nil {
		return nil, err
	}
	op, err := collectionModels.one(s, "getModel", http.MethodGet, name)
	if err != nil {
		return nil, err
	}
	return callJSON(ctx, s, op, Decode[geminiapi.Model])
}
