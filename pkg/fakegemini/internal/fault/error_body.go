package fault

import (
	"cmp"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/fakegemini/internal/duration"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/wiretype"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// apiError is the answer of the API in one case.
type apiError struct {
	httpStatus int
	status     geminiapi.ErrorStatus
	message    string
	details    func(f Fault, model string) []geminiapi.ErrorDetail
}

// apiErrors has the errors with a kind of their own, with the statuses and details of recorded
// replies.
var apiErrors = map[Kind]apiError{
	RateLimited: {
		httpStatus: http.StatusTooManyRequests,
		status:     geminiapi.ErrorStatusResourceExhausted,
		message:    "You exceeded your current quota, please check your plan and billing details.",
		details:    perMinute.details,
	},
	DailyQuota: {
		httpStatus: http.StatusTooManyRequests,
		status:     geminiapi.ErrorStatusResourceExhausted,
		message:    "You exceeded your current quota, please check your plan and billing details.",
		details:    perDay.details,
	},
	Internal: {
		httpStatus: http.StatusInternalServerError,
		status:     geminiapi.ErrorStatusInternal,
		message:    "Internal error encountered.",
	},
	Unavailable: {
		httpStatus: http.StatusServiceUnavailable,
		status:     geminiapi.ErrorStatusUnavailable,
		message:    "The model is overloaded. Please try again later.",
	},
	DeadlineExceeded: {
		httpStatus: http.StatusGatewayTimeout,
		status:     geminiapi.ErrorStatusDeadlineExceeded,
		message:    "Deadline expired before operation could complete.",
	},
	Unauthenticated: {
		httpStatus: http.StatusUnauthorized,
		status:     geminiapi.ErrorStatusUnauthenticated,
		message:    "API keys are not supported by this API. Expected OAuth2 access token or other authentication credentials that assert a principal.",
		details:    errorInfo("CREDENTIALS_MISSING"),
	},
	PermissionDenied: {
		httpStatus: http.StatusForbidden,
		status:     geminiapi.ErrorStatusPermissionDenied,
		message:    "Requests to this API are blocked for this key.",
		details:    errorInfo("API_KEY_SERVICE_BLOCKED"),
	},
	InvalidKey: {
		httpStatus: http.StatusBadRequest, // not 401, like Google
		status:     geminiapi.ErrorStatusInvalidArgument,
		message:    "API key not valid. Please pass a valid API key.",
		details:    errorInfo("API_KEY_INVALID"),
	},
	NotFound: {
		httpStatus: http.StatusNotFound,
		status:     geminiapi.ErrorStatusNotFound,
		message:    "Requested entity was not found.",
	},
}

// ErrorBody returns the HTTP status and the body of an error. The details of a quota name the
// model.
func (f Fault) ErrorBody(model string) (httpStatus int, payload jsontext.Value) {
	kind, ok := apiErrors[f.Kind]
	if !ok {
		kind = f.ownError()
	}
	var details []geminiapi.ErrorDetail
	if kind.details != nil {
		details = kind.details(f, model)
	}
	text := cmp.Or(f.Message, kind.message)
	if f.RetryDelay > 0 && f.Message == "" {
		text += fmt.Sprintf("\nPlease retry in %s.", seconds(f.RetryDelay))
	}
	payload, err := json.Marshal(geminiapi.ErrorResponse{Error: &geminiapi.Error{
		Code:    &kind.httpStatus,
		Message: &text,
		Status:  &kind.status,
		Details: details,
	}})
	if err != nil { // A message that is not UTF-8; nothing else can fail.
		payload = jsontext.Value(`{"error":{"code":500,"status":"INTERNAL"}}`)
	}
	return kind.httpStatus, payload
}

// ownError is an error that a script defines.
func (f Fault) ownError() apiError {
	own := apiError{httpStatus: f.HTTPStatus, status: f.Status, message: "An error of the script."}
	if own.httpStatus == 0 {
		own.httpStatus = cmp.Or(gemini.HTTPStatusOf(own.status), http.StatusInternalServerError)
	}
	if own.status == "" {
		own.status = statusOf(own.httpStatus)
	}
	if f.RetryDelay > 0 {
		own.details = func(f Fault,
			_ string) []geminiapi.ErrorDetail {
			return []geminiapi.ErrorDetail{retryInfo(f)}
		}
	}
	return own
}

// statusOf returns the canonical code of the API for an HTTP status.
func statusOf(httpStatus int) geminiapi.ErrorStatus {
	if httpStatus == http.StatusBadRequest {
		return geminiapi.ErrorStatusInvalidArgument
	}
	if httpStatus == http.StatusInternalServerError {
		return geminiapi.ErrorStatusInternal
	}
	for _, kind := range apiErrors {
		if kind.httpStatus == httpStatus {
			return kind.status
		}
	}
	return geminiapi.ErrorStatusUnknown
}

func errorInfo(reason string) func(Fault, string) []geminiapi.ErrorDetail {
	return func(Fault, string) []geminiapi.ErrorDetail {
		return []geminiapi.ErrorDetail{{
			Type:     new("type.googleapis.com/google.rpc.ErrorInfo"),
			Reason:   &reason,
			Domain:   new("googleapis.com"),
			Metadata: map[string]string{"service": "generativelanguage.googleapis.com"},
		}}
	}
}

// quota is a limit of requests in a period. The quota's id includes the period.
type quota struct {
	id    string
	limit int64
}

var (
	perMinute = quota{"GenerateRequestsPerMinutePerProjectPerModel-FreeTier", 10}
	perDay    = quota{"GenerateRequestsPerDayPerProjectPerModel-FreeTier", 20}
)

// details are in the order of the API.
func (q quota) details(f Fault, model string) []geminiapi.ErrorDetail {
	details := []geminiapi.ErrorDetail{{
		Type: new("type.googleapis.com/google.rpc.Help"),
		Links: []geminiapi.HelpLink{{
			Description: new("Learn more about Gemini API quotas"),
			URL:         new("https://ai.google.dev/gemini-api/docs/rate-limits"),
		}},
	}, {
		Type: new("type.googleapis.com/google.rpc.QuotaFailure"),
		Violations: []geminiapi.Violation{{
			QuotaMetric:     new("generativelanguage.googleapis.com/generate_content_free_tier_requests"),
			QuotaID:         &q.id,
			QuotaDimensions: map[string]string{"location": "global", "model": model},
			QuotaValue:      new(wiretype.NewInt64(q.limit)),
		}},
	}}
	if f.RetryDelay > 0 {
		details = append(details, retryInfo(f))
	}
	return details
}

func retryInfo(f Fault) geminiapi.ErrorDetail {
	return geminiapi.ErrorDetail{
		Type:       new("type.googleapis.com/google.rpc.RetryInfo"),
		RetryDelay: new(seconds(f.RetryDelay)),
	}
}

// seconds writes a duration in the JSON form of protocol buffers.
func seconds(d duration.Duration) string {
	return strconv.FormatFloat(time.Duration(d).Seconds(), 'f', -1, 64) + "s"
}
