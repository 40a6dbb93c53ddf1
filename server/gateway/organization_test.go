package gateway_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gemwire/gemwire/server/gateway"
	"github.com/gemwire/gemwire/server/ratecard"
	"github.com/gemwire/gemwire/server/usage"
)

// accounting is a gateway that counts usage, with an admin key.
func accounting(t *testing.T) (handler *gateway.Handler, ask func(path string) (int, string)) {
	t.Helper()
	now := time.Date(2026, 11, 28, 12, 0, 0, 0, time.UTC)
	book, err := usage.Open(t.Context(), usage.WithClock(func() time.Time { return now }))
	if err != nil {
		t.Fatal(err)
	}
	handler = keyedGateway(t, &keyedUpstream{}, []string{"one"},
		gateway.WithRateCard(ratecard.Google()), gateway.WithUsage(book),
		gateway.WithObserver(book.Observer()),
		gateway.WithClock(func() time.Time { return now }),
		gateway.WithClientKeys(keysOf(t, `alice`, `bob`, `admin,"admin":true`)))
	t.Cleanup(func() {
		if err := book.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return handler, func(path string) (int, string) {
		answer := do(handler, http.MethodGet, path, "Authorization", "Bearer key-of-admin")
		return answer.Code, answer.Body.String()
	}
}

func TestAnAdminReadsUsageAndCostsInTheFormOfOpenAI(t *testing.T) {
	t.Parallel()
	handler, ask := accounting(t)
	for _, name := range []string{"alice", "alice", "bob"} {
		post(handler, chatPath, hello, "Authorization", "Bearer key-of-"+name)
	}
	start := time.Date(2026, 11, 27, 3, 0, 0, 0, time.UTC).Unix()
	yesterday := `{"object":"bucket","start_time":1795737600,"end_time":1795824000,"results":[]}`
	today := func(results string) string {
		return `{"object":"page","data":[` + yesterday +
			`,{"object":"bucket","start_time":1795824000,"end_time":1795910400,"results":[` + results +
			`]}],"has_more":false,"next_page":null}`
	}
	of := func(key string, n int) string {
		return fmt.Sprintf(`{"object":"organization.usage.completions.result","input_tokens":%d,`+
			`"output_tokens":%d,"input_cached_tokens":0,"input_audio_tokens":0,`+
			`"output_audio_tokens":0,"num_model_requests":%d,"project_id":null,"user_id":null,`+
			`"api_key_id":%s,"model":"gemini-2.5-flash","batch":null,"service_tier":null}`,
			n, n, n, key)
	}
	cost := func(key, value string) string {
		return `{"object":"organization.costs.result","amount":{"value":` + value +
			`,"currency":"usd"},"line_item":null,"project_id":null,"api_key_id":` + key +
			`,"quantity":null}`
	}
	for query, want := range map[string]string{
		"usage/completions?group_by[]=api_key_id&group_by[]=model": today(
			of(`"alice"`, 2) + "," + of(`"bob"`, 1)),
		"usage/completions?group_by=model":                            today(of("null", 3)),
		"usage/completions?group_by=api_key_id,model&api_key_ids=bob": today(of(`"bob"`, 1)),
		"usage/completions?models[]=other":                            today(""),
		"usage/embeddings?":                                           today(""),
		"costs?":                                                      today(cost("null", "0.0000084")),
		"costs?group_by=api_key_id": today(cost(`"alice"`, "0.0000056") + "," +
			cost(`"bob"`, "0.0000028")),
		"usage/completions?limit=1": `{"object":"page","data":[` + yesterday +
			`],"has_more":true,"next_page":"page_1795824000"}`,
	} {
		status, body := ask(fmt.Sprintf("/v1/organization/%s&start_time=%d", query, start))
		if diff := cmp.Diff(want, body); status != http.StatusOK || diff != "" {
			t.Errorf("%s: HTTP %d: %s", query, status, diff)
		}
	}
	if status, body := ask("/v1/organization/usage/rows?from=2026-11-28"); status != http.StatusOK ||
		!strings.Contains(body, `"cost_nano":5600}`) || !strings.HasSuffix(body, `"losses":[]}`) {
		t.Errorf("HTTP %d: %s", status, body)
	}
}

func TestUsageIsForAdminsAndWellFormedRequests(t *testing.T) {
	t.Parallel()
	handler, ask := accounting(t)
	const list = "/v1/organization/usage/completions"
	for name, want := range map[string]int{"alice": http.StatusForbidden,
		"unknown": http.StatusUnauthorized} {
		if answer := do(handler, http.MethodGet, list+"?start_time=0", "Authorization",
			"Bearer key-of-"+name); answer.Code != want {
			t.Errorf("%s: HTTP %d: %s", name, answer.Code, answer.Body)
		}
	}
	for query, want := range map[string]string{
		"":                                   "start_time: must be set",
		"start_time=x":                       "start_time: must be a time",
		"start_time=-1":                      "start_time: must be a time",
		"start_time=5&end_time=5":            "end_time: must be after",
		"start_time=0&bucket_width=1h":       "bucket_width: must be 1d",
		"start_time=0&group_by=day":          `group_by: "day" is unknown`,
		"start_time=0&limit=32":              "limit: must be from 1 to 31",
		"start_time=0&page=x":                "page: must be",
		"start_time=0&batch=x":               "batch: must be",
		"start_time=0&project_ids[]=default": "project_ids: the gateway has no projects",
	} {
		if status, body := ask(list + "?" + query); status != http.StatusBadRequest ||
			!strings.Contains(body, strings.ReplaceAll(want, `"`, `\"`)) {
			t.Errorf("%s: HTTP %d: %s", query, status, body)
		}
	}
	if status, body := ask("/v1/organization/usage/rows?from=yesterday"); status !=
		http.StatusBadRequest {
		t.Errorf("HTTP %d: %s", status, body)
	}
}

// A gateway without keys usually listens on this machine only. A proxy on it may pass requests of
// others on.
func TestWithoutClientKeysOnlyThisMachineReadsTheUsage(t *testing.T) {
	t.Parallel()
	book, err := usage.Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = book.Close(context.Background()) }()
	handler := keyedGateway(t, &keyedUpstream{}, []string{"one"}, gateway.WithUsage(book))
	for _, tt := range []struct {
		address, forwarded string
		want               int
	}{
		{"127.0.0.1:5000", "", http.StatusOK},
		{"[::1]:5000", "", http.StatusOK},
		{"127.0.0.1:5000", "203.0.113.7", http.StatusForbidden},
		{"192.0.2.1:5000", "", http.StatusForbidden},
		{"@", "", http.StatusForbidden},
	} {
		for _, path := range []string{"usage/rows", "usage/completions?start_time=0", "costs?start_time=0"} {
			request := httptest.NewRequest(http.MethodGet, "/v1/organization/"+path, nil)
			request.RemoteAddr = tt.address
			if tt.forwarded != "" {
				request.Header.Set("X-Forwarded-For", tt.forwarded)
			}
			answer := httptest.NewRecorder()
			handler.ServeHTTP(answer, request)
			if answer.Code != tt.want {
				t.Errorf("%s, %+v: HTTP %d: %s", path, tt, answer.Code, answer.Body)
			}
		}
	}
}
