package responses_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/test/openaitest"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/openai/responses"
	"github.com/gemwire/gemwire/pkg/report"
	toresponses "github.com/gemwire/gemwire/pkg/transform/responses"
)

// entries returns a report as lines, one entry per line.
func entries(report report.Report) string {
	var lines []string
	for _, e := range report {
		lines = append(lines, string(e.Kind)+" "+e.Pointer)
	}
	return strings.Join(lines, "\n")
}

// identified returns an answer with an id, a time and a model, so that the report has no entries
// about them.
func identified(members string) string {
	return `{"responseId":"r","modelVersion":"m","createTime":"2026-01-01T00:00:00Z",` + members +
		`}`
}

func TestLossesOfAResponseWithoutExtensions(t *testing.T) {
	t.Parallel()
	const counts = `,"usageMetadata":{"promptTokenCount":1,"candidatesTokenCount":1,"totalTokenCount":2}`
	answer := func(members string) string {
		return identified(`"candidates":[{"content":{"role":"model","parts":[{"text":"a"}]},` +
			members + `}]` + counts)
	}
	const at = "lost /candidates/0"
	const logprobs = `"finishReason":"STOP","logprobsResult":`
	for name, tc := range map[string]struct{ body, want string }{
		"stopped":                      {answer(`"finishReason":"STOP"`), ""},
		"cut":                          {answer(`"finishReason":"MAX_TOKENS"`), ""},
		"failed":                       {answer(`"finishReason":"MALFORMED_FUNCTION_CALL"`), ""},
		"filtered":                     {answer(`"finishReason":"SAFETY"`), at + "/finishReason"},
		"an index":                     {answer(`"finishReason":"STOP","index":1`), at + "/index"},
		"the first index":              {answer(`"finishReason":"STOP","index":0`), ""},
		"a message":                    {answer(`"finishReason":"STOP","finishMessage":"because"`), at + "/finishMessage"},
		"an empty message":             {answer(`"finishReason":"STOP","finishMessage":""`), ""},
		"citations":                    {answer(`"finishReason":"STOP","citationMetadata":{}`), at + "/citationMetadata"},
		"another role":                 {strings.Replace(answer(`"finishReason":"STOP"`), `"role":"model"`, `"role":"user"`, 1), at + "/content/role"},
		"an empty role":                {strings.Replace(answer(`"finishReason":"STOP"`), `"role":"model"`, `"role":""`, 1), ""},
		"a mean":                       {answer(`"finishReason":"STOP","avgLogprobs":-0.5`), at + "/avgLogprobs"},
		"unknown members of a content": {strings.Replace(answer(`"finishReason":"STOP"`), `"role":"model"`, `"later":1`, 1), at + "/content/later"},
		"log probabilities":            {answer(logprobs + `{"chosenCandidates":[{"token":"a","logProbability":-0.5}]}`), at + "/logprobsResult"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, report := convert(t, tc.body, toresponses.WithoutExtensions())
			if diff := cmp.Diff(tc.want, entries(report)); diff != "" {
				t.Errorf("(-want +got):\n%s\n%v", diff, report)
			}
		})
	}
}

// The extensions have the record of log probabilities if it has more than OpenAI's form.
func TestTheRecordOfLogProbabilitiesIsKeptWhereItSaysMore(t *testing.T) {
	t.Parallel()
	const a = `{"token":"a","logProbability":-0.5}`
	const chosen = `"chosenCandidates":[` + a + `]`
	for record, isKept := range map[string]bool{
		`{` + chosen + `}`: false,
		`{` + chosen + `,"topCandidates":[{"candidates":[` + a +
			`]}]}`: false,
		`{` + chosen + `,"topCandidates":[{"candidates":[` + a + `]},{"candidates":[` + a +
			`]}]}`: true,
		`{` + chosen + `,"topCandidates":[{"candidates":[{"token":"a","tokenId":3,"logProbability":-0.5}]}]}`: true,
		`{` + chosen + `,"topCandidates":[{"later":1,"candidates":[` + a +
			`]}]}`: true,
		`{` + chosen + `,"logProbabilitySum":-0.5}`:                              true,
		`{` + chosen + `,"later":1}`:                                             true,
		`{"chosenCandidates":[{"token":"a","tokenId":3,"logProbability":-0.5}]}`: true,
		`{"chosenCandidates":[{"token":"a","later":3,"logProbability":-0.5}]}`:   true,
		`{"chosenCandidates":[{"token":"a"}]}`:                                   false,
		`{"chosenCandidates":[{"token":"a","logProbability":"-Infinity"}]}`:      true,
	} {
		out, _ := convert(t,
			identified(`"candidates":[{"finishReason":"STOP","content":{"role":"model","parts":[{"text":"a"}]},"logprobsResult":`+
				record+`}]`))
		got := out.ExtraContent != nil && out.ExtraContent.Google.LogprobsResult != nil
		if got != isKept {
			t.Errorf("%s: kept %t", record, got)
		}
	}
}

func TestQueriesOfASearch(t *testing.T) {
	t.Parallel()
	for arguments, want := range map[string][]string{
		`{"queries":["a","b"]}`: {"a", "b"}, `{"query":"c"}`: {"c"},
		`{"queries":["a"],"query":"c"}`: {"a", "c"},
		`{"query":""}`:                  {}, `{"queries":1}`: {}, `{"queries":["a"],"query":1}`: {},
		`{}`: {},
	} {
		out := converted(t, `{"toolCall":{"toolType":"GOOGLE_SEARCH_WEB","args":`+arguments+`}}`)
		var got []string
		for i := range out.Output {
			if out.Output[i].Type == openaiapi.ResponseItemTypeWebSearchCall {
				got = actionOf(out.Output[i]).Queries
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", arguments, diff)
		}
	}
}

func TestCountsThatAreReported(t *testing.T) {
	t.Parallel()
	const at = "approximated /usageMetadata"
	for counts, want := range map[string]string{
		`{"promptTokenCount":1,"candidatesTokenCount":1,"totalTokenCount":2}`:                             "",
		`{"promptTokenCount":2147483647,"candidatesTokenCount":0,"totalTokenCount":2147483647}`:           "",
		`{"promptTokenCount":3,"cachedContentTokenCount":3,"candidatesTokenCount":1,"totalTokenCount":4}`: "",
		`{"promptTokenCount":3,"cachedContentTokenCount":4,"candidatesTokenCount":1,"totalTokenCount":4}`: at +
			"/cachedContentTokenCount",
		`{"promptTokenCount":3,"cachedContentTokenCount":-1,"candidatesTokenCount":1,"totalTokenCount":4}`: at +
			"/cachedContentTokenCount",
		`{"promptTokenCount":3,"candidatesTokenCount":1,"totalTokenCount":5}`: at +
			"/totalTokenCount",
		`{"promptTokenCount":3,"toolUsePromptTokenCount":2,"candidatesTokenCount":1,"totalTokenCount":6}`: at +
			"/toolUsePromptTokenCount",
		`{"promptTokenCount":-3,"candidatesTokenCount":1,"totalTokenCount":1}`: at +
			"/promptTokenCount",
		`{"promptTokenCount":3,"candidatesTokenCount":1,"thoughtsTokenCount":-1,"totalTokenCount":4}`: at +
			"/thoughtsTokenCount",
	} {
		_, report := convert(t,
			identified(`"candidates":[{"finishReason":"STOP","content":{"role":"model","parts":[{"text":"a"}]}}],"usageMetadata":`+
				counts),
			toresponses.WithoutExtensions())
		if diff := cmp.Diff(want, entries(report)); diff != "" {
			t.Errorf("%s (-want +got):\n%s\n%v", counts, diff, report)
		}
	}
}

func TestSettingsThatAResponseRepeats(t *testing.T) {
	t.Parallel()
	for members, want := range map[string]string{
		`"text":{"verbosity":"low"}`:                          `{"text":{"verbosity":"low","format":{"type":"text"}}}`,
		`"text":{"verbosity":"loud"}`:                         `{"text":{"verbosity":"medium"}}`,
		`"text":{"format":{"type":"json_schema","name":"n"}}`: `{"text":{"format":{"type":"json_schema","name":"n","schema":{}}}}`,
		`"text":{"format":{"type":"json_schema","json_schema":{"name":"n","schema":{"type":"object"}}}}`: `{"text":{"format":{"type":"json_schema","name":"n","schema":{"type":"object"}}}}`,
		`"conversation":"conv_1"`:                          `{"conversation":{"id":"conv_1"}}`,
		`"conversation":{"id":"conv_1"}`:                   `{"conversation":{"id":"conv_1"}}`,
		`"tool_choice":"required"`:                         `{"tool_choice":"required"}`,
		`"tool_choice":"sometimes"`:                        `{"tool_choice":"auto"}`,
		`"tool_choice":{"type":"function","name":"f"}`:     `{"tool_choice":{"type":"function","name":"f"}}`,
		`"tool_choice":{"type":"later"}`:                   `{"tool_choice":"auto"}`,
		`"truncation":"auto"`:                              `{"truncation":"auto"}`,
		`"truncation":"later"`:                             `{"truncation":"disabled"}`,
		`"reasoning":{"effort":"low","summary":"auto"}`:    `{"reasoning":{"effort":"low","summary":"auto"}}`,
		`"reasoning":{"effort":"later","summary":"later"}`: `{"reasoning":{"effort":null,"summary":null}}`,
		`"parallel_tool_calls":false`:                      `{"parallel_tool_calls":false}`,
	} {
		in, err := responses.DecodeRequest([]byte(`{"model":"m",` + members + `}`))
		if err != nil {
			t.Fatal(err)
		}
		out, err := responses.EncodeResponse(converted(t, `{"text":"a"}`,
			toresponses.WithRequest(in)))
		if err != nil {
			t.Fatal(err)
		}
		openaitest.Subset(t, string(out), want)
	}
}

// kinded is a failure that has its own OpenAI code and type.
type kinded struct{ coded }

func (kinded) ErrorType() string { return "billing_error" }

func TestFailuresOfAStreamHaveTheirKind(t *testing.T) {
	t.Parallel()
	google := func(status int, name string) error {
		return gemini.DecodeError(status, nil,
			[]byte(`{"error":{"message":"M.","status":"`+name+`"}}`))
	}
	for name, tc := range map[string]struct {
		err             error
		status          int
		kind, code, say string
	}{
		"a wrong key":          {google(400, "UNAUTHENTICATED"), 0, "invalid_request_error", "invalid_api_key", "M."},
		"a key without rights": {google(403, "PERMISSION_DENIED"), http.StatusForbidden, "invalid_request_error", "permission_denied", "M."},
		"no key":               {google(401, "UNAUTHENTICATED"), http.StatusUnauthorized, "invalid_request_error", "invalid_api_key", "M."},
		"busy":                 {google(503, "UNAVAILABLE"), http.StatusServiceUnavailable, "server_error", "server_error", "M."},
		"broken":               {google(500, "INTERNAL"), http.StatusInternalServerError, "server_error", "server_error", "M."},
		"unknown":              {errors.New("x"), http.StatusInternalServerError, "server_error", "server_error", "x"},
		"of its own kind":      {kinded{}, 0, "billing_error", "insufficient_quota", "no money"},
		"of its own code":      {coded{}, 0, "server_error", "insufficient_quota", "no money"},
	} {
		all, _ := failedStream(t, tc.err, part(`{"text":"Half"}`))
		e := last(all).Response.Error
		if tc.status != 0 {
			if status, _ := toresponses.FromError(tc.err); status != tc.status {
				t.Errorf("%s: status %d, want %d", name, status, tc.status)
			}
		}
		if e.Type != tc.kind || string(e.Code) != tc.code || e.Message != tc.say {
			t.Errorf("%s: got %+v", name, e)
		}
	}
}
