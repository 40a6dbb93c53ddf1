package websearch

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
)

// quotaReasons are the reasons with which Google says that the searches of the day are used up.
var quotaReasons = []string{"dailyLimitExceeded", "quotaExceeded"}

// apiError turns a reply with another status than 200 into an error. The body may be anything.
func apiError(status int, body []byte) *Error {
	failure := &Error{Code: CodeAPIError, HTTPStatus: status}
	detail := member(body, "error")
	var first jsontext.Value
	if list := elements(member(detail, "errors")); len(list) > 0 {
		first = list[0]
	}
	reason, _ := text(member(first, "reason"))
	message, _ := text(member(detail, "message"))
	firstMessage, _ := text(member(first, "message"))

	message = cmp.Or(message, firstMessage)
	switch {
	case slices.Contains(quotaReasons, reason):
		failure.Code = CodeRateLimit
		failure.Message = "Rate limit exceeded. You've used your free search quota (100/day)."
	case message != "":
		failure.Message = fmt.Sprintf("API error (HTTP %d): %s", status, message)
	default:
		failure.Message = fmt.Sprintf("API request failed with HTTP %d", status)
	}
	return failure
}
