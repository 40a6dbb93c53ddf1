package reverse_test

import (
	"bytes"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/test/openaitest"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/openai"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/chat/reverse"
)

func streamOf(body string) converted { return convertStream([]byte(body)) }

func TestACompletionWithoutChoicesIsNoAnswer(t *testing.T) {
	t.Parallel()
	for _, document := range []string{`{}`, `{"id":"c","choices":[]}`,
		`{"choices":null,"usage":{"prompt_tokens":1,"completion_tokens":0,"total_tokens":1}}`} {
		in, _, err := openai.DecodeForeignResponse([]byte(document))
		if err != nil {
			t.Fatal(err)
		}
		if out, _, err := reverse.ToGemini(in); out != nil ||
			!errors.Is(err, normalize.ErrNoCandidates) {
			t.Errorf("%s: %v", document, err)
		}
	}
}

func TestACompletionWithoutAMessageIsNoAnswer(t *testing.T) {
	t.Parallel()
	for _, choices := range []string{
		`null`, `null,null`, `{}`, `{"index":0,"message":null,"finish_reason":"stop"}`,
		`{"message":{},"finish_reason":"tool_calls"}`,
		`{"index":1,"message":null,"finish_reason":null,"logprobs":null}`,
	} {
		in, _, err := openai.DecodeForeignResponse([]byte(`{"id":"c","choices":[` + choices +
			`],"usage":{"prompt_tokens":1,"completion_tokens":2,"total_tokens":3}}`))
		if err != nil {
			t.Fatal(err)
		}
		out, _, err := reverse.ToGemini(in)
		if out != nil || !errors.Is(err, normalize.ErrNoCandidates) {
			t.Errorf("%s: %v", choices, err)
		} else if status := reverse.FromError(err).Status; status != "UNAVAILABLE" {
			t.Errorf("%s: %s", choices, status)
		}
	}
	for _, choices := range []string{`null`, `{}`,
		`{"index":0,"delta":null,"finish_reason":null}`} {
		s := streamOf(`data: {"id":"c","choices":[` + choices + `]}` + "\n\n" +
			`data: {"id":"c","choices":[],"usage":{"prompt_tokens":1,"completion_tokens":0,"total_tokens":1}}` +
			"\n\ndata: [DONE]\n\n")
		if !errors.Is(s.err, normalize.ErrNoCandidates) {
			t.Errorf("a stream of %s: %v", choices, s.err)
		}
	}
}

// A choice that says why it is empty does not fail the answer, and neither does an empty choice
// next to others with messages.
func TestAnEmptyChoiceMayStandNextToOthers(t *testing.T) {
	t.Parallel()
	const good = `{"index":0,"message":{"role":"assistant","content":"Hi"},"finish_reason":"stop"}`
	out, entries := whole(t, good+`,null`, "")
	if len(out.Candidates) != 1 {
		t.Errorf("%d candidates", len(out.Candidates))
	}
	openaitest.Reports(t, entries.Of(report.Lost), "lost /choices/1")
	for _, reason := range []string{"content_filter", "length"} {
		out, _ := whole(t, `{"index":0,"message":null,"finish_reason":"`+reason+`"}`, "")
		if len(out.Candidates) != 1 || out.Candidates[0].FinishReason == nil {
			t.Errorf("%s: %s", reason, written(t, out))
		}
	}
}

// Servers differ in the form of an error and in its status.
func TestErrorsOfServersInAnyFormAreConverted(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		body, message, status string
	}{
		{`{"error":"model not loaded"}`, "model not loaded", "INTERNAL"},
		{`{"error":{"message":"Slow down","code":429}}`, "Slow down", "RESOURCE_EXHAUSTED"},
		{`{"object":"error","message":"too long","type":"BadRequestError","code":400}`, "too long", "INVALID_ARGUMENT"},
		{`{"detail":"no such model"}`, "no such model", "INTERNAL"},
		{`{"detail":[{"msg":"missing"}]}`, `[{"msg":"missing"}]`, "INTERNAL"},
		{`{"error":{"message":{"text":"odd"}}}`, `{"text":"odd"}`, "INTERNAL"},
		{`{"id":"c","choices":[],"error":{"message":"gone","code":"502"}}`, "gone", "UNAVAILABLE"},
		{`{"choices":[{"index":0,"message":{"role":"assistant","content":"par"}}],"error":{"message":"cut","code":502}}`, "cut", "UNAVAILABLE"},
	} {
		in, _, err := openai.DecodeForeignResponse([]byte(tt.body))
		if err != nil {
			t.Fatal(err)
		}
		_, _, err = reverse.ToGemini(in)
		if e := reverse.FromError(err); e == nil || e.Message != tt.message ||
			string(e.Status) != tt.status {
			t.Errorf("%s: %v", tt.body, e)
		}
		s := streamOf("data: " + `{"id":"c","choices":[{"index":0,"delta":{"content":"Hi"}}]}` +
			"\n\ndata: " + tt.body + "\n\ndata: [DONE]\n\n")
		if e := reverse.FromError(s.err); e == nil || e.Message != tt.message ||
			string(e.Status) != tt.status {
			t.Errorf("in a stream: %s: %v", tt.body, e)
		}
		if e := reverse.DecodeError(http.StatusBadRequest, nil,
			[]byte(tt.body)); e.Message != tt.message {
			t.Errorf("as a failure: %s: %v", tt.body, e)
		}
	}
}

func TestAnErrorThatIsNullIsIgnored(t *testing.T) {
	t.Parallel()
	s := streamOf(`data: {"id":"c","error":null,"choices":[{"index":0,"delta":{"content":"Hi"},"finish_reason":"stop"}]}` +
		"\n\ndata: [DONE]\n\n")
	if s.err != nil {
		t.Fatal(s.err)
	}
	checkParts(t, s.merged(), `{"text":"Hi"}`)
	out, _ := whole(t, `{"index":0,"message":{"role":"assistant","content":"Hi"},"finish_reason":"stop"}`,
		`,"error":null`)
	checkParts(t, out, `{"text":"Hi"}`)
}

func TestTheReasonOfAFailedChoiceIsKept(t *testing.T) {
	t.Parallel()
	const failure = `"finish_reason":"error","error":{"code":502,"message":"The provider is gone"}`
	out, _ := whole(t, `{"index":0,"message":{"role":"assistant","content":"par"},`+failure+`}`, "")
	s := streamed(t, delta(`"content":"par"`), `{"index":0,"delta":{},`+failure+`}`)
	for _, out := range []*geminiapi.GenerateContentResponse{out, s.merged()} {
		c := &out.Candidates[0]
		if *c.FinishReason != geminiapi.FinishReasonOther ||
			*c.FinishMessage != "The provider is gone" {
			t.Errorf("%s: %s", *c.FinishReason, *c.FinishMessage)
		}
		checkParts(t, out, `{"text":"par"}`)
	}
}

// A member with an invalid type loses that member, not the answer.
func TestMembersOfOtherTypesCostNoAnswer(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ member, lost string }{
		{`"created":1700000000.53`, "/created"}, {`"created":"now"`, "/created"}, {`"created":"1700000000"`, ""},
		{`"usage":[]`, "/usage"}, {`"usage":"5"`, "/usage"}, {`"id":7`, ""}, {`"model":{}`, "/model"},
		{`"usage":{"prompt_tokens":"5","completion_tokens":2.0,"total_tokens":7}`, ""},
		{`"usage":{"prompt_tokens":1.5,"completion_tokens":2,"total_tokens":3}`, "/usage/prompt_tokens"},
	} {
		in, lost, err := openai.DecodeForeignResponse(
			[]byte(`{"choices":[{"index":"0","message":{"role":5,"content":"Hi","reasoning_content":5},"finish_reason":"stop"}],` +
				tt.member + `}`))
		if err != nil {
			t.Errorf("%s: %v", tt.member, err)
			continue
		}
		out, _, err := reverse.ToGemini(in)
		if err != nil {
			t.Fatal(err)
		}
		checkParts(t, out, `{"text":"Hi"}`)
		if tt.lost != "" && !lost.Covers(tt.lost) || !lost.Covers("/choices/0/message/role") {
			t.Errorf("%s: %v", tt.member, lost)
		}
		s := streamOf(`data: {"choices":[{"index":0,"delta":{"role":5,"content":"Hi"},"finish_reason":"stop"}],` +
			tt.member + "}\n\ndata: [DONE]\n\n")
		if s.err != nil {
			t.Errorf("in a stream: %s: %v", tt.member, s.err)
			continue
		}
		checkParts(t, s.merged(), `{"text":"Hi"}`)
	}
}

func TestATextOfAnotherTypeIsAnError(t *testing.T) {
	t.Parallel()
	for _, choice := range []string{
		`{"message":{"content":"a","tool_calls":[{"function":{"name":5}}]}}`,
		`{"message":{"content":"a","function_call":{"name":[]}}}`,
	} {
		if _, _, err := openai.DecodeForeignResponse([]byte(`{"choices":[` + choice +
			`]}`)); err == nil {
			t.Errorf("%s is a completion", choice)
		}
	}
	out, _ := whole(t, `{"index":0,"message":{"role":"assistant","content":5},"finish_reason":"stop"}`,
		"")
	checkParts(t, out, `{"text":"5"}`)
}

func TestCharactersCutInTwoAreReplaced(t *testing.T) {
	t.Parallel()
	s := streamOf("data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"a\xf0\x9f\"}}]}\n\ndata: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"\x98\x80\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n")
	if s.err != nil {
		t.Fatal(s.err)
	}
	checkParts(t, s.merged(), `{"text":"a`+"\ufffd\ufffd"+`"}`)
}

// Servers that cut texts by UTF-16 units split a surrogate pair over two deltas. Both halves become
// U+FFFD and are reported.
func TestHalvesOfSurrogatePairsAreReplacedAndReported(t *testing.T) {
	t.Parallel()
	const stop = `{"index":0,"delta":{},"finish_reason":"stop"}`
	for name, tt := range map[string]struct {
		choices  []string
		want     string
		reported []string
	}{
		"content": {
			[]string{delta(`"content":"a\ud83d"`), delta(`"content":"\ude00b"`), stop},
			`{"text":"a` + "\ufffd\ufffd" + `b"}`,
			[]string{"/0/choices/0/delta/content", "/1/choices/0/delta/content"},
		},
		"thoughts": {
			[]string{delta(`"reasoning":"\ud83d"`), delta(`"content":"b"`), stop},
			`{"text":"` + "\ufffd" + `","thought":true},{"text":"b"}`,
			[]string{"/0/choices/0/delta/reasoning"},
		},
		"a whole pair": {[]string{delta(`"content":"\ud83d\ude00"`), stop}, `{"text":"😀"}`, nil},
	} {
		var chunks []string
		for _, choice := range tt.choices {
			chunks = append(chunks, `{"choices":[`+choice+`]}`)
		}
		in, s := openai.NewStreamReader(bytes.NewReader(asBody(chunks)),
			openai.WithForeignChunks()), reverse.NewStream()
		out, err := normalize.MergeChunks(chunksOf(t, s.Chunks(in.All()))...)
		if err != nil {
			t.Fatal(err)
		}
		checkParts(t, out, tt.want)
		var reported []string
		for _, entry := range in.Report() {
			reported = append(reported, entry.Pointer)
		}
		if !slices.Equal(reported, tt.reported) {
			t.Errorf("%s: %v", name, in.Report())
		}
	}
}

func chunksOf(t *testing.T,
	chunks iter.Seq2[*geminiapi.GenerateContentResponse,
		error]) (out []*geminiapi.GenerateContentResponse) {
	t.Helper()
	for c, err := range chunks {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, c)
	}
	return out
}

func TestArgumentsInOtherFormsAreUnderstood(t *testing.T) {
	t.Parallel()
	for arguments, want := range map[string]string{
		`{"x":1}`:               `{"x":1}`,
		`"\"{\\\"x\\\":1}\""`:   `{"x":1}`,
		`"{\"x\":\"\\ud83d\"}"`: `{"x":"\ufffd"}`,
		`null`:                  `{}`,
		`" \n"`:                 `{}`,
	} {
		out, _ := whole(t,
			`{"index":0,"message":{"role":"assistant","content":null,"tool_calls":[{"id":"1","type":"function","function":{"name":"f","arguments":`+
				arguments+`}}]},"finish_reason":"tool_calls"}`, "")
		checkParts(t, out, `{"functionCall":{"args":`+want+`,"id":"1","name":"f"}}`)
		s := streamed(t,
			delta(`"tool_calls":[{"index":0,"id":"1","type":"function","function":{"name":"f","arguments":`+
				arguments+`}}]`),
			finish("tool_calls"))
		checkParts(t, s.merged(), `{"functionCall":{"args":`+want+`,"id":"1","name":"f"}}`)
	}
}

func TestACallThatNamesNoFunctionIsMalformed(t *testing.T) {
	t.Parallel()
	for _, function := range []string{`{"name":"","arguments":"{}"}`,
		`{"name":null,"arguments":"{\"x\":1}"}`, `null`} {
		call := `{"index":0,"id":"1","type":"function","function":` + function + `}`
		out, _ := whole(t,
			`{"index":0,"message":{"role":"assistant","content":"a","tool_calls":[`+call+
				`]},"finish_reason":"tool_calls"}`, "")
		s := streamed(t, delta(`"content":"a"`), delta(`"tool_calls":[`+call+`]`),
			finish("tool_calls"))
		for _, out := range []*geminiapi.GenerateContentResponse{out, s.merged()} {
			if reason := *out.Candidates[0].FinishReason; reason != geminiapi.FinishReasonMalformedFunctionCall {
				t.Errorf("%s: %s", function, reason)
			}
			checkParts(t, out, `{"text":"a"}`)
		}
	}
	out, _ := whole(t, `{"index":0,"message":{"role":"assistant","content":"a","tool_calls":[{}]},"finish_reason":"stop"}`,
		"")
	checkParts(t, out, `{"text":"a"}`)
}

func TestPiecesOfCallsWithoutIndexGoByTheirIDs(t *testing.T) {
	t.Parallel()
	s := streamed(t,
		delta(`"tool_calls":[{"id":"a","function":{"name":"f","arguments":""}}]`),
		delta(`"tool_calls":[{"id":"b","function":{"name":"g","arguments":""}}]`),
		delta(`"tool_calls":[{"id":"a","function":{"arguments":"{\"x\":"}}]`),
		delta(`"tool_calls":[{"id":"b","function":{"arguments":"{\"y\":"}}]`),
		delta(`"tool_calls":[{"id":"a","function":{"arguments":"1}"}}]`),
		delta(`"tool_calls":[{"id":"b","function":{"arguments":"2}"}}]`), finish("tool_calls"))
	checkParts(t, s.merged(),
		`{"functionCall":{"args":{"x":1},"id":"a","name":"f"}},{"functionCall":{"args":{"y":2},"id":"b","name":"g"}}`)
}

func TestArgumentsAfterAnEmptyObjectReplaceIt(t *testing.T) {
	t.Parallel()
	s := streamed(t, delta(`"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":"{}"}}]`),
		delta(`"tool_calls":[{"index":0,"function":{"arguments":"{\"x\":"}}]`),
		delta(`"tool_calls":[{"index":0,"function":{"arguments":"1}"}}]`), finish("tool_calls"))
	checkParts(t, s.merged(), `{"functionCall":{"args":{"x":1},"id":"a","name":"f"}}`)
	if !s.report.Covers("/1/choices/0/delta/tool_calls/0/function/arguments") {
		t.Error(s.report)
	}
}

// Some servers repeat all arguments so far in each piece. The last piece counts only if the joined
// pieces are invalid, because a model may repeat itself.
func TestArgumentsThatAreRepeatedInEachPieceAreTakenOnce(t *testing.T) {
	t.Parallel()
	s := streamed(t, delta(`"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":"{\"x\""}}]`),
		delta(`"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":"{\"x\":\"1\""}}]`),
		delta(`"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":"{\"x\":\"1\"}"}}]`),
		finish("tool_calls"))
	checkParts(t, s.merged(), `{"functionCall":{"args":{"x":"1"},"id":"a","name":"f"}}`)
	s = streamed(t, delta(`"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":"{\"a\":"}}]`),
		delta(`"tool_calls":[{"index":0,"function":{"arguments":"{\"a\":1}}"}}]`),
		finish("tool_calls"))
	checkParts(t, s.merged(), `{"functionCall":{"args":{"a":{"a":1}},"id":"a","name":"f"}}`)
}

func TestACallThatTheLengthCutIsNotTheModelsMistake(t *testing.T) {
	t.Parallel()
	out, _ := whole(t, `{"index":0,"message":{"role":"assistant","content":"a","tool_calls":[{"id":"1","type":"function","function":{"name":"f","arguments":"{\"x\":"}}]},"finish_reason":"length"}`,
		"")
	s := streamed(t, delta(`"content":"a"`),
		delta(`"tool_calls":[{"index":0,"id":"1","function":{"name":"f","arguments":"{\"x\":"}}]`),
		finish("length"))
	for _, out := range []*geminiapi.GenerateContentResponse{out, s.merged()} {
		c := &out.Candidates[0]
		if *c.FinishReason != geminiapi.FinishReasonMaxTokens ||
			!strings.Contains(*c.FinishMessage, `f({"x":)`) {
			t.Errorf("%s: %s", *c.FinishReason, *c.FinishMessage)
		}
	}
}

func TestInvalidCountsAreReadAsTheNearestCount(t *testing.T) {
	t.Parallel()
	out, report := whole(t,
		`{"index":0,"message":{"role":"assistant","content":"a"},"finish_reason":"stop"}`,
		`,"usage":{"prompt_tokens":-5,"completion_tokens":9223372036854775807,"total_tokens":3,"completion_tokens_details":{"reasoning_tokens":-1}}`)
	u := out.UsageMetadata
	if *u.PromptTokenCount != 0 || *u.CandidatesTokenCount <= 0 ||
		*u.TotalTokenCount != *u.CandidatesTokenCount || *u.ThoughtsTokenCount != 0 {
		t.Error(written(t, out))
	}
	for _, at := range []string{"/usage/prompt_tokens", "/usage/completion_tokens",
		"/usage/completion_tokens_details/reasoning_tokens"} {
		if !report.Covers(at) {
			t.Errorf("%s: %v", at, report)
		}
	}
}

func TestCountsInOddPlacesOfStreamsCount(t *testing.T) {
	t.Parallel()
	const counts = `"usage":{"prompt_tokens":1,"completion_tokens":2,"total_tokens":3}`
	for name, last := range map[string]string{
		"in a choice": `{"id":"c","choices":[{"index":0,"delta":{},"finish_reason":"stop",` +
			counts + `}]}`,
		"of Groq": `{"id":"c","choices":[{"index":0,"delta":{},"finish_reason":"stop"}],"x_groq":{` +
			counts + `}}`,
	} {
		s := streamOf(`data: {"id":"c","choices":[{"index":0,"delta":{"content":"Hi"}}]}` +
			"\n\ndata: " + last + "\n\ndata: [DONE]\n\n")
		if s.err != nil || s.merged().UsageMetadata == nil ||
			*s.merged().UsageMetadata.TotalTokenCount != 3 {
			t.Errorf("%s: %v", name, s.err)
		}
		if lost := s.report.Of(report.Lost); len(lost) > 0 {
			t.Errorf("%s: %v", name, lost)
		}
	}
}

func TestTextsThatAreRepeatedInEachDeltaAreReportedOnce(t *testing.T) {
	t.Parallel()
	body := asBody([]string{
		`{"choices":[` + delta(`"reasoning_content":"so"`) + `]}`,
		`{"choices":[` + delta(`"reasoning_content":"so far"`) + `]}`,
		`{"choices":[` + delta(`"content":"ha"`) + `]}`,
		`{"choices":[` + delta(`"content":"haha"`) + `]}`,
		`{"choices":[` + delta(`"content":"haha"`) + `]}`,
		`{"choices":[` + delta(`"content":"haha!"`) + `]}`,
		`{"choices":[` + delta(`"content":""`) + `]}`,
		`{"choices":[` + delta(`"content":" Bye"`) + `]}`, `{"choices":[` + finish("stop") + `]}`,
	})
	for name, tt := range map[string]struct {
		opts []reverse.Option
		want string
	}{
		"by default": {nil, `{"text":"soso far","thought":true},{"text":"hahahahahahaha! Bye"}`},
		"asked for":  {[]reverse.Option{reverse.WithAccumulatedDeltas()}, `{"text":"so far","thought":true},{"text":"haha! Bye"}`},
	} {
		s := convertStream(body, tt.opts...)
		if s.err != nil {
			t.Fatalf("%s: %v", name, s.err)
		}
		checkParts(t, s.merged(), tt.want)
	}
}

// Some servers do not stream. They send a completion, unchanged or as the only event.
func TestACompletionInPlaceOfAStreamIsTheAnswer(t *testing.T) {
	t.Parallel()
	const completion = `{"id":"c","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"message":{"role":"assistant","reasoning_content":"t","content":"Hi",` +
		`"tool_calls":[{"id":"1","type":"function","function":{"name":"f","arguments":"{}"}},{"id":"2","type":"function","function":{"name":"g","arguments":"{}"}}],` +
		`"annotations":[{"type":"url_citation","url_citation":{"url":"https://a.test","title":"A","start_index":0,"end_index":2}}]},"finish_reason":"tool_calls"}],` +
		`"usage":{"prompt_tokens":1,"completion_tokens":2,"total_tokens":3}}`
	for name, body := range map[string]string{"body": completion,
		"event": "data: " + completion + "\n\ndata: [DONE]\n\n"} {
		s := streamOf(body)
		if s.err != nil {
			t.Fatalf("%s: %v", name, s.err)
		}
		out := s.merged()
		checkParts(t, out,
			`{"text":"t","thought":true},{"text":"Hi"},{"functionCall":{"args":{},"id":"1","name":"f"}},{"functionCall":{"args":{},"id":"2","name":"g"}}`)
		if *out.Candidates[0].FinishReason != geminiapi.FinishReasonStop ||
			*out.UsageMetadata.TotalTokenCount != 3 || out.Candidates[0].GroundingMetadata == nil {
			t.Errorf("%s: %s", name, written(t, out))
		}
		if lost := s.report.Of(report.Lost); len(lost) > 0 {
			t.Errorf("%s: %v", name, lost)
		}
	}
	s := streamOf(`data: {"choices":[{"index":0,"message":{"role":"assistant","content":null,"refusal":"No.","tool_calls":[{"function":{"name":"f","arguments":"{"}}]},"finish_reason":"tool_calls"}]}` +
		"\n\ndata: [DONE]\n\n")
	if c := s.merged().Candidates[0]; *c.FinishReason != geminiapi.FinishReasonMalformedFunctionCall {
		t.Error(written(t, s.merged()))
	}
}

// The time for many small pieces is linear in their length.
func TestManyPiecesTakeTimeByTheirNumber(t *testing.T) {
	t.Parallel()
	const pieces = 120_000
	tests := map[string]string{
		"the name in each piece":   `{"index":0,"function":{"name":"f","arguments":"aaaa"}}`,
		"no more than white space": `{"index":0,"function":{"name":"f","arguments":" "}}`,
	}
	for name, piece := range tests {
		s := reverse.NewStream()
		start := time.Now()
		push := func(call string) {
			in, err := openai.DecodeChunk([]byte(`{"choices":[{"index":0,"delta":{"tool_calls":[` +
				call + `]}}]}`))
			if err != nil {
				t.Fatal(err)
			}
			if _, err := s.Push(in); err != nil {
				t.Fatal(err)
			}
		}
		push(`{"index":0,"function":{"name":"f","arguments":"{\"x\":\""}}`)
		for range pieces {
			push(piece)
		}
		if took := time.Since(start); took > 20*time.Second {
			t.Errorf("%s: %v", name, took)
		}
	}
}

// Each span is found for any order of the annotations.
func TestManyAnnotationsTakeTimeByTheirNumber(t *testing.T) {
	t.Parallel()
	const count, text = 20_000, "größer. größer. größ"
	orders := map[string]func(i int) int{
		"ascending":  func(i int) int { return i },
		"descending": func(i int) int { return count - 1 - i },
		"mixed":      func(i int) int { return i * 7919 % count },
	}
	for name, position := range orders {
		var list []string
		for i := range count {
			at := 40 * position(i)
			list = append(list,
				fmt.Sprintf(`{"type":"url_citation","url_citation":{"url":"https://a.test/%d","title":"A","start_index":%d,"end_index":%d}}`,
					i%7, at, at+20))
		}
		start := time.Now()
		out, _ := whole(t,
			`{"index":0,"message":{"role":"assistant","content":"`+
				strings.Repeat("größer. ", 100_000)+`","annotations":[`+strings.Join(list, ",")+
				`]},"finish_reason":"stop"}`, "")
		if took := time.Since(start); took > 10*time.Second {
			t.Errorf("%s: %v", name, took)
		}
		supports := out.Candidates[0].GroundingMetadata.GroundingSupports
		if len(supports) != count {
			t.Fatalf("%s: %d supports", name, len(supports))
		}
		for i := range supports {
			if s, want := supports[i].Segment,
				50*position(i); *s.Text != text || *s.StartIndex != want ||
				*s.EndIndex != want+len(text) {
				t.Fatalf("%s: %d is %d to %d: %q", name, i, *s.StartIndex, *s.EndIndex, *s.Text)
			}
		}
	}
}

// Only a signature that is marked as Gemini's is used. Gemini would refuse another provider's.
func TestSignaturesOfOtherMakersAreNeverGeminis(t *testing.T) {
	t.Parallel()
	for format, isGeminis := range map[string]bool{`"google-gemini-v1"`: true,
		`"openai-responses-v1"`: false, `"anthropic-claude-v1"`: false, `null`: false} {
		const call = `"tool_calls":[{"index":0,"id":"1","type":"function","function":{"name":"f","arguments":"{}"}}]`
		details := `"reasoning_details":[{"type":"reasoning.encrypted","data":"c2ln","id":"1","format":` +
			format + `}]`
		out, entries := whole(t,
			`{"index":0,"message":{"role":"assistant","content":null,`+call+`,`+details+
				`},"finish_reason":"tool_calls"}`, "")
		s := streamed(t, delta(details), delta(call), finish("tool_calls"))
		for _, out := range []*geminiapi.GenerateContentResponse{out, s.merged()} {
			if isSigned := strings.Contains(written(t, out),
				`"thoughtSignature":"c2ln"`); isSigned != isGeminis {
				t.Errorf("%s: %s", format, written(t, out))
			}
		}
		if isLost := entries.Of(report.Lost).Covers(
			"/choices/0/message/reasoning_details/0/data"); isLost == isGeminis {
			t.Errorf("%s: %v", format, entries)
		}
	}
}
