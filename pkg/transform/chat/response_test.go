package chat_test

import (
	"errors"
	"net/http"
	"testing"
	"time"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/test/openaitest"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/transform/chat"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
)

// The conversion that these rules come from returned finish_reason stop for any STOP, the wire's
// own token counts, and ids without the response's id. But clients wait for tool_calls before they
// run a call. completion_tokens must include the thoughts for the sum to be right. Ids made only
// from positions repeat in the next response of a conversation.
func TestATextAndACallBecomeOneChoice(t *testing.T) {
	t.Parallel()
	out, report := openaitest.Convert(t, `{"candidates":[{"content":{"parts":[{"text":"Hi"},
		{"functionCall":{"name":"getWeather","args":{"city":"Paris"}}}]},"finishReason":"STOP","index":0}],
		"usageMetadata":{"promptTokenCount":2,"candidatesTokenCount":3,"totalTokenCount":5,"cachedContentTokenCount":1,"thoughtsTokenCount":1},
		"modelVersion":"gemini-2.0","responseId":"resp-1"}`)
	openaitest.Subset(t, openaitest.Encode(t, out),
		`{"id":"resp-1","object":"chat.completion","created":0,"model":"gemini-2.0",
		"choices":[{"index":0,"finish_reason":"tool_calls","logprobs":null,"message":{"role":"assistant","content":"Hi","refusal":null,
			"tool_calls":[{"id":"gemini-call-resp-1-0-1","type":"function","function":{"name":"getWeather","arguments":"{\"city\":\"Paris\"}"}}]}}],
		"usage":{"prompt_tokens":2,"completion_tokens":3,"total_tokens":5,
			"prompt_tokens_details":{"cached_tokens":1},"completion_tokens_details":{"reasoning_tokens":1}}}`)
	openaitest.Reports(t, report, "added /createTime",
		"added /candidates/0/content/parts/1/functionCall/id")
}

func TestMembersThatGeminiLacksAreMadeAndReported(t *testing.T) {
	t.Parallel()
	out, report := openaitest.Convert(t, `{"candidates":[{"finishReason":"STOP"}]}`)
	want := `{"id":"gemini","object":"chat.completion","created":0,"model":"gemini","choices":[{"index":0,` +
		`"message":{"role":"assistant","content":null,"refusal":null},"logprobs":null,"finish_reason":"stop","native_finish_reason":"STOP"}],` +
		`"usage":{"prompt_tokens":0,"completion_tokens":0,"total_tokens":0}}`
	if diff := cmp.Diff(want, openaitest.Encode(t, out)); diff != "" {
		t.Error(diff)
	}
	openaitest.Reports(t, report, "added /responseId", "added /createTime", "added /modelVersion",
		"added /usageMetadata")
}

// Clients read the first choice without a check.
func TestAResponseWithoutCandidatesIsAnError(t *testing.T) {
	t.Parallel()
	for _, wire := range []string{
		`{}`, `{"candidates":[]}`, `{"usageMetadata":{"totalTokenCount":5},"modelVersion":"m"}`,
		`{"promptFeedback":{}}`,
		`{"promptFeedback":{"blockReasonMessage":""}}`,
		`{"promptFeedback":{"safetyRatings":[{"probability":"LOW"}]}}`,
		`{"embedding":{"values":[0.5]}}`,
	} {
		in := openaitest.Decode(t, wire)
		if _, _, err := chat.FromGemini(in); !errors.Is(err, normalize.ErrNoCandidates) {
			t.Errorf("%s: %v", wire, err)
		}
		model, err := normalize.FromResponse(in)
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := chat.FromNormalized(model); !errors.Is(err, normalize.ErrNoCandidates) {
			t.Errorf("%s, normalised: %v", wire, err)
		}
	}
	for _, convert := range []func() error{
		func() error { _, _, err := chat.FromGemini(nil); return err },
		func() error { _, _, err := chat.FromNormalized(nil); return err },
	} {
		err := convert()
		if status, body := chat.FromError(err); !errors.Is(err, normalize.ErrNoCandidates) ||
			status != http.StatusBadGateway || body.Error.Type != "server_error" {
			t.Errorf("of nothing: %v, for clients %d %v", err, status, body)
		}
	}
}

func TestOptionsReplaceWhatTheResponseSays(t *testing.T) {
	t.Parallel()
	wire := `{"responseId":"r1","modelVersion":"gemini-3-pro-002","createTime":"2026-11-20T10:00:00.5Z","usageMetadata":{},"candidates":[{"finishReason":"STOP"}]}`
	opts := []chat.Option{chat.WithID("chatcmpl-7"), chat.WithModelName("gemini-3-pro"),
		chat.WithCreated(time.Unix(1234567890, 5))}
	out, report := openaitest.Convert(t, wire, opts...)
	openaitest.Subset(t, openaitest.Encode(t, out),
		`{"id":"chatcmpl-7","model":"gemini-3-pro","created":1234567890,"extra_content":{"google":{
		"create_time":"2026-11-20T10:00:00.5Z","response":{"responseId":"r1","modelVersion":"gemini-3-pro-002"}}}}`)
	openaitest.Reports(t, report)

	_, report = openaitest.Convert(t, wire, append(opts, chat.WithoutExtensions())...)
	openaitest.Reports(t, report, "lost /createTime", "lost /modelVersion", "lost /responseId")
}

func TestCreatedIsTheTimeThatVertexSends(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		createTime     string
		created        int64
		report, strict []string // with and without extensions
	}{
		"whole seconds":          {"2026-11-20T10:00:00Z", 1795168800, nil, nil},
		"nanoseconds":            {"2026-11-20T10:00:00.123456789Z", 1795168800, nil, []string{"approximated /createTime"}},
		"another zone":           {"2026-11-20T12:00:00+02:00", 1795168800, nil, []string{"approximated /createTime"}},
		"before the epoch":       {"1969-12-31T23:59:59Z", 0, []string{"approximated /createTime"}, []string{"approximated /createTime"}},
		"something else":         {"yesterday", 0, []string{"approximated /createTime"}, []string{"approximated /createTime"}},
		"nothing is reported by": {"", 0, []string{"added /createTime"}, []string{"added /createTime"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			wire := `{"responseId":"r","modelVersion":"m","usageMetadata":{},"candidates":[{"finishReason":"STOP"}],"createTime":"` +
				test.createTime + `"}`
			out, report := openaitest.Convert(t, wire)
			if out.Created != test.created {
				t.Errorf("created is %d, want %d", out.Created, test.created)
			}
			openaitest.Reports(t, report, test.report...)
			_, report = openaitest.Convert(t, wire, chat.WithoutExtensions())
			openaitest.Reports(t, report, test.strict...)
		})
	}
}

func TestCreatedIsNeverBelowZero(t *testing.T) {
	t.Parallel()
	out, _ := openaitest.Convert(t, `{"candidates":[{}]}`, chat.WithCreated(time.Unix(-5, 0)))
	if out.Created != 0 {
		t.Errorf("created is %d", out.Created)
	}
}

func TestEveryCandidateIsAChoiceWithAnIndexOfItsOwn(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		candidates string
		want       []int
		report     []string
	}{
		"numbered":         {`{"index":0},{"index":1}`, []int{0, 1}, nil},
		"in another order": {`{"index":1},{"index":0}`, []int{0, 1}, nil},
		"one number twice": {`{"index":3},{"index":3}`, []int{0, 3}, []string{"approximated /candidates/1/index"}},
		"a lone high one":  {`{"index":7}`, []int{7}, nil},
		"a number below 0": {`{"index":-4}`, []int{0}, nil},
		"taken, and again": {`{"index":0},{"index":0},{"index":1}`, []int{0, 1, 2}, []string{"approximated /candidates/1/index"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			out, report := openaitest.Convert(t, `{"candidates":[`+test.candidates+`]}`)
			var got []int
			for _, choice := range out.Choices {
				got = append(got, choice.Index)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
			openaitest.Reports(t, ofIndex(report), test.report...)
		})
	}
}

func TestCandidatesWithoutAnIndexAreCounted(t *testing.T) {
	t.Parallel()
	for wire, want := range map[string][]int{`{},{},{}`: {0, 1, 2}, `{"index":1},{}`: {0, 1},
		`{},{"index":1}`: {0, 1}} {
		out, _ := openaitest.Convert(t, `{"candidates":[`+wire+`]}`)
		var got []int
		for _, choice := range out.Choices {
			got = append(got, choice.Index)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", wire, diff)
		}
	}
}

func TestResponseMembersThatOnlyGeminiHasAreInTheExtension(t *testing.T) {
	t.Parallel()
	wire := `{"candidates":[{"finishReason":"STOP"}],"responseId":"r","modelVersion":"m","createTime":"2026-11-20T10:00:00Z","usageMetadata":{"promptTokenCount":1,"totalTokenCount":1,
		"promptTokensDetails":[{"modality":"TEXT","tokenCount":1}],"serviceTier":"standard"},"modelStatus":{"modelStage":"STABLE"},
		"promptFeedback":{"safetyRatings":[{"category":"HARM_CATEGORY_HARASSMENT","probability":"LOW"}]},"newMember":{"a":[1.50]}}`
	out, report := openaitest.Convert(t, wire)
	openaitest.Subset(t, openaitest.Encode(t, out),
		`{"extra_content":{"google":{"usage_metadata":{"promptTokenCount":1,"totalTokenCount":1,
		"promptTokensDetails":[{"modality":"TEXT","tokenCount":1}],"serviceTier":"standard"},"model_status":{"modelStage":"STABLE"},
		"create_time":"2026-11-20T10:00:00Z","prompt_feedback":{"safetyRatings":[{"category":"HARM_CATEGORY_HARASSMENT","probability":"LOW"}]},
		"response":{"newMember":{"a":[1.50]}}}}}`)
	openaitest.Reports(t, report)

	out, report = openaitest.Convert(t, wire, chat.WithoutExtensions())
	if out.ExtraContent != nil {
		t.Error("there is an extension")
	}
	openaitest.Reports(t, report, "lost /modelStatus", "lost /promptFeedback", "lost /newMember",
		"lost /usageMetadata/promptTokensDetails", "lost /usageMetadata/serviceTier")
}

func TestCandidateMembersThatOnlyGeminiHasAreInTheExtension(t *testing.T) {
	t.Parallel()
	wire := `{"content":{"role":"user","parts":[{"text":"a"}],"newMember":1},"finishReason":"STOP","finishMessage":"done","avgLogprobs":-0.5,
		"tokenCount":7,"nothing":null,"safetyRatings":[{"category":"HARM_CATEGORY_HARASSMENT","probability":"LOW"}],"groundingAttributions":[{"content":{}}]}`
	choice, report := openaitest.Candidate(t, wire)
	google := choice.Message.ExtraContent.Google
	if google.FinishMessage == nil || *google.FinishMessage != "done" ||
		*google.AvgLogprobs != -0.5 || len(google.SafetyRatings) != 1 ||
		*google.Candidate.TokenCount != 7 || *google.Candidate.Content.Role != "user" ||
		len(google.Candidate.Content.Unknown) == 0 {
		t.Errorf("the extension lacks something: %+v", google)
	}
	openaitest.Reports(t, report)

	choice, report = openaitest.Candidate(t, wire, chat.WithoutExtensions())
	if choice.Message.ExtraContent != nil || choice.NativeFinishReason != nil {
		t.Error("there is an extension")
	}
	openaitest.Reports(t, report, "lost /candidates/0/avgLogprobs",
		"lost /candidates/0/finishMessage", "lost /candidates/0/safetyRatings",
		"lost /candidates/0/tokenCount", "lost /candidates/0/content/role",
		"lost /candidates/0/content/newMember")
}

func TestAnErrorIsPassedOn(t *testing.T) {
	t.Parallel()
	_, _, err := chat.FromGemini(openaitest.Decode(t,
		`{"error":{"code":403,"message":"no","status":"PERMISSION_DENIED"}}`))
	if e, ok := errors.AsType[*gemini.Error](err); !ok ||
		e.Status != geminiapi.ErrorStatusPermissionDenied {
		t.Errorf("got %v", err)
	}
	_, _, err = chat.FromGemini(openaitest.Decode(t,
		`{"candidates":[{"content":{"parts":[{"functionCall":{}}]}}]}`))
	if e, ok := errors.AsType[*normalize.PartError](err); !ok ||
		e.Pointer != "/candidates/0/content/parts/0/functionCall" {
		t.Errorf("got %v", err)
	}
}

func TestTheModelGivesTheSameCompletionAsTheWire(t *testing.T) {
	t.Parallel()
	openaitest.ForEveryRecordedResponse(t,
		func(t *testing.T, in *geminiapi.GenerateContentResponse, _ []byte) {
			model, err := normalize.FromResponse(in,
				normalize.WithToolCallIDs(func(_ string, _, part int) string { return "made" }))
			if err != nil {
				return // a refused prompt, which is no response
			}
			bytes, err := normalize.Encode(model)
			if err != nil {
				t.Fatal(err)
			}
			read, err := normalize.Decode(bytes)
			if err != nil {
				t.Fatal(err)
			}
			// the default of the wire
			ids := chat.WithToolCallIDs(func(string, int, int) string { return "" })
			for name, opts := range modes {
				want, wantReport, err := chat.FromGemini(in, opts...)
				if err != nil {
					t.Fatal(err)
				}
				got, gotReport, err := chat.FromNormalized(read, append(opts, ids)...)
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(openaitest.Encode(t, want),
					openaitest.Encode(t, got)); diff != "" {
					t.Errorf("%s: %s", name, diff)
				}
				if diff := cmp.Diff(wantReport, gotReport); diff != "" {
					t.Errorf("%s: %s", name, diff)
				}
			}
		})
}

func TestFromNormalizedRefusesAnInvalidResponse(t *testing.T) {
	t.Parallel()
	_, _, err := chat.FromNormalized(&normalize.Response{Candidates: []normalize.Candidate{{
		FinishReason: normalize.FinishStop,
		Blocks:       []normalize.Block{{Type: normalize.BlockToolCall}},
	}}})
	if err == nil {
		t.Error("a call that is invalid was converted")
	}
}

func TestWithoutExtensionsInvalidJSONIsLostAsAWhole(t *testing.T) {
	t.Parallel()
	_, report, err := chat.FromNormalized(&normalize.Response{
		ID: "r", Model: "m", CreateTime: "2026-11-20T10:00:00Z",
		Usage: normalize.Usage{InputTokens: 1},
		Candidates: []normalize.Candidate{{FinishReason: normalize.FinishStop,
			NativeFinishReason: "STOP"}},
		Extra: &geminiapi.GenerateContentResponse{Unknown: jsontext.Value(`{"a":`)},
	}, chat.WithoutExtensions())
	if err != nil {
		t.Fatal(err)
	}
	openaitest.Reports(t, report, "lost ")
}

func TestFromNormalizedKeepsTheIDsOfCalls(t *testing.T) {
	t.Parallel()
	model, err := normalize.Parse([]byte(`{"candidates":[{"content":{"parts":[{"functionCall":{"name":"f"}}]}}]}`))
	if err != nil {
		t.Fatal(err)
	}
	out, _, err := chat.FromNormalized(model)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := out.Choices[0].Message.ToolCalls[0].ID,
		model.Candidates[0].ToolCalls()[0].ID; got != want {
		t.Errorf("id %q, want %q", got, want)
	}
}

func TestMembersOfAWrongTypeAreReported(t *testing.T) {
	t.Parallel()
	model, err := normalize.Parse([]byte(`{"responseId":"r","modelVersion":7,"candidates":[{"tokenCount":"none"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	_, report, err := chat.FromNormalized(model)
	if err != nil {
		t.Fatal(err)
	}
	for _, pointer := range []string{"/modelVersion", "/candidates/0/tokenCount"} {
		if !report.Covers(pointer) {
			t.Errorf("%s is not in %v", pointer, report)
		}
	}
}
