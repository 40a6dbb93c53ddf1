package websearch

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// dailyReasons are Google's reasons for an exhausted daily quota.
var dailyReasons = []string{"dailyLimitExceeded", "quotaExceeded"}

// quotaReasons and quotaStatus mean that a quota is exhausted, the daily one or the one per minute.
// Only the message says which.
var quotaReasons = []string{"rateLimitExceeded", "userRateLimitExceeded"}

const quotaStatus = "RESOURCE_EXHAUSTED"

// apiError converts an error of the API to one of this package. The body may contain anything.
func apiError(status int, body []byte) *Error {
	failure := &Error{Code: CodeAPIError, HTTPStatus: status}
	detail := member(withoutByteOrderMark(body), "error")
	var first jsontext.Value
	if list := elements(member(detail, "errors")); len(list) > 0 {
		first = list[0]
	}
	reason, _ := text(member(first, "reason"))
	canonical, _ := text(member(detail, "status"))
	message, _ := text(member(detail, "message"))
	firstMessage, _ := text(member(first, "message"))

	message = cmp.Or(message, firstMessage)
	switch {
	case slices.Contains(dailyReasons, reason), isQuota(reason, canonical) && ofTheDay(message):
		failure.Code = CodeRateLimit
		failure.Message = "Rate limit exceeded. You've used your free search quota (100/day)."
	case isQuota(reason, canonical):
		failure.Code = CodeRateLimit
		failure.Message = strings.TrimSuffix("Rate limit exceeded: "+message, ": ")
	case message != "":
		failure.Message = fmt.Sprintf("API error (HTTP %d): %s", status, message)
	default:
		failure.Message = fmt.Sprintf("API request failed with HTTP %d", status)
	}
	return failure
}

func isQuota(reason, canonical string) bool {
	return slices.Contains(quotaReasons, reason) || canonical == quotaStatus
}

// ofTheDay reports whether a message is about the daily quota, such as "Quota exceeded for quota
// metric 'Queries' and limit 'Queries per day' of service 'customsearch.googleapis.com'".
func ofTheDay(message string) bool { return strings.Contains(strings.ToLower(message), "per day") }
