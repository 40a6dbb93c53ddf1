package chat_test

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/aisdkapi"
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/merge"
	"github.com/gemwire/gemwire/internal/test/corpustest"
	"github.com/gemwire/gemwire/internal/test/leaftest"
	"github.com/gemwire/gemwire/internal/test/openaitest"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/aisdk"
	"github.com/gemwire/gemwire/pkg/transform/chat"
	"github.com/google/go-cmp/cmp"
)

// answer is the content of an answer, independent of whether it was whole or a stream. Consecutive
// texts are joined, as in a stream, and parts have no number.
type answer struct {
	Outcome    string // "", or why the answer is missing
	Normalized string
	Ignored    []string
	IDs        []string
	Choices    []choice
	Report     []string
}

// choice holds the values of a choice that a client sees. An empty text counts as none: a whole
// answer has "" for it, as OpenAI's description requires with a text part, and a stream has no
// delta.
type choice struct {
	Index                             int
	Content, Reasoning, Refusal, Ends string
	Calls                             []openaiapi.ToolCall
	Images                            int
	Audio                             string
}

// wholeAnswer and streamedAnswer convert a body as an answer, and as the only event of a stream.
func wholeAnswer(t testing.TB, body string) answer {
	t.Helper()
	response, err := normalize.Parse([]byte(body), normalize.WithToolCallIDs(positionID))
	var entries report.Report
	if err == nil {
		entries = response.Report()
	}
	out := answerOf(t, response, err)
	wire, _, decodeErr := gemini.DecodeForgiving([]byte(body))
	if decodeErr != nil {
		return out
	}
	out.Report = countedEntries(entries, "")
	completion, entries, err := chat.FromGemini(wire)
	if err == nil {
		out.Choices = choicesSeen(completion)
		out.Report = append(out.Report, countedEntries(entries, "")...)
	}
	return out
}

func streamedAnswer(t testing.TB, bodies ...string) answer {
	t.Helper()
	event := "data: " + strings.Join(bodies, "\n\ndata: ") + "\n\n"
	response, err := normalize.Accumulate(normalize.ParseStream(strings.NewReader(event),
		normalize.WithToolCallIDs(positionID)))
	out := answerOf(t, response, err)
	for i := range out.Ignored {
		out.Ignored[i] = strings.TrimPrefix(out.Ignored[i], "/0")
	}
	chunks, failure := openaitest.ReadStream([]byte(event))
	if err == nil {
		s := normalize.NewStream(normalize.WithToolCallIDs(positionID))
		for _, chunk := range chunks {
			_, _ = s.Push(chunk)
		}
		_, _ = s.Close(failure)
		out.Report = countedEntries(s.Report(), "/0")
	}
	if streamed := convertStream(t, chunks, failure); streamed.err == nil {
		out.Choices = choicesSeen(openaitest.Accumulate(streamed.chunks))
		out.Report = append(out.Report, countedEntries(streamed.report, "/0")...)
	}
	return out
}

// positionID makes ids as the command does.
func positionID(responseID string, candidate, part int) string {
	return fmt.Sprint("made-", responseID, "-", candidate, "-", part)
}

func answerOf(t testing.TB, response *normalize.Response, err error) (out answer) {
	t.Helper()
	blocked, isBlocked := errors.AsType[*normalize.BlockedError](err)
	switch {
	case isBlocked:
		response, out.Outcome = blocked.Response, blocked.Error()
	case err != nil:
		out.Outcome = "an error"
		return out
	}
	for _, pointer := range response.Ignored {
		if !strings.HasSuffix(pointer, "/functionCall/args") { // which count the parts
			out.Ignored = append(out.Ignored, pointer)
		}
	}
	slices.Sort(out.Ignored)
	for i := range response.Candidates {
		c := &response.Candidates[i]
		for _, call := range c.ToolCalls() {
			out.IDs = append(out.IDs, call.ID)
		}
		c.Blocks = joined(c)
	}
	response.Ignored = nil
	data, encodeErr := normalize.Encode(response)
	if encodeErr != nil {
		t.Fatal(encodeErr)
	}
	out.Normalized = string(data)
	return out
}

// joined returns the blocks of a candidate joined as in a stream.
func joined(c *normalize.Candidate) []normalize.Block {
	positions, last := c.JoinedParts(), -1
	var out []normalize.Block
	for _, b := range c.Blocks {
		isText := (b.Type == normalize.BlockText || b.Type == normalize.BlockThinking) &&
			b.Signature == "" && b.Extra == nil
		if isText && b.Text == "" {
			continue
		}
		position := positions[b.Part]
		if b.Part = 0; position == last {
			out[len(out)-1].Text += b.Text
			continue
		}
		last = position
		out = append(out, b)
	}
	return out
}

func choicesSeen(c *openaiapi.CreateChatCompletionResponse) (out []choice) {
	for i := range c.Choices {
		from := &c.Choices[i]
		m := &from.Message
		to := choice{Index: from.Index, Ends: string(from.FinishReason), Calls: m.ToolCalls,
			Images: len(m.Images)}
		for _, text := range []struct {
			from *string
			to   *string
		}{{m.Content, &to.Content}, {m.ReasoningContent, &to.Reasoning}, {m.Refusal, &to.Refusal}} {
			if text.from != nil {
				*text.to = *text.from
			}
		}
		if m.Audio != nil {
			to.Audio = m.Audio.ID + m.Audio.Data
		}
		out = append(out, to)
	}
	return out
}

// countedEntries returns the entries about single candidates and calls, which a report has in both
// forms.
func countedEntries(entries report.Report, prefix string) (out []string) {
	for _, e := range entries {
		if e.Kind == report.Lost { // which the reader of a stream has
			continue
		}
		if strings.HasSuffix(e.Pointer, "/functionCall/id") ||
			strings.HasSuffix(e.Pointer, "/index") {
			out = append(out, string(e.Kind)+" "+strings.TrimPrefix(e.Pointer, prefix))
		}
	}
	slices.Sort(out)
	return out
}

// checkAgreement compares the whole and the streamed conversion of a body, and reports whether
// there was an answer.
func checkAgreement(t testing.TB, body string) bool {
	t.Helper()
	if strings.ContainsAny(body, "\r\n") {
		return false
	}
	whole := wholeAnswer(t, body)
	if whole.Outcome == "" && !isEnded(body) {
		return false // which only a stream has an error for
	}
	streamed := streamedAnswer(t, body)
	if diff := cmp.Diff(whole, streamed); diff != "" {
		t.Errorf("%s: -whole +streamed:\n%s", body, diff)
	}
	if bodies := inEvents(t, body); len(bodies) > 1 {
		split := streamedAnswer(t, bodies...)
		// which count the parts
		whole.Report, split.Report, whole.Ignored, split.Ignored = nil, nil, nil, nil
		if diff := cmp.Diff(whole, split); diff != "" {
			t.Errorf("%s: -whole +streamed in %d events:\n%s", body, len(bodies), diff)
		}
	}
	if whole.Outcome == "" {
		checkParts(t, body)
	}
	return whole.Outcome == ""
}

// inEvents returns a body as a stream with an event for each part, followed by one for everything
// else. It does so if its candidates have different indexes.
func inEvents(t testing.TB, body string) []string {
	t.Helper()
	last, _, err := gemini.DecodeForgiving([]byte(body))
	if err != nil || gemini.IsError(last) {
		return nil
	}
	var chunks []*geminiapi.GenerateContentResponse
	for i, index := range merge.CandidateIndexes(last.Candidates) {
		c := &last.Candidates[i]
		if c.Index != nil && *c.Index != index {
			return nil
		}
		c.Index = &index
		if c.Content == nil {
			continue
		}
		for _, part := range c.Content.Parts {
			chunks = append(chunks,
				&geminiapi.GenerateContentResponse{ResponseID: last.ResponseID,
					Candidates: []geminiapi.Candidate{{
						Index: &index, Content: &geminiapi.Content{Parts: []geminiapi.Part{part}},
					}}})
		}
		c.Content.Parts = nil
	}
	return encodeAll(t, append(chunks, last))
}

// isEnded reports whether a stream of only the body is complete.
func isEnded(body string) bool {
	_, failure := openaitest.ReadStream([]byte("data: " + body + "\n\n"))
	return failure == nil
}

// checkParts compares the AI SDK parts of a body with its first candidate.
func checkParts(t testing.TB, body string) {
	t.Helper()
	response, err := normalize.Parse([]byte(body), normalize.WithToolCallIDs(positionID))
	if err != nil {
		t.Fatal(err)
	}
	first := &normalize.Candidate{}
	if len(response.Candidates) > 0 && response.Candidates[0].Index == 0 {
		first = &response.Candidates[0]
	}
	reader := gemini.NewStreamReader(strings.NewReader("data: " + body + "\n\n"))
	var text, thoughts strings.Builder
	for part, err := range aisdk.FromGemini(reader.All(), aisdk.WithToolCallIDs(positionID)) {
		if err != nil {
			t.Fatalf("%s: %v", body, err)
		}
		switch p := part.(type) {
		case aisdkapi.TextDelta:
			text.WriteString(p.Delta)
		case aisdkapi.ReasoningDelta:
			thoughts.WriteString(p.Delta)
		}
	}
	if text.String() != first.Text() || thoughts.String() != first.Thinking() {
		t.Errorf("%s: %q and %q, want %q and %q", body, text.String(), thoughts.String(),
			first.Text(), first.Thinking())
	}
}

// oddAnswers are answers whose shape once made whole and streamed conversions differ.
var oddAnswers = []string{
	`{"candidates":[{"index":0,"content":{"parts":[{"text":"a"}]},"finishReason":"STOP"},{"index":0,"content":{"parts":[{"text":"b"},{"functionCall":{"name":"f"}}]},"finishReason":"STOP"}]}`,
	`{"candidates":[{"content":{"parts":[{"text":"a"}]},"finishReason":"STOP"},{"content":{"parts":[{"functionCall":{"name":"f"}}]}}]}`,
	`{"candidates":[{"index":1,"content":{"parts":[{"text":"b"}]},"finishReason":"STOP","thoughtSignature":"s"},{"index":0,"content":{"parts":[{"functionCall":{"name":"f"}}]},"thoughtSignature":"t"}]}`,
	`{"candidates":[{"index":3,"finishReason":"STOP"},{"index":-2,"content":{"parts":[{"text":"a"}]}},{"index":-2},{"index":3}]}`,
	`{"candidates":[{"content":{"parts":[{},{"functionCall":{"name":"f"}},{"text":""},{"functionCall":{"name":"g"}}]},"finishReason":"STOP"}]}`,
	`{"candidates":[{"content":{"parts":[{"text":"a"},{"text":"b"},{"functionCall":{"name":"f"}},{"text":"c","thought":true},{"text":"d","thought":true},{"inlineData":{"mimeType":"audio/wav","data":"AAAA"}}]},"finishReason":"STOP"}]}`,
	`{"candidates":[{"content":{"parts":[]},"finishReason":"STOP","safetyRatings":[]}]}`,
	`{"candidates":[{"content":{"parts":[{"text":""}]},"finishReason":"STOP"}]}`,
	`{"candidates":[{"content":{"parts":[{"inlineData":{"mimeType":"audio/pcm","data":"AAE="}},{"inlineData":{"mimeType":"audio/pcm","data":"-_8="}}]},"finishReason":"STOP"}]}`,
	`{"candidates":[{"content":{"parts":[{"text":"","thought":true},{"text":"a"},{"text":""}]},"finishReason":"STOP"}]}`,
	`{"candidates":[{"content":{"parts":[{"text":"","thoughtSignature":"s"}]},"finishReason":"STOP"}]}`,
	`{"candidates":[{"content":{"parts":[{"text":"","thought":true,"thoughtSignature":"s"}]},"finishReason":"STOP"}]}`,
	`{"modelVersion":12,"candidates":[{"content":{"parts":[{"functionCall":{"name":"f","args":[]}}],"role":7},"finishReason":"STOP","safetyRatings":7}]}`,
	`{"candidates":[{"content":{"parts":[{"functionCall":{"name":"f","partialArgs":[{"jsonPath":"$.a","stringValue":"x"}],"willContinue":true}}]},"finishReason":"STOP"}]}`,
	`{"candidates":[{"content":{"parts":[{"functionCall":{"name":"f","willContinue":true}},{"text":""},{"functionCall":{"partialArgs":[{"jsonPath":"$.a[1]","boolValue":true}]}},{"functionCall":{}}]},"finishReason":"STOP"}]}`,
	`{"candidates":[{"content":{"parts":[{"functionCall":{"name":"f","partialArgs":[{"jsonPath":"$.a","stringValue":"x","willContinue":true}],"willContinue":true}},{"text":"b"}]},"finishReason":"STOP"},{"index":1,"content":{"parts":[{"functionCall":{"name":"g","willContinue":true}}]},"finishReason":"MAX_TOKENS"}]}`,
	`{"promptFeedback":{"block_reason":null}}`,
	`{"prompt_feedback":{"blockReason":null}}`,
	`{"Prompt-Feedback":{"BLOCK_REASON":null}}`,
	`{"candidates":[],"promptFeedback":{"blockReason":null,"safetyRatings":[]}}`,
}

func TestOddAnswersAreTheSameWholeAndStreamed(t *testing.T) {
	t.Parallel()
	for _, body := range oddAnswers {
		checkAgreement(t, body)
	}
}

func TestRecordedAnswersAreTheSameWholeAndStreamed(t *testing.T) {
	t.Parallel()
	answers, most := 0, leaftest.Enough(5)
	for i, p := range corpustest.Payloads(t, corpustest.Response) {
		in, err := gemini.DecodeResponse(p.Read(t))
		if err != nil {
			continue
		}
		body, err := gemini.EncodeResponse(in)
		if err != nil {
			t.Fatal(err)
		}
		if checkAgreement(t, string(body)) {
			answers++
		}
		values, err := leaftest.Values(body)
		if err != nil {
			t.Fatal(err)
		}
		for j, value := range leaftest.Sample(values, most) {
			if checkAgreement(t, string(value.Replace(body, nonsense[(i+j)%len(nonsense)]))) {
				answers++
			}
		}
	}
	if t.Logf("%d answers", answers); answers < corpustest.AtLeast(2_000) {
		t.Errorf("only %d answers", answers)
	}
}

func TestInventedAnswersAreTheSameWholeAndStreamed(t *testing.T) {
	t.Parallel()
	random, answers, tries := rand.New(rand.NewPCG(1, 2)), 0, 20_000
	if testing.Short() {
		tries = 1_000
	}
	for range tries {
		seed := make([]byte, 96)
		for i := range seed {
			seed[i] = byte(random.Uint32())
		}
		if checkAgreement(t, inventedAnswer(seed)) {
			answers++
		}
		if t.Failed() {
			break
		}
	}
	if t.Logf("%d answers", answers); answers < tries/4 {
		t.Errorf("only %d answers", answers)
	}
}

// FuzzWholeAndStreamedAgree checks that whole and streamed conversions agree. It tries any body,
// and a body generated from the same bytes.
func FuzzWholeAndStreamedAgree(f *testing.F) {
	for _, body := range slices.Concat(oddAnswers,
		slices.Concat(slices.Collect(maps.Values(maps.Collect(slices.All(streamSeeds))))...)) {
		f.Add([]byte(body))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		checkAgreement(t, string(data))
		checkAgreement(t, inventedAnswer(data))
	})
}

// inventedAnswer makes a body from a choice of usual and nonsensical shapes.
func inventedAnswer(choices []byte) string {
	i := inventor(choices)
	return i.object(map[string][]func() string{
		"candidates":     {i.list(i.candidate, 3), i.list(i.candidate, 3), i.list(i.candidate, 2), i.candidate, i.text(`[]`, `null`)},
		"promptFeedback": {i.nothing, i.nothing, i.feedback},
		"responseId":     {i.nothing, i.text(`"r"`, `""`, `null`, `7`)},
		"usageMetadata":  {i.nothing, i.text(`{"totalTokenCount":3,"promptTokensDetails":[]}`, `{}`, `{"trafficType":"ON_DEMAND"}`, `{"promptTokensDetails":null,"x":[]}`)},
		"x":              {i.nothing, i.nothing, i.text(`{}`, `[]`, `null`)},
	})
}

// inventor makes choices from bytes until none are left.
type inventor []byte

func (i *inventor) roll(n int) int {
	if len(*i) == 0 {
		return 0
	}
	b := (*i)[0]
	*i = (*i)[1:]
	return int(b) % n
}

func (i *inventor) nothing() string { return "" }

// text returns a choice between values.
func (i *inventor) text(values ...string) func() string {
	return func() string { return values[i.roll(len(values))] }
}

func (i *inventor) list(element func() string, most int) func() string {
	return func() string {
		var out []string
		for range i.roll(most + 1) {
			out = append(out, element())
		}
		return "[" + strings.Join(out, ",") + "]"
	}
}

// object makes an object of the non-empty members. Each has one of several values.
func (i *inventor) object(members map[string][]func() string) string {
	var out []string
	for _, name := range slices.Sorted(maps.Keys(members)) {
		values := members[name]
		if value := values[i.roll(len(values))](); value != "" {
			out = append(out, `"`+i.spell(name)+`":`+value)
		}
	}
	return "{" + strings.Join(out, ",") + "}"
}

// spell returns a name, sometimes in another spelling.
func (i *inventor) spell(name string) string {
	if i.roll(12) != 11 {
		return name
	}
	var out strings.Builder
	for _, c := range name {
		if 'A' <= c && c <= 'Z' {
			out.WriteByte('_')
		}
		out.WriteRune(c)
	}
	return strings.ToLower(out.String())
}

func (i *inventor) candidate() string {
	return i.object(map[string][]func() string{
		"index":                 {i.nothing, i.nothing, i.text(`0`, `0`, `1`, `2`, `-1`, `null`, `"1"`, `{}`)},
		"content":               {i.content, i.content, i.content, i.nothing, i.text(`null`, `{}`, `7`)},
		"finishReason":          {i.text(`"STOP"`, `"STOP"`, `"MAX_TOKENS"`, `null`, `"FINISH_REASON_UNSPECIFIED"`, `""`)},
		"finishMessage":         {i.nothing, i.nothing, i.text(`""`, `"m"`, `null`)},
		"safetyRatings":         {i.nothing, i.nothing, i.text(`[]`, `[{}]`, `[null]`, `null`, `[{"category":"A"}]`)},
		"groundingAttributions": {i.nothing, i.nothing, i.text(`[]`, `[{}]`, `null`)},
		"groundingMetadata": {i.nothing, i.nothing,
			i.text(`{}`, `null`,
				`{"groundingChunks":[],"groundingSupports":[],"webSearchQueries":[]}`,
				`{"groundingChunks":[{}],"groundingSupports":[{"groundingChunkIndices":[],"segment":{}}]}`,
				`{"groundingChunks":[{"web":{"uri":"u"}}],"groundingSupports":[{"groundingChunkIndices":[0,7]}],"searchEntryPoint":{}}`)},
		"citationMetadata":   {i.nothing, i.nothing, i.text(`{}`, `null`, `{"citationSources":[]}`, `{"citations":[{}],"citationSources":[{"uri":"u"}]}`)},
		"urlContextMetadata": {i.nothing, i.nothing, i.text(`{}`, `null`, `{"urlMetadata":[]}`, `{"urlMetadata":[{}]}`)},
		"logprobsResult":     {i.nothing, i.nothing, i.text(`{}`, `null`, `{"chosenCandidates":[]}`, `{"chosenCandidates":[{}],"topCandidates":[]}`)},
		"avgLogprobs":        {i.nothing, i.nothing, i.text(`0`, `null`, `"NaN"`)},
		"thoughtSignature":   {i.nothing, i.nothing, i.nothing, i.text(`"s"`, `""`, `[]`)},
	})
}

func (i *inventor) content() string {
	return i.object(map[string][]func() string{
		"parts": {i.list(i.part, 4), i.list(i.part, 4), i.list(i.part, 2), i.part, i.text(`[]`, `null`, `[null]`, `{}`)},
		"role":  {i.text(`"model"`, `""`, `null`), i.nothing},
		"x":     {i.nothing, i.nothing, i.nothing, i.text(`[]`, `{}`)},
	})
}

func (i *inventor) part() string {
	return i.object(map[string][]func() string{
		"text":             {i.text(`"a"`, `"b"`, `""`, `null`), i.nothing},
		"thought":          {i.nothing, i.nothing, i.text(`true`, `false`, `null`, `"yes"`)},
		"thoughtSignature": {i.nothing, i.nothing, i.nothing, i.text(`"s"`, `""`, `null`)},
		"functionCall":     {i.nothing, i.nothing, i.text(`{"name":"f"}`, `{"name":"f","id":"c","args":{}}`, `{"name":"f","args":null}`, `{"name":"g","args":[]}`, `{"name":"f","id":"","partialArgs":[]}`, `null`, `{}`), i.call, i.call},
		"inlineData":       {i.nothing, i.nothing, i.nothing, i.text(`{}`, `null`, `{"mimeType":"audio/wav","data":"AAAA"}`, `{"mimeType":"image/png","data":"AA=="}`)},
		"executableCode":   {i.nothing, i.nothing, i.nothing, i.text(`{}`, `null`, `{"code":"1"}`)},
		"partMetadata":     {i.nothing, i.nothing, i.nothing, i.text(`{}`, `null`, `{"a":[]}`)},
		"x":                {i.nothing, i.nothing, i.nothing, i.text(`{}`, `null`, `[]`)},
	})
}

// call makes a piece of a function call.
func (i *inventor) call() string {
	return i.object(map[string][]func() string{
		"name":         {i.nothing, i.nothing, i.text(`"f"`, `"g"`, `""`)},
		"id":           {i.nothing, i.nothing, i.text(`"c"`, `""`)},
		"args":         {i.nothing, i.nothing, i.nothing, i.text(`{}`, `{"a":"x"}`, `{"b":{"c":1},"a":2}`, `7`, `null`)},
		"partialArgs":  {i.list(i.partialArg, 3), i.list(i.partialArg, 2), i.nothing},
		"willContinue": {i.text(`true`), i.text(`true`, `false`, `null`), i.nothing},
		"x":            {i.nothing, i.nothing, i.nothing, i.text(`1`, `[]`)},
	})
}

func (i *inventor) partialArg() string {
	return i.object(map[string][]func() string{
		"jsonPath":     {i.text(`"$.a"`, `"$.a"`, `"$.b.c"`, `"$.b.d"`, `"$.l[0]"`, `"$.l[1]"`, `"$.l[3]"`, `"$.l[]"`, `"$.b"`, `"$"`, `"$.."`), i.text(`"$.a"`, `"$.b.c"`), i.nothing},
		"stringValue":  {i.text(`"x"`, `"y"`, `""`), i.nothing},
		"numberValue":  {i.nothing, i.nothing, i.nothing, i.text(`1`, `"NaN"`)},
		"boolValue":    {i.nothing, i.nothing, i.nothing, i.text(`true`)},
		"nullValue":    {i.nothing, i.nothing, i.nothing, i.text(`"NULL_VALUE"`, `null`)},
		"willContinue": {i.text(`true`), i.text(`true`, `false`), i.nothing},
		"x":            {i.nothing, i.nothing, i.nothing, i.nothing, i.text(`1`)},
	})
}

func (i *inventor) feedback() string {
	return i.object(map[string][]func() string{
		"blockReason":        {i.text(`"SAFETY"`, `null`, `""`, `7`, `{}`), i.nothing},
		"blockReasonMessage": {i.nothing, i.text(`"m"`, `""`, `null`)},
		"safetyRatings":      {i.nothing, i.text(`[]`, `[{}]`, `null`)},
	})
}
