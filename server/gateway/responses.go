package gateway

import (
	"errors"
	"net/http"
	"strconv"

	toresponses "github.com/gemwire/gemwire/pkg/transform/responses"
	"github.com/gemwire/gemwire/pkg/transform/responses/request"
	"github.com/gemwire/gemwire/server/gateway/internal/history"
	"github.com/gemwire/gemwire/server/gateway/internal/problem"
	"github.com/gemwire/gemwire/server/gateway/internal/turn/response"
	"github.com/gemwire/gemwire/server/gateway/responsestore"
)

// WithResponseStore keeps the responses of the Responses API that clients ask to be kept, by default all, and conversations:
// it serves previous_response_id, retrieving, deleting, responses in the background. The caller closes the store, behind the
// gateway. By default nothing is kept, and requests for what needs it are refused.
func WithResponseStore(store responsestore.Store) Option {
	return func(s *settings) { s.responseStore = store }
}

// responsesOperation returns the form of an operation of that API.
func responsesOperation(name string) form { return formOf(toresponses.Form(), name) }

// responseWay returns what responses depend on besides their requests.
func (c *call) responseWay() response.Way {
	way := response.Way{HasDoneMark: c.doneMark}
	if c.responseStore == nil {
		return way
	}
	kept := c.history()
	way.History, way.NotKept, way.Clean = kept, c.storeFailed, c.recorders.Secrets.Kept
	way.IsUnderWay = func(id string) bool { return c.runs.Find(kept.Owner, id) != nil }
	way.Hold = func(bytes int64) error {
		if err := c.room.Hold(c.request.Context(), bytes); err != nil {
			return overloaded("the bodies of other requests take all memory that there is for them (--max-bytes-in-flight)")
		}
		return nil
	}
	return way
}

// history returns what is kept for the client: by its key, where the gateway asks for keys.
func (c *call) history() *history.History {
	credential := ""
	if c.keys != nil || c.callersKey {
		credential = c.callerKey()
	}
	return &history.History{Store: c.responseStore, Owner: responsestore.OwnerOf(credential), Limit: c.maxBodySize}
}

// missing is the problem of what a request names and is not kept.
func (c *call) missing(err error) *problem.Problem {
	if p, ok := err.(*problem.Problem); ok {
		return p
	}
	missing, ok := errors.AsType[*history.MissingError](err)
	switch {
	case errors.Is(err, history.ErrUnfinished):
		return problem.Invalid("", "/previous_response_id", "/previous_response_id: the response is not complete yet")
	case errors.Is(err, history.ErrTooLong):
		return problem.Invalid(problem.CodeTooLong, "", "the items that the request continues or names have more than the "+
			strconv.FormatInt(c.maxBodySize, 10)+" bytes that this gateway takes of a request (--max-body-size)")
	case !ok:
		c.storeFailed(err)
		return &problem.Problem{Status: http.StatusInternalServerError, Type: problem.TypeServer, Code: "store_failed", Message: "the store of responses failed", Err: err}
	}
	switch missing.Kind {
	case history.KindResponse:
		return problem.Invalid("previous_response_not_found", "/previous_response_id", "/previous_response_id: there is no response "+missing.ID+", or not any more")
	case history.KindConversation:
		return notKept("/conversation", "there is no conversation "+missing.ID+", or not any more")
	default:
		if missing.ID == "" {
			return problem.Invalid("", inputPointer(missing.Index)+"/id", inputPointer(missing.Index)+"/id: must be set, with the id of an item")
		}
		p := notKept(inputPointer(missing.Index), "there is no item "+missing.ID+", or not any more; send the item itself, as clients do with store:false")
		p.Code = request.CodeItemNotFound
		return p
	}
}

func inputPointer(index int) string { return "/input/" + strconv.Itoa(index) }

// storeFailed logs why the store does not work, which is the operator's to know: clients are only told that it does not.
func (c *call) storeFailed(err error) {
	if c.logger != nil {
		c.logger.Error("the store of responses failed", "request_id", c.id, "error", err)
	}
}

// notKept is the problem of what is named and not there.
func notKept(param, message string) *problem.Problem {
	return &problem.Problem{Status: http.StatusNotFound, Type: problem.TypeInvalidRequest, Param: param, Message: message}
}
