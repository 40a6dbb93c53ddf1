package main

import (
	"errors"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/pkg/structured"
	"github.com/google/go-cmp/cmp"
)

const fence = "```"

// answer is an answer with one recommendation.
func answer(id string) string {
	return `{"recommendations": [{"prd_id": "` + id +
		`", "title": "User Authentication", "priority": 1}]}`
}

// parse fails the test when the response is refused.
func parse(t *testing.T, response string) *PriorityResult {
	t.Helper()
	result, err := ParsePriorityResponse(response)
	if err != nil {
		t.Fatalf("%q: %v", response, err)
	}
	return result
}

// onlyID returns the id of the only recommendation.
func onlyID(t *testing.T, response string) string {
	t.Helper()
	result := parse(t, response)
	if len(result.Recommendations) != 1 {
		t.Fatalf("%q: %d recommendations", response, len(result.Recommendations))
	}
	return result.Recommendations[0].PRDID
}

func TestParsePriorityResponse_RawJSON(t *testing.T) {
	t.Parallel()
	got := parse(t, `{
		"recommendations": [{
			"prd_id": "feature-001", "title": "User Authentication", "priority": 1, "reasoning": "First of all.",
			"depends_on": [], "enables_for": ["feature-002"]
		}],
		"dependency_graph": "feature-001 -> feature-002",
		"analysis": "Authentication is critical"
	}`)
	want := &PriorityResult{
		Recommendations: []Recommendation{{
			PRDID: "feature-001", Title: "User Authentication", Priority: 1,
			Reasoning: "First of all.",
			DependsOn: []string{}, EnablesFor: []string{"feature-002"},
		}},
		DependencyGraph: "feature-001 -> feature-002",
		Analysis:        "Authentication is critical",
	}
	if diff := cmp.Diff(want, got); diff != "" { // distinguishes an empty list from nil
		t.Error(diff)
	}
}

func TestParsePriorityResponse_MarkdownWrapped(t *testing.T) {
	t.Parallel()
	response := "Here is the order:\n\n" + fence + "json\n" + answer("feature-002") + "\n" + fence +
		"\n\nThis goes well together."
	if got := onlyID(t, response); got != "feature-002" {
		t.Errorf("got %s", got)
	}
}

func TestParsePriorityResponse_PlainCodeBlock(t *testing.T) {
	t.Parallel()
	if got := onlyID(t, "Sure:\n"+fence+"\n"+answer("feature-003")+"\n"+
		fence); got != "feature-003" {
		t.Errorf("got %s", got)
	}
}

func TestParsePriorityResponse_WithPreamble(t *testing.T) {
	t.Parallel()
	response := "\n\t\tI looked at all features.\n\n\t\t" + answer("feature-004") +
		"\n\n\t\tAdditional notes here.\n\t"
	if got := onlyID(t, response); got != "feature-004" {
		t.Errorf("got %s", got)
	}
}

func TestParsePriorityResponse_EmptyRecommendations(t *testing.T) {
	t.Parallel()
	wantError(t, `{"recommendations": [], "dependency_graph": "none"}`,
		"no recommendations in response")
}

func TestParsePriorityResponse_MissingPRDID(t *testing.T) {
	t.Parallel()
	wantError(t, `{"recommendations": [{"prd_id": "", "title": "T", "priority": 1}]}`,
		"recommendation 0 missing prd_id")
}

func TestParsePriorityResponse_InvalidPriority(t *testing.T) {
	t.Parallel()
	wantError(t, `{"recommendations": [{"prd_id": "feature-005", "title": "T", "priority": 0}]}`,
		"recommendation 0 (feature-005) has invalid priority: 0")
}

// wantError checks the whole text of an error.
func wantError(t *testing.T, response, want string) {
	t.Helper()
	result, err := ParsePriorityResponse(response)
	if err == nil || err.Error() != want || result != nil {
		t.Errorf("%q:\ngot  %v, %v\nwant %s", response, result, err, want)
	}
}

func TestParsePriorityResponseTakesWhatModelsWrite(t *testing.T) {
	t.Parallel()
	object := answer("f")
	tests := map[string]string{
		"JSON and then prose":             object + "\n\nI hope this helps {really}.",
		"braces in strings":               `Order: {"recommendations": [{"prd_id": "f", "priority": 1, "title": "a } b { c"}]} done`,
		"an unbalanced brace in a string": `Order: {"recommendations": [{"prd_id": "f", "priority": 1, "title": "}"}]} done`,
		"a quote and a brace in a string": `Order: {"recommendations": [{"prd_id": "f", "priority": 1, "title": "say \"{\""}]} done`,
		"another info string":             fence + "js\n" + object + "\n" + fence,
		"an info string in capitals": fence + "JSON title=\"order\"\r\n" + object +
			"\r\n" + fence,
		"backticks in a string": fence + "json\n" +
			`{"recommendations": [{"prd_id": "f", "priority": 1, "title": "` + fence + `"}]}` +
			"\n" + fence,
		"a fence that is not JSON before": fence + "sh\nls {a,b}\n" + fence + "\nand " +
			object,
		"a fence of other JSON before": fence + "json\n{\"config\": 1}\n" + fence + "\n" +
			fence + "json\n" + object + "\n" + fence,
		"a stray brace before": "Use { for an object. " + object,
		"a quote before":       "It's a 5\" screen. " + object,
		"CR LF": "Here:\r\n" +
			strings.ReplaceAll(object, ", ", ",\r\n"),
		"a byte order mark":      "\uFEFF" + object,
		"a fence without an end": "Here:\n" + fence + "json\n" + object,
		"a fence within a line": "Some text " + fence + "json " + object + " " +
			fence + " more text",
		"a list around it": "[" + object + "]",
		"a draft before it": "<think>" + answer("draft") + "</think>\n" +
			object,
		"quoted lines":                          "> {\n> \"recommendations\": [\n> {\"prd_id\": \"f\", \"priority\": 1}]}",
		"members that were not requested":       `{"recommendations": [{"prd_id": "f", "priority": 1, "effort": "S"}], "confidence": 0.9}`,
		"recommendations that say nothing else": `{"recommendations": [{"prd_id": "f", "priority": 1}]}`,
	}
	for name, response := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := onlyID(t, response); got != "f" {
				t.Errorf("got %q", got)
			}
		})
	}
}

func TestParsePriorityResponseKeepsIDsAndOrderAsTheyAre(t *testing.T) {
	t.Parallel()
	got := parse(t, `{"recommendations": [{"prd_id": " b ", "priority": 2}, {"prd_id": "a", "priority": 1}]}`)
	if got.Recommendations[0].PRDID != " b " || got.Recommendations[1].PRDID != "a" {
		t.Errorf("%+v", got)
	}
	if got.Recommendations[0].DependsOn != nil || got.Analysis != "" {
		t.Errorf("%+v", got)
	}
}

func TestParsePriorityResponseReportsErrorsWithTheirPlace(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ response, want string }{
		"nothing":  {"", "failed to extract JSON: no JSON content found in response"},
		"prose":    {"I cannot say.", "failed to extract JSON: no JSON content found in response"},
		"brackets": {"Use {braces}.", "failed to extract JSON: no valid JSON object found in response"},
		"an object in prose that has no end": {
			`Sure: {"recommendations": [`,
			"failed to extract JSON: no valid JSON object found in response",
		},
		"a response that is cut off": {
			`{"recommendations": [{"prd_id": "a`,
			"failed to parse JSON: structured: /recommendations/0/prd_id: the value that begins at line 1, " +
				"column 1 (offset 0) is cut off at line 1, column 35 (offset 34)",
		},
		"a fence that is cut off": {
			"Sure:\n" + fence + "json\n{\"recommendations\": [\n",
			"failed to parse JSON: structured: /recommendations: the value that begins at line 3, " +
				"column 1 (offset 14) is cut off at line 3, column 22 (offset 35)",
		},
		"not well-formed": {
			`{"recommendations": [{"prd_id": "a",}]}`,
			"failed to parse JSON: structured: /recommendations/0: line 1, column 37 (offset 36): " +
				"expected a member name in double quotes, found \"}\"",
		},
		"null":                    {"null", "failed to extract JSON: no JSON content found in response"},
		"an empty list":           {"[]", "failed to extract JSON: no JSON content found in response"},
		"a list of numbers":       {fence + "json\n[1, 2]\n" + fence, "failed to extract JSON: no JSON content found in response"},
		"a list of other objects": {`[{"prd_id": "a", "priority": 1}]`, "no recommendations in response"},
		"a piece of a broken object": {
			`{"outer": {"recommendations": [{"prd_id": "a", "priority": 1}]} text`,
			"failed to parse JSON: structured: line 1, column 65 (offset 64): expected a comma or }, found \"t\"",
		},
		"a comma too many": {
			`{"recommendations":[{"prd_id": "a", "priority": 1},]}`,
			"failed to parse JSON: structured: /recommendations/1: line 1, column 52 (offset 51): expected a value, found \"]\"",
		},
		"a fraction as priority": {
			`{"recommendations": [{"prd_id": "a", "priority": 1.5}]}`,
			"failed to parse JSON: structured: /recommendations/0/priority: line 1, column 50 (offset 49): " +
				"expected a whole number, found 1.5",
		},
		"a string as priority": {
			"{\"recommendations\": [{\"prd_id\": \"a\",\n  \"priority\": \"1\"}]}",
			"failed to parse JSON: structured: /recommendations/0/priority: line 2, column 15 (offset 51): " +
				"expected a whole number, found \"1\"",
		},
		"another object":         {`{"test": "value"}`, "no recommendations in response"},
		"the id before priority": {`{"recommendations": [{"prd_id": "", "priority": 0}]}`, "recommendation 0 missing prd_id"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			wantError(t, test.response, test.want)
		})
	}
}

func TestErrorsOfParsePriorityResponseWrapThoseOfPackageStructured(t *testing.T) {
	t.Parallel()
	_, err := ParsePriorityResponse("prose")
	if _, ok := errors.AsType[*structured.NotFoundError](err); !ok {
		t.Errorf("%#v", err)
	}
	_, err = ParsePriorityResponse(`Sure: {"recommendations": [`)
	if cut, ok := errors.AsType[*structured.TruncatedError](err); !ok || cut.Missing != "]}" {
		t.Errorf("%#v", err)
	}
	_, err = ParsePriorityResponse(`{"recommendations": 1}`)
	if wrong, ok := errors.AsType[*structured.DecodeError](err); !ok ||
		wrong.Pointer != "/recommendations" {
		t.Errorf("%#v", err)
	}
}

func TestExtractJSON_NoJSON(t *testing.T) {
	t.Parallel()
	got, err := extractJSON("This is just plain text with no JSON content")
	if err == nil || err.Error() != "no JSON content found in response" || got != "" {
		t.Errorf("got %q, %v", got, err)
	}
}

func TestExtractJSON_NoEnd(t *testing.T) {
	t.Parallel()
	for _, response := range []string{
		`Text before {"outer": {"inner": "value"}`, `{"outer": {"inner": "value"} text`,
		`{"recommendations":[{"prd_id":"a"},]}`,
	} {
		got, err := extractJSON(response)
		if err == nil || err.Error() != "no valid JSON object found in response" || got != "" {
			t.Errorf("%s: got %q, %v", response, got, err)
		}
	}
}

func TestExtractJSON_FindsTheObject(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ response, want string }{
		"raw":                  {`{"test": "value"}`, `{"test": "value"}`},
		"in a json fence":      {"Some text\n" + fence + "json\n{\"test\": \"value\"}\n" + fence + "\nMore text", `{"test": "value"}`},
		"in a plain fence":     {"Some text\n" + fence + "\n{\"test\": \"value\"}\n" + fence + "\nMore text", `{"test": "value"}`},
		"in a fence in a line": {"Some text" + fence + `json {"test": "value"} ` + fence + "More text", `{"test": "value"}`},
		"in a list":            {`[{"test": "value"}, {"test": 2}]`, `{"test": "value"}`},
		"nested":               {`Text before {"outer": {"inner": "value"}} text after`, `{"outer": {"inner": "value"}}`},
	}
	for name, test := range tests {
		if got, err := extractJSON(test.response); err != nil || got != test.want {
			t.Errorf("%s: got %q, %v", name, got, err)
		}
	}
}

func TestValidateRecommendations(t *testing.T) {
	t.Parallel()
	valid := Recommendation{PRDID: "valid-1", Priority: 1}
	tests := map[string]struct {
		recommendations []Recommendation
		want            string // "" for none
	}{
		"valid":           {[]Recommendation{valid}, ""},
		"nil":             {nil, "no recommendations in response"},
		"no id":           {[]Recommendation{valid, {Priority: 2}}, "recommendation 1 missing prd_id"},
		"a low priority":  {[]Recommendation{valid, {PRDID: "invalid-2", Priority: -1}}, "recommendation 1 (invalid-2) has invalid priority: -1"},
		"the first fault": {[]Recommendation{{PRDID: "a"}, {}}, "recommendation 0 (a) has invalid priority: 0"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			wantText(t, validateRecommendations(test.recommendations), test.want)
		})
	}
}

func wantText(t *testing.T, err error, want string) {
	t.Helper()
	got := ""
	if err != nil {
		got = err.Error()
	}
	if got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
