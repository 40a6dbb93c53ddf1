package gateway

import (
	"errors"
	"net/http"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/openai/responses"
	"github.com/gemwire/gemwire/server/gateway/internal/history"
	"github.com/gemwire/gemwire/server/gateway/internal/problem"
	"github.com/gemwire/gemwire/server/gateway/responsestore"
	"github.com/go-json-experiment/json"
)

// keptForm is what becomes of responses that are kept.
var keptForm = responsesOperation("kept_responses")

// serveKept answers a request for what is kept, which without a store is nothing.
func (s openAIServer) serveKept(w http.ResponseWriter, r *http.Request, answer func(c *call, kept *history.History) *problem.Problem) {
	s.serve(w, r, &keptForm, func(c *call) *problem.Problem {
		if c.responseStore == nil {
			return &problem.Problem{
				Status: http.StatusNotFound, Type: problem.TypeInvalidRequest, Code: "nothing_is_kept",
				Message: "this gateway keeps no responses (--response-store)",
			}
		}
		return answer(c, c.history())
	})
}

// serveKeptResponse answers a request for a response that is kept. The id of a conversation is none.
func (s openAIServer) serveKeptResponse(w http.ResponseWriter, r *http.Request, id string, answer func(c *call, kept *history.History) *problem.Problem) {
	s.serveKept(w, r, func(c *call, kept *history.History) *problem.Problem {
		if !history.KindResponse.Names(id) {
			return c.notFound(responsestore.ErrNotFound, "response", id)
		}
		return answer(c, kept)
	})
}

// RetrieveResponse answers a response that is kept, or goes on with its stream.
func (s openAIServer) RetrieveResponse(w http.ResponseWriter, r *http.Request, id openaiapi.ResponseID, params openaiapi.RetrieveResponseParams) {
	s.serveKeptResponse(w, r, id, func(c *call, kept *history.History) *problem.Problem {
		if jsonx.Deref(params.Stream) {
			return c.followResponse(kept, id, params.StartingAfter)
		}
		document, err := kept.Store.Get(r.Context(), kept.Owner, id)
		if err != nil {
			return c.notFound(err, "response", id)
		}
		body, err := c.current(kept, document)
		if err != nil {
			return c.failed(err)
		}
		c.writeWhole(http.StatusOK, body)
		return nil
	})
}

// notFound is the problem of an id in a path which names nothing.
func (c *call) notFound(err error, kind, id string) *problem.Problem {
	var missing *history.MissingError
	if errors.Is(err, responsestore.ErrNotFound) || errors.As(err, &missing) {
		return notKept("", "there is no "+kind+" "+id+", or not any more")
	}
	return c.missing(err)
}

// DeleteResponse deletes a response. One that is made in the background ends.
func (s openAIServer) DeleteResponse(w http.ResponseWriter, r *http.Request, id openaiapi.ResponseID) {
	s.serveKeptResponse(w, r, id, func(c *call, kept *history.History) *problem.Problem {
		if run := c.runs.Find(kept.Owner, id); run != nil {
			run.Cancel(errDeleted)
			if err := run.Wait(r.Context()); err != nil {
				return c.failed(err)
			}
		}
		if err := kept.Store.Delete(r.Context(), kept.Owner, id); err != nil {
			return c.notFound(err, "response", id)
		}
		body, err := responses.EncodeDeleted(&openaiapi.DeletedResponse{ID: id, Object: openaiapi.ObjectTypeResponse, Deleted: true})
		if err != nil {
			return c.failed(err)
		}
		c.writeWhole(http.StatusOK, body)
		return nil
	})
}

// ListInputItems lists what a response was asked with: the items of its own request.
func (s openAIServer) ListInputItems(w http.ResponseWriter, r *http.Request, id openaiapi.ResponseID, params openaiapi.ListInputItemsParams) {
	s.serveKeptResponse(w, r, id, func(c *call, kept *history.History) *problem.Problem {
		query, p := itemQueryOf(params.Limit, params.Order, params.After)
		if p != nil {
			return p
		}
		return c.writePage(kept, history.KindResponse, id, responsestore.Input, query)
	})
}

// The sizes of a page of items.
const (
	defaultItemPage = 20
	largestItemPage = 100
)

// itemQueryOf reads how a list is to be given: the newest item first, unless the client says otherwise.
func itemQueryOf(limit *int, order *openaiapi.ListOrder, after *string) (history.Query, *problem.Problem) {
	query := history.Query{Limit: defaultItemPage, After: jsonx.Deref(after)}
	if limit != nil {
		query.Limit = *limit
	}
	if query.Limit < 1 || query.Limit > largestItemPage {
		return query, problem.Invalid("", "/limit", "limit: must be between 1 and 100")
	}
	switch jsonx.Deref(order) {
	case "", openaiapi.ListOrderDesc:
	case openaiapi.ListOrderAsc:
		query.IsAscending = true
	default:
		return query, problem.Invalid("", "/order", "order: must be asc or desc")
	}
	return query, nil
}

// writePage writes a page of a list.
func (c *call) writePage(kept *history.History, kind history.Kind, id string, list responsestore.List, query history.Query) *problem.Problem {
	page, err := kept.List(c.request.Context(), kind, id, list, query)
	if missing, ok := errors.AsType[*history.MissingError](err); ok && missing.Kind == history.KindItem {
		return notKept("/after", "after: there is no item "+missing.ID+" in the list")
	}
	if err != nil {
		return c.notFound(err, string(kind), id)
	}
	return c.writeValue(page)
}

// writeValue writes what has no codec of its own.
func (c *call) writeValue(value any) *problem.Problem {
	body, err := json.Marshal(value, jsonx.Canonical)
	if err != nil {
		return c.failed(err)
	}
	c.writeWhole(http.StatusOK, body)
	return nil
}

// CancelResponse ends a response that is made in the background. One that has ended stays as it is.
func (s openAIServer) CancelResponse(w http.ResponseWriter, r *http.Request, id openaiapi.ResponseID) {
	s.serveKeptResponse(w, r, id, func(c *call, kept *history.History) *problem.Problem {
		if run := c.runs.Find(kept.Owner, id); run != nil {
			run.Cancel(errCanceled)
			if err := run.Wait(r.Context()); err != nil {
				return c.failed(err)
			}
		}
		document, err := kept.Store.Get(r.Context(), kept.Owner, id)
		if err != nil {
			return c.notFound(err, "response", id)
		}
		response, err := responses.DecodeResponse(document.JSON)
		if err != nil {
			return c.failed(err)
		}
		if !jsonx.Deref(response.Background) {
			return problem.Invalid("", "", "only a response that is made in the background can be canceled")
		}
		body, err := c.current(kept, document)
		if err != nil {
			return c.failed(err)
		}
		c.writeWhole(http.StatusOK, body)
		return nil
	})
}

// CompactResponse is not served: what OpenAI makes of a conversation only its own servers read.
func (s openAIServer) CompactResponse(w http.ResponseWriter, r *http.Request) {
	s.serve(w, r, &keptForm, func(*call) *problem.Problem { return problem.NotServed(r) })
}
