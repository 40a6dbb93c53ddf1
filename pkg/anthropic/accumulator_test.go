package anthropic_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/anthropicapi"
	"github.com/gemwire/gemwire/internal/test/corpustest"
	"github.com/gemwire/gemwire/pkg/anthropic"
	"github.com/google/go-cmp/cmp"
)

func accumulate(t testing.TB, events []anthropicapi.StreamEvent) *anthropicapi.Message {
	t.Helper()
	var a anthropic.Accumulator
	for i := range events {
		if err := a.Push(&events[i]); err != nil {
			t.Fatal(err)
		}
		a.Message() // what is there meanwhile changes nothing
	}
	return a.Message()
}

func TestTheAccumulatorMakesTheMessage(t *testing.T) {
	t.Parallel()
	events := message(
		block(0, thoughts, thinkMore, thinkMore, signed),
		block(1, `{"type":"text","text":"","citations":[]}`, textMore,
			`{"type":"citations_delta","citation":{"type":"web_search_result_location","url":"u"}}`,
			textMore),
		block(2, call, `{"type":"input_json_delta","partial_json":""}`,
			`{"type":"input_json_delta","partial_json":"{\"n\":1."}`,
			`{"type":"input_json_delta","partial_json":"50}"}`),
		block(3, strings.Replace(call, "toolu_1", "toolu_2", 1),
			`{"type":"input_json_delta","partial_json":""}`),
		block(4, `{"type":"web_search_tool_result","tool_use_id":"a","content":[]}`),
		block(5, `{"type":"compaction","content":null}`,
			`{"type":"compaction_delta","content":"sum"}`),
	)
	out, err := anthropic.EncodeResponse(accumulate(t, decodeAll(t, events)))
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[` +
		`{"type":"thinking","thinking":"aa","signature":"s"},` +
		`{"type":"text","text":"aa","citations":[{"type":"web_search_result_location","url":"u"}]},` +
		`{"type":"tool_use","id":"toolu_1","name":"f","input":{"n":1.50}},` +
		`{"type":"tool_use","id":"toolu_2","name":"f","input":{}},` +
		`{"type":"web_search_tool_result","tool_use_id":"a","content":[]},` +
		`{"type":"compaction","content":"sum"}` +
		`],"stop_reason":"end_turn","stop_sequence":null,"usage":{"input_tokens":3,"output_tokens":2}}`
	if diff := cmp.Diff(want, string(out)); diff != "" {
		t.Error(diff)
	}
}

// If another model continues a message, the message has the name of that model, whole and streamed.
func TestAFallbackNamesTheModelThatAnswers(t *testing.T) {
	t.Parallel()
	const fallback = `{"type":"fallback","from":{"model":"m"},"to":{"model":"later"}}`
	out := accumulate(t,
		decodeAll(t, message(block(0, fallback), block(1, `{"type":"text","text":""}`, textMore))))
	if out.Model != "later" || len(out.Content) != 2 {
		t.Errorf("%d blocks of %s", len(out.Content), out.Model)
	}
}

func TestTheAccumulatorRefusesWhatHasNoPlace(t *testing.T) {
	t.Parallel()
	for name, events := range map[string][]string{
		"a block before message_start": {begin},
		"a second message_start":       {start, start},
		"a message_start without one":  {`{"type":"message_start"}`},
		"a delta before its block":     {start, more},
		"a block within another":       {start, begin, begin},
		"a gap":                        {start, strings.Replace(begin, `"index":0`, `"index":1`, 1)},
		"an end of no block":           {start, end},
		"the end within a block":       {start, begin, delta},
		"an error":                     {start, fault},
	} {
		var a anthropic.Accumulator
		var err error
		for _, event := range decodeAll(t, events) {
			err = errors.Join(err, a.Push(&event))
		}
		if err == nil {
			t.Errorf("%s: no error", name)
		}
		if reported, ok := errors.AsType[*anthropic.Error](err); (name == "an error") != ok ||
			ok && reported.Response.Error.Message != "Overloaded" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestEveryRecordedStreamIsAMessage(t *testing.T) {
	t.Parallel()
	for _, p := range corpustest.ClientPayloads(t, "messages", corpustest.Stream) {
		if strings.Contains(p.Name, "message-start.chunks") {
			continue // two messages
		}
		for _, body := range separated(p.Read(t)) {
			m := accumulate(t, readStream(t, p.Name, body))
			if err := anthropic.ValidateResponse(m); err != nil {
				t.Errorf("%s: %v", p.Name, err)
			}
		}
	}
}
