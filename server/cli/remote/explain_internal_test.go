package remote

import (
	"testing"
	"time"

	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/gemini/models"
)

func TestAWaitIsWordedInDaysFromTwoDaysOn(t *testing.T) {
	t.Parallel()
	const day = 24 * time.Hour
	for wait, want := range map[time.Duration]string{
		1400 * time.Millisecond: "1s", 1500 * time.Millisecond: "2s", day: "24h0m0s",
		2*day - time.Second: "47h59m59s",
		2 * day:             "2 days", 2*day + 1: "3 days", 3 * day: "3 days",
	} {
		if got := waitText(wait); got != want {
			t.Errorf("%v: %s", wait, got)
		}
	}
}

// TestTheAdviceAboutAModelIsThatOfTheGateway has the names of the gateway's own test.
func TestTheAdviceAboutAModelIsThatOfTheGateway(t *testing.T) {
	t.Parallel()
	day := time.Date(2026, time.September, 25, 0, 0, 0, 0, time.UTC)
	for name, want := range map[string]string{
		"gemini-3-pro":     "; did you mean gemini-3.1-pro-preview?",
		"gemini-2.0-flash": "; gemini-2.0-flash was shut down on 2026-06-01; Google names gemini-3.5-flash-lite in its place",
		"gemini-3.6-falsh": "; did you mean gemini-3.6-flash?",
		"gpt-4o":           "; 'gemwire models --remote' lists models",
	} {
		if got := modelAdvice(name, models.GeminiAPI, day); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
}

func TestAnErrorOfTheServerSaysWhatToDo(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		status     int
		body, want string
	}{
		"a wrong key":         {400, `{"error":{"code":400,"message":"API key not valid. Please pass a valid API key.","status":"INVALID_ARGUMENT","details":[{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"API_KEY_INVALID"}]}}`, "; check the key in GEMINI_API_KEY or --api-key-file, and its permissions"},
		"a file":              {403, `{"error":{"code":403,"message":"You do not have permission to access the File x or it may not exist.","status":"PERMISSION_DENIED"}}`, "; check the file's name; 'gemwire files list' lists the files of the key"},
		"a resource":          {403, `{"error":{"code":403,"message":"CachedContent not found (or permission denied)","status":"PERMISSION_DENIED"}}`, "; check that the resources in the request exist and belong to the key's project"},
		"overload":            {503, `{"error":{"code":503,"message":"The model is overloaded.","status":"UNAVAILABLE"}}`, "; try again later"},
		"overload, with it":   {503, `{"error":{"code":503,"message":"Please Try Again later.","status":"UNAVAILABLE"}}`, ""},
		"too many":            {429, `{"error":{"code":429,"message":"Resource has been exhausted.","status":"RESOURCE_EXHAUSTED"}}`, "; try again later"},
		"too many for now":    {429, `{"error":{"code":429,"message":"Quota exceeded.","status":"RESOURCE_EXHAUSTED","details":[{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"7s"}]}}`, "; try again in 7s"},
		"too many in the day": {429, `{"error":{"code":429,"message":"Quota exceeded.","status":"RESOURCE_EXHAUSTED","details":[{"@type":"type.googleapis.com/google.rpc.QuotaFailure","violations":[{"quotaId":"GenerateRequestsPerDayPerProjectPerModel-FreeTier"}]}]}}`, "; the daily quota is used up"},
		"a wrong argument":    {400, `{"error":{"code":400,"message":"no","status":"INVALID_ARGUMENT"}}`, ""},
	} {
		if got := advice(gemini.DecodeError(tt.status, nil, []byte(tt.body)), "m", models.GeminiAPI); got != tt.want {
			t.Errorf("%s: %q", name, got)
		}
	}
}
