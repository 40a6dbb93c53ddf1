package live

import (
	"net/http"

	"github.com/gemwire/gemwire/server/gateway"
)

// verdict is the meaning of a reply for its line.
type verdict int

const (
	// answered is a result with an answer. refused is a permanent refusal, which is a result too.
	answered verdict = iota
	refused
	// rateLimited and failed are worth a retry.
	rateLimited
	failed
	// overBudget, usedUp and keyRefused are not about a line.
	overBudget
	usedUp
	keyRefused
)

// verdicts are the verdicts of statuses that differ from their class.
var verdicts = map[int]verdict{
	http.StatusTooManyRequests: rateLimited,
	http.StatusRequestTimeout:  failed,
	http.StatusTooEarly:        failed,
	statusClientLeft:           failed,
	http.StatusNotImplemented:  refused,
}

// statusClientLeft is the gateway's status for a client that has disconnected.
const statusClientLeft = 499

// verdict returns what the reply means.
func (a *reply) verdict() verdict {
	switch {
	case a.isBudget:
		return overBudget
	case a.code == gateway.CodeQuota:
		return usedUp
	case a.code == gateway.CodeKeyRefused:
		return keyRefused
	}
	if v, ok := verdicts[a.status]; ok {
		return v
	}
	switch {
	case a.status >= http.StatusInternalServerError:
		return failed
	case a.status >= http.StatusBadRequest:
		return refused
	default:
		return answered
	}
}
