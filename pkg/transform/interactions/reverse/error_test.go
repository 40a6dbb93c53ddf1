package reverse_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/interactions"
	"github.com/gemwire/gemwire/pkg/transform/interactions/reverse"
	"github.com/gemwire/gemwire/pkg/wire"
)

func TestErrorsHaveTheCanonicalStatusOfTheirCode(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]struct {
		http      int
		canonical geminiapi.ErrorStatus
	}{
		"invalid_request":     {400, "INVALID_ARGUMENT"},
		"parameter_unknown":   {400, "INVALID_ARGUMENT"},
		"failed_precondition": {400, "FAILED_PRECONDITION"},
		"out_of_range":        {416, "OUT_OF_RANGE"},
		"authentication":      {401, "UNAUTHENTICATED"},
		"payment_required":    {402, "FAILED_PRECONDITION"},
		"permission_denied":   {403, "PERMISSION_DENIED"},
		"model_not_found":     {404, "NOT_FOUND"},
		"rate_limit_exceeded": {429, "RESOURCE_EXHAUSTED"},
		"quota_exceeded":      {429, "RESOURCE_EXHAUSTED"},
		"cancelled":           {499, "CANCELLED"},
		"not_implemented":     {501, "UNIMPLEMENTED"},
		"gateway_timeout":     {504, "DEADLINE_EXCEEDED"},
		"brand_new":           {503, "UNAVAILABLE"},
	} {
		body := fmt.Sprintf(`{"error":{"message":"no","code":%q}}`, code)
		e := reverse.DecodeError(want.http, http.Header{"Retry-After": {"7"}}, []byte(body))
		if e.HTTPStatus != want.http || e.Status != want.canonical || e.Message != "no" ||
			e.RetryAfter != 7*time.Second || e.Details[0].Metadata["code"] != code {
			t.Errorf("%s is %#v", code, e)
		}
		sent := reverse.ErrorBody(e)
		if *sent.Error.Code != want.http || *sent.Error.Status != want.canonical ||
			*sent.Error.Message != "no" {
			t.Errorf("%s is sent as %s", code, encode(t, sent))
		}
	}
}

func TestBothEnvelopesOfErrorsAreRead(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		body   string
		status geminiapi.ErrorStatus
	}{
		"the envelope of generateContent": {`{"error":{"code":400,"message":"API key not valid.","status":"INVALID_ARGUMENT","details":[{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"API_KEY_INVALID"}]}}`,
			geminiapi.ErrorStatusInvalidArgument},
		"a list of one": {`[{"error":{"message":"no","code":"failed_precondition"}}]`,
			geminiapi.ErrorStatusFailedPrecondition},
		"a page":  {`<html><title>Bad Request</title></html>`, ""},
		"nothing": {``, ""},
	} {
		if e := reverse.DecodeError(400, nil, []byte(tt.body)); e.HTTPStatus != 400 || e.Status != tt.status {
			t.Errorf("%s is %#v", name, e)
		}
	}
}

func TestEveryFailureIsAnErrorOfGemini(t *testing.T) {
	t.Parallel()
	known := gemini.DecodeError(418, nil, nil)
	for name, tt := range map[string]struct {
		err  error
		http int
	}{
		"Gemini's own":                {fmt.Errorf("x: %w", known), 418},
		"an error in a stream":        {&interactions.Error{Response: *interactions.ErrorBody("quota_exceeded", "none left")}, 429},
		"an error with an odd code":   {&interactions.Error{Response: *interactions.ErrorBody("odd", "none left")}, 500},
		"a stream that is cut":        {wire.ErrTruncated, 503},
		"a deadline":                  {context.DeadlineExceeded, 504},
		"a client that disconnected":  {context.Canceled, 499},
		"any other failure":           {errors.New("broken pipe"), 503},
		"a text that is not in UTF-8": {errors.New("a\xffb"), 503},
	} {
		e := reverse.FromError(tt.err)
		if e.HTTPStatus != tt.http || jsonx.Deref(reverse.ErrorBody(e).Error.Code) != tt.http {
			t.Errorf("%s is %#v", name, e)
		}
	}
	if reverse.FromError(nil) != nil {
		t.Error("no error is an error")
	}
}

func TestARefusedPromptIsAnAnswerAndNotAnError(t *testing.T) {
	t.Parallel()
	e := reverse.DecodeError(400, nil, []byte(`{"error":{"message":"not allowed","code":"content_blocked"}}`))
	if !reverse.IsBlockedPrompt(e) {
		t.Errorf("%#v is not a refusal", e)
	}
	feedback := reverse.BlockedAnswer(e).PromptFeedback
	if *feedback.BlockReason != geminiapi.BlockReasonOther || *feedback.BlockReasonMessage != "not allowed" {
		t.Errorf("the feedback is %s", encode(t, feedback))
	}
	other := reverse.DecodeError(400, nil, []byte(`{"error":{"message":"no","code":"invalid_request"}}`))
	if reverse.IsBlockedPrompt(other) {
		t.Errorf("%#v is a refusal", other)
	}
}
