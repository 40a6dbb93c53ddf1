package problem

import (
	"net/http"
	"strconv"
	"strings"
)

// codeOverloaded is by what codex knows that it has to wait.
const codeOverloaded = "server_is_overloaded"

// AppendResponses appends the envelope of a problem, with the codes of the Responses API.
func AppendResponses(dst []byte, p *Problem, requestID string) []byte {
	return AppendOpenAI(dst, InResponsesTerms(p), requestID)
}

// InResponsesTerms words a problem so that clients of the Responses API do something about it.
func InResponsesTerms(p *Problem) *Problem {
	out := *p
	if p.Status == http.StatusServiceUnavailable {
		out.Code = codeOverloaded
	}
	if p.Status == http.StatusTooManyRequests && p.RetryAfter > 0 && !strings.Contains(p.Message, "try again in") {
		out.Message += "; try again in " + strconv.FormatFloat(p.RetryAfter.Seconds(), 'f', -1, 64) + "s"
	}
	return &out
}
