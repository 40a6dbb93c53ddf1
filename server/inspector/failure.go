package inspector

import (
	"net/http"

	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/server/gateway/exchange"
)

// failure is the kind of a failed exchange, or "".
type failure string

// The kinds.
const (
	failedRefused    failure = "refused" // by the gateway, before any call
	failedLeft       failure = "client_left"
	failedLimited    failure = "rate_limited"
	failedUpstream   failure = "upstream_error"
	failedCut        failure = "stream_cut" // a stream with an error after its beginning
	failedConnection failure = "connection"
	failedTimeout    failure = "timeout"
	failedBlocked    failure = "blocked" // answered, but by a filter
	failedGateway    failure = "gateway"
)

// failure returns the kind of the failure, or "" for an exchange that succeeded or still runs.
func (r *record) failure() failure {
	const clientLeft = 499
	e := r.end
	switch {
	case e == nil:
		return ""
	case e.Canceled, e.Status == clientLeft:
		return failedLeft
	case e.Status >= http.StatusBadRequest:
		return failureOf(e.Status, r.attempts)
	case e.ErrorType != "" || e.ErrorMessage != "":
		return failedCut
	case e.FinishReason == normalize.FinishContentFilter:
		return failedBlocked
	default:
		return ""
	}
}

// failureOf returns the kind of an error status after some attempts. A look-up of models decides
// only if it failed and no model was asked.
func failureOf(status int, attempts []exchange.Attempt) failure {
	if calls := modelCalls(attempts); len(calls) > 0 {
		attempts = calls
	} else if n := len(attempts); n > 0 && attempts[n-1].IsAnswered() {
		attempts = nil
	}
	switch {
	case status == http.StatusTooManyRequests:
		return failedLimited
	case status == http.StatusGatewayTimeout:
		return failedTimeout
	case len(attempts) == 0 && status < http.StatusInternalServerError:
		return failedRefused
	case len(attempts) == 0:
		return failedGateway
	}
	switch last := attempts[len(attempts)-1]; {
	case last.IsAnswered():
		return failedGateway
	case last.Status == 0 && status < http.StatusInternalServerError:
		return failedRefused // before the request was sent
	case last.Status == 0:
		return failedConnection
	default:
		return failedUpstream
	}
}
