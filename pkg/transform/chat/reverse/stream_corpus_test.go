package reverse_test

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/internal/test/corpustest"
	"github.com/gemwire/gemwire/internal/test/leaftest"
	"github.com/gemwire/gemwire/internal/test/openaitest"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/openai"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/chat"
	"github.com/gemwire/gemwire/pkg/transform/chat/reverse"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	gocmp "github.com/google/go-cmp/cmp"
)

// converted is the result of a stream.
type converted struct {
	chunks []*geminiapi.GenerateContentResponse
	report report.Report
	err    error
}

func convertStream(body []byte, opts ...reverse.Option) converted {
	s := reverse.NewStream(opts...)
	var out converted
	for c, err := range s.Chunks(openai.NewStreamReader(bytes.NewReader(body),
		openai.WithForeignChunks()).All()) {
		if err != nil {
			out.err = err
		} else {
			out.chunks = append(out.chunks, c)
		}
	}
	out.report = s.Report()
	return out
}

func (c *converted) merged() *geminiapi.GenerateContentResponse {
	out, _ := normalize.MergeChunks(c.chunks...)
	return out
}

func TestEveryRecordedStreamOfCompletionsIsConverted(t *testing.T) {
	t.Parallel()
	converted, failed := 0, 0
	for _, p := range corpustest.ClientPayloads(t, "chat_completions", corpustest.Stream) {
		body := p.Read(t)
		out := convertStream(body)
		if out.err != nil {
			failed++
			t.Logf("%s: %v", p.Name, out.err)
			continue
		}
		converted++
		// the last may have an empty text, as Google's do
		for i, c := range out.chunks[:len(out.chunks)-1] {
			checkChunk(t, fmt.Sprintf("%s: chunk %d", p.Name, i), c)
		}
		checkEnd(t, p.Name, out.chunks)
		checkWhole(t, p.Name, body, out.merged())
	}
	if t.Logf("%d converted, %d failed", converted, failed); converted < corpustest.AtLeast(480) {
		t.Errorf("only %d streams", converted)
	}
}

// checkEnd checks that only the last chunk has finish reasons, as gemini-cli and js-genai expect.
func checkEnd(t *testing.T, name string, chunks []*geminiapi.GenerateContentResponse) {
	t.Helper()
	for i, c := range chunks {
		for _, candidate := range c.Candidates {
			if isLast := i == len(chunks)-1; (candidate.FinishReason != nil) != isLast {
				t.Errorf("%s: chunk %d of %d ends with %v", name, i, len(chunks),
					candidate.FinishReason)
			}
		}
		if value, first := c.ResponseID,
			chunks[0].ResponseID; value != nil && first != nil && *value != *first {
			t.Errorf("%s: chunk %d is of another answer", name, i)
		}
	}
}

// checkWhole compares a stream with the whole answer that clients make of its chunks.
func checkWhole(t *testing.T, name string, body []byte, got *geminiapi.GenerateContentResponse) {
	t.Helper()
	whole := accumulate(t, body)
	want, _, err := reverse.ToGemini(whole)
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	if diff := gocmp.Diff(said(want), said(got)); diff != "" {
		t.Errorf("%s: -whole +streamed: %s", name, diff)
	}
}

// said is the content of an answer, independent of how its texts are split.
func said(r *geminiapi.GenerateContentResponse) map[string]string {
	out := map[string]string{}
	if r.UsageMetadata != nil {
		data, _ := json.Marshal(r.UsageMetadata)
		out["usage"] = string(data)
	}
	for i := range r.Candidates {
		c := &r.Candidates[i]
		at := fmt.Sprint(value(c.Index), " ")
		if c.FinishReason != nil {
			out[at+"end"] = string(*c.FinishReason)
		}
		if c.FinishMessage != nil {
			out[at+"message"] = *c.FinishMessage
		}
		if c.GroundingMetadata != nil {
			data, _ := json.Marshal(c.GroundingMetadata)
			out[at+"grounding"] = string(data)
		}
		if c.LogprobsResult != nil {
			out[at+"logprobs"] = fmt.Sprint(len(c.LogprobsResult.ChosenCandidates))
		}
		if c.Content == nil {
			continue
		}
		for j := range c.Content.Parts {
			switch p := &c.Content.Parts[j]; {
			case p.Text != nil && p.Thought != nil && *p.Thought:
				out[at+"thoughts"] += *p.Text
			case p.Text != nil:
				out[at+"text"] += *p.Text
			case p.InlineData != nil:
				out[at+"sound"] += *p.InlineData.Data
			default:
				if p.FunctionCall != nil && p.FunctionCall.Args == nil {
					p.FunctionCall.Args = jsontext.Value("{}")
				}
				data, _ := json.Marshal(p)
				out[at+"parts"] += string(data) + "\n"
			}
		}
	}
	return out
}

// countsOfGroq returns the counts that Groq's servers send next to the usual members, or nil.
func countsOfGroq(unknown jsontext.Value) *openaiapi.CompletionUsage {
	var members struct {
		Groq struct {
			Usage *openaiapi.CompletionUsage `json:"usage"`
		} `json:"x_groq"`
	}
	if json.Unmarshal(unknown, &members) != nil {
		return nil
	}
	return members.Groq.Usage
}

// accumulate joins the body of a stream to a completion, as clients do.
func accumulate(t *testing.T, body []byte) *openaiapi.CreateChatCompletionResponse {
	t.Helper()
	out := &openaiapi.CreateChatCompletionResponse{Object: openaiapi.ObjectTypeChatCompletion}
	for c, err := range openai.NewStreamReader(bytes.NewReader(body),
		openai.WithForeignChunks()).All() {
		if err != nil {
			break
		}
		out.ID, out.Model, out.Created = c.ID, c.Model, c.Created
		if counts := cmp.Or(c.Usage, countsOfGroq(c.Unknown)); counts != nil {
			out.Usage = counts
		}
		if c.ServiceTier != nil {
			out.ServiceTier = c.ServiceTier
		}
		for _, name := range []string{"citations", "search_results"} {
			if list := jsonx.Member(c.Unknown, name); list != nil {
				out.Unknown = jsonx.MergeObjects(out.Unknown, jsonx.Object(name, list))
			}
		}
		for i := range c.Choices {
			accumulateChoice(out, &c.Choices[i])
		}
	}
	for i := range out.Choices {
		m := &out.Choices[i].Message
		// between indexes
		m.ToolCalls = slices.DeleteFunc(m.ToolCalls,
			func(c openaiapi.ToolCall) bool { return c.Function.Name == "" })
		// [DONE] means a normal end
		out.Choices[i].FinishReason = cmp.Or(out.Choices[i].FinishReason,
			openaiapi.FinishReasonStop)
	}
	return out
}

func accumulateChoice(out *openaiapi.CreateChatCompletionResponse, c *openaiapi.ChunkChoice) {
	at := slices.IndexFunc(out.Choices, func(o openaiapi.Choice) bool { return o.Index == c.Index })
	if at < 0 {
		at = len(out.Choices)
		out.Choices = append(out.Choices,
			openaiapi.Choice{Index: c.Index,
				Message: openaiapi.ResponseMessage{Role: openaiapi.RoleAssistant}})
	}
	choice, d := &out.Choices[at], &c.Delta
	m := &choice.Message
	if c.FinishReason != nil && *c.FinishReason != "" {
		choice.FinishReason, choice.NativeFinishReason = *c.FinishReason, c.NativeFinishReason
	}
	if c.Logprobs != nil {
		if choice.Logprobs == nil {
			choice.Logprobs = &openaiapi.ChoiceLogprobs{}
		}
		choice.Logprobs.Content = append(choice.Logprobs.Content, c.Logprobs.Content...)
	}
	join(&m.Content, d.Content)
	thoughts := ""
	if d.ReasoningContent != nil {
		thoughts = *d.ReasoningContent
	} else if text := jsonx.Member(d.Unknown, "reasoning"); text.Kind() == '"' {
		_ = json.Unmarshal(text, &thoughts)
	}
	for _, part := range jsonx.Elements(jsonx.Member(d.Unknown, "content")) { // Mistral's
		var text string
		if json.Unmarshal(jsonx.Member(part, "text"), &text) == nil {
			join(&m.Content, &text)
		}
		for _, thought := range jsonx.Elements(jsonx.Member(part, "thinking")) {
			_ = json.Unmarshal(jsonx.Member(thought, "text"), &text)
			thoughts += text
		}
	}
	if thoughts != "" {
		join(&m.ReasoningContent, &thoughts)
	}
	if details := jsonx.Elements(jsonx.Member(d.Unknown, "reasoning_details")); details != nil {
		whole := append(jsonx.Elements(jsonx.Member(m.Unknown, "reasoning_details")), details...)
		data, _ := json.Marshal(whole)
		m.Unknown = jsonx.Object("reasoning_details", data)
	}
	join(&m.Refusal, d.Refusal)
	m.Annotations = append(m.Annotations, d.Annotations...)
	m.Images = append(m.Images, d.Images...)
	for i := range d.ToolCalls {
		accumulateCall(m, &d.ToolCalls[i])
	}
}

func join(text **string, more *string) {
	if more != nil {
		whole := *more
		if *text != nil {
			whole = **text + whole
		}
		*text = &whole
	}
}

func accumulateCall(m *openaiapi.ResponseMessage, c *openaiapi.ToolCallChunk) {
	for len(m.ToolCalls) <= c.Index {
		m.ToolCalls = append(m.ToolCalls,
			openaiapi.ToolCall{Type: openaiapi.ToolTypeFunction,
				Function: &openaiapi.FunctionCall{}})
	}
	call := &m.ToolCalls[c.Index]
	if c.ID != nil && *c.ID != "" {
		call.ID = *c.ID
	}
	if c.Function != nil {
		if c.Function.Name != nil && *c.Function.Name != "" {
			call.Function.Name = *c.Function.Name
		}
		if c.Function.Arguments != nil {
			call.Function.Arguments += *c.Function.Arguments
		}
	}
}

// events returns the JSON of the chunks of a body.
func events(body []byte) []string {
	var out []string
	for line := range strings.Lines(string(body)) {
		if data, ok := strings.CutPrefix(strings.TrimSpace(line), "data:"); ok &&
			strings.HasPrefix(strings.TrimSpace(data), "{") {
			out = append(out, strings.TrimSpace(data))
		}
	}
	return out
}

func asBody(events []string) []byte {
	var out strings.Builder
	for _, event := range events {
		out.WriteString("data: " + strings.ReplaceAll(event, "\n", " ") + "\n\n")
	}
	return []byte(out.String() + "data: [DONE]\n\n")
}

func TestNothingOfARecordedStreamIsLostSilently(t *testing.T) {
	t.Parallel()
	changed := 0
	for _, p := range corpustest.ClientPayloads(t, "chat_completions", corpustest.Stream) {
		chunks := events(p.Read(t))
		if len(chunks) > 40 {
			chunks = append(chunks[:20:20], chunks[len(chunks)-20:]...)
		}
		before := convertStream(asBody(chunks))
		// The recording ended without a reason.
		if before.err != nil || len(before.report.Of(report.Added)) > 0 {
			continue
		}
		leaves, err := leaftest.AllOfChunks(chunks)
		if err != nil {
			continue
		}
		for _, l := range leaftest.Sample(leaves, leaftest.Enough(20)) {
			changed++
			after := convertStream(asBody(l.ChangeIn(chunks)))
			at := fmt.Sprintf("/%d%s", l.Chunk, l.Pointer)
			if after.err == nil && encoded(t, before.chunks) == encoded(t, after.chunks) &&
				!before.report.Covers(at) && !after.report.Covers(at) {
				t.Errorf("%s: %s is lost silently", p.Name, at)
			}
		}
	}
	if t.Logf("%d leaves changed", changed); changed < corpustest.AtLeast(9_000) {
		t.Errorf("only %d leaves were changed", changed)
	}
}

func encoded(t *testing.T, chunks []*geminiapi.GenerateContentResponse) string {
	t.Helper()
	var out []byte
	for _, c := range chunks {
		data, err := gemini.EncodeResponse(c)
		if err != nil {
			t.Fatal(err)
		}
		out = append(append(out, data...), '\n')
	}
	return string(out)
}

// TestRV20 for streams: Gemini's values are restored, except the order of parts that only the end
// has.
func TestRecordedStreamsComeBackAsTheyWere(t *testing.T) {
	t.Parallel()
	same, moved := 0, 0
	for _, p := range corpustest.Payloads(t, corpustest.Stream) {
		in, out, ok := thereAndBack(t, p.Name, p.Read(t))
		if !ok {
			continue
		}
		want, got := comparable(t, in), comparable(t, out)
		switch {
		case bytes.Equal(want, got):
			same++
		case gocmp.Equal(said(in), said(out)):
			moved++
		default:
			t.Errorf("%s: %s\n%s", p.Name, firstDifference(want, got),
				firstDifference([]byte(fmt.Sprint(said(in))), []byte(fmt.Sprint(said(out)))))
		}
	}
	t.Logf("%d came back as they were, %d with parts in other places", same, moved)
}

// thereAndBack converts a stream of Gemini to chat completions and back, and returns the content of
// its chunks before and after. ok is false for a stream that cannot be converted.
func thereAndBack(t *testing.T, name string, body []byte) (in,
	out *geminiapi.GenerateContentResponse, ok bool) {
	t.Helper()
	wire, failure := openaitest.ReadStream(body)
	if failure != nil {
		return nil, nil, false
	}
	var sent bytes.Buffer
	if _, err := chat.WriteStream(&sent, openaitest.Pairs(wire, nil),
		chat.WithUsage()); err != nil {
		return nil, nil, false
	}
	back := convertStream(sent.Bytes())
	if back.err != nil && !errors.Is(back.err, io.EOF) {
		t.Errorf("%s: %v", name, back.err)
		return nil, nil, false
	}
	if lost := back.report.Of(report.Lost); lost != nil {
		t.Errorf("%s: %v", name, lost)
	}
	in, _ = normalize.MergeChunks(wire...)
	return in, back.merged(), true
}

// The streams of package openai's golden files are restored. Parts that were sent before their
// layout keep their place. Parts that chat completions have no member for come at the end.
func TestStreamsComeBack(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"stream_candidates": `{"text":"Yes."}`,
		"stream_grounded":   `{"text":"The lighthouse of Westerhever was lit in 1908 – and couples marry in it."}`,
		"stream_media": `{"text":"A drawing: "},{"inlineData":{"mimeType":"image/png","data":"iVBORw0KGgo="}},{"text":"It is 42. Done"},` +
			`{"executableCode":{"code":"print(6*7)","id":"x1","language":"PYTHON"}},` +
			`{"codeExecutionResult":{"id":"x1","outcome":"OUTCOME_OK","output":"42\n"}},` +
			`{"fileData":{"fileUri":"https://files.example/a.png","mimeType":"image/png"}}`,
		"stream_speech": `{"inlineData":{"mimeType":"audio/L16;rate=24000","data":"AAABAAIAAwAEAAUABgAH"}},` +
			`{"inlineData":{"mimeType":"audio/L16;rate=24000","data":"AAgACQAKAAsA"}},` +
			`{"inlineData":{"mimeType":"audio/L16;rate=24000","data":"DAANAA4A"}},{"inlineData":{"mimeType":"audio/L16;rate=24000","data":"DwA="}}`,
		"stream_thoughts": `{"text":"Two things to do.","thought":true},{"text":"I call both."},` +
			`{"functionCall":{"args":{"a":1},"id":"c1","name":"one"},"thoughtSignature":"Y2FsbA=="},{"functionCall":{"args":{},"name":"two"}},` +
			`{"text":"","thoughtSignature":"dGV4dA=="},{"text":"","thoughtSignature":"bGFzdA=="}`,
		"stream_tools": `{"text":"The traveller wants the tide and the weather.","thought":true},{"text":"Let me look that up."},` +
			`{"functionCall":{"args":{"port":"Husum","at":9007199254740993},"name":"get_tide"},"thoughtSignature":"c2lnbmF0dXJl"},` +
			`{"functionCall":{"args":{"place":"Husum"},"name":"get_weather"}}`,
	} {
		in, out, ok := thereAndBack(t, name, read(t, "../testdata/"+name+".gemini.sse"))
		if !ok {
			t.Errorf("%s: not converted", name)
			continue
		}
		if got := partsOf(t, out); got != `{"candidates":[{"content":{"parts":[`+want+`]}}]}` {
			t.Errorf("%s: %s", name, got)
		}
		if diff := gocmp.Diff(withoutContents(t, in), withoutContents(t, out)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// withoutContents returns an answer as JSON without contents, token ids, which a chunk has no
// member for, and an index of 0.
func withoutContents(t *testing.T, r *geminiapi.GenerateContentResponse) string {
	t.Helper()
	out := *r
	out.Candidates = slices.Clone(r.Candidates)
	for i := range out.Candidates {
		c := &out.Candidates[i]
		if c.Content = nil; c.Index == nil {
			c.Index = new(0)
		}
		if c.LogprobsResult == nil {
			continue
		}
		result := *c.LogprobsResult
		result.ChosenCandidates = slices.Clone(result.ChosenCandidates)
		for j := range result.ChosenCandidates {
			result.ChosenCandidates[j].TokenID = nil
		}
		c.LogprobsResult = &result
	}
	return strings.ReplaceAll(written(t, &out), `},"`, "},\n\"")
}
