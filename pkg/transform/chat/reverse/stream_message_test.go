package reverse_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/chat/reverse"
	"github.com/go-json-experiment/json"
)

// message returns a streamed choice with a message.
func message(members, reason string) string {
	return `{"index":0,"delta":{},"message":{"role":"assistant",` + members + `},"finish_reason":` +
		reason + `}`
}

const (
	callOf1 = `{"id":"1","type":"function","function":{"name":"f","arguments":"{\"x\":1}"}}`
	callOf2 = `{"id":"2","type":"function","function":{"name":"f","arguments":"{\"x\":2}"}}`
	madeOf1 = `{"functionCall":{"args":{"x":1},"id":"1","name":"f"}}`
	madeOf2 = `{"functionCall":{"args":{"x":2},"id":"2","name":"f"}}`
)

// A message in a stream may be the whole answer, a piece of it, all so far, or a repetition of
// deltas. All of its content is sent, and only once.
func TestMessagesInStreamsAreReportedOnce(t *testing.T) {
	t.Parallel()
	const role, empty = `{"index":0,"delta":{"role":"assistant"}}`,
		`{"index":0,"delta":{"role":"assistant","content":"","tool_calls":[]}}`
	for name, tt := range map[string]struct {
		choices []string
		want    string
		told    []string // the pointers that the report must cover
	}{
		"after a role":                {[]string{role, message(hi, `"stop"`)}, `{"text":"Hi"}`, nil},
		"after an empty delta":        {[]string{empty, message(hi, `"stop"`)}, `{"text":"Hi"}`, nil},
		"next to an empty delta":      {[]string{strings.Replace(message(hi, `"stop"`), `"delta":{}`, `"delta":{"content":""}`, 1)}, `{"text":"Hi"}`, nil},
		"next to no delta":            {[]string{strings.Replace(message(hi, `"stop"`), `"delta":{}`, `"delta":null`, 1)}, `{"text":"Hi"}`, nil},
		"after the reason":            {[]string{finish("stop"), message(hi, `null`)}, `{"text":"Hi"}`, nil},
		"pieces":                      {[]string{message(hi, `null`), message(`"content":" you"`, `null`), message(`"content":""`, `"stop"`)}, `{"text":"Hi you"}`, nil},
		"all so far":                  {[]string{message(hi, `null`), message(`"content":"Hi you"`, `null`), message(`"content":"Hi you"`, `"stop"`)}, `{"text":"Hi you"}`, []string{"/1/choices/0/message/content", "/2/choices/0/message/content"}},
		"all calls so far":            {[]string{message(`"tool_calls":[`+callOf1+`]`, `null`), message(`"tool_calls":[`+callOf1+`,`+callOf2+`]`, `"stop"`)}, madeOf1 + "," + madeOf2, []string{"/1/choices/0/message/tool_calls/0"}},
		"calls in pieces":             {[]string{message(`"tool_calls":[`+callOf1+`]`, `null`), message(`"tool_calls":[`+callOf2+`]`, `"stop"`)}, madeOf1 + "," + madeOf2, nil},
		"deltas so far":               {[]string{delta(hi), strings.Replace(message(`"content":"Hi you"`, `null`), `{}`, `{"content":" you"}`, 1), message(`"content":"Hi you"`, `"stop"`)}, `{"text":"Hi you"}`, []string{"/1/choices/0/message/content", "/2/choices/0/message/content"}},
		"after the deltas":            {[]string{delta(hi), delta(`"content":" you"`), message(hi, `"stop"`)}, `{"text":"Hi you"}`, []string{"/2/choices/0/message/content"}},
		"before the deltas":           {[]string{delta(hi), message(`"content":"Hi you"`, `"stop"`)}, `{"text":"Hi you"}`, []string{"/1/choices/0/message/content"}},
		"in parts":                    {[]string{delta(hi), message(`"content":[{"type":"text","text":"Hi you"}]`, `"stop"`)}, `{"text":"Hi you"}`, []string{"/1/choices/0/message/content"}},
		"thoughts of deltas":          {[]string{delta(`"reasoning":"h"`), message(`"reasoning_content":"h",`+hi, `"stop"`)}, `{"text":"h","thought":true},{"text":"Hi"}`, []string{"/1/choices/0/message/reasoning_content"}},
		"calls that deltas had not":   {[]string{delta(hi), message(hi+`,"tool_calls":[`+callOf1+`]`, `"tool_calls"`)}, `{"text":"Hi"},` + madeOf1, []string{"/1/choices/0/message/content"}},
		"one call of two":             {[]string{delta(`"tool_calls":[` + callOf1 + `]`), message(`"tool_calls":[`+callOf1+`,`+callOf2+`]`, `"tool_calls"`)}, madeOf1 + "," + madeOf2, []string{"/1/choices/0/message/tool_calls/0"}},
		"a call that deltas began":    {[]string{delta(`"tool_calls":[{"index":0,"id":"1","function":{"name":"f","arguments":"{\"x\""}}]`), message(`"tool_calls":[`+callOf1+`]`, `"tool_calls"`)}, madeOf1, []string{"/1/choices/0/message/tool_calls/0"}},
		"a call without an id":        {[]string{delta(`"tool_calls":[{"index":0,"function":{"name":"f","arguments":"{\"x\":1}"}}]`), message(`"tool_calls":[`+callOf1+`]`, `"tool_calls"`)}, `{"functionCall":{"args":{"x":1},"name":"f"}}`, []string{"/1/choices/0/message/tool_calls/0"}},
		"a call of a deprecated form": {[]string{delta(`"function_call":{"name":"f","arguments":"{\"x\":1}"}`), message(`"function_call":{"name":"f","arguments":"{\"x\":1}"}`, `"function_call"`)}, `{"functionCall":{"args":{"x":1},"name":"f"}}`, []string{"/1/choices/0/message/function_call"}},
		"images":                      {[]string{delta(`"images":[{"type":"image_url","image_url":{"url":"https://i.test/a"}}]`), message(`"images":[{"type":"image_url","image_url":{"url":"https://i.test/a"}},{"type":"image_url","image_url":{"url":"https://i.test/b"}}]`, `"stop"`)}, `{"fileData":{"fileUri":"https://i.test/a"}},{"fileData":{"fileUri":"https://i.test/b"}}`, []string{"/1/choices/0/message/images/0"}},
		"sound":                       {[]string{delta(`"audio":{"data":"AAAA"}`), message(`"audio":{"data":"AAAA"}`, `"stop"`)}, `{"inlineData":{"data":"AAAA","mimeType":"audio/L16;rate=24000"}}`, []string{"/1/choices/0/message/audio"}},
	} {
		s := streamed(t, tt.choices...)
		if got := partsOf(t, s.merged()); got != partsOf(t, partsFrom(t, tt.want)) {
			t.Errorf("%s: %s", name, got)
		}
		for _, e := range s.report {
			if isTold := slices.Contains(tt.told, e.Pointer); strings.Contains(e.Pointer,
				"message") && !isTold || e.Kind == report.Lost {
				t.Errorf("%s: %v", name, e)
			}
		}
		for _, at := range tt.told {
			if !s.report.Covers(at) {
				t.Errorf("%s: %s is not in %v", name, at, s.report)
			}
		}
	}
}

// partsFrom returns an answer with parts.
func partsFrom(t *testing.T, parts string) *geminiapi.GenerateContentResponse {
	t.Helper()
	var out geminiapi.GenerateContentResponse
	if err := json.Unmarshal([]byte(`{"candidates":[{"content":{"parts":[`+parts+`]}}]}`),
		&out); err != nil {
		t.Fatal(err)
	}
	return &out
}

// The content of deltas is used, and the report lists a message that differs.
func TestAMessageThatSaysSomethingElseThanTheDeltasIsReported(t *testing.T) {
	t.Parallel()
	s := streamed(t, delta(`"reasoning_content":"h","content":"Hi","tool_calls":[`+callOf1+`]`),
		message(`"reasoning_content":"g","content":"Ho","tool_calls":[{"id":"1","function":{"name":"f","arguments":"{}"}}]`,
			`"stop"`),
		`{"index":1,"message":"Hi","finish_reason":"stop"}`)
	checkParts(t, s.merged(), `{"text":"h","thought":true},{"text":"Hi"},`+madeOf1)
	for _, at := range []string{"/1/choices/0/message/reasoning_content",
		"/1/choices/0/message/content", "/1/choices/0/message/tool_calls/0", "/2/choices/0/message"} {
		if !s.report.Of(report.Lost).Covers(at) {
			t.Errorf("%s: %v", at, s.report)
		}
	}
}

func TestMessagesOfSeveralChoicesAreAllReported(t *testing.T) {
	t.Parallel()
	const second = `{"index":1,"message":{"role":"assistant","content":"Ho"},"finish_reason":"stop"}`
	for name, choices := range map[string][]string{
		"at once":                {message(hi, `"stop"`) + "," + second},
		"one by one":             {message(hi, `"stop"`), second},
		"next to deltas":         {delta(hi), finish("stop") + "," + second},
		"the last of a stream":   {second, delta(hi), message(hi, `"stop"`)},
		"in one chunk and apart": {message(hi, `null`) + "," + second, message(hi, `"stop"`)},
	} {
		s := streamed(t, choices...)
		out := said(s.merged())
		if out["0 text"] != "Hi" || out["1 text"] != "Ho" {
			t.Errorf("%s: %v", name, out)
		}
	}
}

// Repeated annotations support a text once, and repeated signatures sign once.
func TestSourcesAndSignaturesThatMessagesRepeatAppearOnce(t *testing.T) {
	t.Parallel()
	source := func(url string) string {
		return `{"type":"url_citation","url_citation":{"url":"` + url +
			`","title":"A","start_index":0,"end_index":2}}`
	}
	details := `"reasoning_details":[{"type":"reasoning.encrypted","data":"c2ln","id":"1","format":"google-gemini-v1"}]`
	first := hi + `,"annotations":[` + source("u") + `],"tool_calls":[` + callOf1 + `],` + details
	again := hi + `,"annotations":[` + source("u") + `,` + source("v") + `],"tool_calls":[` +
		callOf1 + `],` + details
	for name, choices := range map[string][]string{"deltas": {delta(first),
		message(again, `"stop"`)}, "messages": {message(first, `null`), message(again, `"stop"`)}} {
		s := streamed(t, choices...)
		got := written(t, s.merged())
		if strings.Count(got, "c2ln") != 1 ||
			strings.Count(got, `"groundingChunkIndices":[0,1]`) != 1 ||
			len(s.report.Of(report.Lost)) > 0 {
			t.Errorf("%s: %s, %v", name, got, s.report)
		}
	}
}

func TestAWrappedValueInMessagesIsTakenOut(t *testing.T) {
	t.Parallel()
	piece := func(content, reason string) string {
		return `{"choices":[` + message(`"content":"`+content+`"`, reason) + `]}`
	}
	for name, events := range map[string][]string{
		"whole":      {piece(`{\"value\":\"red\"}`, `"stop"`)},
		"all so far": {piece(`{\"value\"`, `null`), piece(`{\"value\":\"red\"}`, `"stop"`)},
	} {
		s := convertStream(asBody(events), reverse.WithWrappedValue("value"))
		if s.err != nil {
			t.Fatalf("%s: %v", name, s.err)
		}
		checkParts(t, s.merged(), `{"text":"red"}`)
	}
}

func TestARefusalInAMessageIsVisible(t *testing.T) {
	t.Parallel()
	s := streamed(t, message(`"content":null,"refusal":"No."`, `"stop"`))
	checkParts(t, s.merged(), `{"text":"No."}`)
	if message := s.merged().Candidates[0].FinishMessage; message == nil ||
		*message != "The answer is a refusal." {
		t.Errorf("%s", written(t, s.merged()))
	}
}

// A server may write the arguments of a call differently in deltas and in the message.
func TestACallWithoutAnIDThatAMessageSpellsOtherwiseIsMadeOnce(t *testing.T) {
	t.Parallel()
	s := streamed(t, delta(`"tool_calls":[{"index":0,"function":{"name":"f","arguments":"{\"x\":1}"}}]`),
		finish("tool_calls"),
		message(`"tool_calls":[{"id":"1","type":"function","function":{"name":"f","arguments":"{\"x\": 1}"}}]`,
			`null`))
	if got := partsOf(t, s.merged()); got != partsOf(t,
		partsFrom(t, `{"functionCall":{"args":{"x":1},"name":"f"}}`)) {
		t.Error(got)
	}
	if !s.report.Of(report.Lost).Covers("/2/choices/0/message/tool_calls/0") {
		t.Errorf("the other arguments are not reported: %v", s.report)
	}
}
