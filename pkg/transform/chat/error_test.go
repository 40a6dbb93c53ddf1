package chat_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/test/corpustest"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/transform/chat"
	"github.com/go-json-experiment/json"
)

func TestAFailureIsReportedInOpenAIsTerms(t *testing.T) {
	t.Parallel()
	api := func(status int,
		body string) error {
		return gemini.DecodeError(status, nil, []byte(body))
	}
	tests := map[string]struct {
		err    error
		status int
		body   string
	}{
		"a bad key": {
			api(400, `{"error":{"code":400,"message":"API key not valid.","status":"INVALID_ARGUMENT","details":[{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"API_KEY_INVALID"}]}}`),
			401, `{"error":{"message":"API key not valid.","type":"invalid_request_error","param":null,"code":"invalid_api_key"}}`,
		},
		"no permission": {
			api(403, `{"error":{"code":403,"message":"No.","status":"PERMISSION_DENIED"}}`),
			403, `{"error":{"message":"No.","type":"invalid_request_error","param":null,"code":"permission_denied"}}`,
		},
		"a quota in a list": {
			api(429, `[{"error":{"code":429,"message":"Quota.","status":"RESOURCE_EXHAUSTED","details":[{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"3.5s"}]}}]`),
			429, `{"error":{"message":"Quota.","type":"rate_limit_error","param":null,"code":"rate_limit_exceeded"}}`,
		},
		"a bad request": {
			api(400, `{"error":{"code":400,"message":"Bad.","status":"INVALID_ARGUMENT"}}`),
			400, `{"error":{"message":"Bad.","type":"invalid_request_error","param":null,"code":null}}`,
		},
		"no such model": {
			api(404, `{"error":{"code":404,"message":"Gone.","status":"NOT_FOUND"}}`),
			404, `{"error":{"message":"Gone.","type":"invalid_request_error","param":null,"code":"model_not_found"}}`,
		},
		"an overloaded server that says nothing": {
			api(503, ``), 503,
			`{"error":{"message":"HTTP 503","type":"server_error","param":null,"code":"server_error"}}`,
		},
		"an error within a stream": {
			api(200, `{"error":{"message":"Quota.","status":"RESOURCE_EXHAUSTED"}}`),
			429, `{"error":{"message":"Quota.","type":"rate_limit_error","param":null,"code":"rate_limit_exceeded"}}`,
		},
		"a refused prompt": {
			&normalize.BlockedError{Reason: geminiapi.BlockReasonSafety},
			400, `{"error":{"message":"Prompt blocked: SAFETY","type":"invalid_request_error","param":null,"code":"content_filter"}}`,
		},
		"a deadline": {
			fmt.Errorf("call: %w", context.DeadlineExceeded),
			504, `{"error":{"message":"call: context deadline exceeded","type":"server_error","param":null,"code":"timeout"}}`,
		},
		"a broken connection": {
			io.ErrUnexpectedEOF, 502,
			`{"error":{"message":"unexpected EOF","type":"server_error","param":null,"code":"upstream_unreachable"}}`,
		},
		"anything else": {
			errors.New("oops"), 500,
			`{"error":{"message":"oops","type":"server_error","param":null,"code":null}}`,
		},
		"nothing to say": {
			errors.New(""), 500,
			`{"error":{"message":"the request failed","type":"server_error","param":null,"code":null}}`,
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			status, body := chat.FromError(test.err)
			data, err := json.Marshal(body)
			if err != nil {
				t.Fatal(err)
			}
			if status != test.status || string(data) != test.body {
				t.Errorf("got %d %s\nwant %d %s", status, data, test.status, test.body)
			}
		})
	}
}

func TestNilIsConvertedToNoError(t *testing.T) {
	t.Parallel()
	if status, body := chat.FromError(nil); status != 0 || body != nil {
		t.Errorf("got %d and %v", status, body)
	}
}

func TestEveryCategoryHasAStatusAndAType(t *testing.T) {
	t.Parallel()
	for _, category := range []normalize.Category{
		normalize.CategoryAuth, normalize.CategoryRateLimit, normalize.CategoryInvalidArg,
		normalize.CategoryNotFound,
		normalize.CategoryServer, normalize.CategoryTimeout, normalize.CategoryContentFilter,
		normalize.CategoryNetwork,
		normalize.CategoryUnknown, "new",
	} {
		status, body := chat.FromError(&normalize.Error{Category: category})
		if http.StatusText(status) == "" || status < 400 || body.Error.Type == "" ||
			body.Error.Message == "" {
			t.Errorf("%s: %d %+v", category, status, body.Error)
		}
	}
}

func TestEveryRecordedErrorIsReported(t *testing.T) {
	t.Parallel()
	for _, payload := range corpustest.Payloads(t, corpustest.Error) {
		cause := gemini.DecodeError(0, nil, payload.Read(t))
		status, body := chat.FromError(cause)
		if status < 400 || body.Error.Type == "" || body.Error.Message == "" ||
			cause.Message != "" && body.Error.Message != cause.Message {
			t.Errorf("%s: %d %+v", payload.Name, status, body.Error)
		}
	}
}
