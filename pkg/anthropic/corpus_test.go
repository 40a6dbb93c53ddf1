package anthropic_test

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/anthropicapi"
	"github.com/gemwire/gemwire/internal/test/corpustest"
	"github.com/gemwire/gemwire/pkg/anthropic"
	"github.com/gemwire/gemwire/pkg/wire"
	"github.com/go-json-experiment/json"
	"github.com/google/go-cmp/cmp"
)

func TestEveryRecordedRequestComesThroughUnchanged(t *testing.T) {
	t.Parallel()
	payloads := corpustest.ClientPayloads(t, "messages", corpustest.Request)
	for _, p := range payloads {
		data := p.Read(t)
		in, err := anthropic.DecodeRequest(data)
		if err != nil {
			// whose message is a text, on purpose
			if !strings.Contains(p.Name, "anthropic_completion_error") {
				t.Errorf("%s: %v", p.Name, err)
			}
			continue
		}
		out, err := anthropic.EncodeRequest(in)
		checkSameJSON(t, p.Name, data, out, err)
	}
	checkCount(t, len(payloads), 250)
}

func TestEveryRecordedAnswerComesThroughUnchangedAndIsValid(t *testing.T) {
	t.Parallel()
	payloads := corpustest.ClientPayloads(t, "messages", corpustest.Response)
	for _, p := range payloads {
		data := p.Read(t)
		if !bytes.Contains(data, []byte(`"role"`)) {
			in, err := anthropic.DecodeCount(data)
			if err != nil {
				t.Errorf("%s: %v", p.Name, err)
				continue
			}
			out, err := anthropic.AppendCount(nil, in)
			checkSameJSON(t, p.Name, data, out, err)
			continue
		}
		in, err := anthropic.DecodeResponse(data)
		if err != nil {
			t.Errorf("%s: %v", p.Name, err)
			continue
		}
		if err := anthropic.ValidateResponse(in); err != nil {
			t.Errorf("%s: %v", p.Name, err)
		}
		out, err := anthropic.EncodeResponse(in)
		checkSameJSON(t, p.Name, data, out, err)
	}
	checkCount(t, len(payloads), 200)
}

// Anthropic's servers promise to write the members that they write as null, because clients in
// typed languages need them.
func TestTheNullsOfAnAnswerComeThrough(t *testing.T) {
	t.Parallel()
	for name, document := range map[string]string{
		"results of a search": `{"type":"web_search_tool_result","tool_use_id":"a","content":[{"type":"web_search_result","title":"T","encrypted_content":"e","url":"u","page_age":null}]}`,
		"a fetched page":      `{"type":"web_fetch_tool_result","tool_use_id":"a","content":{"type":"web_fetch_result","content":{"type":"document","title":null},"url":"u","retrieved_at":null}}`,
		"a citation":          `{"type":"text","text":"a","citations":[{"type":"char_location","cited_text":"a","document_index":0,"document_title":null,"file_id":null,"start_char_index":0,"end_char_index":1}]}`,
		"a viewed file":       `{"type":"text_editor_code_execution_tool_result","tool_use_id":"a","content":{"type":"text_editor_code_execution_view_result","content":"c","file_type":"image","start_line":null,"num_lines":null,"total_lines":null}}`,
		"a failed search":     `{"type":"tool_search_tool_result","tool_use_id":"a","content":{"type":"tool_search_tool_result_error","error_code":"unavailable","error_message":null}}`,
		"code that ended":     `{"type":"code_execution_tool_result","tool_use_id":"a","content":{"type":"code_execution_result","content":[],"stdout":"","stderr":"","return_code":0,"abort_reason":null}}`,
	} {
		event := `{"type":"content_block_start","index":0,"content_block":` + document + `}`
		in, err := anthropic.DecodeEvent([]byte(event))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		out, err := anthropic.EncodeEvent(in)
		if err != nil ||
			string(out) != event &&
				strings.Count(string(out), "null") != strings.Count(event, "null") {
			t.Errorf("%s: %s became %s, %v", name, event, out, err)
		}
	}
}

func TestEveryRecordedErrorComesThroughUnchanged(t *testing.T) {
	t.Parallel()
	for _, p := range corpustest.ClientPayloads(t, "messages", corpustest.Error) {
		data := p.Read(t)
		in, err := anthropic.DecodeErrorResponse(data)
		if err != nil {
			t.Errorf("%s: %v", p.Name, err)
			continue
		}
		out, err := anthropic.EncodeErrorResponse(in)
		checkSameJSON(t, p.Name, data, out, err)
	}
}

// Streams of Anthropic's servers are in order, and no event changes in a round trip.
func TestEveryRecordedStreamComesThroughUnchangedAndInOrder(t *testing.T) {
	t.Parallel()
	payloads := corpustest.ClientPayloads(t, "messages", corpustest.Stream)
	for _, p := range payloads {
		if strings.Contains(p.Name, "duplicate-message-start") ||
			strings.Contains(p.Name, "spliced-message-start") {
			checkSecondStream(t, p) // made to be wrong, as proxies were seen to send
			continue
		}
		for _, body := range separated(p.Read(t)) {
			events := readStream(t, p.Name, body)
			if err := anthropic.CheckSequence(events); err != nil {
				t.Errorf("%s: %v", p.Name, err)
			}
			checkWritten(t, p.Name, body, events)
		}
	}
	checkCount(t, len(payloads), 150)
}

func checkSecondStream(t *testing.T, p corpustest.Payload) {
	t.Helper()
	var last error
	for _, err := range anthropic.NewStreamReader(bytes.NewReader(p.Read(t))).All() {
		last = err
	}
	if !errors.Is(last, wire.ErrSecondStream) {
		t.Errorf("%s: %v", p.Name, last)
	}
}

// separated returns the streams of a recording with several requests, one after the other.
func separated(body []byte) [][]byte {
	const begin = "event: message_start"
	var out [][]byte
	for {
		next := bytes.Index(body[min(1, len(body)):], []byte("\n"+begin))
		if next < 0 {
			return append(out, body)
		}
		out = append(out, body[:next+2])
		body = body[next+2:]
	}
}

func readStream(t *testing.T, name string, body []byte) (events []anthropicapi.StreamEvent) {
	t.Helper()
	r := anthropic.NewStreamReader(bytes.NewReader(body))
	for event, err := range r.All() {
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if err := anthropic.ValidateEvent(event); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		events = append(events, *event)
	}
	if err := r.CheckEnd(); err != nil {
		t.Errorf("%s: %v", name, err)
	}
	if report := r.Report(); len(report) > 0 {
		t.Errorf("%s: %v", name, report)
	}
	return events
}

// checkWritten compares a writer's output for events with the body that they were read from.
func checkWritten(t *testing.T, name string, body []byte, events []anthropicapi.StreamEvent) {
	t.Helper()
	var out bytes.Buffer
	w := anthropic.NewStreamWriter(&out)
	if err := w.Write(events...); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	want, got := dataLines(body), dataLines(out.Bytes())
	if len(want) != len(got) {
		t.Errorf("%s: %d events became %d", name, len(want), len(got))
		return
	}
	for i := range want {
		checkSameJSON(t, name, []byte(want[i]), []byte(got[i]), nil)
	}
}

func dataLines(body []byte) (out []string) {
	for line := range strings.Lines(string(body)) {
		if data, ok := strings.CutPrefix(line, "data:"); ok {
			out = append(out, data)
		}
	}
	return out
}

// checkSameJSON compares JSON; a null member equals an absent one.
func checkSameJSON(t *testing.T, name string, want, got []byte, err error) {
	t.Helper()
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	if diff := cmp.Diff(tree(t, want), tree(t, got)); diff != "" {
		t.Errorf("%s: (-recorded +ours)\n%s", name, diff)
	}
}

func tree(t *testing.T, data []byte) (v any) {
	t.Helper()
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatal(err)
	}
	return withoutNull(v)
}

func withoutNull(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for name, value := range v {
			if value == nil {
				delete(v, name)
			} else {
				v[name] = withoutNull(value)
			}
		}
	case []any:
		for i := range v {
			v[i] = withoutNull(v[i])
		}
	}
	return v
}

func checkCount(t *testing.T, got, least int) {
	t.Helper()
	if least = corpustest.AtLeast(least); got < least {
		t.Errorf("only %d payloads, want at least %d", got, least)
	}
}

// Anthropic's servers decide which requests are valid.
func TestEveryRequestThatAnthropicAnsweredIsValid(t *testing.T) {
	t.Parallel()
	var answered []string
	for _, kind := range []corpustest.Kind{corpustest.Response, corpustest.Stream} {
		for _, p := range corpustest.ClientPayloads(t, "messages", kind) {
			answered = append(answered, p.Pair)
		}
	}
	for _, p := range corpustest.ClientPayloads(t, "messages", corpustest.Request) {
		if !slices.Contains(answered, p.Name) ||
			strings.Contains(p.Name, "tools_call_with_tool_result_stream") {
			continue // the request to Claude 3 has a result with the id of another call
		}
		in, err := anthropic.DecodeRequest(p.Read(t))
		if err != nil {
			t.Errorf("%s: %v", p.Name, err)
			continue
		}
		validate := anthropic.ValidateRequest
		if in.MaxTokens == nil {
			validate = anthropic.ValidateCountRequest
		}
		if err := validate(in, anthropic.Version20230601); err != nil {
			t.Errorf("%s: %v", p.Name, err)
		}
	}
}
