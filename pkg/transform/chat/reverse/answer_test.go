package reverse_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/test/openaitest"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/openai"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/chat"
	"github.com/gemwire/gemwire/pkg/transform/chat/reverse"
	"github.com/gemwire/gemwire/pkg/wire"
	gocmp "github.com/google/go-cmp/cmp"
)

// whole converts a completion with the given choices, followed by other members.
func whole(t *testing.T, choices, rest string,
	opts ...reverse.Option) (*geminiapi.GenerateContentResponse, report.Report) {
	t.Helper()
	document := []byte(`{"id":"c1","object":"chat.completion","created":1700000000,"model":"m","choices":[` +
		choices + `]` + rest + `}`)
	in, _, err := openai.DecodeForeignResponse(document)
	if err != nil {
		t.Fatalf("%v in %s", err, document)
	}
	out, report, err := reverse.ToGemini(in, opts...)
	if err != nil {
		t.Fatal(err)
	}
	return out, report
}

// streamed converts a stream with one chunk for each given choice.
func streamed(t *testing.T, chunks ...string) converted {
	t.Helper()
	var list []string
	for _, choices := range chunks {
		list = append(list,
			`{"id":"c1","object":"chat.completion.chunk","created":1700000000,"model":"m","choices":[`+
				choices+`]}`)
	}
	return convertStream(asBody(list))
}

func delta(members string) string {
	return `{"index":0,"delta":{` + members + `},"finish_reason":null}`
}

func finish(reason string) string { return `{"index":0,"delta":{},"finish_reason":"` + reason + `"}` }

// written returns an answer or a part of it as JSON.
func written(t *testing.T, r *geminiapi.GenerateContentResponse) string {
	t.Helper()
	data, err := gemini.EncodeResponse(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func partsOf(t *testing.T, r *geminiapi.GenerateContentResponse) string {
	t.Helper()
	if len(r.Candidates) == 0 || r.Candidates[0].Content == nil {
		return ""
	}
	return written(t, &geminiapi.GenerateContentResponse{Candidates: []geminiapi.Candidate{{Content: &geminiapi.Content{Parts: r.Candidates[0].Content.Parts}}}})
}

func checkParts(t *testing.T, r *geminiapi.GenerateContentResponse, want string) {
	t.Helper()
	if got := partsOf(t, r); got != `{"candidates":[{"content":{"parts":[`+want+`]}}]}` {
		t.Errorf("got %s, want %s", got, want)
	}
}

// A whole answer without a reason has ended anyway. In a stream, a later chunk may have the reason.
func TestAnAnswerWithoutAReasonStops(t *testing.T) {
	t.Parallel()
	for _, reason := range []string{`null`, `""`} {
		out, report := whole(t,
			`{"index":0,"message":{"role":"assistant","content":"Hi"},"finish_reason":`+reason+`}`,
			"")
		if got := out.Candidates[0].FinishReason; got == nil || *got != geminiapi.FinishReasonStop {
			t.Errorf("%s: %s", reason, written(t, out))
		}
		openaitest.Reports(t, report, "added /choices/0/finish_reason")
		out, _ = whole(t,
			`{"index":0,"message":{"role":"assistant","content":"Hi"},"finish_reason":`+reason+
				`,"error":{"message":"It failed.","code":502}}`, "")
		if got := out.Candidates[0].FinishReason; got == nil ||
			*got != geminiapi.FinishReasonOther ||
			*out.Candidates[0].FinishMessage != "It failed." {
			t.Errorf("%s: %s", reason, written(t, out))
		}
		s := streamed(t, `{"index":0,"delta":{"content":"a"},"finish_reason":`+reason+`}`,
			`{"index":0,"delta":{},"finish_reason":`+reason+`}`,
			`{"index":0,"delta":{"content":"b"},"finish_reason":"length"}`)
		for i, c := range s.chunks {
			if reason := c.Candidates[0].FinishReason; (reason != nil) != (i == len(s.chunks)-1) {
				t.Errorf("chunk %d ends with %v", i, reason)
			}
		}
	}
}

func TestContentCallAndReasonOfOneChunkAllArrive(t *testing.T) {
	t.Parallel()
	s := streamed(t, `{"index":0,"delta":{"content":"Look.","tool_calls":[{"index":0,"id":"1","type":"function","function":{"name":"f","arguments":"{}"}}]},"finish_reason":"tool_calls"}`)
	merged := s.merged()
	checkParts(t, merged, `{"text":"Look."},{"functionCall":{"args":{},"id":"1","name":"f"}}`)
	if *merged.Candidates[0].FinishReason != geminiapi.FinishReasonStop {
		t.Error(*merged.Candidates[0].FinishReason)
	}
}

func TestParallelCallsLeaveInTheOrderOfTheirIndex(t *testing.T) {
	t.Parallel()
	s := streamed(t,
		delta(`"tool_calls":[{"index":1,"id":"b","type":"function","function":{"name":"g","arguments":"{\"x\":"}}]`),
		delta(`"tool_calls":[{"index":0,"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}]`),
		delta(`"tool_calls":[{"index":1,"function":{"arguments":"1}"}},{"index":2,"id":"c","type":"function","function":{"name":"h","arguments":""}}]`),
		finish("tool_calls"))
	checkParts(t, s.merged(),
		`{"functionCall":{"args":{},"id":"a","name":"f"}},{"functionCall":{"args":{"x":1},"id":"b","name":"g"}},{"functionCall":{"args":{},"id":"c","name":"h"}}`)
}

func TestIDsOfCallsInAnyOrder(t *testing.T) {
	t.Parallel()
	const want = `{"functionCall":{"args":{"a":1},"id":"x","name":"f"}}`
	for name, pieces := range map[string][]string{
		"repeated":        {`{"index":0,"id":"x","function":{"name":"f","arguments":"{\"a\""}}`, `{"index":0,"id":"x","function":{"arguments":":1}"}}`},
		"empty":           {`{"index":0,"id":"x","function":{"name":"f","arguments":"{\"a\""}}`, `{"index":0,"id":"","function":{"name":"","arguments":":1}"}}`},
		"late":            {`{"index":0,"function":{"name":"f","arguments":"{\"a\""}}`, `{"index":0,"id":"x","function":{"arguments":":1}"}}`},
		"no index":        {`{"id":"x","function":{"name":"f","arguments":"{\"a\""}}`, `{"function":{"arguments":":1}"}}`},
		"name repeated":   {`{"index":0,"id":"x","function":{"name":"f","arguments":"{\"a\""}}`, `{"index":0,"function":{"name":"f","arguments":":1}"}}`},
		"name late":       {`{"index":0,"id":"x","function":{"arguments":"{\"a\""}}`, `{"index":0,"function":{"name":"f","arguments":":1}"}}`},
		"index from one":  {`{"index":1,"id":"x","function":{"name":"f","arguments":"{\"a\""}}`, `{"index":1,"function":{"arguments":":1}"}}`},
		"all in one":      {`{"index":0,"id":"x","function":{"name":"f","arguments":"{\"a\":1}"}}`},
		"in three pieces": {`{"index":0,"id":"x","function":{"name":"f"}}`, `{"index":0,"function":{"arguments":"{\"a\":"}}`, `{"index":0,"function":{"arguments":"1}"}}`},
	} {
		var chunks []string
		for _, piece := range pieces {
			chunks = append(chunks, delta(`"tool_calls":[`+piece+`]`))
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := streamed(t, append(chunks, finish("tool_calls"))...)
			checkParts(t, s.merged(), want)
		})
	}
	s := streamed(t, delta(`"tool_calls":[{"id":"x","function":{"name":"f","arguments":"{}"}},{"id":"y","function":{"name":"f","arguments":"{\"b\":2}"}}]`),
		finish("tool_calls"))
	checkParts(t, s.merged(),
		`{"functionCall":{"args":{},"id":"x","name":"f"}},{"functionCall":{"args":{"b":2},"id":"y","name":"f"}}`)
	out, _ := whole(t, `{"index":0,"message":{"role":"assistant","content":null,"tool_calls":[{"type":"function","function":{"name":"f","arguments":"{}"}}]},"finish_reason":"tool_calls"}`,
		"")
	checkParts(t, out, `{"functionCall":{"args":{},"name":"f"}}`)
}

func TestArgumentsThatAreNoObjectAreMalformed(t *testing.T) {
	t.Parallel()
	for _, arguments := range []string{`{\"a\":`, `[1]`, `7`, `{a:1}`} {
		call := `{"index":0,"id":"1","type":"function","function":{"name":"f","arguments":"` +
			arguments + `"}}`
		out, _ := whole(t,
			`{"index":0,"message":{"role":"assistant","content":"x","tool_calls":[`+call+
				`]},"finish_reason":"tool_calls"}`, "")
		s := streamed(t, delta(`"content":"x"`), delta(`"tool_calls":[`+call+`]`),
			finish("tool_calls"))
		for _, r := range []*geminiapi.GenerateContentResponse{out, s.merged()} {
			c := &r.Candidates[0]
			if *c.FinishReason != geminiapi.FinishReasonMalformedFunctionCall ||
				!strings.Contains(*c.FinishMessage, "f(") {
				t.Errorf("%s: %s", arguments, written(t, r))
			}
			checkParts(t, r, `{"text":"x"}`)
		}
	}
}

// finishMessage has room for one malformed call. The report has each of them.
func TestOfSeveralMalformedCallsTheFirstIsNamed(t *testing.T) {
	t.Parallel()
	const calls = `"tool_calls":[{"index":0,"id":"1","type":"function","function":{"name":"f","arguments":"[1]"}},{"index":1,"id":"2","type":"function","function":{"name":"g","arguments":"{}"}},{"index":2,"id":"3","type":"function","function":{"name":"h","arguments":"{\"x\""}}]`
	out, entries := whole(t,
		`{"index":0,"message":{"role":"assistant",`+calls+`},"finish_reason":"tool_calls"}`, "")
	s := streamed(t, delta(calls), finish("tool_calls"))
	inMessage := streamed(t, message(calls, `"tool_calls"`))
	for name, tt := range map[string]struct {
		answer  *geminiapi.GenerateContentResponse
		entries report.Report
		at      string
	}{
		"whole": {out, entries, "/choices/0/message"}, "streamed": {s.merged(), s.report, "/0/choices/0/delta"},
		"a message of a stream": {inMessage.merged(), inMessage.report, "/0/choices/0/message"},
	} {
		checkParts(t, tt.answer, `{"functionCall":{"args":{},"id":"2","name":"g"}}`)
		if message := *tt.answer.Candidates[0].FinishMessage; message != "Malformed function call: f([1])" {
			t.Errorf("%s: %s", name, message)
		}
		if !tt.entries.Of(report.Approximated).Covers(tt.at+"/tool_calls/0") ||
			!tt.entries.Of(report.Lost).Covers(tt.at+"/tool_calls/2") ||
			tt.entries.Covers(tt.at+"/tool_calls/1") {
			t.Errorf("%s: %v", name, tt.entries)
		}
	}
}

func TestEachChoiceIsACandidate(t *testing.T) {
	t.Parallel()
	choice := func(i int, text string) string {
		return fmt.Sprintf(`{"index":%d,"message":{"role":"assistant","content":%q},"finish_reason":"stop"}`,
			i, text)
	}
	out, _ := whole(t, choice(0, "a")+","+choice(1, "b")+","+choice(2, "c"), "")
	piece := func(i int, text, reason string) string {
		return fmt.Sprintf(`{"index":%d,"delta":{"content":%q},"finish_reason":%s}`, i, text,
			reason)
	}
	s := streamed(t, piece(2, "c", "null"), piece(0, "a", "null")+","+piece(1, "b", "null"),
		piece(1, "", `"stop"`), piece(0, "", `"stop"`), piece(2, "", `"length"`))
	for _, r := range []*geminiapi.GenerateContentResponse{out, s.merged()} {
		if len(r.Candidates) != 3 || *r.Candidates[2].Index != 2 ||
			*r.Candidates[1].Content.Parts[0].Text != "b" {
			t.Error(written(t, r))
		}
	}
	if last := s.chunks[len(s.chunks)-1]; len(last.Candidates) != 3 ||
		*last.Candidates[2].FinishReason != geminiapi.FinishReasonMaxTokens {
		t.Error(written(t, last))
	}
}

// A choice that appears twice in one chunk is one candidate. Two candidates in a chunk of Gemini
// are different.
func TestAChoiceThatStandsInAChunkTwiceIsOneCandidate(t *testing.T) {
	t.Parallel()
	piece := func(i int, text string) string {
		return fmt.Sprintf(`{"index":%d,"delta":{"content":%q},"finish_reason":null}`, i, text)
	}
	s := streamed(t, piece(0, "a")+","+piece(1, "x")+","+piece(0, "b")+","+piece(1, "y")+","+
		piece(0, "c"), finish("stop")+`,{"index":1,"delta":{},"finish_reason":"stop"}`)
	merged := s.merged()
	if len(merged.Candidates) != 2 {
		t.Fatal(written(t, merged))
	}
	for i, want := range []string{"abc", "xy"} {
		var text string
		for _, part := range merged.Candidates[i].Content.Parts {
			text += *part.Text
		}
		if text != want || merged.Candidates[i].FinishReason == nil {
			t.Errorf("candidate %d: %s", i, written(t, merged))
		}
	}
}

func TestCountsAddUpAsGeminisDo(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, usage, want string }{
		{"inclusive", `{"prompt_tokens":10,"completion_tokens":30,"total_tokens":40,"completion_tokens_details":{"reasoning_tokens":20},"prompt_tokens_details":{"cached_tokens":4}}`,
			`{"cachedContentTokenCount":4,"candidatesTokenCount":10,"promptTokenCount":10,"thoughtsTokenCount":20,"totalTokenCount":40}`},
		{"exclusive", `{"prompt_tokens":10,"completion_tokens":30,"total_tokens":60,"completion_tokens_details":{"reasoning_tokens":20}}`,
			`{"candidatesTokenCount":30,"promptTokenCount":10,"thoughtsTokenCount":20,"totalTokenCount":60}`},
		{"no reasoning", `{"prompt_tokens":1,"completion_tokens":2,"total_tokens":3}`, `{"candidatesTokenCount":2,"promptTokenCount":1,"totalTokenCount":3}`},
		{"a total of its own", `{"prompt_tokens":1,"completion_tokens":2,"total_tokens":9}`, `{"candidatesTokenCount":2,"promptTokenCount":1,"totalTokenCount":3}`},
	}
	for _, tt := range tests {
		out, report := whole(t,
			`{"index":0,"message":{"role":"assistant","content":"Hi"},"finish_reason":"stop"}`,
			`,"usage":`+tt.usage)
		if got := written(t,
			&geminiapi.GenerateContentResponse{UsageMetadata: out.UsageMetadata}); got != `{"usageMetadata":`+
			tt.want+`}` {
			t.Errorf("%s: %s", tt.name, got)
		}
		if report.Covers("/usage/total_tokens") != (tt.name == "a total of its own") {
			t.Errorf("%s: %v", tt.name, report)
		}
	}
}

func TestTheLastChunkHasTheReasonAndTheCounts(t *testing.T) {
	t.Parallel()
	const head = `{"id":"c1","object":"chat.completion.chunk","created":1,"model":"m",`
	s := convertStream(asBody([]string{
		head + `"choices":[` + delta(`"role":"assistant","content":""`) + `]}`,
		head + `"choices":[` + delta(`"content":"Hi"`) +
			`],"usage":{"prompt_tokens":1,"completion_tokens":1,"total_tokens":2}}`,
		head + `"choices":[` + finish("stop") + `]}`,
		head + `"choices":[],"usage":{"prompt_tokens":1,"completion_tokens":2,"total_tokens":3}}`,
	}))
	if len(s.chunks) != 2 {
		t.Fatalf("%d chunks", len(s.chunks))
	}
	if got := written(t,
		s.chunks[1]); got != `{"candidates":[{"content":{"parts":[{"text":""}],"role":"model"},"finishReason":"STOP","index":0}],"createTime":"1970-01-01T00:00:01Z","modelVersion":"m","responseId":"c1","usageMetadata":{"candidatesTokenCount":2,"promptTokenCount":1,"totalTokenCount":3}}` {
		t.Error(got)
	}
	if s.chunks[0].UsageMetadata != nil || !s.report.Covers("/1/usage") {
		t.Errorf("%s %v", written(t, s.chunks[0]), s.report)
	}
}

func TestThoughtsAreReadFromAnyMemberAndForeignSignaturesFromNone(t *testing.T) {
	t.Parallel()
	for name, members := range map[string]string{
		"reasoning_content": `"reasoning_content":"Hm."`,
		"reasoning":         `"reasoning":"Hm."`,
		"reasoning_details": `"reasoning_details":[{"type":"reasoning.text","text":"Hm.","signature":"foreign","format":"anthropic-claude-v1","index":0}]`,
		"both":              `"reasoning":"Hm.","reasoning_details":[{"type":"reasoning.text","text":"Hm."}]`,
		"thinking_blocks":   `"thinking_blocks":[{"type":"thinking","thinking":"Hm.","signature":"foreign"},{"type":"redacted_thinking","data":"foreign"}]`,
		"blocks next to it": `"reasoning_content":"Hm.","thinking_blocks":[{"type":"thinking","thinking":"Hm.","signature":"foreign"},{"type":"redacted_thinking","data":"foreign"}]`,
	} {
		out, entries := whole(t,
			`{"index":0,"message":{"role":"assistant","content":"Yes.",`+members+
				`},"finish_reason":"stop"}`, "")
		checkParts(t, out, `{"text":"Hm.","thought":true},{"text":"Yes."}`)
		if name == "reasoning_details" &&
			!entries.Of(report.Lost).Covers("/choices/0/message/reasoning_details/0/signature") {
			t.Error(entries)
		}
		if strings.Contains(name, "blocks") {
			for _, pointer := range []string{"/choices/0/message/thinking_blocks/0/signature",
				"/choices/0/message/thinking_blocks/1/data"} {
				if !entries.Of(report.Lost).Covers(pointer) || len(entries.Of(report.Lost)) != 2 {
					t.Errorf("%s: %v", name, entries)
				}
			}
		}
		s := streamed(t, delta(members), delta(`"content":"Yes."`), finish("stop"))
		checkParts(t, s.merged(), `{"text":"Hm.","thought":true},{"text":"Yes."}`)
	}
	const own = `"reasoning_details":[{"type":"reasoning.encrypted","data":"c2ln","id":"1","format":"google-gemini-v1"}],
		"tool_calls":[{"index":0,"id":"1","type":"function","function":{"name":"f","arguments":"{}"}}]`
	out, _ := whole(t, `{"index":0,"message":{"role":"assistant","content":null,`+own+
		`},"finish_reason":"tool_calls"}`, "")
	s := streamed(t, delta(own), finish("tool_calls"))
	for _, r := range []*geminiapi.GenerateContentResponse{out, s.merged()} {
		checkParts(t, r,
			`{"functionCall":{"args":{},"id":"1","name":"f"},"thoughtSignature":"c2ln"}`)
	}
	out, entries := whole(t,
		`{"index":0,"message":{"role":"assistant","content":"Yes.","reasoning_content":"Hm."},"finish_reason":"stop"}`,
		"", reverse.WithoutThoughts())
	if checkParts(t, out,
		`{"text":"Yes."}`); !entries.Of(report.Lost).Covers("/choices/0/message/reasoning_content") {
		t.Error(entries)
	}
}

func TestAnnotationsAreSegmentsInBytes(t *testing.T) {
	t.Parallel()
	const annotations = `"annotations":[{"type":"url_citation","url_citation":{"start_index":1,"end_index":3,"url":"https://a.example","title":"A"}},
		{"type":"url_citation","url_citation":{"start_index":1,"end_index":3,"url":"https://b.example","title":"B"}},
		{"type":"url_citation","url_citation":{"start_index":4,"end_index":6,"url":"https://a.example","title":"A"}},
		{"type":"url_citation","url_citation":{"start_index":90,"end_index":99,"url":"https://c.example","title":"C"}}]`
	const want = `{"groundingChunks":[{"web":{"title":"A","uri":"https://a.example"}},{"web":{"title":"B","uri":"https://b.example"}},{"web":{"title":"C","uri":"https://c.example"}}],` +
		`"groundingSupports":[{"groundingChunkIndices":[0,1],"segment":{"endIndex":10,"startIndex":3,"text":"日😀"}},{"groundingChunkIndices":[0],"segment":{"endIndex":13,"startIndex":11,"text":"bc"}}]}`
	out, report := whole(t,
		`{"index":0,"message":{"role":"assistant","content":"今日😀abc",`+annotations+
			`},"finish_reason":"stop"}`, "")
	s := streamed(t, delta(`"content":"今日"`), delta(`"content":"😀abc"`), delta(annotations),
		finish("stop"))
	for _, r := range []*geminiapi.GenerateContentResponse{out, s.merged()} {
		got := written(t,
			&geminiapi.GenerateContentResponse{Candidates: []geminiapi.Candidate{{GroundingMetadata: r.Candidates[0].GroundingMetadata}}})
		if diff := gocmp.Diff(`{"candidates":[{"groundingMetadata":`+want+`}]}`, got); diff != "" {
			t.Error(diff)
		}
		if _, err := normalize.FromResponse(r); err != nil {
			t.Error(err)
		}
	}
	if !report.Covers("/choices/0/message/annotations/3/url_citation/start_index") ||
		!s.report.Covers("/2/choices/0/delta/annotations/3/url_citation/start_index") {
		t.Error(report, s.report)
	}
}

func TestLogProbabilitiesComeBack(t *testing.T) {
	t.Parallel()
	const logprobs = `"logprobs":{"content":[{"token":"a","logprob":-0.5,"bytes":[97],"top_logprobs":[{"token":"b","logprob":-1,"bytes":[98]}]},{"token":"?","logprob":-1.5,"bytes":[240],"top_logprobs":[]}],"refusal":null}`
	const want = `"avgLogprobs":-1,"content":{"parts":[{"text":"a?"}],"role":"model"},"finishReason":"STOP","index":0,"logprobsResult":{"chosenCandidates":[{"logProbability":-0.5,"token":"a"},{"logProbability":-1.5,"token":"?"}],"topCandidates":[{"candidates":[{"logProbability":-1,"token":"b"}]},{}]}}]`
	out, report := whole(t,
		`{"index":0,"message":{"role":"assistant","content":"a?"},`+logprobs+
			`,"finish_reason":"stop"}`, "")
	s := streamed(t, `{"index":0,"delta":{"content":"a?"},`+logprobs+`,"finish_reason":null}`,
		finish("stop"))
	for _, r := range []*geminiapi.GenerateContentResponse{out, s.merged()} {
		if got := written(t, r); !strings.Contains(got, want) {
			t.Errorf("got %s", got)
		}
	}
	if !report.Covers("/choices/0/logprobs/content/1/bytes") ||
		report.Covers("/choices/0/logprobs/content/0/bytes") {
		t.Error(report)
	}
}

func TestALogProbabilityAboveZeroIsARoundingErrorOfTheServer(t *testing.T) {
	t.Parallel()
	const logprobs = `"logprobs":{"content":[{"token":"a","logprob":0.00003,"top_logprobs":[` +
		`{"token":"a","logprob":0.00003}]}]}`
	out, report := whole(t,
		`{"index":0,"message":{"content":"a"},`+logprobs+`,"finish_reason":"stop"}`, "")
	s := streamed(t, `{"index":0,"delta":{"content":"a"},`+logprobs+`}`, finish("stop"))
	for _, r := range []*geminiapi.GenerateContentResponse{out, s.merged()} {
		result := r.Candidates[0].LogprobsResult
		chosen, top := *result.ChosenCandidates[0].LogProbability,
			*result.TopCandidates[0].Candidates[0].LogProbability
		if average := *r.Candidates[0].AvgLogprobs; chosen != 0 || top != 0 || average != 0 {
			t.Errorf("got %v and %v, on average %v", chosen, top, average)
		}
	}
	for _, at := range []string{"/choices/0/logprobs/content/0/logprob",
		"/choices/0/logprobs/content/0/top_logprobs/0/logprob"} {
		if !report.Covers(at) {
			t.Errorf("%s is not in the report: %v", at, report)
		}
	}
}

func TestARefusalIsVisible(t *testing.T) {
	t.Parallel()
	out, report := whole(t,
		`{"index":0,"message":{"role":"assistant","content":null,"refusal":"I cannot."},"finish_reason":"stop"}`,
		"")
	s := streamed(t, delta(`"refusal":"I can"`), delta(`"refusal":"not."`), finish("stop"))
	for _, r := range []*geminiapi.GenerateContentResponse{out, s.merged()} {
		checkParts(t, r, `{"text":"I cannot."}`)
		if r.Candidates[0].FinishMessage == nil ||
			*r.Candidates[0].FinishReason != geminiapi.FinishReasonStop {
			t.Error(written(t, r))
		}
	}
	if !report.Covers("/choices/0/message/refusal") {
		t.Error(report)
	}
}

func TestSoundIsInlineDataOfItsType(t *testing.T) {
	t.Parallel()
	const choice = `{"index":0,"message":{"role":"assistant","content":null,"audio":{"id":"a","data":"AAAA","expires_at":9,"transcript":"Hello"}},"finish_reason":"stop"}`
	for format, mimeType := range map[openaiapi.OutputAudioFormat]string{"": "audio/L16;rate=24000",
		"pcm16": "audio/L16;rate=24000", "wav": "audio/wav", "mp3": "audio/mpeg"} {
		out, entries := whole(t, choice, "", reverse.WithAudioFormat(format))
		checkParts(t, out,
			`{"text":"Hello"},{"inlineData":{"mimeType":"`+mimeType+`","data":"AAAA"}}`)
		if !entries.Of(report.Lost).Covers("/choices/0/message/audio/expires_at") {
			t.Error(entries)
		}
	}
	s := streamed(t, delta(`"audio":{"id":"a","data":"AAAA"}`),
		delta(`"audio":{"transcript":"Hi"}`), delta(`"audio":{"data":"BBBB"}`), finish("stop"))
	if text := partsOf(t, s.merged()); !strings.Contains(text, `"AAAA"`) ||
		!strings.Contains(text, `"BBBB"`) || !strings.Contains(text, `"Hi"`) {
		t.Error(text)
	}
}

func TestThereAreNoEmptyParts(t *testing.T) {
	t.Parallel()
	for _, message := range []string{`"content":""`, `"content":null`,
		`"content":"","reasoning_content":"","refusal":"","tool_calls":[]`, `"content":[]`} {
		out, _ := whole(t,
			`{"index":0,"message":{"role":"assistant",`+message+`},"finish_reason":"stop"}`, "")
		if out.Candidates[0].Content != nil {
			t.Errorf("%s: %s", message, written(t, out))
		}
	}
	s := streamed(t, delta(`"role":"assistant","content":""`), delta(`"reasoning_content":""`),
		delta(`"content":null`), delta(``), finish("length"))
	if len(s.chunks) != 1 || s.chunks[0].Candidates[0].Content != nil {
		t.Errorf("%d chunks", len(s.chunks))
	}
}

func TestTheMarkIsNotPassedOn(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	body := asBody([]string{`{"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"content":"Hi"},"finish_reason":"stop"}]}`})
	if _, err := reverse.WriteStream(&out,
		openai.NewStreamReader(bytes.NewReader(body)).All()); err != nil {
		t.Fatal(err)
	}
	if text := out.String(); strings.Contains(text, "DONE") ||
		strings.Count(text, "data: {") != 2 || !strings.HasSuffix(text, "}\r\n\r\n") {
		t.Errorf("%q", text)
	}
	chunks := 0
	for _, err := range gemini.NewStreamReader(&out).All() {
		if chunks++; err != nil {
			t.Error(err)
		}
	}
	if chunks != 2 {
		t.Errorf("%d chunks", chunks)
	}
}

func TestACompletionOfAFeedbackNeedsNoChoices(t *testing.T) {
	t.Parallel()
	out, _ := whole(t, "",
		`,"extra_content":{"google":{"prompt_feedback":{"blockReason":"SAFETY"}}}`)
	if len(out.Candidates) != 0 || out.PromptFeedback == nil ||
		*out.PromptFeedback.BlockReason != geminiapi.BlockReasonSafety {
		t.Error(written(t, out))
	}
}

func TestErrorsAreGeminis(t *testing.T) {
	t.Parallel()
	for status, want := range map[int]geminiapi.ErrorStatus{
		400: geminiapi.ErrorStatusInvalidArgument, 401: geminiapi.ErrorStatusUnauthenticated,
		403: geminiapi.ErrorStatusPermissionDenied,
		404: geminiapi.ErrorStatusNotFound, 409: geminiapi.ErrorStatusAborted,
		422: geminiapi.ErrorStatusInvalidArgument,
		429: geminiapi.ErrorStatusResourceExhausted, 500: geminiapi.ErrorStatusInternal,
		503: geminiapi.ErrorStatusUnavailable, 504: geminiapi.ErrorStatusDeadlineExceeded,
	} {
		e := reverse.DecodeError(status, http.Header{"Retry-After": {"7"}},
			[]byte(`{"error":{"message":"No.","type":"some_error","code":"a_code","param":"messages"}}`))
		if e.HTTPStatus != status || e.Status != want || e.Message != "No." ||
			e.RetryAfter != 7*time.Second || e.Reason() != "A_CODE" {
			t.Errorf("%d: %#v", status, e)
		}
		body := reverse.ErrorBody(e)
		if *body.Error.Code != status || len(body.Error.Details) != 2 ||
			body.Error.Details[0].Metadata["param"] != "messages" ||
			*body.Error.Details[1].RetryDelay != "7s" {
			t.Errorf("%d: %s", status, e.RawBody())
		}
	}
	if e := reverse.DecodeError(502, nil,
		[]byte("<html><title>Bad gateway</title></html>")); e.Status != geminiapi.ErrorStatusUnavailable ||
		e.Message != "Bad gateway" {
		t.Errorf("a page: %v", e)
	}
	if e := reverse.DecodeError(400, nil,
		[]byte(`{"error":{"message":"Filtered","type":null,"code":"content_filter","param":"prompt"}}`)); !reverse.IsBlockedPrompt(e) {
		t.Errorf("a filter: %v", e)
	} else if out := reverse.BlockedAnswer(e); *out.PromptFeedback.BlockReason != geminiapi.BlockReasonSafety {
		t.Error(written(t, out))
	}
	if e := reverse.DecodeError(429, http.Header{"Retry-After-Ms": {"1500"}},
		nil); e.RetryAfter != 1500*time.Millisecond {
		t.Errorf("milliseconds: %v", e.RetryAfter)
	}
	for err, status := range map[error]int{context.DeadlineExceeded: 504, context.Canceled: 499,
		io.ErrUnexpectedEOF: 503} {
		if e := reverse.FromError(fmt.Errorf("wrapped: %w", err)); e.HTTPStatus != status {
			t.Errorf("%v: %v", err, e)
		}
	}
	if reverse.FromError(nil) != nil {
		t.Error("nothing is an error")
	}
}

func TestAnErrorWithinAStreamEndsItWithoutAReason(t *testing.T) {
	t.Parallel()
	for name, event := range map[string]string{
		"data":  "data: {\"error\":{\"message\":\"Slow down\",\"type\":\"rate_limit_error\",\"param\":null,\"code\":null}}\n\n",
		"event": "event: error\ndata: {\"error\":{\"message\":\"Slow down\",\"type\":\"rate_limit_error\",\"param\":null,\"code\":null}}\n\n",
	} {
		first := `data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"content":"Hi"},"finish_reason":null}]}` +
			"\n\n"
		var out bytes.Buffer
		_, err := reverse.WriteStream(&out,
			openai.NewStreamReader(strings.NewReader(first+event)).All())
		if err == nil || !strings.Contains(out.String(), `"status":"RESOURCE_EXHAUSTED"`) ||
			strings.Contains(out.String(), "finishReason") {
			t.Errorf("%s: %v: %s", name, err, out.String())
		}
	}
	if _, _, err := reverse.ToGemini(nil); err == nil {
		t.Error("nothing is an answer")
	}
	in, _, err := openai.DecodeForeignResponse([]byte(`{"error":{"message":"No","code":429}}`))
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := reverse.ToGemini(in); err == nil {
		t.Error("an error is an answer")
	}
}

func TestGeminiCLIsChecksOfStreamsPass(t *testing.T) {
	t.Parallel()
	s := streamed(t, delta(`"role":"assistant"`), delta(`"content":"Hi"`), finish("stop"))
	checkEnd(t, "text", s.chunks)
	s = streamed(t, delta(`"tool_calls":[{"index":0,"id":"1","function":{"name":"f","arguments":"{}"}}]`),
		finish("tool_calls"))
	checkEnd(t, "call", s.chunks)
	if merged := s.merged(); *merged.Candidates[0].FinishReason != geminiapi.FinishReasonStop ||
		merged.Candidates[0].Content.Parts[0].FunctionCall == nil {
		t.Error(written(t, merged))
	}
	s = streamed(t, delta(`"content":"Hi"`)) // [DONE] without a reason
	if merged := s.merged(); s.err != nil ||
		*merged.Candidates[0].FinishReason != geminiapi.FinishReasonStop ||
		len(s.report.Of(report.Added)) != 1 {
		t.Errorf("%v %v", s.err, s.report)
	}
}

func TestAStreamThatOnlyStopsIsCut(t *testing.T) {
	t.Parallel()
	chunk := func(reason string) string {
		return `data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"content":"Hi"},"finish_reason":` +
			reason + `}]}` + "\n\n"
	}
	if s := convertStream([]byte(chunk("null"))); !errors.Is(s.err, wire.ErrTruncated) ||
		s.chunks[0].Candidates[0].FinishReason != nil {
		t.Errorf("without a reason: %v", s.err)
	}
	if s := convertStream([]byte(chunk(`"stop"`))); s.err != nil || len(s.chunks) != 2 {
		t.Errorf("with a reason: %v", s.err)
	}
	if s := convertStream([]byte("data: [DONE]\n\n")); !errors.Is(s.err,
		normalize.ErrNoCandidates) {
		t.Errorf("without anything: %v", s.err)
	}
}

func TestAnUnknownReasonIsOther(t *testing.T) {
	t.Parallel()
	out, _ := whole(t, `{"index":0,"message":{"role":"assistant","content":"x"},"finish_reason":"bored"}`,
		"")
	s := streamed(t, delta(`"content":"x"`), finish("bored"))
	for _, r := range []*geminiapi.GenerateContentResponse{out, s.merged()} {
		if c := &r.Candidates[0]; *c.FinishReason != geminiapi.FinishReasonOther ||
			!strings.Contains(*c.FinishMessage, "bored") {
			t.Error(written(t, r))
		}
	}
	for reason, want := range map[string]geminiapi.FinishReason{"stop": "STOP",
		"length": "MAX_TOKENS", "content_filter": "SAFETY", "tool_calls": "STOP", "function_call": "STOP", "eos": "STOP"} {
		out, _ := whole(t,
			`{"index":0,"message":{"role":"assistant","content":"x"},"finish_reason":"`+reason+`"}`,
			"")
		if *out.Candidates[0].FinishReason != want {
			t.Errorf("%s is %s", reason, *out.Candidates[0].FinishReason)
		}
	}
}

func TestCallsWithoutArgumentsHaveAnEmptyObject(t *testing.T) {
	t.Parallel()
	for _, function := range []string{`"name":"f","arguments":""`, `"name":"f"`,
		`"name":"f","arguments":"{}"`, `"name":"f","arguments":" "`} {
		s := streamed(t, delta(`"tool_calls":[{"index":0,"id":"1","function":{`+function+`}}]`),
			finish("tool_calls"))
		if checkParts(t, s.merged(),
			`{"functionCall":{"args":{},"id":"1","name":"f"}}`); s.err != nil {
			t.Error(s.err)
		}
		if !strings.Contains(function, "arguments") {
			function += `,"arguments":""`
		}
		out, _ := whole(t,
			`{"index":0,"message":{"role":"assistant","content":null,"tool_calls":[{"id":"1","type":"function","function":{`+
				function+`}}]},"finish_reason":"tool_calls"}`, "")
		checkParts(t, out, `{"functionCall":{"args":{},"id":"1","name":"f"}}`)
	}
}

func TestNamesThatWereReplacedComeBack(t *testing.T) {
	t.Parallel()
	out, _ := whole(t, `{"index":0,"message":{"role":"assistant","content":null,"tool_calls":[{"id":"1","type":"function","function":{"name":"a_b","arguments":"{}"}}],"function_call":{"name":"a_b","arguments":"{}"}},"finish_reason":"tool_calls"}`,
		"", reverse.WithOriginalNames(map[string]string{"a_b": "a.b"}))
	checkParts(t, out, `{"functionCall":{"args":{},"id":"1","name":"a.b"}},{"functionCall":{"args":{},"name":"a.b"}}`)
}

func TestAWrappedValueIsTakenOut(t *testing.T) {
	t.Parallel()
	out, _ := whole(t, `{"index":0,"message":{"role":"assistant","content":"{\"value\":\"red\"}"},"finish_reason":"stop"}`,
		"", reverse.WithWrappedValue("value"))
	checkParts(t, out, `{"text":"red"}`)
	body := asBody([]string{
		`{"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"content":"{\"value\":"},"finish_reason":null}]}`,
		`{"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"content":"\"red\"}"},"finish_reason":"stop"}]}`,
	})
	s := convertStream(body, reverse.WithWrappedValue("value"))
	checkParts(t, s.merged(), `{"text":"red"}`)
	out, _ = whole(t, `{"index":0,"message":{"role":"assistant","content":"red"},"finish_reason":"stop"}`,
		"", reverse.WithWrappedValue("value"))
	checkParts(t, out, `{"text":"red"}`)
}

func TestContentsInPartsKeepTheirOrder(t *testing.T) {
	t.Parallel()
	out, _ := whole(t, `{"index":0,"message":{"role":"assistant","content":[{"type":"thinking","thinking":[{"type":"text","text":"Hm."}]},{"type":"text","text":"Yes."}]},"finish_reason":"stop"}`,
		"")
	checkParts(t, out, `{"text":"Hm.","thought":true},{"text":"Yes."}`)
}

func TestImagesAreInlineData(t *testing.T) {
	t.Parallel()
	const images = `"images":[{"type":"image_url","image_url":{"url":"data:image/png;base64,AAAA"},"index":0},{"type":"image_url","image_url":{"url":"https://example.com/a.png"}}]`
	out, _ := whole(t, `{"index":0,"message":{"role":"assistant","content":null,`+images+
		`},"finish_reason":"stop"}`, "")
	s := streamed(t, delta(images), finish("stop"))
	for _, r := range []*geminiapi.GenerateContentResponse{out, s.merged()} {
		checkParts(t, r,
			`{"inlineData":{"mimeType":"image/png","data":"AAAA"}},{"fileData":{"fileUri":"https://example.com/a.png"}}`)
	}
}

func TestACustomCallIsOneOfAFunction(t *testing.T) {
	t.Parallel()
	out, report := whole(t,
		`{"index":0,"message":{"role":"assistant","content":null,"tool_calls":[{"id":"1","type":"custom","custom":{"name":"sh","input":"ls \"x\""}}]},"finish_reason":"tool_calls"}`,
		"")
	checkParts(t, out, `{"functionCall":{"args":{"input":"ls \"x\""},"id":"1","name":"sh"}}`)
	if !report.Covers("/choices/0/message/tool_calls/0/custom/input") {
		t.Error(report)
	}
}

// Package openai writes the model gemini if Gemini named none. In a completion of another server it
// is a real name.
func TestTheModelGeminiIsNoNameInAnAnswerOfGeminis(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ members, version string }{
		{`"message":{"role":"assistant","content":"Hi"},"finish_reason":"stop"`, "gemini"},
		{`"message":{"role":"assistant","content":"Hi"},"finish_reason":"stop","native_finish_reason":"end_turn"`, "gemini"},
		{`"message":{"role":"assistant","content":"Hi"},"finish_reason":"stop","native_finish_reason":"STOP"`, ""},
		{`"message":{"role":"assistant","content":"Hi","extra_content":{"google":{"thought_signature":"c2ln"}}},"finish_reason":"stop"`, ""},
	} {
		in, _, err := openai.DecodeForeignResponse(
			[]byte(`{"id":"c1","object":"chat.completion","created":1,"model":"gemini","choices":[{"index":0,` +
				tt.members + `}]}`))
		if err != nil {
			t.Fatal(err)
		}
		out, _, err := reverse.ToGemini(in)
		if err != nil {
			t.Fatal(err)
		}
		if got := out.ModelVersion; (got == nil) != (tt.version == "") ||
			got != nil && *got != tt.version {
			t.Errorf("%s: %s", tt.members, written(t, out))
		}
	}
}

func TestOptionsNameTheAnswer(t *testing.T) {
	t.Parallel()
	out, _ := whole(t, `{"index":0,"message":{"role":"assistant","content":"Hi"},"finish_reason":"stop"}`,
		"", reverse.WithID("r"), reverse.WithModelName("gemini-3-pro"))
	if *out.ResponseID != "r" || *out.ModelVersion != "gemini-3-pro" ||
		*out.CreateTime != "2023-11-14T22:13:20Z" {
		t.Error(written(t, out))
	}
}

func TestAnAnswerOfGeminisThatWasBlockedComesBack(t *testing.T) {
	t.Parallel()
	in, err := gemini.DecodeResponse([]byte(`{"promptFeedback":{"blockReason":"SAFETY","blockReasonMessage":"No."},"usageMetadata":{"promptTokenCount":3,"totalTokenCount":3},"modelVersion":"g","responseId":"r"}`))
	if err != nil {
		t.Fatal(err)
	}
	sent, _, err := chat.FromGemini(in)
	if err != nil {
		t.Fatal(err)
	}
	out, _, err := reverse.ToGemini(sent)
	if err != nil {
		t.Fatal(err)
	}
	if diff := gocmp.Diff(written(t, in), written(t, out)); diff != "" {
		t.Error(diff)
	}
}

// A refused prompt has a refusal in place of an answer. Earlier content stays.
func TestABlockedStreamKeepsItsContent(t *testing.T) {
	t.Parallel()
	const feedback = `"extra_content":{"google":{"prompt_feedback":{"blockReason":"SAFETY"}}}`
	chunk := func(choices, rest string) string {
		return `{"id":"c1","object":"chat.completion.chunk","created":1700000000,"model":"m","choices":[` +
			choices + `]` + rest + `}`
	}
	refused := convertStream(asBody([]string{chunk(delta(`"refusal":"No."`), ""),
		chunk(finish("content_filter"), ","+feedback)}))
	if out := refused.merged(); len(out.Candidates) != 0 ||
		*out.PromptFeedback.BlockReason != geminiapi.BlockReasonSafety {
		t.Errorf("a refusal alone: %s", written(t, out))
	}
	spoken := convertStream(asBody([]string{
		chunk(delta(hi), ""), chunk(delta(`"refusal":"No."`), ""),
		chunk(finish("content_filter"), ","+feedback),
	}))
	checkParts(t, spoken.merged(), `{"text":"Hi"}`)
	signed := convertStream(asBody([]string{
		chunk(delta(`"refusal":"No.","extra_content":{"google":{"thought_signature":"c2ln"}}`), ""),
		chunk(finish("content_filter"), ","+feedback),
	}))
	checkParts(t, signed.merged(), `{"text":"","thoughtSignature":"c2ln"}`)
}
