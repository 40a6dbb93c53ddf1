package gemini

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"strconv"
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/gemini/internal/endpoint"
	"github.com/gemwire/gemwire/pkg/gemini/internal/paging"
)

// collection is a kind of resource, such as files.
type collection struct {
	folder     string // the prefix of resource names
	onVertexAI bool   // Vertex AI also has it
}

// The collections.
var (
	collectionModels         = collection{folder: "models"}
	collectionCachedContents = collection{folder: "cachedContents", onVertexAI: true}
	collectionFiles          = collection{folder: "files"}
	collectionBatches        = collection{folder: "batches"}
)

// all returns an operation on the collection itself.
func (c collection) all(s *settings, name, method string) (*operation, error) {
	if err := c.check(s, name); err != nil {
		return nil, err
	}
	resource, err := s.endpoint.Resource(c.folder)
	if err != nil {
		return nil, fmt.Errorf("gemini: %s: %w", name, err)
	}
	return &operation{name: name, method: method, resource: resource}, nil
}

// one returns an operation on a resource, which is given by its id or its full name.
func (c collection) one(s *settings, name, method, resource string) (*operation, error) {
	if err := c.check(s, name); err != nil {
		return nil, err
	}
	escaped, err := c.resource(s, resource)
	if err != nil {
		return nil, fmt.Errorf("gemini: %s: %w", name, err)
	}
	return &operation{name: name, method: method, resource: escaped}, nil
}

// check refuses a collection that the client's service does not have.
func (c collection) check(s *settings, name string) error {
	if s.endpoint.IsVertexAI() && !c.onVertexAI {
		return notOnVertexAI(name)
	}
	return nil
}

// notOnVertexAI returns the error of a method that only the Gemini API has. It is an
// [errors.ErrUnsupported].
func notOnVertexAI(name string) error {
	return fmt.Errorf("gemini: %s: Vertex AI has no such method: %w", name, errors.ErrUnsupported)
}

var errResourceName = errors.New("the name is not the name of a resource of this kind")

// resource returns the escaped name of a resource: "x", "files/x" or, on Vertex AI,
// "projects/p/locations/l/files/x".
func (c collection) resource(s *settings, name string) (string, error) {
	parent, id, isNamed := strings.Cut(name, c.folder+"/")
	if !isNamed {
		parent, id = "", name
	}
	isOfProject := s.endpoint.IsVertexAI() && strings.HasPrefix(parent, "projects/")
	if strings.Contains(id, "/") || parent != "" && !isOfProject {
		return "", errResourceName
	}
	escaped, err := endpoint.Escape(parent + c.folder + "/" + id)
	if err != nil {
		return "", err
	}
	return s.endpoint.Resource(escaped)
}

// deleteOne deletes a resource.
func (c collection) deleteOne(ctx context.Context, s *settings, name, resource string) error {
	op, err := c.one(s, name, http.MethodDelete, resource)
	if err != nil {
		return err
	}
	_, err = callJSON(ctx, s, op, decodeEmpty)
	return err
}

// decodeEmpty decodes an answer without content, which may have no body at all.
func decodeEmpty(body []byte) (*geminiapi.Empty, error) {
	if len(body) == 0 {
		return &geminiapi.Empty{}, nil
	}
	return Decode[geminiapi.Empty](body)
}

// WithPageSize sets the number of elements per page of a list. By default the server decides.
func WithPageSize(size int) CallOption { return callOption(func(s *settings) { s.pageSize = size }) }

// list reads the pages of a collection. P is the type of a page.
type list[T, P any] struct {
	client     *Client
	collection collection
	name       string // of the operation
	decode     func(body []byte) (*P, error)
	elements   func(*P) (elements []T, nextPageToken *string)
}

// ErrPagesRepeat is wrapped by the *[CallError] that ends a list whose server returns the same page
// token twice, because the list would never end.
var ErrPagesRepeat = errors.New("the server returned the same page token again")

// all yields the elements of all pages, and requests each page when the loop reaches it.
func (l list[T, P]) all(ctx context.Context, opts []CallOption) iter.Seq2[*T, error] {
	return func(yield func(*T, error) bool) {
		var seen paging.Tokens
		for token := ""; ; {
			elements, next, err := l.page(ctx, opts, token)
			for i := range elements {
				if !yield(&elements[i], nil) {
					return
				}
			}
			if next != "" && seen.Repeats(next) {
				err = newCallError(CallError{Operation: l.name}, ErrPagesRepeat)
			}
			if err != nil {
				yield(nil, err)
				return
			}
			if token = next; token == "" {
				return
			}
		}
	}
}

// page requests one page; an empty token requests the first.
func (l list[T, P]) page(ctx context.Context, opts []CallOption, token string) (elements []T,
	next string, err error) {
	s, err := l.client.with(opts)
	if err != nil {
		return nil, "", err
	}
	op, err := l.collection.all(s, l.name, http.MethodGet)
	if err != nil {
		return nil, "", err
	}
	if s.pageSize > 0 {
		op.query = append(op.query, pair{"pageSize", strconv.Itoa(s.pageSize)})
	}
	if token != "" {
		op.query = append(op.query, pair{"pageToken", token})
	}
	page, err := callJSON(ctx, s, op, l.decode)
	if err != nil {
		return nil, "", err
	}
	elements, nextToken := l.elements(page)
	return elements, jsonx.Deref(nextToken), nil
}

// Models describes the models that a key may use. It is [Client.Models]. Vertex AI has no such
// list, so the methods return an [errors.ErrUnsupported] there.
type Models struct{ client *Client }

// List yields all models and requests each page when the loop reaches it. An error is the last
// pair, with a nil model.
func (m Models) List(ctx context.Context, opts ...CallOption) iter.Seq2[*geminiapi.Model, error] {
	return list[geminiapi.Model, geminiapi.ListModelsResponse]{
		client: m.client, collection: collectionModels, name: "listModels",
		decode: Decode[geminiapi.ListModelsResponse],
		elements: func(page *geminiapi.ListModelsResponse) ([]geminiapi.Model, *string) {
			return page.Models, page.NextPageToken
		},
	}.all(ctx, opts)
}

// Get describes one model. The name is the same as in a request: "gemini-3.6-flash" or
// "models/gemini-3.6-flash".
func (m Models) Get(ctx context.Context, name string, opts ...CallOption) (*geminiapi.Model,
	error) {
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
