package gemini

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"syscall"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/codec"
	"github.com/gemwire/gemwire/pkg/gemini/internal/errorbody"
	"github.com/gemwire/gemwire/pkg/wire"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// RefusesCredential reports whether the server refused the key, the token or the project that they
// belong to, so that another key may do. It is true for every 401 and for the reasons and messages
// by which the API says so. It is false for a 403 that is about a resource: a file that does not
// exist is one, to all keys.
func (e *Error) RefusesCredential() bool {
	reason := e.Reason()
	if e.HTTPStatus == http.StatusUnauthorized || credentialReasons[reason] ||
		strings.HasPrefix(reason, apiKeyReasons) {
		return true
	}
	message := strings.ToLower(e.Message)
	return e.HTTPStatus == http.StatusForbidden &&
		slices.ContainsFunc(credentialMessages,
			func(text string) bool { return strings.Contains(message, text) })
}

// credentialReasons are those of ErrorInfo that are about the key, the token or the project: by
// google/api/error_reason.proto, and the last four by the older list of errors. Those of keys are
// apiKeyReasons.
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

// apiKeyReasons begin the reasons for which a key may not be used: it is wrong (API_KEY_INVALID,
// which comes with 400), or not for this service, this address or this program.
const apiKeyReasons = "API_KEY_"

// credentialMessages are in the messages, in lower case, of a 403 that comes without a reason. All
// are recorded: no key, a leaked one, one that may not call, an account that is suspended, an API
// that the project has not enabled.
var credentialMessages = []string{
	"unregistered callers",
	"api key was reported as leaked",
	"the caller does not have permission",
	"consumer 'api_key:",
	"has not been used in project",
}

// perDay is in the ids of quotas that a wait of minutes does not restore.
const perDay = "PerDay"

// IsDailyQuota reports whether a quota for a whole day is used up, which a wait of minutes does not
// restore.
func (e *Error) IsDailyQuota() bool {
	return slices.ContainsFunc(e.QuotaIDs(),
		func(id string) bool { return strings.Contains(id, perDay) })
}

// Retryable reports whether the same request may well succeed within minutes: if its category says
// so ([Category.Retryable]), but not when the quota of the day is used up. By this, a [Client]
// tries again.
func (e *Error) Retryable() bool { return e.Category().Retryable() && !e.IsDailyQuota() }

// IsError reports whether a decoded response is the envelope of an error, {"error": {...}}, which
// the API sends in place of a response and also as the last chunk of a stream; [DecodeError] makes
// an *[Error] of it. The wire type has no member for an error, so it is among the unknown ones.
//
// An error member that tells no fault, false, 0 or an empty value, is none beside candidates, usage
// or what the filters say of the prompt: some servers write it into every chunk.
func IsError(r *geminiapi.GenerateContentResponse) bool {
	if r == nil || len(r.Unknown) == 0 {
		return false
	}
	value := errorbody.Member(r.Unknown)
	if isNoFault(value) {
		return errorbody.IsPresent(value) && len(r.Candidates) == 0 && r.PromptFeedback == nil &&
			r.UsageMetadata == nil
	}
	return errorbody.IsPresent(value)
}

// Envelope returns the error as the chunk by which a stream reports it, in the form that the API
// documents: an object with an error object in it, here among the members that a response does not
// know. It is made of the body, so nothing that stood there is lost, except for a list around the
// object and what is behind the object in it. It is nil for a body that is no such object, such as
// a page.
func (e *Error) Envelope() *geminiapi.GenerateContentResponse {
	body := e.RawBody()
	var list []jsontext.Value
	if err := json.Unmarshal(body, &list); err == nil && len(list) > 0 {
		body = list[0]
	}
	chunk, err := DecodeResponse(body)
	if err != nil {
		return nil
	}
	if chunk.Unknown, err = withErrorObject(chunk.Unknown); err != nil {
		return nil
	}
	return chunk
}

// withErrorObject puts a fault that unknown members report in another way into an error object.
func withErrorObject(unknown jsontext.Value) (jsontext.Value, error) {
	var envelope struct {
		Error jsontext.Value `json:"error,omitzero"`
		Rest  jsontext.Value `json:",embed"`
	}
	if err := json.Unmarshal(unknown, &envelope, json.MatchCaseInsensitiveNames(true)); err != nil {
		return nil, err
	}
	switch envelope.Error.Kind() {
	case jsontext.KindString: // only a message
		envelope.Error = slices.Concat([]byte(`{"message":`), envelope.Error, []byte(`}`))
	case jsontext.KindInvalid, jsontext.KindNull: // the type of the event made it an error
		envelope.Error, envelope.Rest = unknown, nil
	default:
		return unknown, nil
	}
	return json.Marshal(envelope)
}

// isNoFault reports whether the value of an error member tells no fault: false is a denial, 0 the
// code of success, and what is empty has no code, no status and no message.
func isNoFault(value jsontext.Value) bool {
	switch value.Kind() {
	case jsontext.KindBeginObject, jsontext.KindBeginArray:
		return len(bytes.Trim(value[1:len(value)-1], codec.Space)) == 0
	default:
		return nothings[string(value)]
	}
}

var nothings = map[string]bool{"false": true, "0": true, `""`: true}

// Category is a kind of failure that a caller treats alike, whichever provider it comes from.
type Category string

// The categories of errors.
const (
	// CategoryAuth is a missing, wrong or insufficient credential.
	CategoryAuth Category = "auth"
	// CategoryRateLimit is a quota that is used up.
	CategoryRateLimit Category = "rate_limit"
	// CategoryInvalidArg is a request that the server does not accept.
	CategoryInvalidArg Category = "invalid_arg"
	// CategoryNotFound is a model, file or cache that does not exist.
	CategoryNotFound Category = "not_found"
	// CategoryServer is a failure on the server's side.
	CategoryServer Category = "server"
	// CategoryTimeout is an answer that did not come in time.
	CategoryTimeout Category = "timeout"
	// CategoryContentFilter is a prompt that was refused.
	CategoryContentFilter Category = "content_filter"
	// CategoryNetwork is a failure between here and the server.
	CategoryNetwork Category = "network"
	// CategoryUnknown is everything else.
	CategoryUnknown Category = "unknown"
)

// Retryable reports whether the same request may well succeed later: after rate limits, server
// failures, timeouts and network failures. A category does not know for how long: see
// [Error.Retryable], which is false for the quota of a day.
func (c Category) Retryable() bool {
	switch c {
	case CategoryRateLimit, CategoryServer, CategoryTimeout, CategoryNetwork:
		return true
	default:
		return false
	}
}

// CategoryOf returns the category of an error of this package or of a connection. What it does not
// know is CategoryUnknown, as are nil and the end of a context by its caller.
func CategoryOf(err error) Category {
	if reported, ok := errors.AsType[*Error](err); ok {
		return reported.Category()
	}
	return localCategory(err)
}

// Category returns the category of the HTTP status, except for a wrong API key, which is
// INVALID_ARGUMENT (400) to the API.
func (e *Error) Category() Category {
	if e.Reason() == "API_KEY_INVALID" {
		return CategoryAuth
	}
	return CategoryOfHTTP(e.HTTPStatus)
}

// CategoryOfHTTP returns the category of an HTTP status, CategoryUnknown for those that say nothing
// more.
func CategoryOfHTTP(status int) Category {
	if category, ok := httpCategories[status]; ok {
		return category
	}
	return CategoryUnknown
}

var httpCategories = map[int]Category{
	http.StatusBadRequest:          CategoryInvalidArg,
	http.StatusUnauthorized:        CategoryAuth,
	http.StatusForbidden:           CategoryAuth,
	http.StatusNotFound:            CategoryNotFound,
	http.StatusTooManyRequests:     CategoryRateLimit,
	http.StatusInternalServerError: CategoryServer,
	http.StatusBadGateway:          CategoryServer,
	http.StatusServiceUnavailable:  CategoryServer,
	http.StatusGatewayTimeout:      CategoryTimeout,
}

// localCategory classifies what went wrong before there was an answer of the API. The deadline
// comes first: net/http reports one as a network error too.
func localCategory(err error) Category {
	netErr, isNet := errors.AsType[net.Error](err)
	if _, isErrno := netErr.(syscall.Errno); isErrno { // of a file, as likely as not
		isNet = false
	}
	_, isCertificate := errors.AsType[*tls.CertificateVerificationError](err)
	unwritten, isUnwritten := errors.AsType[*wire.EncodeError](err)
	switch {
	case isUnwritten && strings.HasSuffix(strings.ToLower(unwritten.Payload), "request"):
		return CategoryInvalidArg
	case isUnwritten: // JSON that ends too early has io.ErrUnexpectedEOF in the chain
		return CategoryUnknown
	case errors.Is(err, context.Canceled), isCertificate:
		return CategoryUnknown
	case errors.Is(err, context.DeadlineExceeded), isNet && netErr.Timeout():
		return CategoryTimeout
	case isNet, errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, net.ErrClosed),
		errors.Is(err, wire.ErrTruncated):
		return CategoryNetwork
	default:
		return CategoryUnknown
	}
}
