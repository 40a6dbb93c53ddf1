package gateway

import (
	"errors"
	"net/http"
	"strconv"
	"strings"

	"github.com/gemwire/gemwire/pkg/gateway/internal/history"
	"github.com/gemwire/gemwire/pkg/transform/responses/request"
)

// unreadable is the problem of a request that cannot be converted. It names the item of the request.
func (t *responseTurn) unreadable(err error) *Problem {
	refused, ok := errors.AsType[*request.Error](err)
	if !ok {
		return unreadable(err)
	}
	pointer := t.ownPointer(refused.Pointer)
	p := invalidRequest(refused.Code, pointer, messageAt(pointer, refused.Reason()))
	if refused.HTTPStatus != 0 {
		p.Status = refused.HTTPStatus
	}
	return p
}

// missing is the problem of what a request names and is not kept.
func (c *call) missing(err error) *Problem {
	missing, ok := errors.AsType[*history.MissingError](err)
	switch {
	case errors.Is(err, history.ErrUnfinished):
		return invalidRequest("", "/previous_response_id", "/previous_response_id: the response is not complete yet")
	case errors.Is(err, history.ErrTooLong):
		return invalidRequest(codeTooLong, "", "the items that the request continues or names have more than the "+
			strconv.FormatInt(c.maxBodySize, 10)+" bytes that this gateway takes of a request (--max-body-size)")
	case !ok:
		c.storeFailed(err)
		return &Problem{Status: http.StatusInternalServerError, Type: typeServer, Code: "store_failed", Message: "the store of responses failed", Err: err}
	}
	switch missing.Kind {
	case history.KindResponse:
		return invalidRequest("previous_response_not_found", "/previous_response_id", "/previous_response_id: there is no response "+missing.ID+", or not any more")
	case history.KindConversation:
		return notKept("/conversation", "there is no conversation "+missing.ID+", or not any more")
	default:
		if missing.ID == "" {
			return invalidRequest("", inputPointer(missing.Index)+"/id", inputPointer(missing.Index)+"/id: must be set, with the id of an item")
		}
		return notKept(inputPointer(missing.Index), "there is no item "+missing.ID+", or not any more; send the item itself, as clients do with store:false")
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
func notKept(param, message string) *Problem {
	return &Problem{Status: http.StatusNotFound, Type: typeInvalidRequest, Param: param, Message: message}
}

// codeOverloaded is by what codex knows that it has to wait.
const codeOverloaded = "server_is_overloaded"

// appendResponsesProblem appends the envelope of a problem, with the codes of the Responses API and the members named as
// OpenAI does.
func appendResponsesProblem(dst []byte, p *Problem, requestID string) []byte {
	return appendOpenAIProblem(dst, inResponsesTerms(p), requestID)
}

// inResponsesTerms words a problem so that clients of the Responses API do something about it.
func inResponsesTerms(p *Problem) *Problem {
	out := *p
	if p.Param != "" {
		out.Param = (&request.Error{Pointer: p.Param}).Param()
	}
	if p.Status == http.StatusServiceUnavailable {
		out.Code = codeOverloaded
	}
	if p.Status == http.StatusTooManyRequests && p.RetryAfter > 0 && !strings.Contains(p.Message, "try again in") {
		out.Message += "; try again in " + strconv.FormatFloat(p.RetryAfter.Seconds(), 'f', -1, 64) + "s"
	}
	return &out
}
