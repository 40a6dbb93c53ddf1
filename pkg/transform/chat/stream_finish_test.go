package chat_test

import (
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/test/openaitest"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/chat"
	"github.com/google/go-cmp/cmp"
)

// ofPath returns the entries whose pointers contain a text.
func ofPath(entries report.Report, piece string) report.Report {
	var out report.Report
	for _, e := range entries {
		if strings.Contains(e.Pointer, piece) {
			out = append(out, e)
		}
	}
	return out
}

// finishes returns the finish reasons in order of arrival.
func finishes(chunks []chunk) []openaiapi.FinishReason {
	var out []openaiapi.FinishReason
	for _, c := range chunks {
		for _, choice := range c.Choices {
			if choice.FinishReason != nil {
				out = append(out, *choice.FinishReason)
			}
		}
	}
	return out
}

func ends(t testing.TB, out streamed, want ...openaiapi.FinishReason) {
	t.Helper()
	if diff := cmp.Diff(want, finishes(out.chunks)); diff != "" {
		t.Error(diff)
	}
}

func TestAStreamWithCallsEndsInToolCalls(t *testing.T) {
	t.Parallel()
	ends(t, stream(t, []string{`{"candidates":[{"content":{"parts":[` + openaitest.ACall +
		`]},"finishReason":"STOP"}]}`}), "tool_calls")
}

func TestAFinishReasonInEveryChunkIsSentOnceAtTheEnd(t *testing.T) {
	t.Parallel()
	out := stream(t, []string{
		`{"candidates":[{"content":{"parts":[{"text":"a"}]},"finishReason":"STOP"}]}`,
		`{"candidates":[{"content":{"parts":[{"text":"b"}]},"finishReason":"STOP"}]}`,
		`{"candidates":[{"content":{"parts":[{"text":"c"}]},"finishReason":"MAX_TOKENS"}]}`,
		`{"candidates":[{"content":{"parts":[{"text":"d"}]},"finishReason":"FINISH_REASON_UNSPECIFIED"}]}`,
	})
	ends(t, out, "length")
	if last := out.chunks[len(out.chunks)-1].Choices[0]; *last.NativeFinishReason != "MAX_TOKENS" ||
		*openaitest.Accumulate(out.chunks).Choices[0].Message.Content != "abcd" {
		t.Errorf("got %v", choicesOf(t, out.chunks))
	}
	openaitest.Reports(t, ofPath(out.report, "finishReason"),
		"approximated /0/candidates/0/finishReason", "approximated /1/candidates/0/finishReason",
		"approximated /3/candidates/0/finishReason")
}

func TestAStopInAChunkOfItsOwnStillEndsInToolCalls(t *testing.T) {
	t.Parallel()
	ends(t, stream(t, []string{
		`{"candidates":[{"content":{"parts":[` + openaitest.ACall + `]}}]}`,
		`{"candidates":[{"content":{"parts":[{"text":""}]},"finishReason":"STOP"}]}`,
	}), "tool_calls")
}

func TestOnlyANormalEndOfAStreamIsToolCalls(t *testing.T) {
	t.Parallel()
	for native, want := range map[string]openaiapi.FinishReason{"MAX_TOKENS": "length",
		"SAFETY": "content_filter", "MALFORMED_FUNCTION_CALL": "stop"} {
		ends(t, stream(t,
			[]string{`{"candidates":[{"content":{"parts":[` + openaitest.ACall + `]}}]}`,
				`{"candidates":[{"finishReason":"` + native + `"}]}`}), want)
	}
}

func TestAReasonThatClientsDoNotKnowIsReportedWhereItStood(t *testing.T) {
	t.Parallel()
	out := stream(t, []string{
		`{"candidates":[{"index":0,"content":{"parts":[{"text":"a"}]},"finishReason":"STOP"}]}`,
		`{"candidates":[{"index":2,"content":{"parts":[{"text":"a"}]}},{"index":1,"content":{"parts":[{"text":"b"}]},"finishReason":"SOMETHING_NEW"}]}`,
	})
	ends(t, out, "stop", "stop", "stop")
	if got := *out.chunks[4].Choices[0].NativeFinishReason; got != "SOMETHING_NEW" {
		t.Errorf("native reason %s", got)
	}
	if got := out.chunks[5].Choices[0].NativeFinishReason; got != nil {
		t.Errorf("native reason %s", *got)
	}
	openaitest.Reports(t, ofPath(out.report, "finishReason"), "added /1/candidates/0/finishReason",
		"approximated /1/candidates/1/finishReason")
}

func TestAStreamedCandidateWithoutContentIsAChoice(t *testing.T) {
	t.Parallel()
	for native, want := range map[string]string{
		"MALFORMED_FUNCTION_CALL": "stop", "MAX_TOKENS": "length",
	} {
		out := stream(t, []string{`{"candidates":[{"finishReason":"` + native + `"}]}`})
		hasChoices(t, out.chunks,
			`{"index":0,"delta":{"role":"assistant"},"finish_reason":null}`,
			`{"index":0,"delta":{},"finish_reason":"`+want+`","native_finish_reason":"`+native+`"}`)
	}
}

func TestTheChunkOfAFinishReasonHasADelta(t *testing.T) {
	t.Parallel()
	out := stream(t, []string{`{"candidates":[{"content":{"parts":[{"text":"a"}]}}]}`,
		`{"candidates":[{"finishReason":"MAX_TOKENS"}]}`}, chat.WithoutExtensions())
	if got := choicesOf(t,
		out.chunks)[1]; got != `{"index":0,"delta":{},"finish_reason":"length"}` {
		t.Error(got)
	}
}

func TestARefusedPromptIsAChoiceOfAStream(t *testing.T) {
	t.Parallel()
	bodies := []string{`{"responseId":"r","modelVersion":"m","promptFeedback":{"blockReason":"PROHIBITED_CONTENT","blockReasonMessage":"Not allowed.","safetyRatings":[{"probability":"HIGH"}]},
		"usageMetadata":{"promptTokenCount":8,"totalTokenCount":8}}`}
	out := stream(t, bodies, chat.WithUsage())
	hasChoices(t, out.chunks,
		`{"index":0,"delta":{"role":"assistant","refusal":"The prompt was blocked: PROHIBITED_CONTENT. Not allowed."},"finish_reason":null}`,
		`{"index":0,"delta":{},"finish_reason":"content_filter","native_finish_reason":"PROHIBITED_CONTENT"}`,
		`{"prompt_tokens":8,"completion_tokens":0,"total_tokens":8}`)
	openaitest.Subset(t, encodeChunk(t, &out.chunks[2]),
		`{"extra_content":{"google":{"prompt_feedback":{"blockReason":"PROHIBITED_CONTENT","safetyRatings":[{"probability":"HIGH"}]}}}}`)
	openaitest.Reports(t, out.report, "added /0/candidates", "added /0/createTime")

	written, _, err := body(t, openaitest.DecodeAll(t, bodies), nil)
	if err != nil || !strings.HasSuffix(written, "data: [DONE]\n\n") {
		t.Errorf("the body ends with %v: %s", err, written)
	}
	out = stream(t, bodies, chat.WithoutExtensions(), chat.WithUsage())
	openaitest.Reports(t, out.report, "added /0/candidates", "added /0/createTime",
		"lost /0/promptFeedback/safetyRatings")
}

func TestARefusalInTheMiddleOfAnAnswerEndsIt(t *testing.T) {
	t.Parallel()
	out := stream(t, []string{
		`{"candidates":[{"index":1,"content":{"parts":[{"text":"Well"}]},"safetyRatings":[{"probability":"LOW"}]}]}`,
		`{"promptFeedback":{"blockReason":"OTHER"}}`,
	})
	hasChoices(t, out.chunks,
		`{"index":1,"delta":{"role":"assistant","content":"Well"},"finish_reason":null}`,
		`{"index":1,"delta":{"extra_content":{"google":{"safety_ratings":[{"probability":"LOW"}]}}},"finish_reason":null}`,
		`{"index":1,"delta":{"refusal":"The prompt was blocked: OTHER."},"finish_reason":null}`,
		`{"index":1,"delta":{},"finish_reason":"content_filter","native_finish_reason":"OTHER"}`)
}

func TestTheUsageIsSentOnceAndOnlyWhenItIsAskedFor(t *testing.T) {
	t.Parallel()
	bodies := []string{
		`{"candidates":[{"content":{"parts":[{"text":"a"}]}}],"usageMetadata":{"promptTokenCount":5,"candidatesTokenCount":1,"totalTokenCount":6}}`,
		`{"candidates":[{"content":{"parts":[{"text":"b"}]}}],"usageMetadata":{"promptTokenCount":5,"candidatesTokenCount":2,"thoughtsTokenCount":1,"totalTokenCount":8}}`,
		`{"candidates":[{"finishReason":"STOP"}],"usageMetadata":{"trafficType":"ON_DEMAND"}}`,
	}
	for i, c := range stream(t, bodies).chunks {
		if c.Usage != nil {
			t.Errorf("by default chunk %d has the usage", i)
		}
	}
	out := stream(t, bodies, chat.WithUsage())
	if got := choicesOf(t,
		out.chunks)[3]; got != `{"prompt_tokens":5,"completion_tokens":3,"total_tokens":8,"completion_tokens_details":{"reasoning_tokens":1},"extra_properties":{"google":{"traffic_type":"ON_DEMAND"}}}` {
		t.Error(got)
	}
	openaitest.Reports(t, ofPath(out.report, "usage"))

	out = stream(t, bodies)
	last := encodeChunk(t, &out.chunks[len(out.chunks)-1])
	openaitest.Subset(t, last,
		`{"choices":[{"finish_reason":"stop"}],"extra_content":{"google":{"usage_metadata":{"totalTokenCount":8,"trafficType":"ON_DEMAND"}}}}`)
	out = stream(t, bodies, chat.WithoutExtensions())
	openaitest.Reports(t, ofPath(out.report, "usage"), "lost /1/usageMetadata",
		"lost /2/usageMetadata")
	out = stream(t, bodies, chat.WithoutExtensions(), chat.WithUsage())
	openaitest.Reports(t, ofPath(out.report, "usage"), "lost /2/usageMetadata/trafficType")
	out = stream(t, []string{`{"candidates":[{}]}`, `{"candidates":[{"finishReason":"STOP"}]}`},
		chat.WithUsage())
	openaitest.Reports(t, ofPath(out.report, "usage"), "added /1/usageMetadata")
}
