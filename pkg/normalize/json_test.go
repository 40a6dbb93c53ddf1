package normalize_test

import (
	"math"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/pkg/normalize"
)

func TestEncodeKeepsFreeFormBytes(t *testing.T) {
	t.Parallel()
	out := normalized(t, `{"candidates":[{"content":{"parts":[
		{"functionCall":{"id":"1","name":"f","args":{ "z": 1.50, "a": "<&>\u003c\u00e9é\/", "n": 12345678901234567890, "e": 1E2 }}},
		{"functionResponse":{"response":{ "z": -0, "a": "\u0041" }}},
		{"new":{ "z": [ 1.0 ], "a": "\u0041" }}]}}]}`)
	data, err := normalize.Encode(out)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`"arguments":{"z":1.50,"a":"<&>\u003c\u00e9é\/","n":12345678901234567890,"e":1E2}`,
		`"content":{"z":-0,"a":"\u0041"}`,
		`"new":{"z":[1.0],"a":"\u0041"}`,
	} {
		if !strings.Contains(string(data), want) {
			t.Errorf("no %s in %s", want, data)
		}
	}
}

func TestEncodeDoesNotEscapeForHTML(t *testing.T) {
	t.Parallel()
	data, err := normalize.Encode(normalized(t, withParts(`{"text":"<b>&amp;</b>"}`)))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(data), `"text":"<b>&amp;</b>"`) {
		t.Errorf("the text is escaped in %s", data)
	}
}

func TestEncodeIsTheSameForTheSameResponse(t *testing.T) {
	t.Parallel()
	r := normalized(t, `{"candidates":[{"content":{"parts":[{"text":"a"}]}}]}`)
	first, err := normalize.Encode(r)
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"candidates":[{"index":0,"content_blocks":[{"type":"text","part":0,"text":"a"}],"finish_reason":"unknown"}],` +
		`"usage":{"input_tokens":0,"output_tokens":0,"thinking_tokens":0,"cached_tokens":0,"total_tokens":0}}`
	if string(first) != want {
		t.Errorf("the form is %s, want %s", first, want)
	}
}

// Google writes a score that is not a number as a string. The codec reads such a string.
func TestNonFiniteNumbersSurviveTheJSONForm(t *testing.T) {
	t.Parallel()
	out := normalized(t,
		`{"candidates":[{"avgLogprobs":"NaN","logprobsResult":{"logProbabilitySum":"-Infinity"},
		"safetyRatings":[{"severityScore":"Infinity"}]}]}`)
	data, err := normalize.Encode(out)
	if err != nil {
		t.Fatal(err)
	}
	back, err := normalize.Decode(data)
	if err != nil {
		t.Fatal(err)
	}
	c := back.Candidates[0]
	if !math.IsNaN(*c.Logprobs.Average) || !math.IsInf(*c.Logprobs.Sum, -1) ||
		!math.IsInf(*c.SafetyRatings[0].SeverityScore, 1) {
		t.Errorf("they are %v, %v and %v", *c.Logprobs.Average, *c.Logprobs.Sum,
			*c.SafetyRatings[0].SeverityScore)
	}
}

func TestEncodeRefusesInvalidJSON(t *testing.T) {
	t.Parallel()
	r := valid()
	r.Candidates[1].Blocks[4].ToolCall.Arguments = []byte(`{"a":`)
	if data, err := normalize.Encode(r); err == nil {
		t.Errorf("it is encoded as %s", data)
	}
}

func TestDecodeSaysWhereItFailed(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ in, want string }{
		"wire form":            {`{"modelVersion":"gemini-3-pro-preview"}`, "/modelVersion: offset 1: the format has no such member"},
		"unknown member":       {`{"candidates":[{"mood":"good"}]}`, "/candidates/0/mood: offset 16: the format has no such member"},
		"wrong type":           {`{"usage":{"total_tokens":"many"}}`, "/usage/total_tokens: offset 25: a whole number was expected, found a string"},
		"wrong string":         {`{"candidates":[{"logprobs":{"average":"much"}}]}`, "/candidates/0/logprobs/average: offset 38: "},
		"cut off":              {`{"candidates":[`, "/candidates: offset 15: the input ends too early"},
		"no object":            {`[]`, "offset 0: an object was expected, found a list"},
		"not JSON":             {`hello`, "offset 0: not JSON"},
		"two values":           {`{} {}`, "offset 3: data after the end of the payload"},
		"member that is twice": {`{"id":"a","id":"b"}`, "/id: offset 10: the member occurs twice"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := normalize.Decode([]byte(tt.in))
			if err == nil || !strings.HasPrefix(err.Error(), "normalize: ") ||
				!strings.Contains(err.Error(), tt.want) {
				t.Errorf("the error is %v, want one with %q", err, tt.want)
			}
		})
	}
}
