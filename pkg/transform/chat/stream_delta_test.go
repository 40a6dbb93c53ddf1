package chat_test

import (
	"testing"
	"time"

	"github.com/gemwire/gemwire/internal/test/openaitest"
	"github.com/gemwire/gemwire/pkg/transform/chat"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
)

// choicesOf returns the choices of chunks as JSON, or the usage of a chunk without choices.
func choicesOf(t testing.TB, chunks []chunk) []string {
	t.Helper()
	var out []string
	for i := range chunks {
		var c struct {
			Choices []jsontext.Value `json:"choices"`
			Usage   jsontext.Value   `json:"usage"`
		}
		if err := json.Unmarshal([]byte(encodeChunk(t, &chunks[i])), &c); err != nil {
			t.Fatal(err)
		}
		for _, choice := range c.Choices {
			out = append(out, string(choice))
		}
		if c.Usage != nil {
			out = append(out, string(c.Usage))
		}
	}
	return out
}

// hasChoices fails the test unless the chunks have exactly these choices.
func hasChoices(t testing.TB, chunks []chunk, want ...string) {
	t.Helper()
	if diff := cmp.Diff(want, choicesOf(t, chunks)); diff != "" {
		t.Error(diff)
	}
}

func TestTheFirstDeltaHasTheRoleAndTheLastChunkTheFinishReason(t *testing.T) {
	t.Parallel()
	out := stream(t, []string{
		`{"responseId":"r","modelVersion":"m","candidates":[{"content":{"parts":[{"text":"Good "}]}}]}`,
		`{"candidates":[{"content":{"parts":[{"text":"morning"}]}}]}`,
		`{"candidates":[{"content":{"parts":[{"text":"."}]},"finishReason":"STOP"}]}`,
	})
	hasChoices(t, out.chunks,
		`{"index":0,"delta":{"role":"assistant","content":"Good "},"finish_reason":null}`,
		`{"index":0,"delta":{"content":"morning"},"finish_reason":null}`,
		`{"index":0,"delta":{"content":"."},"finish_reason":null}`,
		`{"index":0,"delta":{},"finish_reason":"stop","native_finish_reason":"STOP"}`,
	)
	if c := out.chunks[0]; c.ID != "r" || c.Model != "m" || c.Created != 0 {
		t.Errorf("got %+v", c)
	}
}

func TestTextIsSentWithTheChunkThatBringsIt(t *testing.T) {
	t.Parallel()
	s := chat.NewStream()
	for _, text := range []string{"a", "b", "c"} {
		out, err := s.Push(openaitest.Decode(t,
			`{"candidates":[{"content":{"parts":[{"text":"`+text+`"}]},"finishReason":"STOP"}]}`))
		if err != nil || len(out) != 1 || *out[0].Choices[0].Delta.Content != text {
			t.Errorf("%s becomes %v, %v", text, choicesOf(t, out), err)
		}
	}
}

func TestADeltaHasContentOfOneKind(t *testing.T) {
	t.Parallel()
	out := stream(t, []string{`{"candidates":[{"content":{"parts":[{"text":"Hm.","thought":true},{"text":"a"},{"text":"b"},
		{"functionCall":{"id":"1","name":"f","args":{"x":1}}},{"functionCall":{"id":"2","name":"g"}},{"text":"c"}]},"finishReason":"STOP"}]}`},
		chat.WithoutExtensions())
	hasChoices(t, out.chunks,
		`{"index":0,"delta":{"role":"assistant","content":"ab"},"finish_reason":null}`,
		`{"index":0,"delta":{"tool_calls":[{"index":0,"id":"1","type":"function","function":{"name":"f","arguments":"{\"x\":1}"}}]},"finish_reason":null}`,
		`{"index":0,"delta":{"tool_calls":[{"index":1,"id":"2","type":"function","function":{"name":"g","arguments":"{}"}}]},"finish_reason":null}`,
		`{"index":0,"delta":{"content":"c"},"finish_reason":null}`,
		`{"index":0,"delta":{},"finish_reason":"tool_calls"}`,
	)
	out = stream(t, []string{`{"candidates":[{"content":{"parts":[{"text":"Hm.","thought":true},{"text":"a"}]},"finishReason":"STOP"}]}`})
	hasChoices(t, out.chunks,
		`{"index":0,"delta":{"role":"assistant","reasoning_content":"Hm."},"finish_reason":null}`,
		`{"index":0,"delta":{"content":"a"},"finish_reason":null}`,
		`{"index":0,"delta":{},"finish_reason":"stop","native_finish_reason":"STOP"}`,
	)
}

func TestChunksWithoutContentBecomeNothing(t *testing.T) {
	t.Parallel()
	s := chat.NewStream()
	for _, body := range []string{`{}`, `{"candidates":[{}]}`,
		`{"candidates":[{"content":{"parts":[{"text":""}],"role":"model"}}]}`,
		`{"usageMetadata":{"totalTokenCount":3}}`, `{"candidates":[{"finishReason":"STOP","safetyRatings":[{"probability":"LOW"}]}]}`} {
		if out, err := s.Push(openaitest.Decode(t, body)); err != nil || len(out) > 0 {
			t.Errorf("%s becomes %v, %v", body, choicesOf(t, out), err)
		}
	}
	if out, err := s.Push(nil); err != nil || len(out) > 0 {
		t.Errorf("no chunk becomes %v, %v", choicesOf(t, out), err)
	}
}

func TestCandidatesAreChoicesOfTheirOwnHoweverTheyInterleave(t *testing.T) {
	t.Parallel()
	out := stream(t, []string{
		`{"candidates":[{"index":0,"content":{"parts":[{"text":"a"}]}},{"index":1,"content":{"parts":[{"functionCall":{"id":"x","name":"f"}}]}}]}`,
		`{"candidates":[{"index":1,"content":{"parts":[{"functionCall":{"id":"y","name":"f"}}]},"finishReason":"STOP"}]}`,
		`{"candidates":[{"index":0,"content":{"parts":[{"functionCall":{"id":"z","name":"f"}}]},"finishReason":"MAX_TOKENS"}]}`,
		`{"candidates":[{"index":2,"finishReason":"SAFETY"}]}`,
	})
	hasChoices(t, out.chunks,
		`{"index":0,"delta":{"role":"assistant","content":"a"},"finish_reason":null}`,
		`{"index":1,"delta":{"role":"assistant","tool_calls":[{"index":0,"id":"x","type":"function","function":{"name":"f","arguments":"{}"}}]},"finish_reason":null}`,
		`{"index":1,"delta":{"tool_calls":[{"index":1,"id":"y","type":"function","function":{"name":"f","arguments":"{}"}}]},"finish_reason":null}`,
		`{"index":0,"delta":{"tool_calls":[{"index":0,"id":"z","type":"function","function":{"name":"f","arguments":"{}"}}]},"finish_reason":null}`,
		`{"index":0,"delta":{},"finish_reason":"length","native_finish_reason":"MAX_TOKENS"}`,
		`{"index":1,"delta":{},"finish_reason":"tool_calls","native_finish_reason":"STOP"}`,
		`{"index":2,"delta":{"role":"assistant"},"finish_reason":null}`,
		`{"index":2,"delta":{},"finish_reason":"content_filter","native_finish_reason":"SAFETY"}`,
	)
}

func TestAllChunksHaveOneIdentity(t *testing.T) {
	t.Parallel()
	bodies := []string{
		`{"createTime":"2026-11-20T10:00:00.5Z","candidates":[{"content":{"parts":[{"text":"a"}]}}]}`,
		`{"responseId":"late","modelVersion":"late","candidates":[{"finishReason":"STOP"}]}`,
	}
	out := stream(t, bodies, chat.WithUsage())
	if c := out.chunks[2]; c.ID != "gemini" || c.Model != "gemini" || c.Created != 1795168800 {
		t.Errorf("got %+v", c)
	}
	openaitest.Subset(t, encodeChunk(t, &out.chunks[2]),
		`{"choices":[],"extra_content":{"google":{"create_time":"2026-11-20T10:00:00.5Z",
		"response":{"responseId":"late","modelVersion":"late"}}}}`)

	out = stream(t, bodies, chat.WithID("i"), chat.WithModelName("m"),
		chat.WithCreated(time.Unix(7, 0)))
	if c := out.chunks[1]; c.ID != "i" || c.Model != "m" || c.Created != 7 {
		t.Errorf("got %+v", c)
	}
}

func TestMediaAreSentAtOnce(t *testing.T) {
	t.Parallel()
	s := chat.NewStream()
	out, err := s.Push(openaitest.Decode(t,
		`{"responseId":"r","candidates":[{"content":{"parts":[{"inlineData":{"mimeType":"image/png","data":"AAAA"}},
		{"inlineData":{"mimeType":"image/png","data":"BBBB"}},{"inlineData":{"mimeType":"audio/L16","data":"CCCC"}},{"inlineData":{"mimeType":"audio/L16","data":"DDDD"}}]},"finishReason":"STOP"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	hasChoices(t, out,
		`{"index":0,"delta":{"role":"assistant","images":[{"type":"image_url","image_url":{"url":"data:image/png;base64,AAAA"},"index":0}]},"finish_reason":null}`,
		`{"index":0,"delta":{"images":[{"type":"image_url","image_url":{"url":"data:image/png;base64,BBBB"},"index":1}]},"finish_reason":null}`,
		`{"index":0,"delta":{"audio":{"id":"gemini-audio-r-0-2","data":"CCCC","expires_at":0,"transcript":""}},"finish_reason":null}`,
		`{"index":0,"delta":{"audio":{"data":"DDDD"}},"finish_reason":null}`,
	)
	if out, err = s.Close(nil); err != nil {
		t.Fatal(err)
	}
	openaitest.Subset(t, choicesOf(t, out)[0],
		`{"delta":{"extra_content":{"google":{"mime_type":"audio/L16","parts":[
		{"index":0,"in":"images"},{"index":1,"in":"images"},{"index":2,"in":"audio","length":3},{"index":3,"in":"audio","length":3}]}}}}`)
}

func TestLogprobsAreInTheChunkOfTheirTextButNotInTheFirst(t *testing.T) {
	t.Parallel()
	out := stream(t, []string{
		`{"candidates":[{"content":{"parts":[{"text":"a"}]},"logprobsResult":{"chosenCandidates":[{"token":"a","logProbability":-0.5}]}}]}`,
		`{"candidates":[{"content":{"parts":[{"text":"b"}]},"logprobsResult":{"chosenCandidates":[{"token":"b","logProbability":-1}]}}]}`,
		`{"candidates":[{"finishReason":"STOP","logprobsResult":{"chosenCandidates":[{"token":"c","logProbability":-2}]}}]}`,
	}, chat.WithoutExtensions())
	hasChoices(t, out.chunks,
		`{"index":0,"delta":{"role":"assistant","content":"a"},"finish_reason":null}`,
		`{"index":0,"delta":{},"logprobs":{"content":[{"token":"a","logprob":-0.5,"bytes":[97],"top_logprobs":[]}],"refusal":null},"finish_reason":null}`,
		`{"index":0,"delta":{"content":"b"},"logprobs":{"content":[{"token":"b","logprob":-1,"bytes":[98],"top_logprobs":[]}],"refusal":null},"finish_reason":null}`,
		`{"index":0,"delta":{},"logprobs":{"content":[{"token":"c","logprob":-2,"bytes":[99],"top_logprobs":[]}],"refusal":null},"finish_reason":null}`,
		`{"index":0,"delta":{},"finish_reason":"stop"}`,
	)
}

func TestAnEmptyTextIsSentAtTheEndAsClientsExpectOne(t *testing.T) {
	t.Parallel()
	out := stream(t, []string{`{"candidates":[{"content":{"parts":[{"text":"","thoughtSignature":"c2ln"},{"text":"","thought":true,"thoughtSignature":"c2ln"}]},"finishReason":"STOP"}]}`})
	openaitest.Subset(t, choicesOf(t, out.chunks)[0],
		`{"delta":{"role":"assistant","content":"","reasoning_content":"","extra_content":{"google":{"thought_signature":"c2ln"}}}}`)
}

func TestAChunkStaysValidWhenItIsCopied(t *testing.T) {
	t.Parallel()
	s := chat.NewStream()
	var kept []chunk
	var bytes []string
	for _, text := range []string{"a", "b", "c"} {
		out, err := s.Push(openaitest.Decode(t,
			`{"candidates":[{"content":{"parts":[{"text":"`+text+`"},{"functionCall":{"name":"f`+
				text+`"}}]}}]}`))
		if err != nil {
			t.Fatal(err)
		}
		for i := range out {
			kept, bytes = append(kept, out[i]), append(bytes, encodeChunk(t, &out[i]))
		}
	}
	for i := range kept {
		if got := encodeChunk(t, &kept[i]); got != bytes[i] {
			t.Errorf("%s became %s", bytes[i], got)
		}
	}
}
