package reverse_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/openai"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/chat/reverse"
	"github.com/gemwire/gemwire/pkg/wire"
)

// bothWays converts an answer with one choice as a completion and as a stream. The last chunk has
// the reason and the other members. Both results must agree.
func bothWays(t *testing.T, message, reason, rest string) (*geminiapi.GenerateContentResponse,
	report.Report) {
	t.Helper()
	out, report := whole(t, `{"index":0,"message":{"role":"assistant",`+message+`},`+reason+`}`,
		rest)
	s := streamOf(`data: {"id":"c1","object":"chat.completion.chunk","created":1700000000,"model":"m","choices":[` +
		delta(message) + "]}\n\n" +
		`data: {"id":"c1","object":"chat.completion.chunk","created":1700000000,"model":"m","choices":[{"index":0,"delta":{},` +
		reason + `}]` + rest + "}\n\ndata: [DONE]\n\n")
	if s.err != nil {
		t.Fatal(s.err)
	}
	if got, want := written(t, s.merged()), written(t, out); got != want {
		t.Errorf("streamed %s, whole %s", got, want)
	}
	return out, report
}

const hi = `"content":"Hi"`

func TestReasonsOfOtherServersAreGeminis(t *testing.T) {
	t.Parallel()
	for reason, want := range map[string]geminiapi.FinishReason{
		"eos": "STOP", "eos_token": "STOP", "stop_sequence": "STOP", "end_turn": "STOP",
		"tool_use":     "STOP",
		"model_length": "MAX_TOKENS", "max_tokens": "MAX_TOKENS",
		"model_context_window_exceeded": "MAX_TOKENS",
		"sensitive":                     "SAFETY", "refusal": "SAFETY", "MAX_TOKENS": "MAX_TOKENS",
		"PROHIBITED_CONTENT": "PROHIBITED_CONTENT",
	} {
		out, _ := bothWays(t, hi, `"finish_reason":"`+reason+`"`, "")
		if c := out.Candidates[0]; *c.FinishReason != want || c.FinishMessage != nil {
			t.Errorf("%s: %s", reason, written(t, out))
		}
	}
	for _, reason := range []string{`"finish_reason":{"type":"length","length":5}`,
		`"finish_reason":null,"finish_details":{"type":"max_tokens"}`} {
		if out, _ := bothWays(t, hi, reason,
			""); *out.Candidates[0].FinishReason != geminiapi.FinishReasonMaxTokens {
			t.Errorf("%s: %s", reason, written(t, out))
		}
	}
}

// Some servers send the word null before the end.
func TestTheReasonNullAsATextIsNoReason(t *testing.T) {
	t.Parallel()
	s := streamed(t, `{"index":0,"delta":{"content":"a"},"finish_reason":"null"}`,
		`{"index":0,"delta":{"content":"b"},"finish_reason":"length"}`)
	checkParts(t, s.merged(), `{"text":"ab"}`)
	if reason := *s.merged().Candidates[0].FinishReason; reason != geminiapi.FinishReasonMaxTokens {
		t.Error(reason)
	}
	out, _ := whole(t, `{"index":0,"message":{"role":"assistant","content":"a"},"finish_reason":"null"}`,
		"")
	if reason := *out.Candidates[0].FinishReason; reason != geminiapi.FinishReasonStop {
		t.Error(reason)
	}
}

func TestCountsInMembersOfOtherServersCount(t *testing.T) {
	t.Parallel()
	const counts = `"prompt_tokens":10,"completion_tokens":6,"total_tokens":16`
	for name, tt := range map[string]struct{ members, want, lost string }{
		"DeepSeek":                     {`"prompt_cache_hit_tokens":4,"prompt_cache_miss_tokens":6`, `"cachedContentTokenCount":4`, ""},
		"DeepSeek with details":        {`"prompt_cache_hit_tokens":4,"prompt_cache_miss_tokens":6,"prompt_tokens_details":{"cached_tokens":4}`, `"cachedContentTokenCount":4`, ""},
		"Moonshot":                     {`"cached_tokens":4`, `"cachedContentTokenCount":4`, ""},
		"Anthropic's, passed on":       {`"cache_read_input_tokens":4`, `"cachedContentTokenCount":4`, ""},
		"more than the prompt":         {`"cache_read_input_tokens":40`, `"promptTokenCount":10`, "/usage/cache_read_input_tokens"},
		"another count":                {`"cached_tokens":3,"prompt_tokens_details":{"cached_tokens":4}`, `"cachedContentTokenCount":4`, "/usage/cached_tokens"},
		"misses that do not fit":       {`"prompt_cache_hit_tokens":4,"prompt_cache_miss_tokens":5`, `"cachedContentTokenCount":4`, "/usage/prompt_cache_miss_tokens"},
		"SGLang":                       {`"reasoning_tokens":5`, `"candidatesTokenCount":1,"promptTokenCount":10,"thoughtsTokenCount":5`, ""},
		"SGLang with details":          {`"reasoning_tokens":5,"completion_tokens_details":{"reasoning_tokens":5}`, `"thoughtsTokenCount":5`, ""},
		"other reasoning":              {`"reasoning_tokens":4,"completion_tokens_details":{"reasoning_tokens":5}`, `"thoughtsTokenCount":5`, "/usage/reasoning_tokens"},
		"OpenRouter":                   {`"prompt_tokens_details":{"video_tokens":3},"completion_tokens_details":{"image_tokens":2}`, `{"modality":"VIDEO","tokenCount":3}`, ""},
		"images of OpenRouter's":       {`"completion_tokens_details":{"image_tokens":2}`, `"candidatesTokensDetails":[{"modality":"IMAGE","tokenCount":2}]`, ""},
		"Mistral":                      {`"num_cached_tokens":4`, `"cachedContentTokenCount":4`, ""},
		"details that are null":        {`"prompt_tokens_details":null,"completion_tokens_details":null,"cached_tokens":4,"reasoning_tokens":5`, `"cachedContentTokenCount":4,"candidatesTokenCount":1,"promptTokenCount":10,"thoughtsTokenCount":5`, ""},
		"details with null":            {`"prompt_tokens_details":{"cached_tokens":null,"audio_tokens":2},"cached_tokens":4`, `"cachedContentTokenCount":4,"candidatesTokenCount":6,"promptTokenCount":10,"promptTokensDetails":[{"modality":"AUDIO","tokenCount":2}]`, ""},
		"cached below zero":            {`"cached_tokens":-4`, `{"candidatesTokenCount":6,"promptTokenCount":10,"totalTokenCount":16}`, "/usage/cached_tokens"},
		"reasoning below zero":         {`"reasoning_tokens":-5`, `{"candidatesTokenCount":6,"promptTokenCount":10,"totalTokenCount":16}`, "/usage/reasoning_tokens"},
		"reasoning without measure":    {`"reasoning_tokens":9000000000`, `{"candidatesTokenCount":6,"promptTokenCount":10,"totalTokenCount":16}`, "/usage/reasoning_tokens"},
		"video below zero":             {`"prompt_tokens_details":{"video_tokens":-7}`, `{"candidatesTokenCount":6,"promptTokenCount":10,"totalTokenCount":16}`, "/usage/prompt_tokens_details/video_tokens"},
		"more images than all":         {`"completion_tokens_details":{"image_tokens":7}`, `{"candidatesTokenCount":6,"promptTokenCount":10,"totalTokenCount":16}`, "/usage/completion_tokens_details/image_tokens"},
		"a count that is not a number": {`"cached_tokens":"four"`, `"promptTokenCount":10`, "/usage/cached_tokens"},
	} {
		out, entries := bothWays(t, hi, `"finish_reason":"stop"`,
			`,"usage":{`+counts+`,`+tt.members+`}`)
		lost := entries.Of(report.Lost)
		if !strings.Contains(written(t, out), tt.want) || len(lost) > 0 != (tt.lost != "") ||
			tt.lost != "" && !lost.Covers(tt.lost) {
			t.Errorf("%s: %s, %v", name, written(t, out), lost)
		}
	}
}

// Details are parts of a sum. A larger detail is reported at its pointer.
func TestDetailsAreNoMoreThanTheirSum(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		usage, want string
		told        []string
	}{
		"more cached than the prompt": {`"prompt_tokens":10,"completion_tokens":6,"total_tokens":16,"prompt_tokens_details":{"cached_tokens":40}`, `{"cachedContentTokenCount":10,"candidatesTokenCount":6,"promptTokenCount":10,"totalTokenCount":16}`, []string{"/usage/prompt_tokens_details/cached_tokens"}},
		"cached besides the prompt":   {`"prompt_tokens":10,"completion_tokens":6,"total_tokens":56,"prompt_tokens_details":{"cached_tokens":40}`, `{"cachedContentTokenCount":40,"candidatesTokenCount":6,"promptTokenCount":50,"totalTokenCount":56}`, []string{"/usage/prompt_tokens"}},
		"modalities": {`"prompt_tokens":10,"completion_tokens":6,"total_tokens":16,"prompt_tokens_details":{"text_tokens":-3,"audio_tokens":900},"completion_tokens_details":{"text_tokens":99999999999}`,
			`{"candidatesTokenCount":6,"candidatesTokensDetails":[{"modality":"TEXT","tokenCount":6}],"promptTokenCount":10,"promptTokensDetails":[{"modality":"TEXT","tokenCount":0},{"modality":"AUDIO","tokenCount":10}],"totalTokenCount":16}`,
			[]string{"/usage/prompt_tokens_details/text_tokens",
				"/usage/prompt_tokens_details/audio_tokens",
				"/usage/completion_tokens_details/text_tokens"}},
		"sums by other names": {`"input_tokens":10,"output_tokens":6,"total_tokens":16`, `{"candidatesTokenCount":6,"promptTokenCount":10,"totalTokenCount":16}`, nil},
	} {
		out, report := bothWays(t, hi, `"finish_reason":"stop"`, `,"usage":{`+tt.usage+`}`)
		if got := written(t,
			&geminiapi.GenerateContentResponse{UsageMetadata: out.UsageMetadata}); got != `{"usageMetadata":`+
			tt.want+`}` || len(report) != len(tt.told) {
			t.Errorf("%s: %s, %v", name, got, report)
		}
		for _, at := range tt.told {
			if !report.Covers(at) {
				t.Errorf("%s: %s is not in %v", name, at, report)
			}
		}
	}
}

func TestSourcesNextToTheChoicesAreGrounding(t *testing.T) {
	t.Parallel()
	const found = `"groundingMetadata":{"groundingChunks":[{"web":{"title":"A","uri":"https://a.test"}},{"web":{"title":"","uri":"https://b.test"}}]}`
	for name, members := range map[string]string{
		"Perplexity": `,"citations":["https://a.test","https://b.test"],"search_results":[{"title":"A","url":"https://a.test"}]`,
		"Zhipu":      `,"web_search":[{"title":"A","link":"https://a.test"},{"link":"https://b.test"}]`,
		"objects":    `,"citations":[{"title":"A","url":"https://a.test"},{"url":"https://b.test"},{"url":"https://b.test"}]`,
	} {
		out, entries := bothWays(t, hi, `"finish_reason":"stop"`, members)
		if !strings.Contains(written(t, out), found) || len(entries) > 0 {
			t.Errorf("%s: %s, %v", name, written(t, out), entries)
		}
	}
	out, entries := bothWays(t, hi, `"finish_reason":"stop"`,
		`,"search_results":[{"title":"A","url":"https://a.test","snippet":"s"},{"title":"B"},5],"citations":"none"`)
	for _, at := range []string{"/search_results/0/snippet", "/search_results/1",
		"/search_results/2", "/citations"} {
		if !entries.Of(report.Lost).Covers(at) {
			t.Errorf("%s: %v in %s", at, entries, written(t, out))
		}
	}
}

// An empty list, as in the last chunk of some servers, removes nothing.
func TestEmptyListsTakeNoSourcesAway(t *testing.T) {
	t.Parallel()
	const found = `"groundingMetadata":{"groundingChunks":[{"web":{"title":"","uri":"https://a.test"}}]`
	for name, tt := range map[string]struct{ first, last, want string }{
		"citations":   {`"citations":["https://a.test"]`, `"citations":[]`, found},
		"null":        {`"citations":["https://a.test"]`, `"citations":null`, found},
		"empty first": {`"citations":[]`, `"citations":["https://a.test"]`, found},
		"annotations": {`"x":0`, `"citations":[ ]`, found},
	} {
		annotations := `"annotations":[]`
		if name == "annotations" {
			annotations = `"annotations":[{"type":"url_citation","url_citation":{"url":"https://a.test","title":"","start_index":0,"end_index":2}}]`
		}
		s := convertStream(asBody([]string{
			`{"id":"c1","choices":[` + delta(hi+","+annotations) + `],` + tt.first + `}`,
			`{"id":"c1","choices":[{"index":0,"delta":{"annotations":[]},"finish_reason":"stop"}],` +
				tt.last + `}`,
		}))
		if got := written(t, s.merged()); !strings.Contains(got, tt.want) {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// Sources next to the choices belong to the choice with the lowest index, at any position.
func TestListedSourcesAreThoseOfTheFirstChoice(t *testing.T) {
	t.Parallel()
	const sources = `,"citations":["https://a.test"]`
	out, _ := whole(t, `{"index":1,"message":{"role":"assistant","content":"b"},"finish_reason":"stop"},{"index":0,"message":{"role":"assistant","content":"a"},"finish_reason":"stop"}`,
		sources)
	s := streamOf(`data: {"choices":[{"index":1,"delta":{"content":"b"},"finish_reason":"stop"},{"index":0,"delta":{"content":"a"},"finish_reason":"stop"}]` +
		sources + "}\n\ndata: [DONE]\n\n")
	for _, out := range []*geminiapi.GenerateContentResponse{out, s.merged()} {
		for _, c := range out.Candidates {
			if isFirst := *c.Index == 0; (c.GroundingMetadata != nil) != isFirst {
				t.Errorf("choice %d: %s", *c.Index, written(t, out))
			}
		}
	}
}

// Each of Perplexity's chunks lists all sources so far, and repeats the message so far next to the
// delta.
func TestAValueThatEachChunkRepeatsIsReportedOnce(t *testing.T) {
	t.Parallel()
	chunk := func(delta, message, reason, sources string) string {
		return `{"id":"c1","model":"m","created":1700000000,"choices":[{"index":0,"delta":` +
			delta + `,"message":{"role":"assistant","content":"` + message + `"},"finish_reason":` +
			reason + `}],"citations":[` + sources + `]}`
	}
	s := convertStream(asBody([]string{
		chunk(`{"role":"assistant","content":"Sky"}`, "Sky", "null", `"https://a.test"`),
		chunk(`{"content":" blue"}`, "Sky blue", "null", `"https://a.test","https://b.test"`),
		chunk(`{}`, "Sky blue", `"stop"`, `"https://a.test","https://b.test"`),
	}))
	checkParts(t, s.merged(), `{"text":"Sky blue"}`)
	if got := len(s.merged().Candidates[0].GroundingMetadata.GroundingChunks); got != 2 ||
		len(s.report.Of(report.Lost)) > 0 {
		t.Errorf("%d sources, %v", got, s.report)
	}
	for _, at := range []string{"/0/citations", "/1/choices/0/message/content",
		"/2/choices/0/message/content"} {
		if !s.report.Covers(at) {
			t.Errorf("%s: %v", at, s.report)
		}
	}
}

func TestContentsOfAnyElementsAreParts(t *testing.T) {
	t.Parallel()
	for content, want := range map[string]string{
		`["a",{"type":"output_text","text":"b"}]`:                                                            `{"text":"a"},{"text":"b"}`,
		`[{"type":"text","text":"a"},{"type":"image_url","image_url":{"url":"data:image/png;base64,aGk="}}]`: `{"text":"a"},{"inlineData":{"mimeType":"image/png","data":"aGk="}}`,
		`[{"type":"image_url","image_url":"https://i.test/a.png"}]`:                                          `{"fileData":{"fileUri":"https://i.test/a.png"}}`,
		`[{"type":"thinking","thinking":[{"type":"text","text":"h"}]},{"type":"text","text":"\ud83d"}]`: `{"text":"h","thought":true},{"text":"` +
			"\ufffd" + `"}`,
	} {
		in := `{"index":0,"message":{"role":"assistant","content":` + content +
			`},"finish_reason":"stop"}`
		out, _ := whole(t, in, "")
		checkParts(t, out, want)
		s := streamed(t, `{"index":0,"delta":{"content":`+content+`},"finish_reason":"stop"}`)
		checkParts(t, s.chunks[0], want)
	}
	out, entries := bothWays(t,
		`"content":[{"type":"refusal","refusal":"No."},{"type":"reference","reference_ids":[1]}]`,
		`"finish_reason":"stop"`, "")
	checkParts(t, out, `{"text":"No."}`)
	if out.Candidates[0].FinishMessage == nil ||
		!entries.Of(report.Lost).Covers("/choices/0/message/content/1/reference_ids") {
		t.Errorf("%s: %v", written(t, out), entries)
	}
}

func TestThoughtsOfCopilotAreThoughts(t *testing.T) {
	t.Parallel()
	out, _ := bothWays(t, hi+`,"reasoning_text":"h"`, `"finish_reason":"stop"`, "")
	checkParts(t, out, `{"text":"h","thought":true},{"text":"Hi"}`)
	_, entries := bothWays(t, hi+`,"reasoning_content":"g","reasoning_text":"h"`,
		`"finish_reason":"stop"`, "")
	if !entries.Of(report.Lost).Covers("/choices/0/message/reasoning_text") {
		t.Error(entries)
	}
}

// vLLM's parsers for some models send all arguments again at the end of a stream.
func TestArgumentsThatAreRepeatedAfterTheirPiecesCountOnce(t *testing.T) {
	t.Parallel()
	piece := func(members string) string { return delta(`"tool_calls":[{"index":0,"function":{` + members + `}}]`) }
	for name, last := range map[string]string{"alone": `"arguments":"{\"x\":1}"`,
		"with the name": `"name":"f","arguments":"{\"x\":1} "`} {
		s := streamed(t,
			delta(`"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":""}}]`),
			piece(`"arguments":"{\"x\""`), piece(`"arguments":":1}"`),
			delta(`"tool_calls":[{"index":0,"id":"a","function":{`+last+`}}]`),
			finish("tool_calls"))
		checkParts(t, s.merged(), `{"functionCall":{"args":{"x":1},"id":"a","name":"f"}}`)
		if !s.report.Covers("/3/choices/0/delta/tool_calls/0/function/arguments") {
			t.Errorf("%s: %v", name, s.report)
		}
	}
}

func TestErrorsInStreamsAreConvertedInAnyFrame(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ event, message string }{
		"the field of llama.cpp":   {`error: {"code":400,"message":"too long","type":"invalid_request_error"}`, "too long"},
		"without a space":          {`error:{"code":400,"message":"too long"}`, "too long"},
		"a text":                   {"event: error\ndata: overloaded", "overloaded"},
		"bytes that are not UTF-8": {"event: error\ndata: overl\xffoaded", "overl\ufffdoaded"},
		"of Groq":                  {`data: {"id":"c","choices":[{"index":0,"delta":{},"finish_reason":null}],"x_groq":{"id":"r","error":"over capacity"}}`, "over capacity"},
		"of MiniMax":               {`data: {"choices":null,"base_resp":{"status_code":1004,"status_msg":"no login"}}`, "no login"},
		"of Cloudflare":            {`data: {"success":false,"errors":[{"code":5007,"message":"no such model"}]}`, "no such model"},
		"of Baidu":                 {`data: {"error_code":336003,"error_msg":"bad messages"}`, "bad messages"},
	} {
		s := streamOf("data: " + `{"id":"c","choices":[` + delta(hi) + `]}` + "\n\n" + tt.event +
			"\n\ndata: [DONE]\n\n")
		e := reverse.FromError(s.err)
		if e == nil || e.Message != tt.message {
			t.Errorf("%s: %v", name, s.err)
			continue
		}
		if out := s.merged(); len(out.Candidates) != 1 || out.Candidates[0].FinishReason != nil {
			t.Errorf("%s: %s", name, written(t, out))
		}
	}
}

func TestErrorsOfVendorsInPlaceOfACompletionAreConverted(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		`{"id":"x","choices":null,"base_resp":{"status_code":1004,"status_msg":"no login"}}`: "no login",
		`{"success":false,"errors":[{"code":5007,"message":"no such model"}],"result":{}}`:   "no such model",
		`{"error_code":336003,"error_msg":"bad messages"}`:                                   "bad messages",
	} {
		in, _, err := openai.DecodeForeignResponse([]byte(body))
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := reverse.ToGemini(in); reverse.FromError(err).Message != want {
			t.Errorf("%s: %v", body, err)
		}
		if e := reverse.DecodeError(400, nil, []byte(body)); e.Message != want {
			t.Errorf("as a failure: %s: %v", body, e)
		}
	}
	out, _ := whole(t, `{"index":0,"message":{"role":"assistant",`+hi+`},"finish_reason":"stop"}`,
		`,"base_resp":{"status_code":0,"status_msg":""}`)
	checkParts(t, out, `{"text":"Hi"}`)
}

// Some servers send filter results with every chunk, including the last chunk, which has no
// choices.
func TestACodeOfSuccessIsNoError(t *testing.T) {
	t.Parallel()
	for _, members := range []string{
		`"error_code":0,"error_msg":""`, `"error_code":0,"error_msg":"success"`,
		`"error_code":"0","error_msg":"ok"`, `"code":0,"message":"Success"`,
		`"code":200,"message":"ok"`,
		`"error":{"code":0,"message":""}`, `"error":"","code":0`, `"error":""`, `"error":{}`,
	} {
		s := streamOf(`data: {"id":"c",` + members + `,"choices":[` + delta(hi) + `]}` + "\n\n" +
			`data: {"id":"c",` + members +
			`,"choices":[],"usage":{"prompt_tokens":1,"completion_tokens":2,"total_tokens":3}}` +
			"\n\ndata: [DONE]\n\n")
		if s.err != nil || *s.merged().UsageMetadata.TotalTokenCount != 3 {
			t.Errorf("%s: %v", members, s.err)
			continue
		}
		checkParts(t, s.merged(), `{"text":"Hi"}`)
		out, _ := whole(t,
			`{"index":0,"message":{"role":"assistant",`+hi+`},"finish_reason":"stop"}`, ","+members)
		checkParts(t, out, `{"text":"Hi"}`)
	}
	for _, body := range []string{`{"error_code":17,"error_msg":"limit"}`,
		`{"code":1210,"message":"limit"}`, `{"error":{"code":0,"message":"limit"}}`} {
		if e := reverse.FromError(streamOf("data: " + body +
			"\n\ndata: [DONE]\n\n").err); e == nil || e.Message != "limit" {
			t.Errorf("%s: %v", body, e)
		}
	}
	if e := reverse.DecodeError(400, nil,
		[]byte(`{"error_code":0,"error_msg":"limit"}`)); e.Message != "limit" {
		t.Errorf("a failure by its status: %v", e)
	}
}

// A member named error is an error of the server only if it is an object.
func TestALineThatOnlyBeginsLikeAnErrorIsSkipped(t *testing.T) {
	t.Parallel()
	s := streamOf("error: none\n" +
		fmt.Sprintf("data: {\"choices\":[{\"index\":0,\"delta\":{%s},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n",
			hi))
	if s.err != nil {
		t.Fatal(s.err)
	}
	checkParts(t, s.merged(), `{"text":"Hi"}`)
}

// A number only repeats the status. The message of the upstream server helps.
func TestTheErrorOfTheServerBehindAProxyIsKept(t *testing.T) {
	t.Parallel()
	e := reverse.DecodeError(429, nil,
		[]byte(`{"error":{"message":"Provider returned error","code":429,"type":"busy","metadata":{"raw":"too many","provider_name":"P","code":"x","n":1}}}`))
	want := map[string]string{"code": "429", "type": "busy", "raw": "too many",
		"provider_name": "P"}
	if info := e.Details[0]; *info.Reason != "BUSY" || !maps.Equal(info.Metadata, want) {
		t.Errorf("%s: %v", *info.Reason, info.Metadata)
	}
	if e := reverse.FromError(&wire.StreamError{Wire: "openai", Event: 1,
		Err: wire.ErrTruncated}); strings.Contains(e.Message, "openai") {
		t.Error(e.Message)
	}
}

func TestPiecesOfCustomCallsAreOneOfAFunction(t *testing.T) {
	t.Parallel()
	s := streamed(t, delta(`"tool_calls":[{"index":0,"id":"1","type":"custom","custom":{"name":"g","input":"{}"}}]`),
		delta(`"tool_calls":[{"index":0,"custom":{"input":" \"b"}}]`),
		delta(`"tool_calls":[{"index":1,"id":"2","type":"custom","custom":{"name":"h","input":""}}]`),
		finish("tool_calls"))
	checkParts(t, s.merged(),
		`{"functionCall":{"args":{"input":"{} \"b"},"id":"1","name":"g"}},{"functionCall":{"args":{"input":""},"id":"2","name":"h"}}`)
	if lost := s.report.Of(report.Lost); len(lost) > 0 ||
		!s.report.Covers("/1/choices/0/delta/tool_calls/0/custom/input") {
		t.Error(s.report)
	}
	s = streamed(t, delta(`"tool_calls":[{"index":0,"id":"1","function":{"name":"f","arguments":"{}"},"custom":{"name":"g"}}]`),
		finish("tool_calls"))
	if !s.report.Of(report.Lost).Covers("/0/choices/0/delta/tool_calls/0/custom") {
		t.Error(s.report)
	}
}

// Some gateways end a stream with zero counts after the server's own.
func TestCountsOfNothingTakeNothingAway(t *testing.T) {
	t.Parallel()
	s := streamOf(`data: {"choices":[{"index":0,"delta":{"content":"Hi"},"finish_reason":"stop"}],"usage":{"prompt_tokens":1,"completion_tokens":2,"total_tokens":3}}` +
		"\n\n" +
		`data: {"choices":[],"usage":{"prompt_tokens":0,"completion_tokens":0,"total_tokens":0}}` +
		"\n\ndata: [DONE]\n\n")
	if u := s.merged().UsageMetadata; u == nil || *u.TotalTokenCount != 3 ||
		!s.report.Covers("/1/usage") {
		t.Errorf("%s: %v", written(t, s.merged()), s.report)
	}
}

// Oracle's servers number the pieces of a call in place of the calls, and give each an id.
func TestPiecesThatNameNoFunctionContinueWithTheCallBefore(t *testing.T) {
	t.Parallel()
	piece := func(index int, id, name, arguments string) string {
		return delta(fmt.Sprintf(`"tool_calls":[{"index":%d,"id":"%s","function":{"name":"%s","arguments":"%s"}}]`,
			index, id, name, arguments))
	}
	s := streamed(t, piece(0, "a", "f", ""), piece(1, "x", "", `{\"x\"`), piece(2, "y", "", `:1}`),
		piece(3, "z", "", ""),
		piece(4, "b", "g", ""), piece(5, "w", "", `{}`), finish("tool_calls"))
	checkParts(t, s.merged(),
		`{"functionCall":{"args":{"x":1},"id":"a","name":"f"}},{"functionCall":{"args":{},"id":"b","name":"g"}}`)
	if reason := *s.merged().Candidates[0].FinishReason; reason != geminiapi.FinishReasonStop {
		t.Error(reason)
	}
	for _, at := range []string{"/1/choices/0/delta/tool_calls/0/index",
		"/3/choices/0/delta/tool_calls/0/id"} {
		if !s.report.Covers(at) {
			t.Errorf("%s: %v", at, s.report)
		}
	}
	s = streamed(t, piece(0, "a", "f", ""), piece(1, "b", "", ""), piece(1, "b", "g", `{}`),
		finish("tool_calls"))
	checkParts(t, s.merged(),
		`{"functionCall":{"args":{},"id":"a","name":"f"}},{"functionCall":{"args":{},"id":"b","name":"g"}}`)
}

// A call with complete arguments accepts no more pieces, and neither does a call of a custom tool.
func TestAPieceThatNamesNoFunctionIsNotAddedToACompleteOrCustomCall(t *testing.T) {
	t.Parallel()
	const first, nameless = `{"index":0,"id":"a","function":{"name":"f","arguments":""}}`,
		`{"index":2,"id":"c","function":{"arguments":"{\"y\":2}"}}`
	for before, want := range map[string]string{
		`{"index":1,"id":"b","function":{"name":"g","arguments":"{}"}}`:            `{"functionCall":{"args":{},"id":"a","name":"f"}},{"functionCall":{"args":{},"id":"b","name":"g"}}`,
		`{"index":1,"id":"b","type":"custom","custom":{"name":"g","input":"abc"}}`: `{"functionCall":{"args":{},"id":"a","name":"f"}},{"functionCall":{"args":{"input":"abc"},"id":"b","name":"g"}}`,
	} {
		s := streamed(t, delta(`"tool_calls":[`+first+`]`), delta(`"tool_calls":[`+before+`]`),
			delta(`"tool_calls":[`+nameless+`]`), finish("tool_calls"))
		checkParts(t, s.merged(), want)
		if reason := *s.merged().Candidates[0].FinishReason; reason != geminiapi.FinishReasonMalformedFunctionCall {
			t.Errorf("%s: %s", before, reason)
		}
	}
}
