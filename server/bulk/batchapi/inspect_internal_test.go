package batchapi

import (
	"testing"

	"github.com/go-json-experiment/json"

	"github.com/gemwire/gemwire/server/inspector"
)

func TestTheReasonOfAFailedLineIsReadFromTheErrorOfAnyAPI(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		line string
		want inspector.Failure
	}{
		"OpenAI's refusal": {
			`{"custom_id":"q","response":{"status_code":400,"body":{"error":{"code":"bad","type":"invalid_request_error","message":"no"}}},"error":null}`,
			inspector.Failure{CustomID: "q", Status: 400, Code: "bad", Message: "no"},
		},
		"a refusal without a code": {
			`{"custom_id":"q","response":{"status_code":400,"body":{"error":{"code":null,"type":"invalid_request_error","message":"no"}}}}`,
			inspector.Failure{CustomID: "q", Status: 400, Code: "invalid_request_error",
				Message: "no"},
		},
		"Google's status in OpenAI's form": {
			`{"custom_id":"q","response":{"status_code":502,"body":{"error":{"code":403,"status":"PERMISSION_DENIED","message":"no"}}}}`,
			inspector.Failure{CustomID: "q", Status: 403, Code: "PERMISSION_DENIED", Message: "no"},
		},
		"Gemini's refusal": {
			`{"key":"k","error":{"code":429,"status":"RESOURCE_EXHAUSTED","message":"later"}}`,
			inspector.Failure{CustomID: "k", Status: 429, Code: "RESOURCE_EXHAUSTED",
				Message: "later"},
		},
		"a line that was not run": {
			`{"custom_id":"q","response":null,"error":{"code":"batch_expired","message":"late"}}`,
			inspector.Failure{CustomID: "q", Code: "batch_expired", Message: "late"},
		},
		"a line without a reason": {`{"custom_id":"q"}`, inspector.Failure{CustomID: "q"}},
	} {
		var line failedLine
		if err := json.Unmarshal([]byte(tt.line), &line); err != nil {
			t.Fatal(err)
		}
		if got := line.failure(); got != tt.want {
			t.Errorf("%s: %+v, want %+v", name, got, tt.want)
		}
	}
}
