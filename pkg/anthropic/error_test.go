package anthropic_test

import (
	"testing"

	"github.com/gemwire/gemwire/gen/anthropicapi"
	"github.com/gemwire/gemwire/pkg/anthropic"
)

func TestEachTypeOfErrorHasItsStatus(t *testing.T) {
	t.Parallel()
	for kind, status := range map[anthropicapi.ErrorType]int{
		anthropicapi.ErrorTypeInvalidRequestError: 400,
		anthropicapi.ErrorTypeAuthenticationError: 401,
		anthropicapi.ErrorTypeBillingError:        402,
		anthropicapi.ErrorTypePermissionError:     403,
		anthropicapi.ErrorTypeNotFoundError:       404,
		anthropicapi.ErrorTypeConflictError:       409,
		anthropicapi.ErrorTypeRequestTooLarge:     413,
		anthropicapi.ErrorTypeRateLimitError:      429,
		anthropicapi.ErrorTypeAPIError:            500,
		anthropicapi.ErrorTypeTimeoutError:        504,
		anthropicapi.ErrorTypeOverloadedError:     529,
	} {
		if got := anthropic.StatusOf(kind); got != status {
			t.Errorf("%s is %d, want %d", kind, got, status)
		}
		if got := anthropic.ErrorTypeOf(status); got != kind {
			t.Errorf("%d is %s, want %s", status, got, kind)
		}
	}
	for status, kind := range map[int]anthropicapi.ErrorType{
		408: anthropicapi.ErrorTypeTimeoutError, 418: anthropicapi.ErrorTypeInvalidRequestError,
		501: anthropicapi.ErrorTypeAPIError, 502: anthropicapi.ErrorTypeAPIError,
		503: anthropicapi.ErrorTypeOverloadedError,
	} {
		if got := anthropic.ErrorTypeOf(status); got != kind {
			t.Errorf("%d is %s, want %s", status, got, kind)
		}
	}
	if got := anthropic.StatusOf("unheard_of"); got != 500 {
		t.Errorf("an unknown type is %d", got)
	}
}

func TestAnyErrorCanBeWritten(t *testing.T) {
	t.Parallel()
	for want, body := range map[string]*anthropicapi.ErrorResponse{
		`{"type":"error","error":{"type":"api_error","message":""}}`: nil,
		`{"type":"error","error":{"type":"api_error","message":"` + "\ufffd" +
			`"}}`: anthropic.ErrorBody("api_error", "\xff", ""),
		`{"type":"error","error":{"type":"rate_limit_error","message":"m"},"request_id":"req_01"}`: anthropic.ErrorBody("rate_limit_error",
			"m", "req_01"),
	} {
		if got, err := anthropic.EncodeErrorResponse(body); err != nil || string(got) != want {
			t.Errorf("%s, %v; want %s", got, err, want)
		}
	}
	text := (&anthropic.Error{Response: *anthropic.ErrorBody("rate_limit_error", "slow down",
		"")}).Error()
	if text != "anthropic: rate_limit_error: slow down" {
		t.Error(text)
	}
}
