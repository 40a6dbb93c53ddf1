package gemini

import (
	"context"
	"errors"
	"iter"
	"net/http"
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
)

// CachedContents stores context that many requests share. It is [Client.CachedContents]. To use a
// cache, a request sets CachedContent to the name of the cache. Such a request must not have its
// own system instruction, tools or tool config.
//
// A name is "cachedContents/ID" or the ID. Vertex AI also accepts
// "projects/P/locations/L/cachedContents/ID".
type CachedContents struct{ client *Client }

// Create stores a context for one model: the member Model of cached, or else the model of
// [WithModel]. The cache expires after an hour unless TTL ("300s") or ExpireTime is set. The server
// refuses a context with fewer tokens than the model's minimum.
func (c CachedContents) Create(ctx context.Context, cached *geminiapi.CachedContent,
	opts ...CallOption) (*geminiapi.CachedContent, error) {
	s, err := c.client.with(opts)
	if err != nil {
		return nil, err
	}
	op, err := collectionCachedContents.all(s, "createCachedContent", http.MethodPost)
	if err != nil {
		return nil, err
	}
	own := jsonx.Deref(cached)
	model, err := s.modelOperation(op.name, jsonx.Deref(own.Model))
	if err != nil {
		return nil, err
	}
	own.Model = &model.resource
	op.model = model.model
	if op.body, err = Encode(&own); err != nil {
		return nil, err
	}
	return callJSON(ctx, s, op, Decode[geminiapi.CachedContent])
}

// Get describes a cache: when it expires and how large it is, but not its contents.
func (c CachedContents) Get(ctx context.Context, name string,
	opts ...CallOption) (*geminiapi.CachedContent, error) {
	s, err := c.client.with(opts)
	if err != nil {
		return nil, err
	}
	op, err := collectionCachedContents.one(s, "getCachedContent", http.MethodGet, name)
	if err != nil {
		return nil, err
	}
	return callJSON(ctx, s, op, Decode[geminiapi.CachedContent])
}

// List yields all caches and requests each page when the loop reaches it. An error is the last
// pair, with a nil cache.
func (c CachedContents) List(ctx context.Context,
	opts ...CallOption) iter.Seq2[*geminiapi.CachedContent, error] {
	return list[geminiapi.CachedContent, geminiapi.ListCachedContentsResponse]{
		client: c.client, collection: collectionCachedContents, name: "listCachedContents",
		decode: Decode[geminiapi.ListCachedContentsResponse],
		elements: func(page *geminiapi.ListCachedContentsResponse) ([]geminiapi.CachedContent,
			*string) {
			return page.CachedContents, page.NextPageToken
		},
	}.all(ctx, opts)
}

// Update changes a cache. mask names the members to change, for example "ttl". Without a mask,
// Update changes TTL and ExpireTime, if change has them. The API cannot change other members of a
// cache today.
func (c CachedContents) Update(ctx context.Context, name string, change *geminiapi.CachedContent,
	mask []string, opts ...CallOption) (*geminiapi.CachedContent, error) {
	s, err := c.client.with(opts)
	if err != nil {
		return nil, err
	}
	op, err := collectionCachedContents.one(s, "updateCachedContent", http.MethodPatch, name)
	if err != nil {
		return nil, err
	}
	own := jsonx.Deref(change)
	if len(mask) == 0 {
		mask = maskOf(&own)
	}
	if len(mask) == 0 {
		return nil, errNoChange
	}
	op.query = []pair{{"updateMask", strings.Join(mask, ",")}}
	if op.body, err = Encode(&own); err != nil {
		return nil, err
	}
	return callJSON(ctx, s, op, Decode[geminiapi.CachedContent])
}

var errNoChange = errors.New("gemini: updateCachedContent: nothing to change; set a mask, TTL or ExpireTime")

// maskOf names the members of a change that set when a cache expires.
func maskOf(change *geminiapi.CachedContent) []string {
	var mask []string
	if change.TTL != nil {
		mask = append(mask, "ttl")
	}
	if change.ExpireTime != nil {
		mask = append(mask, "expireTime")
	}
	return mask
}

// Delete deletes a cache before it expires.
func (c CachedContents) Delete(ctx context.Context, name string, opts ...CallOption) error {
	s, err := c.client.with(opts)
	if err != nil {
		return err
	}
	return collectionCachedContents.deleteOne(ctx, s, "deleteCachedContent", name)
}
