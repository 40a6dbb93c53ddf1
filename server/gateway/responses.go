package gateway

import (
	"errors"
	"net/http"
	"strconv"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/openai/responses"
	toresponses "github.com/gemwire/gemwire/pkg/transform/responses"
	"github.com/gemwire/gemwire/pkg/transform/responses/request"
	"github.com/gemwire/gemwire/server/gateway/internal/history"
	"github.com/gemwire/gemwire/server/gateway/internal/problem"
	"github.com/gemwire/gemwire/server/gateway/internal/turn/response"
	"github.com/gemwire/gemwire/server/gateway/responsestore"
	"github.com/go-json-experiment/json"
)

// WithResponseStore stores conversations, the responses that clients of the Responses API ask to
// store, by default all, and the interactions that clients of the Interactions API ask to store, by
// default none. It enables previous_response_id and previous_interaction_id, retrieval, deletion,
// and answers in the background. The caller closes the store after the gateway. By default the
// gateway stores nothing and refuses requests that need the store.
func WithResponseStore(store responsestore.Store) Option {
	return func(s *settings) { s.responseStore = store }
}

// responseWay returns what responses depend on apart from their requests.
func (c *call) responseWay() response.Way {
	way := response.Way{HasDoneMark: c.doneMark, Lane: c.lane, Owner: c.owner(),
		Sealer: c.sealer, Prompt: c.prompt, Shortens: !c.convertsOnly(), Compacts: c.compacts}
	way.Hold = func(bytes int64) error {
		if err := c.room.Hold(c.request.Context(), bytes); err != nil {
			return errNoMemory()
		}
		return nil
	}
	if c.responseStore == nil {
		return way
	}
	kept := c.history()
	way.History, way.NotKept, way.Clean = kept, c.storeFailed, c.recorders.Secrets.Kept
	way.IsUnderWay = func(id string) bool { return c.runs.Find(kept.Owner, id) != nil }
	return way
}

// history returns the stored data of the client.
func (c *call) history() *history.History {
	return &history.History{Store: c.responseStore, Owner: c.owner(), Limit: c.maxBodySize}
}

// owner returns the client for whom data is stored or sealed. The client is its key if the gateway
// requires keys.
func (c *call) owner() responsestore.Owner {
	switch {
	case c.key != nil: // also for a program's request, which has the name of the key only
		return c.key.Sum()
	case c.callersKey:
		return responsestore.OwnerOf(c.callerKey())
	default:
		return responsestore.OwnerOf("")
	}
}

// missing is the problem of a request that refers to something that is not stored.
func (c *call) missing(err error) *problem.Problem {
	if p, ok := err.(*problem.Problem); ok {
		return p
	}
	missing, ok := errors.AsType[*history.MissingError](err)
	switch {
	case errors.Is(err, history.ErrUnfinished):
		return problem.Invalid("", "/previous_response_id",
			"/previous_response_id: the response is not complete yet")
	case errors.Is(err, history.ErrTooLong):
		return problem.Invalid(problem.CodeTooLong, "",
			"the stored items of the request are larger than the limit of "+
				strconv.FormatInt(c.maxBodySize, 10)+
				" bytes (--max-body-size)")
	case errors.Is(err, responsestore.ErrTooLarge):
		return &problem.Problem{Status: http.StatusRequestEntityTooLarge,
			Type: problem.TypeInvalidRequest, Code: "larger_than_store",
			Message: "the conversation is larger than the stored data of a client may be (store_size)"}
	case errors.Is(err, responsestore.ErrFull):
		c.storeFailed(err)
		return &problem.Problem{Status: http.StatusServiceUnavailable, Type: problem.TypeServer,
			Code: "store_full", Message: "the store of the gateway is full (store_total_size)",
			Err: err}
	case errors.Is(err, responsestore.ErrUnavailable):
		c.storeFailed(err)
		return &problem.Problem{Status: http.StatusServiceUnavailable, Type: problem.TypeServer,
			Code: "store_unavailable", Message: "the store of the gateway is not available; " +
				"try again, or send the whole conversation with store:false", Err: err}
	case !ok:
		c.storeFailed(err)
		return &problem.Problem{Status: http.StatusInternalServerError, Type: problem.TypeServer,
			Code: "store_failed", Message: "the response store failed", Err: err}
	}
	switch missing.Kind {
	case history.KindResponse:
		return problem.Invalid("previous_response_not_found", "/previous_response_id",
			"/previous_response_id: response "+missing.ID+" does not exist or was deleted")
	case history.KindConversation:
		return notKept("/conversation", "conversation "+missing.ID+" does not exist or was deleted")
	default:
		if missing.ID == "" {
			return problem.Invalid("", inputPointer(missing.Index)+"/id",
				inputPointer(missing.Index)+"/id: must be set, with the id of an item")
		}
		p := notKept(inputPointer(missing.Index),
			"item "+missing.ID+
				" does not exist or was deleted; send the item itself, as clients do with store:false")
		p.Code = request.CodeItemNotFound
		return p
	}
}

func inputPointer(index int) string { return "/input/" + strconv.Itoa(index) }

// storeFailed logs why the store failed, for the operator. Clients only learn that it failed.
func (c *call) storeFailed(err error) {
	if c.logger != nil {
		c.logger.Error("the response store failed", "request_id", c.id, "error", err)
	}
}

// notKept is the problem of a name that does not exist.
func notKept(param, message string) *problem.Problem {
	return &problem.Problem{Status: http.StatusNotFound, Type: problem.TypeInvalidRequest,
		Param: param, Message: message}
}

// keptForm serves stored responses.
var keptForm = formOf(toresponses.Form(), "kept_responses")

// serveKept answers a request for stored data. Without a store nothing is found.
func (s openAIServer) serveKept(w http.ResponseWriter, r *http.Request,
	answer func(c *call, kept *history.History) *problem.Problem) {
	s.serve(w, r, &keptForm, func(c *call) *problem.Problem {
		if c.responseStore == nil {
			return &problem.Problem{
				Status: http.StatusNotFound, Type: problem.TypeInvalidRequest,
				Code:    "nothing_is_kept",
				Message: "stored responses are not enabled on this gateway (--store)",
			}
		}
		return answer(c, c.history())
	})
}

// serveKeptResponse answers a request for a stored response. The id of a conversation is not a
// response id.
func (s openAIServer) serveKeptResponse(w http.ResponseWriter, r *http.Request, id string,
	answer func(c *call, kept *history.History) *problem.Problem) {
	s.serveKept(w, r, func(c *call, kept *history.History) *problem.Problem {
		if !history.KindResponse.Names(id) {
			return c.notFound(responsestore.ErrNotFound, "response", id)
		}
		return answer(c, kept)
	})
}

// RetrieveResponse returns a stored response, or continues its stream.
func (s openAIServer) RetrieveResponse(w http.ResponseWriter, r *http.Request,
	id openaiapi.ResponseID, params openaiapi.RetrieveResponseParams) {
	s.serveKeptResponse(w, r, id, func(c *call, kept *history.History) *problem.Problem {
		if jsonx.Deref(params.Stream) {
			return c.followResponse(kept, id, params.StartingAfter)
		}
		document, err := kept.Store.Get(r.Context(), kept.Owner, id)
		if err != nil {
			return c.notFound(err, "response", id)
		}
		body, err := c.current(kept, document, responseState)
		if err != nil {
			return c.failed(err)
		}
		c.writeWhole(http.StatusOK, body)
		return nil
	})
}

// notFound is the problem of a path with an id that does not exist.
func (c *call) notFound(err error, kind, id string) *problem.Problem {
	var missing *history.MissingError
	if errors.Is(err, responsestore.ErrNotFound) || errors.As(err, &missing) {
		return notKept("", kind+" "+id+" does not exist or was deleted")
	}
	return c.missing(err)
}

// DeleteResponse deletes a response. A background response in progress is ended.
func (s openAIServer) DeleteResponse(w http.ResponseWriter, r *http.Request,
	id openaiapi.ResponseID) {
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
		body, err := responses.EncodeDeleted(&openaiapi.DeletedResponse{ID: id,
			Object: openaiapi.ObjectTypeResponse, Deleted: true})
		if err != nil {
			return c.failed(err)
		}
		c.writeWhole(http.StatusOK, body)
		return nil
	})
}

// ListInputItems lists the input items of a response's own request.
func (s openAIServer) ListInputItems(w http.ResponseWriter, r *http.Request,
	id openaiapi.ResponseID, params openaiapi.ListInputItemsParams) {
	s.serveKeptResponse(w, r, id, func(c *call, kept *history.History) *problem.Problem {
		query, p := itemQueryOf(params.Limit, params.Order, params.After)
		if p != nil {
			return p
		}
		return c.writePage(kept, history.KindResponse, id, responsestore.Input, query)
	})
}

// Page sizes of lists of items.
const (
	defaultItemPage = 20
	largestItemPage = 100
)

// itemQueryOf reads the order and the page of a list. By default the newest item comes first.
func itemQueryOf(limit *int, order *openaiapi.ListOrder, after *string) (history.Query,
	*problem.Problem) {
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
func (c *call) writePage(kept *history.History, kind history.Kind, id string,
	list responsestore.List, query history.Query) *problem.Problem {
	page, err := kept.List(c.request.Context(), kind, id, list, query)
	if missing, ok := errors.AsType[*history.MissingError](err); ok &&
		missing.Kind == history.KindItem {
		return notKept("/after", "after: item "+missing.ID+" is not in the list")
	}
	if err != nil {
		return c.notFound(err, string(kind), id)
	}
	return c.writeValue(page)
}

// writeValue writes a value that has no codec.
func (c *call) writeValue(value any) *problem.Problem {
	body, err := json.Marshal(value, jsonx.Canonical)
	if err != nil {
		return c.failed(err)
	}
	c.writeWhole(http.StatusOK, body)
	return nil
}

// CancelResponse cancels a background response. A response that has ended stays unchanged.
func (s openAIServer) CancelResponse(w http.ResponseWriter, r *http.Request,
	id openaiapi.ResponseID) {
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
			return problem.Invalid("", "",
				"only a background response can be canceled")
		}
		body, err := c.current(kept, document, responseState)
		if err != nil {
			return c.failed(err)
		}
		c.writeWhole(http.StatusOK, body)
		return nil
	})
}
