package gemini_test

import (
	"errors"
	"testing"

	"github.com/gemwire/gemwire/internal/corpustest"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/validation"
)

func TestValidateResponse(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ body, pointer, rule string }{
		"an answer":           {`{"candidates":[{"content":{"role":"model","parts":[{"text":"Hi"}]},"finishReason":"STOP"}]}`, "", ""},
		"nothing":             {`{}`, "", ""},
		"a piece of silence":  {`{"candidates":[{"content":{"parts":[{"inlineData":{"mimeType":"audio/pcm","data":""}}]}}]}`, "", ""},
		"the end of a call":   {`{"candidates":[{"content":{"parts":[{"functionCall":{}}]}}]}`, "", ""},
		"an unknown member":   {`{"candidates":[{"contents":{}}]}`, "/candidates/0/contents", "unknown"},
		"an unknown value":    {`{"candidates":[{"finishReason":"TIRED"}]}`, "/candidates/0/finishReason", "oneof"},
		"two kinds of data":   {`{"candidates":[{"content":{"parts":[{"text":"","functionCall":{"name":"f"}}]}}]}`, "/candidates/0/content/parts/0", "one_member"},
		"a time that is none": {`{"createTime":"soon"}`, "/createTime", "format"},
		"arguments in a list": {`{"candidates":[{"content":{"parts":[{"functionCall":{"name":"f","args":[]}}]}}]}`, "/candidates/0/content/parts/0/functionCall/args", "json_object"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			response, err := gemini.DecodeResponse([]byte(test.body))
			if err != nil {
				t.Fatal(err)
			}
			invalid, found := errors.AsType[*validation.Error](gemini.ValidateResponse(response))
			switch {
			case test.rule == "" && found:
				t.Error(invalid)
			case test.rule != "" && (!found || len(invalid.Violations) != 1 || invalid.Violations[0].Pointer != test.pointer || invalid.Violations[0].Rule != test.rule):
				t.Errorf("got %v", invalid)
			}
		})
	}
}

// Recorded answers are valid, but for members and values that no description has, such as turnToken.
func TestRecordedAnswersAreValid(t *testing.T) {
	t.Parallel()
	valid, count := 0, 0
	for _, p := range corpustest.Payloads(t, corpustest.Response) {
		response, err := gemini.DecodeResponse(p.Read(t))
		if err != nil || len(response.Candidates) == 0 {
			continue
		}
		count++
		if err := gemini.ValidateResponse(response); err != nil {
			for _, v := range invalidOf(err) {
				if v.Rule != "unknown" && v.Rule != "oneof" && v.Rule != "one_member" {
					t.Errorf("%s: %v", p.Name, v)
				}
			}
			continue
		}
		valid++
	}
	if count > 0 && valid < count*92/100 && !testing.Short() || valid < corpustest.AtLeast(700) {
		t.Errorf("%d of %d are valid", valid, count)
	}
}

func invalidOf(err error) []validation.Violation {
	invalid, _ := errors.AsType[*validation.Error](err)
	return invalid.Violations
}
