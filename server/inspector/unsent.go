package inspector

import (
	"errors"
	"net/http"
)

// unsent is why a record has no request to the upstream, or "".
type unsent string

// The reasons.
const (
	unsentRunning    unsent = "running"    // not yet
	unsentBodiesOff  unsent = "bodies_off" // bodies were not being recorded
	unsentUnrecorded unsent = "unrecorded" // the gateway asked, but does not report such requests
	unsentResting    unsent = "resting"    // all accounts were paused
	unsentRefused    unsent = "refused"    // by the gateway
	unsentOwn        unsent = "own"        // the gateway answered by itself
)

// unsent returns why the record has no request to the upstream.
func (r *record) unsent() unsent {
	switch {
	case len(r.tries) > 0:
		return ""
	case !r.bodies:
		return unsentBodiesOff
	case len(r.attempts) > 0:
		return unsentUnrecorded
	case r.end == nil:
		return unsentRunning
	case r.end.Rest != nil:
		return unsentResting
	case r.end.Status >= http.StatusBadRequest:
		return unsentRefused
	default:
		return unsentOwn
	}
}

// errUnsent are the errors of exports that need a request to the upstream.
var errUnsent = map[unsent]error{
	unsentRunning:   errors.New("nothing was sent to Gemini yet"),
	unsentBodiesOff: errNoBodies,
	unsentUnrecorded: errors.New(
		"unavailable: the gateway asked the upstream, but such requests are not recorded"),
	unsentResting: errors.New("nothing was sent to Gemini: all accounts were paused"),
	unsentRefused: errors.New("nothing was sent to Gemini: the gateway refused the request"),
	unsentOwn:     errors.New("nothing was sent to Gemini: the gateway answered by itself"),
}
