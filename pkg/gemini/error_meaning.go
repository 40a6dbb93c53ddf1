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

// RefusesCredential reports whether the server refused the key, the token or their project, so that
// another key may work. It is true for every 401 and for the reasons and messages that the API uses
// for this. It is false for a 403 about a resource, for example a file that does not exist: all
// keys would get it.
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

// credentialReasons are the reasons in ErrorInfo about the key, the token or the project. They are
// from google/api/error_reason.proto; the last four are from the older list of errors. Reasons
// about keys are in apiKeyReasons.
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

// apiKeyReasons are prefixes of the reasons why a key may not be used: it is wrong
// (API_KEY_INVALID, which comes with 400), or not for this service, this address or this program.
const apiKeyReasons = "API_KEY_"

// credentialMessages are substrings, in lower case, of the messages of a 403 without a reason. All
// are from recordings: no key, a leaked key, a key without permission, a suspended account, an API
// that the project has not enabled.
var credentialMessages = []string{
	"unregistered callers",
	"api key was reported as leaked",
	"the caller does not have permission",
	"consumer 'api_key:",
	"has not been used in project",
}

// perDay is part of the ids of daily quotas.
const perDay = "PerDay"

// IsDailyQuota reports whether a daily quota is exhausted. A wait of minutes does not restore it.
func (e *Error) IsDailyQuota() bool {
	return slices.ContainsFunc(e.QuotaIDs(),
		func(id string) bool { return strings.Contains(id, perDay) })
}

// Retryable reports whether the same request may succeed within minutes. The category decides
// ([Category.Retryable]), except that an exhausted daily quota is not retryable. A [Client] retries
// by this rule.
func (e *Error) Retryable() bool { return e.Category().Retryable() && !e.IsDailyQuota() }

// IsError reports whether a decoded response is an error envelope, {"error": {...}}. The API sends
// it instead of a response and also as the last chunk of a stream. [DecodeError] makes an *[Error]
// of it. The wire type has no member for an error, so the error is an unknown member.
//
// Some servers write an error member without a fault into every chunk: false, 0 or an empty value.
// Next to candidates, usage or prompt feedback, such a member is not an error.
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

// Envelope returns the error as the chunk with which a stream reports it, in the form that the API
// documents: an object with an error object, here among the unknown members of a response. It is
// made from the body and loses nothing, except a list around the object and later elements of the
// list. It is nil if the body is not such an object, for example a page.
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

// withErrorObject converts an error that unknown members report in another form to an error object.
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
	case jsontext.KindInvalid, jsontext.KindNull: // the event has the type "error"
		envelope.Error, envelope.Rest = unknown, nil
	default:
		return unknown, nil
	}
	return json.Marshal(envelope)
}

// isNoFault reports whether the value of an error member means no error. false is a denial, 0 is
// the code of success, and an empty value has no code, status or message.
func isNoFault(value jsontext.Value) bool {
	switch value.Kind() {
	case jsontext.KindBeginObject, jsontext.KindBeginArray:
		return len(bytes.Trim(value[1:len(value)-1], codec.Space)) == 0
	default:
		return nothings[string(value)]
	}
}

var nothings = map[string]bool{"false": true, "0": true, `""`: true}

// Category is a kind of failure that a caller handles in the same way for every provider.
type Category string

// The categories of errors.
const (
	// CategoryAuth means that a credential is missing, wrong or insufficient.
	CategoryAuth Category = "auth"
	// CategoryRateLimit means that a quota is exhausted.
	CategoryRateLimit Category = "rate_limit"
	// CategoryInvalidArg means that the server does not accept the request.
	CategoryInvalidArg Category = "invalid_arg"
	// CategoryNotFound means that a model, file or cache does not exist.
	CategoryNotFound Category = "not_found"
	// CategoryServer means that the server failed.
	CategoryServer Category = "server"
	// CategoryTimeout means that the answer did not arrive in time.
	CategoryTimeout Category = "timeout"
	// CategoryContentFilter means that the prompt was refused.
	CategoryContentFilter Category = "content_filter"
	// CategoryNetwork means that the connection to the server failed.
	CategoryNetwork Category = "network"
	// CategoryUnknown is every other error.
	CategoryUnknown Category = "unknown"
)

// Retryable reports whether the same request may succeed later: after rate limits, server errors,
// timeouts and network errors. A category does not know how much later. [Error.Retryable] is more
// precise: it is false for a daily quota.
func (c Category) Retryable() bool {
	switch c {
	case CategoryRateLimit, CategoryServer, CategoryTimeout, CategoryNetwork:
		return true
	default:
		return false
	}
}

// CategoryOf returns the category of an error of this package or of a connection. It returns
// CategoryUnknown for any other error, for nil, and for a context that the caller ended.
func CategoryOf(err error) Category {
	if reported, ok := errors.AsType[*Error](err); ok {
		return reported.Category()
	}
	return localCategory(err)
}

// Category returns the category of the HTTP status. The exception is a wrong API key, which the API
// reports as INVALID_ARGUMENT (400).
func (e *Error) Category() Category {
	if e.Reason() == "API_KEY_INVALID" {
		return CategoryAuth
	}
	return CategoryOfHTTP(e.HTTPStatus)
}

// CategoryOfHTTP returns the category of an HTTP status, or CategoryUnknown for a status without
// one.
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

// localCategory classifies an error without an answer of the API. It checks the deadline first,
// because net/http also reports a deadline as a network error.
func localCategory(err error) Category {
	netErr, isNet := errors.AsType[net.Error](err)
	if _, isErrno := netErr.(syscall.Errno); isErrno { // may be from a file
		isNet = false
	}
	_, isCertificate := errors.AsType[*tls.CertificateVerificationError](err)
	unwritten, isUnwritten := errors.AsType[*wire.EncodeError](err)
	switch {
	case isUnwritten && strings.HasSuffix(strings.ToLower(unwritten.Payload), "request"):
		return CategoryInvalidArg
	case isUnwritten: // truncated JSON has io.ErrUnexpectedEOF in the chain
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
