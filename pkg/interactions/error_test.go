package interactions_test

import (
	"testing"

	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/pkg/interactions"
)

// The API has an envelope without a number. Google's front end answers for it with the envelope of
// generateContent, for example if the key is wrong.
func TestErrorsOfBothEnvelopesAreRead(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]struct{ code, text string }{
		`{"error":{"message":"no such model","code":"model_not_found"}}`:                                                             {"model_not_found", "interactions: model_not_found: no such model"},
		`{"error":{"message":"m","code":"https://example.com/errors/new"}}`:                                                          {"https://example.com/errors/new", "interactions: https://example.com/errors/new: m"},
		`{"error":{"message":"API key not valid.","code":400,"status":"INVALID_ARGUMENT","details":[{"reason":"API_KEY_INVALID"}]}}`: {"invalid_request", "interactions: invalid_request: API key not valid."},
		`{"error":{"message":"m","code":429}}`:                                                                                       {"rate_limit_exceeded", "interactions: rate_limit_exceeded: m"},
		`{"error":{"message":"m","code":418}}`:                                                                                       {"invalid_request", "interactions: invalid_request: m"},
		`{"error":{"message":"m","code":599}}`:                                                                                       {"internal", "interactions: internal: m"},
		`{"error":{"message":"m","code":500,"status":"DATA_LOSS"}}`:                                                                  {"data_loss", "interactions: data_loss: m"},
		`{"error":{"message":"m"},"more":1}`:                                                                                         {"", "interactions: error: m"},
		`{"error":{}}`:                                                                                                               {"", "interactions: error: "},
	} {
		r, err := interactions.DecodeErrorResponse([]byte(body))
		if err != nil {
			t.Fatalf("%s: %v", body, err)
		}
		failure := &interactions.Error{Response: *r}
		if failure.Code() != want.code || failure.Error() != want.text {
			t.Errorf("%s: %q, %q", body, failure.Code(), failure)
		}
		if out, err := interactions.EncodeErrorResponse(r); err != nil || string(out) != body {
			t.Errorf("%s became %s, %v", body, out, err)
		}
	}
	if _, err := interactions.DecodeErrorResponse([]byte(`<html>`)); err == nil {
		t.Error("a page is an error")
	}
}

func TestEachCodeOfAnErrorHasItsStatusAndItsCanonicalName(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		code      string
		status    int
		canonical string
		isFirst   bool // of its status
	}{
		{interactions.CodeInvalidRequest, 400, "INVALID_ARGUMENT", true},
		{interactions.CodeParameterUnknown, 400, "INVALID_ARGUMENT", false},
		{interactions.CodeFailedPrecondition, 400, "FAILED_PRECONDITION", false},
		{interactions.CodeOutOfRange, 416, "OUT_OF_RANGE", true},
		{interactions.CodeAuthentication, 401, "UNAUTHENTICATED", true},
		{interactions.CodePaymentRequired, 402, "FAILED_PRECONDITION", true},
		{interactions.CodePermissionDenied, 403, "PERMISSION_DENIED", true},
		{interactions.CodeNotFound, 404, "NOT_FOUND", true},
		{interactions.CodeModelNotFound, 404, "NOT_FOUND", false},
		{interactions.CodeRateLimitExceeded, 429, "RESOURCE_EXHAUSTED", true},
		{interactions.CodeQuotaExceeded, 429, "RESOURCE_EXHAUSTED", false},
		{interactions.CodeCancelled, 499, "CANCELLED", true},
		{interactions.CodeInternal, 500, "INTERNAL", true},
		{interactions.CodeNotImplemented, 501, "UNIMPLEMENTED", true},
		{interactions.CodeUnavailable, 503, "UNAVAILABLE", true},
		{interactions.CodeGatewayTimeout, 504, "DEADLINE_EXCEEDED", true},
	} {
		if got := interactions.StatusOf(tt.code); got != tt.status {
			t.Errorf("%s is %d, want %d", tt.code, got, tt.status)
		}
		if got := interactions.CanonicalOf(tt.code); got != tt.canonical {
			t.Errorf("%s is %s, want %s", tt.code, got, tt.canonical)
		}
		if got := interactions.CodeOf(tt.status); tt.isFirst && got != tt.code {
			t.Errorf("%d is %s, want %s", tt.status, got, tt.code)
		}
	}
	if interactions.StatusOf("unheard_of") != 500 || interactions.CanonicalOf("unheard_of") != "UNKNOWN" {
		t.Error("an unknown code has another status or name")
	}
}

func TestAnyErrorCanBeWritten(t *testing.T) {
	t.Parallel()
	for want, body := range map[string]*interactionsapi.ErrorResponse{
		`{"error":{"message":"","code":"internal"}}`:                  nil,
		`{"error":{"message":"` + "\ufffd" + `","code":"not_found"}}`: interactions.ErrorBody("not_found", "\xff"),
	} {
		if got, err := interactions.EncodeErrorResponse(body); err != nil || string(got) != want {
			t.Errorf("%s, %v; want %s", got, err, want)
		}
	}
}
