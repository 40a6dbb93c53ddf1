package reverse_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/interactions"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/interactions/reverse"
	"github.com/gemwire/gemwire/pkg/wire"
	"github.com/google/go-cmp/cmp"
)

const (
	created   = `{"interaction":{"id":"x","status":"in_progress","object":"interaction","model":"m"},"event_type":"interaction.created"}`
	running   = `{"interaction_id":"x","status":"in_progress","event_type":"interaction.status_update"}`
	completed = `{"interaction":{"id":"x","status":"completed","object":"interaction","model":"m","created":"2026-10-05T10:00:00Z","updated":"2026-10-05T10:00:00Z","usage":{"total_tokens":3,"total_input_tokens":1,"total_output_tokens":2}},"event_type":"interaction.completed"}`
	output    = `{"index":0,"step":{"type":"model_output"},"event_type":"step.start"}`
	stopped   = `{"index":0,"event_type":"step.stop"}`
)

func text(index int, text string) string {
	return fmt.Sprintf(`{"index":%d,"delta":{"type":"text","text":%q},"event_type":"step.delta"}`,
		index, text)
}

func delta(index int, delta string) string {
	return fmt.Sprintf(`{"index":%d,"delta":%s,"event_type":"step.delta"}`, index, delta)
}

func start(index int, step string) string {
	return fmt.Sprintf(`{"index":%d,"step":%s,"event_type":"step.start"}`, index, step)
}

func stop(index int) string {
	return fmt.Sprintf(`{"index":%d,"event_type":"step.stop"}`, index)
}

// whole returns the events of a stream with some step events.
func whole(events ...string) []string {
	return append(append([]string{created, running}, events...), completed)
}

// streamed are streams whose chunks equal the whole answer.
var streamed = []struct {
	name   string
	events []string
	// parts are those of the joined chunks, without the extension.
	parts string
}{
	{"a text in pieces", whole(output, text(0, "Hel"), text(0, "lo"), stopped), `[{"text":"Hello"}]`},
	{"a call without a piece of its arguments",
		whole(start(0, `{"type":"function_call","id":"1","name":"f","arguments":{}}`), stopped),
		`[{"functionCall":{"args":{},"id":"1","name":"f"}}]`},
	{"a call with one piece",
		whole(start(0, `{"type":"function_call","id":"1","name":"f","arguments":{}}`),
			delta(0, `{"type":"arguments_delta","arguments":"{\"b\":1.0,\"a\":12345678901234567890}"}`), stopped),
		`[{"functionCall":{"args":{"b":1.0,"a":12345678901234567890},"id":"1","name":"f"}}]`},
	{"a call with pieces that split an escape",
		whole(start(0, `{"type":"function_call","id":"1","name":"f","arguments":{}}`),
			delta(0, `{"type":"arguments_delta","arguments":"{\"a\":\"x\\"}`),
			delta(0, `{"type":"arguments_delta","arguments":"u00e"}`),
			delta(0, `{"type":"arguments_delta","arguments":"9\"}"}`), stopped),
		`[{"functionCall":{"args":{"a":"x\u00e9"},"id":"1","name":"f"}}]`},
	{"the arguments at the start are replaced by pieces",
		whole(start(0, `{"type":"function_call","id":"1","name":"f","arguments":{"old":1}}`),
			delta(0, `{"type":"arguments_delta","arguments":"{\"new\":2}"}`), stopped),
		`[{"functionCall":{"args":{"new":2},"id":"1","name":"f"}}]`},
	{"a step that starts with its content",
		whole(start(0, `{"type":"thought","summary":[{"type":"text","text":"Hm"}]}`), stop(0),
			start(1, `{"type":"model_output","content":[{"type":"text","text":"Hel"}]}`), text(1, "lo"), stop(1)),
		`[{"text":"Hm","thought":true},{"text":"Hello"}]`},
	{"deltas without a type",
		whole(start(0, `{"type":"thought"}`), delta(0, `{"content":{"text":"Hm"}}`), delta(0, `{"text":"m"}`),
			stop(0), start(1, `{"type":"model_output"}`), delta(1, `{"text":"Hi"}`), stop(1)),
		`[{"text":"Hmm","thought":true},{"text":"Hi"}]`},
	{"steps that interleave",
		whole(output, text(0, "a"), start(1, `{"type":"thought"}`),
			delta(1, `{"type":"thought_summary","content":{"type":"text","text":"Hm"}}`), text(0, "b"),
			start(2, `{"type":"function_call","id":"1","name":"f","arguments":{}}`), stop(2), stop(1), text(0, "c"), stop(0)),
		`[{"text":"abc"},{"text":"Hm","thought":true},{"functionCall":{"args":{},"id":"1","name":"f"}}]`},
	{"a signature before a text is on an empty text after it",
		whole(start(0, `{"type":"thought"}`), delta(0, `{"type":"thought_signature","signature":"AA=="}`), stop(0),
			start(1, `{"type":"model_output"}`), text(1, "Hi"), stop(1)),
		`[{"text":"Hi"},{"text":"","thoughtSignature":"AA=="}]`},
	{"a signature before a call is on the call",
		whole(start(0, `{"type":"thought"}`), delta(0, `{"type":"thought_signature","signature":"AA=="}`), stop(0),
			start(1, `{"type":"function_call","id":"1","name":"f","arguments":{},"signature":"AA=="}`), stop(1)),
		`[{"functionCall":{"args":{},"id":"1","name":"f"},"thoughtSignature":"AA=="}]`},
	{"a signature that nothing follows is in the last chunk",
		whole(output, text(0, "Hi"), stop(0), start(1, `{"type":"thought"}`),
			delta(1, `{"type":"thought_signature","signature":"AA=="}`), stop(1)),
		`[{"text":"Hi"},{"text":"","thoughtSignature":"AA=="}]`},
	{"late annotations",
		whole(output, text(0, "塔は"), text(0, "高い。"),
			delta(0, `{"type":"text_annotation_delta","annotations":[{"type":"url_citation","start_index":0,"end_index":15,"url":"https://a.example","title":"A"},{"type":"url_citation","start_index":0,"end_index":15,"url":"https://b.example","title":"B"}]}`), stopped),
		`[{"text":"塔は高い。"}]`},
	{"annotations of the revision before",
		whole(output, text(0, "Hi"),
			delta(0, `{"type":"text_annotation","annotations":[{"type":"word_info","start_index":0,"end_index":2,"text":"Hi","start_offset":"0s"}]}`), stopped),
		`[{"text":"Hi"},{"audioTranscription":{"words":[{"startOffset":"0s","word":"Hi"}]}}]`},
	{"media are passed on at once",
		whole(output, text(0, "See: "), delta(0, `{"type":"image","data":"AAAA","mime_type":"image/png"}`), text(0, "!"),
			delta(0, `{"type":"text_annotation_delta","annotations":[{"type":"url_citation","start_index":5,"end_index":6,"url":"https://a.example"}]}`), stopped),
		`[{"text":"See: "},{"inlineData":{"data":"AAAA","mimeType":"image/png"}},{"text":"!"}]`},
	{"a tool that Google runs",
		whole(start(0, `{"type":"google_search_call","id":"s","signature":""}`),
			delta(0, `{"type":"google_search_call","arguments":{"queries":["q"]},"signature":"AA=="}`), stop(0),
			start(1, `{"type":"google_search_result","call_id":"s"}`),
			delta(1, `{"type":"google_search_result","result":[{"search_suggestions":"<b>"}],"is_error":false}`), stop(1)),
		`[{"toolCall":{"args":{"queries":["q"]},"id":"s","toolType":"GOOGLE_SEARCH_WEB"},"thoughtSignature":"AA=="},{"toolResponse":{"id":"s","response":{"search_suggestions":"<b>"},"toolType":"GOOGLE_SEARCH_WEB"}}]`},
	{"a step without a delta", whole(output, stopped), `[{}]`},
	{"a step that does not stop", whole(output, text(0, "Hi")), `[{"text":"Hi"}]`},
}

func TestTheChunksOfAStreamEqualTheWholeAnswer(t *testing.T) {
	t.Parallel()
	for _, tt := range streamed {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			checkStream(t, tt.name, tt.events)
			checkEqual(t, tt.name, tt.events, reverse.WithoutThoughts())
			checkEqual(t, tt.name, tt.events, reverse.WithoutExtensions())
			out := convertStream(tt.events)
			parts := partsOf(out.merged())
			if diff := cmp.Diff(canonical(t, tt.parts), encode(t, parts)); diff != "" {
				t.Errorf("-want +got: %s", diff)
			}
		})
	}
}

// partsOf returns the parts of an answer without the extension.
func partsOf(r *geminiapi.GenerateContentResponse) []geminiapi.Part {
	if len(r.Candidates) == 0 || r.Candidates[0].Content == nil {
		return nil
	}
	out := append([]geminiapi.Part{}, r.Candidates[0].Content.Parts...)
	for i := range out {
		out[i].Unknown = nil
	}
	return out
}

func TestNothingOfAStreamIsLostSilently(t *testing.T) {
	t.Parallel()
	for _, tt := range streamed {
		checkEventLeaves(t, tt.name, tt.events, 1000)
		checkEventLeaves(t, tt.name, tt.events, 1000, reverse.WithoutExtensions())
		checkEventLeaves(t, tt.name, tt.events, 1000, reverse.WithoutThoughts())
	}
}

func TestTextIsPassedOnAtOnceAndACallWhenItStops(t *testing.T) {
	t.Parallel()
	s := reverse.NewStream()
	for i, tt := range []struct{ event, want string }{
		{created, ""},
		{running, ""},
		{output, ""},
		{text(0, "Hel"), `{"candidates":[{"content":{"parts":[{"text":"Hel"}],"role":"model"},"index":0}],"modelVersion":"m","responseId":"x"}`},
		{text(0, "lo"), `{"candidates":[{"content":{"parts":[{"text":"lo"}],"role":"model"},"index":0}],"modelVersion":"m","responseId":"x"}`},
		{stopped, ""},
		{start(1, `{"type":"function_call","id":"1","name":"f","arguments":{}}`), ""},
		{delta(1, `{"type":"arguments_delta","arguments":"{}"}`), ""},
		{`{"interaction_id":"x","status":"in_progress","usage":{"total_tokens":1,"total_input_tokens":1},"event_type":"interaction.status_update"}`, ""},
		{stop(1), `{"candidates":[{"content":{"parts":[{"functionCall":{"args":{},"id":"1","name":"f"}}],"role":"model"},"index":0}],"modelVersion":"m","responseId":"x","usageMetadata":{"promptTokenCount":1,"totalTokenCount":1}}`},
		{strings.Replace(completed, "completed", "requires_action", 1), `{"candidates":[{"content":{"parts":[{"text":""}],"role":"model"},"finishReason":"STOP","index":0}],"createTime":"2026-10-05T10:00:00Z","extraContent":{"interactions":{"id":"x"}},"modelVersion":"m","responseId":"x","usageMetadata":{"candidatesTokenCount":2,"promptTokenCount":1,"totalTokenCount":3}}`},
	} {
		event, err := interactions.DecodeEvent([]byte(tt.event))
		if err != nil {
			t.Fatal(err)
		}
		chunks, err := s.Push(event)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, c := range chunks {
			data, err := gemini.EncodeResponse(c)
			if err != nil {
				t.Fatal(err)
			}
			got += string(data)
		}
		if diff := cmp.Diff(canonical(t, tt.want), canonical(t, got)); diff != "" {
			t.Errorf("event %d: -want +got: %s", i, diff)
		}
	}
	if chunks, err := s.Close(nil); err != nil || chunks != nil {
		t.Errorf("the end after the last event gives %v, %v", chunks, err)
	}
	if _, err := s.Push(nil); err == nil {
		t.Error("no error after the end")
	}
}

func TestTheLastCountsWin(t *testing.T) {
	t.Parallel()
	count := func(n int) string { return fmt.Sprintf(`{"total_tokens":%d,"total_input_tokens":%d}`, n, n) }
	noCounts := strings.Replace(completed,
		`,"usage":{"total_tokens":3,"total_input_tokens":1,"total_output_tokens":2}`, "", 1)
	events := []string{created, output, text(0, "a"),
		`{"index":0,"delta":{"type":"text","text":"b"},"metadata":{"total_usage":` + count(7) + `},"event_type":"step.delta"}`,
		`{"index":0,"usage":` + count(8) + `,"event_type":"step.stop"}`}
	for _, tt := range []struct {
		last string
		want int
	}{{completed, 3}, {noCounts, 8}} {
		all := append(events[:len(events):len(events)], tt.last)
		checkStream(t, "counts", all)
		checkEventLeaves(t, "counts", all, 1000)
		out := convertStream(all)
		if got := *out.merged().UsageMetadata.TotalTokenCount; got != tt.want {
			t.Errorf("%d tokens, expected %d", got, tt.want)
		}
	}
}

func TestAStreamThatEndsEarlyIsNeverAnAnswer(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		body string
		want error
	}{
		"without the last event and the mark":   {sse(created, output, text(0, "a")), wire.ErrTruncated},
		"with the mark, without the last event": {sse(created, output, text(0, "a"), stopped) + "data: [DONE]\n\n", wire.ErrTruncated},
		"nothing":                               {"", wire.ErrTruncated},
		"the revision before May 2026":          {sse(`{"event_type":"interaction.start","interaction":{"id":"x"}}`), interactions.ErrOldRevision},
		"an error in a list":                    {sse(created, output, text(0, "a")) + "[{\n  \"error\": {\"message\": \"Deadline\", \"code\": \"gateway_timeout\"}\n}\n]\n", nil},
		"an error":                              {sse(created, `{"error":{"message":"Deadline","code":"gateway_timeout"},"event_type":"error"}`), nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := reverse.NewStream()
			var failure error
			for chunk, err := range s.Chunks(interactions.NewStreamReader(strings.NewReader(tt.body)).All()) {
				if failure = err; chunk != nil && len(chunk.Candidates) > 0 &&
					chunk.Candidates[0].FinishReason != nil {
					t.Error("a chunk has a finish reason")
				}
			}
			if failure == nil || tt.want != nil && !errors.Is(failure, tt.want) {
				t.Errorf("the error is %v, expected %v", failure, tt.want)
			}
			if e := reverse.FromError(failure); tt.want == nil && e.HTTPStatus != 504 {
				t.Errorf("the error is %v", e)
			}
		})
	}
}

// sse returns events as server-sent events without the mark.
func sse(events ...string) string {
	var out strings.Builder
	for _, e := range events {
		out.WriteString("data: " + e + "\n\n")
	}
	return out.String()
}

func TestARefusedStreamIsNotAnError(t *testing.T) {
	t.Parallel()
	const refused = `{"error":{"message":"not allowed","code":"content_blocked"},"event_type":"error"}`
	out := convertStream([]string{created, refused})
	if out.err != nil || jsonx.Deref(out.merged().PromptFeedback.BlockReason) != geminiapi.BlockReasonOther {
		t.Errorf("a refused prompt is %s, %v", out.encode(), out.err)
	}
	out = convertStream([]string{created, output, text(0, "a"), refused})
	if out.err != nil || jsonx.Deref(out.merged().Candidates[0].FinishReason) != geminiapi.FinishReasonSafety {
		t.Errorf("a refused answer is %s, %v", out.encode(), out.err)
	}
}

func TestAReplayedStreamRepeatsNothing(t *testing.T) {
	t.Parallel()
	steps := []string{start(0, `{"type":"thought"}`),
		delta(0, `{"type":"thought_signature","signature":"AA=="}`), stop(0),
		start(1, `{"type":"function_call","id":"1","name":"f","arguments":{}}`), stop(1),
		start(2, `{"type":"model_output"}`), text(2, "Hel"), text(2, "lo, "),
		delta(2, `{"type":"image","data":"AAAA","mime_type":"image/png"}`), text(2, "world"),
		delta(2, `{"type":"text_annotation_delta","annotations":[{"type":"url_citation","start_index":0,"end_index":5,"url":"https://a.example","title":"A"}]}`),
		stop(2), start(3, `{"type":"google_search_call","id":"s"}`),
		delta(3, `{"type":"google_search_call","arguments":{"queries":["q"]}}`), stop(3)}
	once := convertStream(whole(steps...))
	for cut := range steps {
		events := append([]string{created, running}, steps[:cut]...)
		events = append(events, whole(steps...)...)
		twice := convertStream(events)
		if twice.err != nil {
			t.Fatal(twice.err)
		}
		if diff := cmp.Diff(comparable(t, once.merged()), comparable(t, twice.merged())); diff != "" {
			t.Errorf("cut after %d events: -once +twice: %s", cut, diff)
		}
	}
}

func TestSplitsOfABodyChangeNothing(t *testing.T) {
	t.Parallel()
	for _, tt := range streamed {
		body := asBody(tt.events)
		want := convertStream(tt.events)
		for _, ends := range []string{"\n", "\r\n", "\r"} {
			for _, size := range []int{1, 7, 64} {
				other := bytes.ReplaceAll(body, []byte("\n"), []byte(ends))
				var got converted
				s := reverse.NewStream()
				in := interactions.NewStreamReader(&pieces{other, size})
				for c, err := range s.Chunks(in.All()) {
					if got.err = err; err == nil {
						got.chunks = append(got.chunks, c)
					}
				}
				if got.err != nil || !bytes.Equal(want.encode(), got.encode()) {
					t.Errorf("%s in pieces of %d: %v", tt.name, size, got.err)
				}
			}
		}
	}
}

// pieces reads data in pieces.
type pieces struct {
	data []byte
	size int
}

func (p *pieces) Read(out []byte) (int, error) {
	if len(p.data) == 0 {
		return 0, io.EOF
	}
	n := copy(out[:min(len(out), p.size)], p.data)
	p.data = p.data[n:]
	return n, nil
}

func TestThoughtsAreNeverTextOfTheAnswer(t *testing.T) {
	t.Parallel()
	out := convertStream(whole(start(0, `{"type":"thought"}`),
		delta(0, `{"type":"thought_summary","content":{"type":"text","text":"secret"}}`),
		delta(0, `{"text":"secret"}`), stop(0), start(1, `{"type":"model_output"}`), text(1, "Hi"), stop(1)))
	for _, p := range partsOf(out.merged()) {
		if jsonx.Deref(p.Text) != "Hi" && !jsonx.Deref(p.Thought) {
			t.Errorf("the part %s is not a thought", encode(t, p))
		}
	}
}

func TestAReportOfLossesOnlyHasOnlyLosses(t *testing.T) {
	t.Parallel()
	events := whole(`{"event_id":"e1","index":0,"step":{"type":"model_output"},"event_type":"step.start"}`,
		text(0, "Hi"), stopped, delta(7, `{"type":"text","text":"late"}`))
	all, losses := convertStream(events), convertStream(events, reverse.WithLossesOnly())
	if !all.report.Covers("/2/event_id") || losses.report.Covers("/2/event_id") {
		t.Errorf("the reports are %v and %v", all.report, losses.report)
	}
	if diff := cmp.Diff(all.report.Of(report.Lost), losses.report); diff != "" ||
		!losses.report.Covers("/5/delta/text") {
		t.Errorf("-want +got: %s", diff)
	}
}

func TestABodyIsWrittenAsServerSentEvents(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	in := interactions.NewStreamReader(bytes.NewReader(asBody(whole(output, text(0, "Hi"), stopped))))
	if _, err := reverse.WriteStream(&out, in.All()); err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(out.String(), "data: {") || !strings.Contains(out.String(), `"STOP"`) {
		t.Errorf("the body is %s", &out)
	}
	out.Reset()
	in = interactions.NewStreamReader(strings.NewReader(sse(created,
		`{"error":{"message":"slow down","code":"rate_limit_exceeded"},"event_type":"error"}`)))
	if _, err := reverse.WriteStream(&out, in.All()); err == nil ||
		!strings.Contains(out.String(), `"RESOURCE_EXHAUSTED"`) {
		t.Errorf("the body is %s, %v", &out, err)
	}
}

func TestAWrittenBodyHasTheChunksOfTheStream(t *testing.T) {
	t.Parallel()
	for _, tt := range streamed {
		var body bytes.Buffer
		in := interactions.NewStreamReader(bytes.NewReader(asBody(tt.events)))
		if _, err := reverse.WriteStream(&body, in.All()); err != nil {
			t.Fatal(err)
		}
		var got converted
		for c, err := range gemini.NewStreamReader(&body).All() {
			if err != nil {
				t.Fatal(err)
			}
			got.chunks = append(got.chunks, c)
		}
		want := convertStream(tt.events)
		if diff := cmp.Diff(string(want.encode()), string(got.encode())); diff != "" {
			t.Errorf("%s: -want +got: %s", tt.name, diff)
		}
	}
}
