package gemini_test

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/pkg/gemini"
)

func TestARefusalIsOfTheCredentialOrOfTheResource(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		status          int
		message, reason string
		want            bool
	}{
		"401":                 {401, "Request had invalid authentication credentials.", "", true},
		"no token":            {401, "Request is missing required authentication credential.", "CREDENTIALS_MISSING", true},
		"a wrong key":         {400, "API key not valid.", "API_KEY_INVALID", true},
		"a blocked key":       {403, "Requests to this API are blocked.", "API_KEY_SERVICE_BLOCKED", true},
		"a blocked address":   {403, "The IP address violates this restriction.", "API_KEY_IP_ADDRESS_BLOCKED", true},
		"a disabled service":  {403, "The API is disabled.", "SERVICE_DISABLED", true},
		"a suspended project": {403, "Permission denied.", "CONSUMER_SUSPENDED", true},
		"suspended, in words": {403, "Permission denied: Consumer 'api_key:x' has been suspended.", "", true},
		"an older reason":     {403, "Access not configured.", "accessNotConfigured", true},
		"no key":              {403, "Method doesn't allow unregistered callers (callers without established identity).", "", true},
		"a leaked key":        {403, "Your API key was reported as leaked. Please use another API key.", "", true},
		"a caller":            {403, "The caller does not have permission", "", true},
		"a file":              {403, "You do not have permission to access the File none or it may not exist.", "", false},
		"a cache":             {403, "CachedContent not found (or permission denied)", "", false},
		"a right":             {403, "Permission 'aiplatform.endpoints.predict' denied on resource.", "IAM_PERMISSION_DENIED", false},
		"nothing":             {403, "", "", false},
		"a request":           {400, "Request contains an invalid argument.", "", false},
		"a rate":              {429, "Resource has been exhausted.", "RATE_LIMIT_EXCEEDED", false},
		"a missing model":     {404, "models/m is not found.", "", false},
	} {
		body := fmt.Sprintf(`{"error":{"code":%d,"message":%q,"details":[{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":%q}]}}`,
			tt.status, tt.message, tt.reason)
		if got := gemini.DecodeError(tt.status, nil,
			[]byte(body)).RefusesCredential(); got != tt.want {
			t.Errorf("%s: RefusesCredential is %v", name, got)
		}
	}
}

func TestTheQuotaOfADayIsNotWaitedFor(t *testing.T) {
	t.Parallel()
	const violation = `{"error":{"code":429,"status":"RESOURCE_EXHAUSTED","details":[{"@type":"type.googleapis.com/google.rpc.QuotaFailure","violations":[{"quotaId":"Requests%sPerProject"}]}]}}`
	for period, isOfDay := range map[string]bool{"PerDay": true, "PerMinute": false} {
		e := gemini.DecodeError(429, nil, fmt.Appendf(nil, violation, period))
		if e.IsDailyQuota() != isOfDay || e.Retryable() == isOfDay {
			t.Errorf("%s: IsDailyQuota %v, Retryable %v", period, e.IsDailyQuota(), e.Retryable())
		}
	}
	if e := gemini.DecodeError(503, nil, nil); e.IsDailyQuota() || !e.Retryable() {
		t.Error("503 is not tried again")
	}
}

func TestAFileThatIsMissingLeavesTheKeysInUse(t *testing.T) {
	t.Parallel()
	missing := body(403, "application/json",
		`{"error":{"code":403,"status":"PERMISSION_DENIED","message":"You do not have permission to access the File none or it may not exist."}}`)
	server := newSchedule(missing, apiError(429, "RESOURCE_EXHAUSTED", ""),
		body(200, "application/json", answer))
	client := newClient(t, gemini.WithAPIKeys("a", "b", "c"), gemini.WithHTTPClient(server))
	if _, err := client.Files.Get(t.Context(), "files/none"); !errors.Is(err,
		&gemini.Error{HTTPStatus: http.StatusForbidden}) {
		t.Error(err)
	}
	if _, err := client.GenerateContent(t.Context(), prompt("m")); err != nil {
		t.Error(err)
	}
	if got := strings.Join(server.keys, ""); got != "aab" {
		t.Errorf("the keys are %s, want aab", got)
	}
}
