package responses_test

import (
	"errors"
	"io"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/internal/test/openaitest"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/openai/responses"
	"github.com/gemwire/gemwire/pkg/report"
	toresponses "github.com/gemwire/gemwire/pkg/transform/responses"
	"github.com/gemwire/gemwire/pkg/wire"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
)

// chunksOf decodes chunks. Each has the members of a candidate, or is whole if it starts with a
// brace.
func chunksOf(t testing.TB, bodies ...string) (out []*geminiapi.GenerateContentResponse) {
	t.Helper()
	for _, body := range bodies {
		if !strings.HasPrefix(body, "{") {
			body = `{"responseId":"r1","modelVersion":"m","createTime":"2026-01-02T03:04:05Z","usageMetadata":{"promptTokenCount":1,"totalTokenCount":1},"candidates":[{` +
				body + `}]}`
		}
		c, err := gemini.DecodeResponse([]byte(body))
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, c)
	}
	return out
}

// part returns the members of a candidate with these parts.
func part(parts string) string { return `"content":{"role":"model","parts":[` + parts + `]}` }

const stop = `"finishReason":"STOP"`

// streamed converts chunks and compares the events with their order and with the whole response.
func streamed(t testing.TB, bodies []string, opts ...toresponses.Option) []openaiapi.ResponseEvent {
	t.Helper()
	wire := chunksOf(t, bodies...)
	all, err := events(t, wire, nil, opts...)
	if err != nil {
		t.Fatal(err)
	}
	if err := responses.CheckSequence(all); err != nil {
		t.Error(err)
	}
	compareWhole(t, t.Name(), wire, all, opts...)
	return all
}

// told returns the types of events without their prefix, with consecutive deltas as one.
func told(all []openaiapi.ResponseEvent) string {
	var out []string
	for i := range all {
		kind := strings.TrimPrefix(string(all[i].Type), "response.")
		if n := len(out); n == 0 || out[n-1] != kind {
			out = append(out, kind)
		}
	}
	return strings.Join(out, " ")
}

func last(all []openaiapi.ResponseEvent) *openaiapi.ResponseEvent { return &all[len(all)-1] }

func TestAMessageWithSourcesAtItsEnd(t *testing.T) {
	t.Parallel()
	all := streamed(t, []string{
		part(`{"text":"Hel"}`), part(`{"text":"lo"}`),
		stop + `,"groundingMetadata":{"webSearchQueries":["q"],"groundingChunks":[{"web":{"uri":"https://example.org"}}],"groundingSupports":[{"segment":{"text":"Hello"},"groundingChunkIndices":[0]}]}`,
	})
	want := "created in_progress output_item.added content_part.added output_text.delta output_text.annotation.added output_text.done content_part.done " +
		"output_item.done output_item.added web_search_call.in_progress web_search_call.searching web_search_call.completed output_item.done completed"
	if got := told(all); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	for i := range all {
		if all[i].SequenceNumber != i {
			t.Errorf("event %d has the number %d", i, all[i].SequenceNumber)
		}
		if all[i].Error != nil ||
			all[i].Response != nil && i < len(all)-1 && all[i].Response.Usage != nil {
			t.Errorf("event %d has an error or the usage", i)
		}
	}
	if last(all).Response.Usage == nil || len(last(all).Response.Output) != 2 {
		t.Errorf("the last event is %+v", last(all).Response)
	}
}

func TestAnAnswerThatIsCutEndsAsIncomplete(t *testing.T) {
	t.Parallel()
	all := streamed(t, []string{part(`{"text":"Half"}`), `"finishReason":"MAX_TOKENS"`})
	if r := last(all).Response; last(all).Type != openaiapi.ResponseEventTypeIncomplete ||
		r.IncompleteDetails.Reason != "max_output_tokens" || r.Output[0].Status != "incomplete" {
		t.Errorf("got %s, %+v", last(all).Type, r)
	}
}

// failedStream converts chunks followed by a failure.
func failedStream(t testing.TB, failure error, bodies ...string) ([]openaiapi.ResponseEvent,
	error) {
	t.Helper()
	all, err := events(t, chunksOf(t, bodies...), failure)
	if fault := responses.CheckSequence(all); fault != nil {
		t.Error(fault)
	}
	return all, err
}

// Codex (0.169) adds an item that ends to its history, and gives up after server_is_overloaded.
func TestWhatAFailureCutsOffDoesNotEndInTheStream(t *testing.T) {
	t.Parallel()
	overloaded := gemini.DecodeError(503, nil,
		[]byte(`{"error":{"code":503,"message":"Busy.","status":"UNAVAILABLE"}}`))
	all, err := failedStream(t, overloaded, part(`{"text":"Half"}`),
		part(`{"functionCall":{"name":"f","args":{}}}`), part(`{"text":"More"}`))
	if err == nil || !strings.HasSuffix(told(all),
		"output_item.added content_part.added output_text.delta error failed") {
		t.Errorf("%v: %s", err, told(all))
	}
	r := last(all).Response
	if r.Error.Code != "server_error" || r.Error.Message != "Busy." ||
		r.Output[2].Status != "incomplete" || r.Output[0].Status != "completed" {
		t.Errorf("%+v, items %+v", r.Error, r.Output)
	}
	told := all[len(all)-2]
	if *told.Code != "server_error" || told.Message != "Busy." ||
		told.Error.Message != "Busy." {
		t.Errorf("the error is %+v", told)
	}
}

func TestNoOtherEventHasAMemberError(t *testing.T) {
	t.Parallel()
	all, _ := failedStream(t, io.ErrUnexpectedEOF, part(`{"text":"Half"}`))
	for i := range all {
		data, err := responses.EncodeEvent(&all[i])
		if err != nil {
			t.Fatal(err)
		}
		var members map[string]jsontext.Value
		if err := json.Unmarshal(data, &members); err != nil {
			t.Fatal(err)
		}
		if isError := all[i].Type == openaiapi.ResponseEventTypeError; (members["error"] != nil) != isError {
			t.Errorf("%s", data)
		}
	}
}

func TestACallThatComesWhole(t *testing.T) {
	t.Parallel()
	all := streamed(t, []string{part(`{"functionCall":{"id":"c1","name":"f","args":{"a":1}}}`),
		stop})
	if want := "created in_progress output_item.added function_call_arguments.delta function_call_arguments.done output_item.done completed"; told(all) != want {
		t.Errorf("got %s", told(all))
	}
	added, done := all[2].Item, all[4]
	if text, isText := added.Arguments.AsString(); !isText || text != "" || added.Name != "f" ||
		added.CallID != "c1" || added.Status != "in_progress" {
		t.Errorf("begun as %+v", added)
	}
	if done.Name != "f" || *done.Arguments != `{"a":1}` || all[5].Item.Name != "f" {
		t.Errorf("done as %+v", done)
	}
}

func TestArgumentsInPiecesAreTheWhole(t *testing.T) {
	t.Parallel()
	all := streamed(t, []string{
		part(`{"functionCall":{"name":"f","willContinue":true},"thoughtSignature":"QQ=="}`),
		part(`{"functionCall":{"partialArgs":[{"jsonPath":"$.city","stringValue":"Por","willContinue":true}],"willContinue":true}}`),
		part(`{"functionCall":{"partialArgs":[{"jsonPath":"$.city","stringValue":"to"}],"willContinue":true}}`),
		part(`{"functionCall":{}}`), stop,
	})
	var pieces strings.Builder
	deltas := 0
	for i := range all {
		if all[i].Type == openaiapi.ResponseEventTypeFunctionCallArgumentsDelta {
			piece, _ := all[i].Delta.AsString()
			pieces.WriteString(piece)
			deltas++
		}
	}
	if pieces.String() != `{"city":"Porto"}` || deltas < 2 {
		t.Errorf("%d pieces: %s", deltas, pieces.String())
	}
	if types(last(all).Response) != "reasoning function_call" {
		t.Error(types(last(all).Response))
	}
}

func TestAStreamThatOnlyStopsIsFailed(t *testing.T) {
	t.Parallel()
	all, err := failedStream(t, nil, part(`{"text":"Half"}`))
	if !errors.Is(err, wire.ErrTruncated) || last(all).Type != openaiapi.ResponseEventTypeFailed ||
		last(all).Response.Error.Code != "server_error" {
		t.Errorf("%v, %s", err, last(all).Type)
	}
}

func TestAQuotaSaysWhenToTryAgain(t *testing.T) {
	t.Parallel()
	quota := gemini.DecodeError(429, nil,
		[]byte(`{"error":{"code":429,"message":"Quota.","status":"RESOURCE_EXHAUSTED","details":[{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"1.5s"}]}}`))
	all, _ := failedStream(t, quota, part(`{"text":"Half"}`))
	if e := last(all).Response.Error; e.Code != "rate_limit_exceeded" ||
		e.Message != "Quota. Please try again in 1.5s." {
		t.Errorf("got %+v", e)
	}
	long := gemini.DecodeError(400, nil,
		[]byte(`{"error":{"code":400,"message":"The input token count (9) exceeds the maximum number of tokens allowed (8).","status":"INVALID_ARGUMENT"}}`))
	if all, _ := failedStream(t, long); last(all).Response.Error.Code != "context_length_exceeded" {
		t.Errorf("got %+v", last(all).Response.Error)
	}
	if all, _ := failedStream(t, coded{}); last(all).Response.Error.Code != "insufficient_quota" ||
		last(all).Response.Error.Message != "no money" {
		t.Errorf("got %+v", last(all).Response.Error)
	}
}

// coded is a failure that has its own OpenAI code.
type coded struct{}

func (coded) Error() string     { return "no money" }
func (coded) ErrorCode() string { return "insufficient_quota" }

func TestACustomToolHasItsOwnEvents(t *testing.T) {
	t.Parallel()
	request := &openaiapi.CreateResponseRequest{Tools: []openaiapi.ResponseTool{responses.CustomTool("patch",
		"")}}
	all := streamed(t, []string{part(`{"functionCall":{"name":"patch","args":{"input":"x\n"}}}`),
		stop}, toresponses.WithRequest(request))
	if want := "created in_progress output_item.added custom_tool_call_input.delta custom_tool_call_input.done output_item.done completed"; told(all) != want {
		t.Errorf("got %s", told(all))
	}
	if *all[4].Input != "x\n" || *all[5].Item.Input != "x\n" {
		t.Errorf("got %+v", all[5].Item)
	}
}

func TestSourcesAfterACallAnnotateTheLastMessage(t *testing.T) {
	t.Parallel()
	const grounding = `,"groundingMetadata":{"groundingChunks":[{"web":{"uri":"https://example.org"}}],"groundingSupports":[{"segment":{"text":"First."},"groundingChunkIndices":[0]},{"segment":{"text":"Second."},"groundingChunkIndices":[0]}]}`
	all := streamed(t, []string{part(`{"text":"First."}`),
		part(`{"functionCall":{"name":"f","args":{}}}`), part(`{"text":"Second."}`), stop +
			grounding})
	parts, _ := last(all).Response.Output[2].Content.AsValue()
	if a := parts[0].Annotations; len(a) != 2 || *a[0].StartIndex != 7 || *a[1].StartIndex != 0 ||
		*a[1].EndIndex != 7 {
		t.Errorf("got %+v", parts[0].Annotations)
	}
	streamed(t, []string{part(`{"text":"First."}`), part(`{"functionCall":{"name":"f","args":{}}}`),
		stop + grounding})
}

func TestItemsKeepTheirOrder(t *testing.T) {
	t.Parallel()
	all := streamed(t, []string{part(`{"text":"a"}`),
		part(`{"functionCall":{"name":"f","args":{}}},{"text":"b"}`), stop})
	var at []string
	for i := range all {
		if all[i].Type == openaiapi.ResponseEventTypeOutputItemAdded {
			at = append(at, strconv.Itoa(*all[i].OutputIndex)+" "+string(all[i].Item.Type))
		}
	}
	if diff := cmp.Diff([]string{"0 message", "1 function_call", "2 message"}, at); diff != "" {
		t.Error(diff)
	}
}

// Each turn, whole and one part at a time, is in order and equal to the whole. Each chunk of these
// streams has token counts, as Gemini's do.
func TestUsageIsOnlyAtTheEnd(t *testing.T) {
	t.Parallel()
	all := streamed(t, []string{part(`{"text":"One "}`), part(`{"text":"two."}`), stop})
	for i := range all[:len(all)-1] {
		if r := all[i].Response; r != nil && r.Usage != nil {
			t.Errorf("%s has usage %+v", all[i].Type, r.Usage)
		}
	}
	if u := last(all).Response.Usage; u == nil || u.TotalTokens == 0 ||
		u.InputTokens+u.OutputTokens != u.TotalTokens {
		t.Errorf("the end has %+v", u)
	}
}

func TestEveryKindOfTurnIsTheSameAsInAWholeAnswer(t *testing.T) {
	t.Parallel()
	for name, parts := range everyKindOfPart() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			streamed(t, []string{part(parts) + "," + stop})
			var single []string
			for i := range answerOf(t, parts).Candidates[0].Content.Parts {
				data := encodedParts(t, answerOf(t, parts).Candidates[0].Content.Parts[i:i+1])
				single = append(single, part(data[0]))
			}
			streamed(t, append(single, stop))
			all, _ := failedStream(t, io.ErrUnexpectedEOF, single...)
			if last(all).Type != openaiapi.ResponseEventTypeFailed {
				t.Errorf("a stream that fails ends in %s", last(all).Type)
			}
		})
	}
}

func TestThoughtsAreASummary(t *testing.T) {
	t.Parallel()
	all := streamed(t, []string{part(`{"text":"Thi","thought":true}`),
		part(`{"text":"nk","thought":true}`), part(
			`{"functionCall":{"name":"f","args":{}},"thoughtSignature":"QQ=="}`), stop})
	want := "created in_progress output_item.added reasoning_summary_part.added reasoning_summary_text.delta reasoning_summary_text.done reasoning_summary_part.done " +
		"output_item.done output_item.added function_call_arguments.delta function_call_arguments.done output_item.done completed"
	if told(all) != want {
		t.Errorf("got  %s\nwant %s", told(all), want)
	}
	if added := all[2].Item; added.Summary == nil || added.EncryptedContent != nil {
		t.Errorf("begun as %+v", added)
	}
}

func TestARefusedPromptIsAFailedStream(t *testing.T) {
	t.Parallel()
	all := streamed(t, []string{`{"promptFeedback":{"blockReason":"SAFETY"}}`})
	if r := last(all).Response; told(all) != "created in_progress failed" ||
		r.Error.Code != "invalid_prompt" {
		t.Errorf("%s, %+v", told(all), r.Error)
	}
}

func TestAStreamBeginsBeforeItsFirstChunk(t *testing.T) {
	t.Parallel()
	s := toresponses.NewStream(toresponses.WithID("resp_mine"),
		toresponses.WithCreated(time.Unix(7, 0)), toresponses.WithModelName("asked"))
	begun := append([]openaiapi.ResponseEvent{}, s.Begin()...)
	if told(begun) != "created in_progress" || begun[0].Response.ID != "resp_mine" ||
		begun[0].Response.CreatedAt != 7 || *begun[0].Response.ServiceTier != "auto" {
		t.Fatalf("got %s, %+v", told(begun), begun)
	}
	if again := s.Begin(); len(again) > 0 {
		t.Errorf("again %s", told(again))
	}
	for e, err := range s.Events(openaitest.Pairs(chunksOf(t, part(`{"text":"a"}`)+","+stop),
		nil)) {
		if err != nil {
			t.Fatal(err)
		}
		begun = append(begun, e)
	}
	if err := responses.CheckSequence(begun); err != nil {
		t.Error(err)
	}
	if r := last(begun).Response; r.ID != "resp_mine" ||
		*r.ExtraContent.Google.Response.ResponseID != "r1" || r.Model != "asked" {
		t.Errorf("got %+v", r)
	}
}

func TestLogProbabilitiesComeWithTheirText(t *testing.T) {
	t.Parallel()
	logprobs := func(token string) string {
		return `,"logprobsResult":{"chosenCandidates":[{"token":"` + token +
			`","logProbability":-0.5}]}`
	}
	all := streamed(t, []string{part(`{"text":"a"}`) + logprobs("a"),
		part(`{"text":"b"}`) + logprobs("b"), stop})
	var tokens []string
	for i := range all {
		if all[i].Type == openaiapi.ResponseEventTypeOutputTextDelta {
			for _, l := range all[i].Logprobs {
				piece, _ := all[i].Delta.AsString()
				tokens = append(tokens, piece+"="+l.Token)
				if l.Bytes != nil {
					t.Error("an event has bytes")
				}
			}
		}
	}
	if diff := cmp.Diff([]string{"a=a", "b=b"}, tokens); diff != "" {
		t.Error(diff)
	}
}

// A signature that arrives too late for its call is in no reasoning item, because it would sign the
// next call on its way back.
func TestASignatureThatComesTooLateIsReported(t *testing.T) {
	t.Parallel()
	for name, wire := range map[string][]string{
		"a second one": {part(`{"functionCall":{"name":"f","willContinue":true},"thoughtSignature":"QQ=="}`), part(`{"functionCall":{},"thoughtSignature":"REVG"}`), stop},
		"the signature of a call after a signed call": {
			part(`{"functionCall":{"name":"f"},"thoughtSignature":"QQ=="},{"functionCall":{"name":"g","willContinue":true}}`),
			part(`{"functionCall":{},"thoughtSignature":"REVG"}`), stop,
		},
	} {
		s := toresponses.NewStream()
		var all []openaiapi.ResponseEvent
		for e, err := range s.Events(openaitest.Pairs(chunksOf(t, wire...), nil)) {
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, e)
		}
		if err := responses.CheckSequence(all); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if got := types(last(all).Response); !strings.HasPrefix(got, "reasoning function_call") ||
			strings.Count(got, "reasoning") != 1 {
			t.Errorf("%s: %s", name, got)
		}
		openaitest.Reports(t, s.Report().Of(report.Lost),
			"lost /1/candidates/0/content/parts/0/thoughtSignature")
	}
}

func TestNothingFollowsTheEnd(t *testing.T) {
	t.Parallel()
	s := toresponses.NewStream()
	if _, err := s.Push(chunksOf(t, part(`{"text":"a"}`)+","+stop)[0]); err != nil {
		t.Fatal(err)
	}
	if out, err := s.Close(nil); err != nil ||
		last(out).Type != openaiapi.ResponseEventTypeCompleted {
		t.Errorf("%v, %s", err, told(out))
	}
	if out, err := s.Push(&geminiapi.GenerateContentResponse{}); err == nil || out != nil {
		t.Errorf("%v, %s", err, told(out))
	}
	if out, err := s.Close(io.ErrUnexpectedEOF); err != nil || out != nil || len(s.Begin()) > 0 {
		t.Errorf("%v, %s", err, told(out))
	}
}

func TestLossesOfAStream(t *testing.T) {
	t.Parallel()
	wire := chunksOf(t, part(`{"text":"a"}`)+
		`,"safetyRatings":[{"category":"HARM_CATEGORY_HARASSMENT"}],`+stop)
	s := toresponses.NewStream(toresponses.WithoutExtensions(), toresponses.WithLossesOnly())
	for _, err := range s.Events(openaitest.Pairs(wire, nil)) {
		if err != nil {
			t.Fatal(err)
		}
	}
	if lost := s.Lost(); !lost.Covers("/0/candidates/0/safetyRatings") ||
		len(s.Report().Of(report.Added)) > 0 {
		t.Errorf("lost %v, report %v", lost, s.Report())
	}
}

func TestALoopThatIsLeftStopsReading(t *testing.T) {
	t.Parallel()
	read := 0
	chunks := func(yield func(*geminiapi.GenerateContentResponse, error) bool) {
		for _, c := range chunksOf(t, part(`{"text":"a"}`), part(`{"text":"b"}`), stop) {
			read++
			if !yield(c, nil) {
				return
			}
		}
	}
	for e := range toresponses.NewStream().Events(chunks) {
		if e.Type == openaiapi.ResponseEventTypeOutputTextDelta {
			break
		}
	}
	if read != 1 {
		t.Errorf("%d chunks were read", read)
	}
	if _, err := toresponses.WriteStream(closed{}, chunks); !errors.Is(err, io.ErrClosedPipe) ||
		read != 2 {
		t.Errorf("%v after %d chunks", err, read)
	}
}

// closed is a client that has disconnected.
type closed struct{}

func (closed) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

// The items do not depend on how the text is split into chunks.
func TestAnyCutGivesTheSameItems(t *testing.T) {
	t.Parallel()
	const text = "東京🗼 is a city. "
	var want string
	for _, size := range []int{1, 2, 5, len([]rune(text))} {
		var bodies []string
		for rest := []rune(text); len(rest) > 0; rest = rest[min(size, len(rest)):] {
			bodies = append(bodies,
				part(`{"text":`+strconv.Quote(string(rest[:min(size, len(rest))]))+`}`))
		}
		r := last(streamed(t, append(bodies, stop))).Response
		got := encoded(t, r)
		if want == "" {
			want = got
		}
		if diff := cmp.Diff(want, got); diff != "" || jsonx.Deref(partOf(t, r).Text) != text {
			t.Errorf("in pieces of %d: %s", size, diff)
		}
	}
}

// OpenAI has no event for code that failed; its item has the status.
func TestOnlyCodeThatSucceededIsCompleted(t *testing.T) {
	t.Parallel()
	for outcome, isCompleted := range map[string]bool{"OUTCOME_OK": true, "OUTCOME_FAILED": false,
		"OUTCOME_DEADLINE_EXCEEDED": false} {
		all := streamed(t,
			[]string{part(`{"executableCode":{"language":"PYTHON","code":"f()"}}`),
				part(`{"codeExecutionResult":{"outcome":"` + outcome + `","output":"x"}}`), stop})
		if got := strings.Contains(told(all),
			"code_interpreter_call.completed"); got != isCompleted {
			t.Errorf("%s: %s", outcome, told(all))
		}
	}
}
