package gateway_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/gemini/models"
	"github.com/gemwire/gemwire/pkg/geminitest"
	"github.com/gemwire/gemwire/server/gateway"
	"github.com/go-json-experiment/json/jsontext"
)

// codexEntry is what codex 0.169 requires of an entry. A missing member is nil.
type codexEntry struct {
	Slug            *string `json:"slug"`
	DisplayName     *string `json:"display_name"`
	ReasoningLevels *[]struct {
		Effort      *string `json:"effort"`
		Description *string `json:"description"`
	} `json:"supported_reasoning_levels"`
	DefaultLevel     string  `json:"default_reasoning_level"`
	ShellType        *string `json:"shell_type"`
	Visibility       *string `json:"visibility"`
	SupportedInAPI   *bool   `json:"supported_in_api"`
	Priority         *int    `json:"priority"`
	SupportVerbosity *bool   `json:"support_verbosity"`
	Truncation       *struct {
		Mode  *string `json:"mode"`
		Limit *int    `json:"limit"`
	} `json:"truncation_policy"`
	Experimental     *[]string `json:"experimental_supported_tools"`
	BaseInstructions *string   `json:"base_instructions"`
	Summaries        *bool     `json:"supports_reasoning_summaries"`
	ParallelCalls    *bool     `json:"supports_parallel_tool_calls"`
	ContextWindow    int       `json:"context_window"`
	Modalities       []string  `json:"input_modalities"`
	ApplyPatch       *string   `json:"apply_patch_tool_type"`
}

// check fails if codex would drop the catalogue because of the entry.
func (e *codexEntry) check(t *testing.T) {
	t.Helper()
	if e.Slug == nil || e.DisplayName == nil || e.ReasoningLevels == nil || e.ShellType == nil ||
		e.Visibility == nil || e.SupportedInAPI == nil || e.Priority == nil ||
		e.SupportVerbosity == nil || e.Truncation == nil || e.Truncation.Mode == nil ||
		e.Truncation.Limit == nil || e.Experimental == nil || e.BaseInstructions == nil ||
		*e.BaseInstructions == "" || e.Summaries == nil || e.ParallelCalls == nil {
		text, _ := json.Marshal(e)
		t.Errorf("a required member is missing: %s", text)
		return
	}
	isOneOf := func(what, value string, allowed ...string) {
		if !slices.Contains(allowed, value) {
			t.Errorf("%s: %s is %q", *e.Slug, what, value)
		}
	}
	isOneOf("visibility", *e.Visibility, "list", "hide", "none")
	isOneOf("shell_type", *e.ShellType, "unified_exec", "shell_command", "local", "disabled")
	isOneOf("truncation mode", *e.Truncation.Mode, "tokens", "bytes")
	if e.ApplyPatch != nil {
		isOneOf("apply_patch_tool_type", *e.ApplyPatch, "freeform")
	}
	for _, modality := range e.Modalities {
		isOneOf("modality", modality, "text", "image")
	}
	efforts := []string{"none", "minimal", "low", "medium", "high", "xhigh"}
	for _, level := range *e.ReasoningLevels {
		if level.Effort == nil || level.Description == nil {
			t.Errorf("%s: a level lacks a member", *e.Slug)
			continue
		}
		isOneOf("effort", *level.Effort, efforts...)
	}
	if e.DefaultLevel != "" {
		isOneOf("default_reasoning_level", e.DefaultLevel, efforts...)
	}
}

// catalogOf returns codex's catalogue by the names of the models, and the list besides it.
func catalogOf(t *testing.T, handler http.Handler, headers ...string) (map[string]codexEntry,
	jsontext.Value) {
	t.Helper()
	answer := get(handler, "/v1/models?client_version=0.169.0", headers...)
	var body struct {
		Object string
		Data   jsontext.Value
		Models []codexEntry
	}
	if err := json.Unmarshal(answer.Body.Bytes(), &body); err != nil || body.Object != "list" ||
		body.Models == nil {
		t.Fatalf("HTTP %d (%v): %.300s", answer.Code, err, answer.Body)
	}
	entries := map[string]codexEntry{}
	for _, entry := range body.Models {
		entry.check(t)
		entries[*entry.Slug] = entry
	}
	return entries, body.Data
}

func TestCodexGetsEveryRequiredMemberOfItsCatalogueAndOthersTheListAsBefore(t *testing.T) {
	t.Parallel()
	handler := gatewayOf(t, geminitest.NewServer(t), gateway.WithAliases(map[string]string{
		"gpt-5.1": "gemini-3.6-flash", "gemini-9-*": "gemini-3.6-flash"}))
	entries, data := catalogOf(t, handler)
	var plain struct{ Data, Models jsontext.Value }
	if err := json.Unmarshal(get(handler, "/v1/models").Body.Bytes(), &plain); err != nil ||
		string(plain.Data) != string(data) || plain.Models != nil {
		t.Errorf("data differs, or others get models (%v): %s", err, plain.Models)
	}
	for name, e := range entries {
		model := models.At(name, models.GeminiAPI, time.Now())
		if name != "gpt-5.1" && model.IsKnown() && !model.Calls.Has(models.CallGenerate) {
			t.Errorf("%s is in the catalogue", name)
		}
		if (len(*e.ReasoningLevels) > 0) != *e.Summaries {
			t.Errorf("%s: levels without summaries, or the reverse", name)
		}
	}
	var efforts []string
	for _, level := range *entries["gpt-5.1"].ReasoningLevels {
		efforts = append(efforts, *level.Effort)
	}
	if e := entries["gpt-5.1"]; e.ContextWindow != 1_048_576 || e.DefaultLevel != "medium" ||
		!slices.Equal(efforts, []string{"minimal", "low", "medium", "high"}) ||
		*e.Visibility != "list" {
		t.Errorf("gpt-5.1, an alias: %+v, %v", e, efforts)
	}
	if e := entries["gemini-2.5-flash"]; len(*e.ReasoningLevels) != 3 {
		t.Errorf("gemini-2.5-flash, with a budget: %+v", *e.ReasoningLevels)
	}
}

func TestTheCatalogueHasOnlyModelsThatTheKeyMayUse(t *testing.T) {
	t.Parallel()
	handler := gatewayOf(t, geminitest.NewServer(t),
		gateway.WithClientKeys(keysOf(t, `alice,"models":["gemini-2.5-flash"]`)))
	entries, _ := catalogOf(t, handler, "Authorization", "Bearer key-of-alice")
	if len(entries) != 1 || entries["gemini-2.5-flash"].Slug == nil {
		t.Errorf("got %v", entries)
	}
}

func TestAListThatTheClientHasAlreadyIsNotSentAgain(t *testing.T) {
	t.Parallel()
	handler := gatewayOf(t, geminitest.NewServer(t))
	anthropic := []string{"Anthropic-Version", "2023-06-01"}
	seen := map[string]bool{}
	for path, headers := range map[string][]string{"/v1/models": nil,
		"/v1/models?client_version=0.169.0": nil, "/v1/models?limit=1000": anthropic} {
		first := get(handler, path, headers...)
		tag := first.Header().Get("Etag")
		if first.Code != http.StatusOK || len(tag) < 10 || seen[tag] {
			t.Errorf("%s: HTTP %d with the tag %q", path, first.Code, tag)
		}
		seen[tag] = true
		for condition, status := range map[string]int{
			tag: 304, `"other", W/` + tag: 304, "*": 304, `"other"`: 200,
		} {
			again := get(handler, path, append([]string{"If-None-Match", condition}, headers...)...)
			if again.Code != status || again.Header().Get("Etag") != tag ||
				(again.Body.Len() == 0) != (status == 304) {
				t.Errorf("%s, If-None-Match: %s: HTTP %d: %.100s", path, condition, again.Code,
					again.Body)
			}
		}
	}
}

// slowly returns a gateway whose upstream sends its list of models after a delay.
func slowly(t *testing.T, delay time.Duration, opts ...gateway.Option) *gateway.Handler {
	return newGateway(t, append([]gateway.Option{gateway.WithUpstream(gateway.Upstream{
		Service:  gateway.GeminiAPI,
		Accounts: []gateway.Account{gateway.KeyAccount("one", "key-of-one")},
		HTTPClient: gemini.DoerFunc(func(r *http.Request) (*http.Response, error) {
			select {
			case <-time.After(delay):
				return replyOf(200, `{"models":[{"name":"models/gemini-slow",
					"supportedGenerationMethods":["generateContent"]}]}`), nil
			case <-r.Context().Done():
				return nil, r.Context().Err()
			}
		}),
	})}, opts...)...)
}

// Claude Code waits 3 seconds for the list, and follows no redirect.
func TestTheListComesWithinTwoSecondsThoughTheUpstreamIsSlow(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		delay time.Duration
		slow  bool // is in the list when the upstream has answered
	}{"slow": {5 * time.Second, true}, "hanging": {time.Hour, false}} {
		synctest.Test(t, func(t *testing.T) {
			handler := slowly(t, test.delay)
			defer handler.Close()
			list := func() (*httptest.ResponseRecorder, time.Duration) {
				began := time.Now()
				answer := get(handler, "/v1/models?limit=1000", "User-Agent", "claude-cli/2.1.330")
				return answer, time.Since(began)
			}
			first, waited := list()
			if first.Code != http.StatusOK || waited > 2*time.Second ||
				!strings.Contains(first.Body.String(), `"claude-`+models.Default+`"`) ||
				strings.Contains(first.Body.String(), "imagen") {
				t.Errorf("%s, at first: HTTP %d after %s: %.200s", name, first.Code, waited,
					first.Body)
			}
			time.Sleep(12 * time.Second)
			next, waited := list()
			if hasSlow := strings.Contains(next.Body.String(), "gemini-slow"); waited >
				2*time.Second || hasSlow != test.slow || next.Code != http.StatusOK {
				t.Errorf("%s, then: HTTP %d after %s: %.200s", name, next.Code, waited, next.Body)
			}
			time.Sleep(6 * time.Minute) // the list is old now
			if old, waited := list(); test.slow && waited != 0 || old.Code != http.StatusOK {
				t.Errorf("%s, at last: HTTP %d after %s", name, old.Code, waited)
			}
		})
	}
}

func TestAListOfTheCallersKeyComesInTimeToo(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		handler := slowly(t, time.Hour, gateway.WithCallersKey())
		defer handler.Close()
		began := time.Now()
		answer := get(handler, "/v1/models", "Authorization", "Bearer key-of-the-caller")
		if waited := time.Since(began); !slices.Contains(namesOf(t, answer), models.Default) ||
			waited > 2*time.Second {
			t.Errorf("after %s: HTTP %d: %.200s", waited, answer.Code, answer.Body)
		}
	})
}

func TestAListThatTheClientNoLongerWaitsForIsNotWritten(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		handler := slowly(t, time.Hour)
		defer handler.Close()
		request := httptest.NewRequest(http.MethodGet, "/v1/models", nil)
		ctx, leave := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, leave)
		answer := httptest.NewRecorder()
		handler.ServeHTTP(answer, request.WithContext(ctx))
		if answer.Code == http.StatusOK && answer.Body.Len() > 0 {
			t.Errorf("HTTP %d: %.100s", answer.Code, answer.Body)
		}
	})
}

func TestNamesThatNoClientCanUseAreNotListed(t *testing.T) {
	t.Parallel()
	handler := newGateway(t, gateway.WithUpstream(gateway.Upstream{
		Service: gateway.GeminiAPI, Accounts: accounts("one"),
		HTTPClient: gemini.DoerFunc(func(*http.Request) (*http.Response, error) {
			return replyOf(200, `{"models":[{"name":""},{"name":"models/"},{},{"name":"models/a\nb"},
				{"name":"models/vectors-9","supportedGenerationMethods":["embedContent"]},
				{"name":"models/gemini-mine","inputTokenLimit":-5,"outputTokenLimit":-5}]}`), nil
		}),
	}))
	if names := namesOf(t, get(handler, "/v1/models")); !slices.Equal(names[:2], []string{"vectors-9", "gemini-mine"}) ||
		slices.Contains(names, "") || slices.Contains(names, "a\nb") {
		t.Errorf("%q", names)
	}
	for path, headers := range map[string][]string{"/v1/models?client_version=1": nil,
		"/v1/models": {"Anthropic-Version", "2023-06-01"}} {
		body := get(handler, path, headers...).Body.String()
		if strings.Contains(body, "-5") || strings.Contains(body, `"slug":"vectors-9"`) {
			t.Errorf("%s: %s", path, body)
		}
	}
}

func TestHeadAnswersLikeGetForModels(t *testing.T) {
	t.Parallel()
	handler := gatewayOf(t, geminitest.NewServer(t))
	for _, path := range []string{"/v1/models", "/v1/models?client_version=1",
		"/v1/models/gemini-2.5-flash", "/v1beta/openai/models"} {
		request := httptest.NewRequest(http.MethodHead, path, nil)
		answer := httptest.NewRecorder()
		handler.ServeHTTP(answer, request)
		want := get(handler, path)
		if answer.Code != http.StatusOK || answer.Header().Get("Etag") != want.Header().Get("Etag") ||
			answer.Header().Get("Content-Length") != want.Header().Get("Content-Length") {
			t.Errorf("%s: HTTP %d, %v", path, answer.Code, answer.Header())
		}
	}
}
