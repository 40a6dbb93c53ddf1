package gemini

import (
	"net/http"
	"slices"
	"strings"
)

// RefusesCredential reports whether the server refused the key, the token or the project that they belong to, so that
// another key may do. It is true for every 401 and for the reasons and messages by which the API says so. It is false
// for a 403 that is about a resource: a file that does not exist is one, to all keys.
func (e *Error) RefusesCredential() bool {
	reason := e.Reason()
	if e.HTTPStatus == http.StatusUnauthorized || credentialReasons[reason] || strings.HasPrefix(reason, apiKeyReasons) {
		return true
	}
	message := strings.ToLower(e.Message)
	return e.HTTPStatus == http.StatusForbidden &&
		slices.ContainsFunc(credentialMessages, func(text string) bool { return strings.Contains(message, text) })
}

// credentialReasons are those of ErrorInfo that are about the key, the token or the project: by
// google/api/error_reason.proto, and the last four by the older list of errors. Those of keys are apiKeyReasons.
var credentialReasons = map[string]bool{
	"SERVICE_DISABLED":                true,
	"SERVICE_NOT_VISIBLE":             true,
	"BILLING_DISABLED":                true,
	"USER_PROJECT_DENIED":             true,
	"CONSUMER_SUSPENDED":              true,
	"CONSUMER_INVALID":                true,
	"GCP_SUSPENDED":                   true,
	"RESOURCE_PROJECT_INVALID":        true,
	"ACCOUNT_STATE_INVALID":           true,
	"ACCESS_TOKEN_EXPIRED":            true,
	"ACCESS_TOKEN_SCOPE_INSUFFICIENT": true,
	"ACCESS_TOKEN_TYPE_UNSUPPORTED":   true,
	"CREDENTIALS_MISSING":             true,
	"accessNotConfigured":             true,
	"ipRefererBlocked":                true,
	"keyExpired":                      true,
	"keyInvalid":                      true,
}

// apiKeyReasons begin the reasons for which a key may not be used: it is wrong (API_KEY_INVALID, which comes with 400), or
// not for this service, this address or this program.
const apiKeyReasons = "API_KEY_"

// credentialMessages are in the messages, in lower case, of a 403 that comes without a reason. All are recorded: no
// key, a leaked one, one that may not call, an account that is suspended, an API that the project has not enabled.
var credentialMessages = []string{
	"unregistered callers",
	"api key was reported as leaked",
	"the caller does not have permission",
	"consumer 'api_key:",
	"has not been used in project",
}

// perDay is in the ids of quotas that a wait of minutes does not restore.
const perDay = "PerDay"

// IsDailyQuota reports whether a quota for a whole day is used up, which a wait of minutes does not restore.
func (e *Error) IsDailyQuota() bool {
	return slices.ContainsFunc(e.QuotaIDs(), func(id string) bool { return strings.Contains(id, perDay) })
}

// Retryable reports whether the same request may well succeed within minutes: if its category says so
// ([Category.Retryable]), but not when the quota of the day is used up. By this, a [Client] tries again.
func (e *Error) Retryable() bool { return e.Category().Retryable() && !e.IsDailyQuota() }
