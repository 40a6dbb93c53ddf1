package openai_test

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/pkg/openai"
)

// textsOf reads choices, each in a chunk, and returns the texts by their choices and the arguments by the ids of their calls, with the
// pointers of the report.
func textsOf(t *testing.T, choices []string) (texts map[string]string, reported []string) {
	t.Helper()
	var body strings.Builder
	for _, choice := range choices {
		fmt.Fprintf(&body, "data: {\"choices\":[%s]}\n\n", choice)
	}
	r := openai.NewStreamReader(strings.NewReader(body.String()+"data: [DONE]\n\n"), openai.WithForeignChunks())
	texts = map[string]string{}
	call := ""
	for {
		chunk, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range chunk.Choices {
			if c.Delta.Content != nil {
				texts[fmt.Sprint(c.Index)] += *c.Delta.Content
			}
			for _, piece := range c.Delta.ToolCalls {
				if piece.ID != nil {
					call = *piece.ID
				}
				texts[call] += *piece.Function.Arguments
			}
		}
	}
	for _, e := range r.Report() {
		reported = append(reported, e.Pointer)
	}
	return texts, reported
}

// Halves are joined whatever a server says of the end, and of the places of its choices and calls.
func TestHalvesOfPairsFindTheirOtherHalves(t *testing.T) {
	t.Parallel()
	const first, last = `{"index":0,"delta":{"content":"a\ud83d"}}`, `{"index":0,"delta":{"content":"\ude00b"},"finish_reason":"stop"}`
	call := func(members, arguments string) string {
		return `{"index":0,"delta":{"tool_calls":[{` + members + `"function":{"arguments":"` + arguments + `"}}]}}`
	}
	named := func(members, arguments string) string {
		return `{"index":0,"delta":{"tool_calls":[{` + members + `"function":{"name":"f","arguments":"` + arguments + `"}}]}}`
	}
	for name, tt := range map[string]struct {
		choices []string
		want    map[string]string
	}{
		"no reason":            {[]string{first, last}, map[string]string{"0": "a😀b"}},
		"the word null":        {[]string{`{"index":0,"delta":{"content":"a\ud83d"},"finish_reason":"null"}`, last}, map[string]string{"0": "a😀b"}},
		"an empty reason":      {[]string{`{"index":0,"delta":{"content":"a\ud83d"},"finish_reason":""}`, last}, map[string]string{"0": "a😀b"}},
		"an object as reason":  {[]string{first, `{"index":0,"delta":{"content":"\ude00b"},"finish_reason":{"type":"stop"}}`}, map[string]string{"0": "a😀b"}},
		"no index at first":    {[]string{`{"delta":{"content":"a\ud83d"}}`, last}, map[string]string{"0": "a😀b"}},
		"an index in a text":   {[]string{`{"index":"0","delta":{"content":"a\ud83d"}}`, last}, map[string]string{"0": "a😀b"}},
		"another choice":       {[]string{first, `{"index":1,"delta":{"content":"\ud83e"}}`, last, `{"index":1,"delta":{"content":"\udd21"}}`}, map[string]string{"0": "a😀b", "1": "🤡"}},
		"calls by their index": {[]string{named(`"index":0,"id":"x",`, `\ud83d`), named(`"index":1,"id":"y",`, `\ud83e`), call(`"index":0,"id":"x",`, `\ude00`), call(`"index":1,"id":"y",`, `\udd21`)}, map[string]string{"x": "😀", "y": "🤡"}},
		"calls by their id":    {[]string{named(`"id":"x",`, `\ud83d`), named(`"id":"y",`, `\ud83e`), call(`"id":"x",`, `\ude00`), call(`"id":"y",`, `\udd21`)}, map[string]string{"x": "😀", "y": "🤡"}},
		"calls without an id":  {[]string{named(`"index":0,"id":"x",`, `\ud83d`), call(`"index":0,`, `\ude00`), named(`"index":1,"id":"y",`, `\ud83e`), call(`"index":1,`, `\udd21`)}, map[string]string{"x": "😀", "y": "🤡"}},
		"an id for each piece": {[]string{named(`"index":0,"id":"x",`, `\ud83d`), call(`"index":0,"id":"z",`, `\ude00`)}, map[string]string{"x": "", "z": "😀"}},
	} {
		if texts, reported := textsOf(t, tt.choices); fmt.Sprint(texts) != fmt.Sprint(tt.want) || reported != nil {
			t.Errorf("%s: %q, %v", name, texts, reported)
		}
	}
}

// A half for which there is no place at the end is named, in the order of the places; what is in its place stays.
func TestHalvesWithoutAPlaceAreReported(t *testing.T) {
	t.Parallel()
	const first = `{"index":0,"delta":{"content":"a\ud83d","reasoning_content":"\ud83d","tool_calls":[{"index":0,"id":"x","function":{"name":"f","arguments":"\ud83d"}},{"index":1,"id":"y","function":{"name":"f","arguments":"\ud83d"}}]}}`
	const content, thoughts, x, y = "/0/choices/0/delta/content", "/0/choices/0/delta/reasoning_content", "/0/choices/0/delta/tool_calls/0/function/arguments", "/0/choices/0/delta/tool_calls/1/function/arguments"
	for name, tt := range map[string]struct {
		last string
		want []string
	}{
		"no end":        {`{"index":1,"delta":{}}`, []string{content, thoughts, x, y}},
		"no delta":      {`{"index":0,"delta":null,"finish_reason":"stop"}`, []string{content, thoughts, x, y}},
		"another form":  {`{"index":0,"delta":{"content":[{"type":"text","text":"b"}],"reasoning_content":{}},"finish_reason":"stop"}`, []string{content, thoughts, x, y}},
		"empty content": {`{"index":0,"delta":{"content":""},"finish_reason":"stop"}`, []string{x, y}},
	} {
		for range 5 { // as the order of a map would differ
			_, reported := textsOf(t, []string{first, tt.last})
			reported = slices.DeleteFunc(reported, func(at string) bool { return strings.HasPrefix(at, "/1") })
			if !slices.Equal(reported, tt.want) {
				t.Errorf("%s: %v", name, reported)
			}
		}
	}
	r := openai.NewStreamReader(strings.NewReader(`data: {"choices":[{"index":0,"delta":{"content":"a\ud83d"}}]}`+"\n\n"+
		`data: {"choices":[{"index":0,"delta":{"content":[{"type":"text","text":"b"}]},"finish_reason":"stop"}]}`+"\n\ndata: [DONE]\n\n"), openai.WithForeignChunks())
	_, _ = r.Next()
	if chunk, err := r.Next(); err != nil || !strings.Contains(string(chunk.Choices[0].Delta.Unknown), `"text":"b"`) {
		t.Errorf("a list in the place of the half: %v, %v", chunk, err)
	}
}
