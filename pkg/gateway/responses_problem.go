package gateway

import (
	"errors"
	"net/http"
	"strconv"

	"github.com/gemwire/gemwire/pkg/gateway/internal/history"
	"github.com/gemwire/gemwire/pkg/gateway/internal/problem"
	"github.com/gemwire/gemwire/pkg/transform/responses/request"
)

// unreadable is the problem of a request that cannot be converted. It names the item of the request.
func (t *responseTurn) unreadable(err error) *problem.Problem {
	refused, ok := errors.AsType[*request.Error](err)
	if !ok {
		return problem.Unreadable(err)
	}
	pointer := t.ownPointer(refused.Pointer)
	reason := refused.Reason()
	if refused.NeedsStore {
		reason += "; this gateway keeps responses if it is started with --response-store"
	}
	p := problem.Invalid(refused.Code, pointer, problem.MessageAt(pointer, reason))
	if refused.HTTPStatus != 0 {
		p.Status = refused.HTTPStatus
	}
	return p
}

// missing is the problem of what a request names and is not kept.
func (c *call) missing(err error) *problem.Problem {
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
