package reverse_test

import (
	"testing"

	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/chat/internal/callid"
	"github.com/gemwire/gemwire/pkg/transform/chat/reverse"
	"github.com/google/go-cmp/cmp"
)

// entriesOf returns the kinds and pointers of a report.
func entriesOf(report report.Report) []string {
	var out []string
	for _, e := range report {
		out = append(out, string(e.Kind)+" "+e.Pointer)
	}
	return out
}

// wantParts returns what partsOf returns for some parts.
func wantParts(parts string) string {
	if parts == "" {
		return ""
	}
	return `{"candidates":[{"content":{"parts":[` + parts + `]}}]}`
}

// Each member of a message is in a part, or the report has an entry for it.
func TestUnusualMembersOfAMessageAreShownOrReported(t *testing.T) {
	t.Parallel()
	call := func(id, rest string) string {
		return `"tool_calls":[{"id":"` + id +
			`","type":"function","function":{"name":"f","arguments":"{}"}` + rest + `}]`
	}
	for name, tt := range map[string]struct {
		message string
		opts    []reverse.Option
		parts   string
		report  []string
	}{
		"an object as the content":        {message: `"content":{"a":1}`, parts: `{"text":"{\"a\":1}"}`},
		"no content":                      {message: `"content":null`},
		"a carried signature":             {message: call(callid.WithSignature("1", "c2ln"), ""), parts: `{"functionCall":{"args":{},"id":"1","name":"f"},"thoughtSignature":"c2ln"}`},
		"a damaged signature":             {message: call(callid.WithSignature("1", "c2ln")+"x", ""), parts: `{"functionCall":{"args":{},"id":"1","name":"f"}}`, report: []string{"lost /choices/0/message/tool_calls/0/id"}},
		"the extension of vertex":         {message: call("1", `,"extra_content":{"vertex":{"thought_signature":"c2ln"}}`), parts: `{"functionCall":{"args":{},"id":"1","name":"f"},"thoughtSignature":"c2ln"}`},
		"both extensions":                 {message: call("1", `,"extra_content":{"vertex":{"thought_signature":"eA=="},"google":{"thought_signature":"c2ln"}}`), parts: `{"functionCall":{"args":{},"id":"1","name":"f"},"thoughtSignature":"c2ln"}`, report: []string{"approximated /choices/0/message/tool_calls/0/extra_content/vertex"}},
		"an empty extension":              {message: call("1", `,"extra_content":{}`), parts: `{"functionCall":{"args":{},"id":"1","name":"f"}}`},
		"an extension of another":         {message: call("1", `,"extra_content":{"other":{"a":1}}`), parts: `{"functionCall":{"args":{},"id":"1","name":"f"}}`, report: []string{"lost /choices/0/message/tool_calls/0/extra_content/other"}},
		"an index of the list":            {message: call("1", `,"index":0`), parts: `{"functionCall":{"args":{},"id":"1","name":"f"}}`},
		"another index":                   {message: call("1", `,"index":1`), parts: `{"functionCall":{"args":{},"id":"1","name":"f"}}`, report: []string{"approximated /choices/0/message/tool_calls/0/index"}},
		"an image as an address":          {message: `"content":[{"type":"image_url","image_url":"data:image/png;base64,iVBORw=="}]`, parts: `{"inlineData":{"mimeType":"image/png","data":"iVBORw=="}}`},
		"an image that is invalid":        {message: `"content":[{"type":"image_url","image_url":7}]`, report: []string{"lost /choices/0/message/content/0"}},
		"pieces of thoughts of no form":   {message: `"content":"a","reasoning_details":7`, parts: `{"text":"a"}`, report: []string{"lost /choices/0/message/reasoning_details"}},
		"blocks of no form":               {message: `"content":"a","thinking_blocks":{}`, parts: `{"text":"a"}`, report: []string{"lost /choices/0/message/thinking_blocks"}},
		"blocks with unknown members":     {message: `"content":"a","thinking_blocks":[{"type":"thinking","thinking":"t","x":1}]`, parts: `{"text":"t","thought":true},{"text":"a"}`, report: []string{"lost /choices/0/message/thinking_blocks/0/x"}},
		"a signature of a changed text":   {message: `"content":"a","extra_content":{"google":{"thought_signature":"c2ln","checksum":"zz"}}`, parts: `{"text":"a"}`, report: []string{"lost /choices/0/message/extra_content/google/thought_signature"}},
		"a signature without a text":      {message: `"content":null,"extra_content":{"google":{"thought_signature":"c2ln"}}`, parts: `{"text":"","thoughtSignature":"c2ln"}`},
		"a signature of thoughts alone":   {message: `"reasoning_content":"t","extra_content":{"google":{"thought_signature":"c2ln"}}`, parts: `{"text":"t","thought":true},{"text":"","thoughtSignature":"c2ln"}`},
		"a layout that does not fit":      {message: `"content":"a","extra_content":{"google":{"parts":[{"in":"content","length":2},{"part":{"text":"b"}}]}}`, parts: `{"text":"a"}`, report: []string{"approximated /choices/0/message/extra_content/google/parts", "lost /choices/0/message/extra_content/google/parts/1"}},
		"a layout of vertex that doesn't": {message: `"content":"a","extra_content":{"vertex":{"parts":[{"in":"content","length":2},{"part":{"text":"b"}}]}}`, parts: `{"text":"a"}`, report: []string{"approximated /choices/0/message/extra_content/vertex/parts", "lost /choices/0/message/extra_content/vertex/parts/1"}},
		"a layout":                        {message: `"content":"ab","reasoning_content":"t","extra_content":{"google":{"parts":[{"in":"content","length":1},{"in":"reasoning_content","length":1},{"in":"content","length":1}]}}`, parts: `{"text":"a"},{"text":"t","thought":true},{"text":"b"}`, report: []string{"approximated /choices/0/message/extra_content/google/parts"}},
		"a layout without thoughts":       {message: `"content":"ab","reasoning_content":"t","extra_content":{"google":{"parts":[{"in":"content","length":1},{"in":"reasoning_content","length":1},{"in":"content","length":1}]}}`, opts: []reverse.Option{reverse.WithoutThoughts()}, parts: `{"text":"a"},{"text":"b"}`, report: []string{"lost /choices/0/message/reasoning_content", "approximated /choices/0/message/extra_content/google/parts"}},
		"a source without a page":         {message: `"content":"a","annotations":[{"type":"url_citation","url_citation":{"url":"","title":"","start_index":0,"end_index":1}}]`, parts: `{"text":"a"}`, report: []string{"lost /choices/0/message/annotations/0"}},
	} {
		out, report := whole(t,
			`{"index":0,"message":{"role":"assistant",`+tt.message+`},"finish_reason":"stop"}`, "",
			tt.opts...)
		if diff := cmp.Diff(wantParts(tt.parts), partsOf(t, out)) +
			cmp.Diff(tt.report, entriesOf(report)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// Some servers send whole messages in a stream. Content that deltas or messages have already sent
// is not repeated.
func TestMessagesInAStreamAddWhatDeltasDidNotSay(t *testing.T) {
	t.Parallel()
	message := func(members string) string {
		return `{"index":0,"delta":{},"message":{"role":"assistant",` + members +
			`},"finish_reason":null}`
	}
	const called = `"tool_calls":[{"id":"1","type":"function","function":{"name":"f","arguments":"{\"a\":1}"}}]`
	const layout = `"content":"ab","extra_content":{"google":{"parts":[{"in":"content","length":1},{"part":{"executableCode":{"code":"1","language":"PYTHON"}}},{"in":"content","length":1}]}}`
	for name, tt := range map[string]struct {
		chunks []string
		parts  string
		report []string
	}{
		"a message alone":         {chunks: []string{message(`"content":"a"`)}, parts: `{"text":"a"}`},
		"the same text":           {chunks: []string{delta(`"content":"ab"`), message(`"content":"ab"`)}, parts: `{"text":"ab"}`, report: []string{"approximated /1/choices/0/message/content"}},
		"a longer text":           {chunks: []string{delta(`"content":"a"`), message(`"content":"ab"`)}, parts: `{"text":"ab"}`, report: []string{"approximated /1/choices/0/message/content"}},
		"a shorter text":          {chunks: []string{delta(`"content":"ab"`), message(`"content":"a"`)}, parts: `{"text":"ab"}`, report: []string{"approximated /1/choices/0/message/content"}},
		"another text":            {chunks: []string{delta(`"content":"ab"`), message(`"content":"x"`)}, parts: `{"text":"ab"}`, report: []string{"lost /1/choices/0/message/content"}},
		"two messages":            {chunks: []string{message(`"content":"a"`), message(`"content":"b"`)}, parts: `{"text":"ab"}`},
		"a message that grows":    {chunks: []string{message(`"content":"a"`), message(`"content":"ab"`)}, parts: `{"text":"ab"}`, report: []string{"approximated /1/choices/0/message/content"}},
		"no message":              {chunks: []string{delta(`"content":"a"`), `{"index":0,"delta":{},"message":7,"finish_reason":null}`}, parts: `{"text":"a"}`, report: []string{"lost /1/choices/0/message"}},
		"a message that is null":  {chunks: []string{delta(`"content":"a"`), `{"index":0,"delta":{},"message":null,"finish_reason":null}`}, parts: `{"text":"a"}`},
		"a layout":                {chunks: []string{message(layout), message(`"content":"ab"`)}, parts: `{"text":"a"},{"executableCode":{"code":"1","language":"PYTHON"}},{"text":"b"}`, report: []string{"approximated /0/choices/0/message/extra_content/google/parts", "approximated /1/choices/0/message/content"}},
		"a layout of calls":       {chunks: []string{message(`"extra_content":{"google":{"parts":[{"in":"tool_calls"}]}},` + called), message(called)}, parts: `{"functionCall":{"args":{"a":1},"id":"1","name":"f"}}`, report: []string{"approximated /0/choices/0/message/extra_content/google/parts", "approximated /1/choices/0/message/tool_calls/0"}},
		"a layout after its text": {chunks: []string{delta(`"content":"ab"`), message(layout)}, parts: `{"text":"ab"},{"executableCode":{"code":"1","language":"PYTHON"}}`, report: []string{"approximated /1/choices/0/message/content", "approximated /1/choices/0/message/extra_content/google/parts"}},
		"two extensions":          {chunks: []string{message(`"content":"a","extra_content":{"google":{"thought_signature":"c2ln"}}`), message(`"content":"ab","extra_content":{"google":{"thought_signature":"eA=="}}`)}, parts: `{"text":"a","thoughtSignature":"c2ln"},{"text":"b"}`, report: []string{"approximated /1/choices/0/message/content", "approximated /1/choices/0/message/extra_content"}},
		"an image":                {chunks: []string{delta(`"images":[{"type":"image_url","image_url":{"url":"data:image/png;base64,iVBORw=="}}]`), message(`"images":[{"type":"image_url","image_url":{"url":"data:image/png;base64,iVBORw=="}},{"type":"image_url","image_url":{"url":"data:image/png;base64,AAAA"}}]`)}, parts: `{"inlineData":{"mimeType":"image/png","data":"iVBORw=="}},{"inlineData":{"mimeType":"image/png","data":"AAAA"}}`, report: []string{"approximated /1/choices/0/message/images/0"}},
		"a refusal":               {chunks: []string{message(`"refusal":"no"`), message(`"refusal":"no, sir"`)}, parts: `{"text":"no, sir"}`, report: []string{"approximated /0/choices/0/message/refusal", "approximated /1/choices/0/message/refusal", "approximated /1/choices/0/message/refusal"}},
		"a call of its pieces":    {chunks: []string{delta(`"tool_calls":[{"index":0,"id":"1","function":{"name":"f","arguments":"{\"a\":"}}]`), message(called)}, parts: `{"functionCall":{"args":{"a":1},"id":"1","name":"f"}}`, report: []string{"approximated /1/choices/0/message/tool_calls/0"}},
		"a call by its place":     {chunks: []string{delta(`"tool_calls":[{"index":0,"function":{"name":"f","arguments":"{\"a\":"}}]`), message(called)}, parts: `{"functionCall":{"args":{"a":1},"id":"1","name":"f"}}`, report: []string{"approximated /1/choices/0/message/tool_calls/0"}},
		"a call that had no name": {chunks: []string{delta(`"tool_calls":[{"index":0,"id":"1","function":{"arguments":"{\"a\":1}"}}]`), message(called)}, parts: `{"functionCall":{"args":{"a":1},"id":"1","name":"f"}}`, report: []string{"approximated /1/choices/0/message/tool_calls/0"}},
		"a call that was sent":    {chunks: []string{message(called), message(called)}, parts: `{"functionCall":{"args":{"a":1},"id":"1","name":"f"}}`, report: []string{"approximated /1/choices/0/message/tool_calls/0"}},
		"another call":            {chunks: []string{message(called), message(`"tool_calls":[{"id":"2","type":"function","function":{"name":"g","arguments":"{}"}}]`)}, parts: `{"functionCall":{"args":{"a":1},"id":"1","name":"f"}},{"functionCall":{"args":{},"id":"2","name":"g"}}`},
		"a function call":         {chunks: []string{message(`"function_call":{"name":"f","arguments":"{}"}`), message(`"function_call":{"name":"f","arguments":"{}"}`)}, parts: `{"functionCall":{"args":{},"name":"f"}}`, report: []string{"approximated /1/choices/0/message/function_call"}},
		"a sound":                 {chunks: []string{message(`"audio":{"id":"s","data":"AAAA","transcript":"","expires_at":0}`), message(`"audio":{"id":"s","data":"AAAA","transcript":"","expires_at":0}`)}, parts: `{"inlineData":{"mimeType":"audio/L16;rate=24000","data":"AAAA"}}`, report: []string{"approximated /0/choices/0/message/audio/id", "approximated /1/choices/0/message/audio"}},
		"a carried signature":     {chunks: []string{delta(`"tool_calls":[{"index":0,"id":"` + callid.WithSignature("1", "c2ln") + `","function":{"name":"f","arguments":"{}"}}]`)}, parts: `{"functionCall":{"args":{},"id":"1","name":"f"},"thoughtSignature":"c2ln"}`},
		"a damaged signature":     {chunks: []string{delta(`"tool_calls":[{"index":0,"id":"` + callid.WithSignature("1", "c2ln") + `x","function":{"name":"f","arguments":"{}"}}]`)}, parts: `{"functionCall":{"args":{},"id":"1","name":"f"}}`, report: []string{"lost /0/choices/0/delta/tool_calls/0/id"}},
		"two sources":             {chunks: []string{delta(`"content":"ab","annotations":[{"type":"url_citation","url_citation":{"url":"https://a.example","title":"A","start_index":0,"end_index":1}}]`), message(`"content":"ab","annotations":[{"type":"url_citation","url_citation":{"url":"https://a.example","title":"A","start_index":0,"end_index":1}},{"type":"url_citation","url_citation":{"url":"https://b.example","title":"B","start_index":1,"end_index":2}}]`)}, parts: `{"text":"ab"}`, report: []string{"approximated /1/choices/0/message/content", "approximated /1/choices/0/message/annotations/0"}},
	} {
		s := streamed(t, append(tt.chunks, finish("stop"))...)
		if diff := cmp.Diff(wantParts(tt.parts), partsOf(t, s.merged())) +
			cmp.Diff(tt.report, entriesOf(s.report)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}
