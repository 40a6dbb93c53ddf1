package anthropic_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/anthropicapi"
	"github.com/gemwire/gemwire/pkg/anthropic"
	"github.com/gemwire/gemwire/pkg/validation"
	"github.com/google/go-cmp/cmp"
)

// block returns the events of a block: its beginning, deltas with the given members, and its end.
func block(index int, begins string, deltas ...string) (out []string) {
	out = append(out, fmt.Sprintf(`{"type":"content_block_start","index":%d,"content_block":%s}`,
		index, begins))
	for _, d := range deltas {
		out = append(out,
			fmt.Sprintf(`{"type":"content_block_delta","index":%d,"delta":%s}`, index, d))
	}
	return append(out, fmt.Sprintf(`{"type":"content_block_stop","index":%d}`, index))
}

func message(blocks ...[]string) []string {
	out := []string{start}
	for _, b := range blocks {
		out = append(out, b...)
	}
	return append(out, delta, stop)
}

// Beginnings of blocks and deltas.
const (
	text      = `{"type":"text","text":""}`
	thoughts  = `{"type":"thinking","thinking":"","signature":""}`
	call      = `{"type":"tool_use","id":"toolu_1","name":"f","input":{}}`
	textMore  = `{"type":"text_delta","text":"a"}`
	thinkMore = `{"type":"thinking_delta","thinking":"a"}`
	signed    = `{"type":"signature_delta","signature":"s"}`
	input     = `{"type":"input_json_delta","partial_json":"{}"}`
)

func decodeAll(t testing.TB, events []string) (out []anthropicapi.StreamEvent) {
	t.Helper()
	for _, data := range events {
		event, err := anthropic.DecodeEvent([]byte(data))
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, *event)
	}
	return out
}

func TestASequenceInOrderPasses(t *testing.T) {
	t.Parallel()
	for name, events := range map[string][]string{
		"text":    message(block(0, text, textMore, textMore)),
		"nothing": message(),
		"pings": append([]string{ping, start, ping},
			append(block(0, text, textMore), delta, ping, stop)...),
		"omitted thoughts": message(block(0, thoughts, signed), block(1, call, input)),
		"thoughts between": message(block(0, text, textMore),
			block(1, thoughts, thinkMore, signed), block(2, call, input)),
		"thoughts alone": message(block(0, thoughts, thinkMore, signed)),
		"input in pieces": message(block(0, call,
			`{"type":"input_json_delta","partial_json":""}`,
			`{"type":"input_json_delta","partial_json":"{\"a\":"}`,
			`{"type":"input_json_delta","partial_json":"1}"}`)),
		"input at once":             message(block(0, strings.Replace(call, `{}`, `{"a":1}`, 1))),
		"an error at the beginning": {fault},
		"an error within a block":   {start, begin, more, fault},
		"an unknown block": message(block(0, `{"type":"unheard_of"}`,
			`{"type":"unheard_of_delta"}`)),
	} {
		if err := anthropic.CheckSequence(decodeAll(t, events)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestASequenceOutOfOrderIsNamed(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		events []string
		want   []string // pointer and rule
	}{
		"no message_start":            {append(block(0, text), delta, stop), []string{"/0 order", "/2 order"}},
		"two":                         {append([]string{start}, message()...), []string{"/1 order"}},
		"no usage":                    {append([]string{strings.Replace(start, `,"usage":{"input_tokens":3,"output_tokens":1}`, "", 1)}, delta, stop), []string{"/0/message/usage/input_tokens required"}},
		"no content":                  {append([]string{strings.Replace(start, `"content":[],`, "", 1)}, delta, stop), []string{"/0/message/content required"}},
		"no end":                      {[]string{start, delta}, []string{"/2 order"}},
		"an open block":               {[]string{start, begin, delta, stop}, []string{"/2 order"}},
		"more after the end":          {append(message(), ping), []string{"/3 order"}},
		"two message_delta":           {[]string{start, delta, delta, stop}, []string{"/2 order"}},
		"message_delta without usage": {[]string{start, strings.Replace(delta, `,"usage":{"output_tokens":2}`, "", 1), stop}, []string{"/1/usage required"}},
		"message_delta without a reason": {[]string{start, strings.Replace(delta, `"end_turn"`, `null`, 1), stop},
			[]string{"/1/delta/stop_reason required"}},
		"first index 1":               {message(block(1, text, textMore)), []string{"/1/index index", "/2/index index", "/3/index index"}},
		"a delta without a block":     {[]string{start, more, delta, stop}, []string{"/1 order", "/1/index index", "/1/delta/type type"}},
		"a block within another":      {[]string{start, begin, strings.Replace(begin, `"index":0`, `"index":1`, 1), strings.Replace(end, "0", "1", 1), delta, stop}, []string{"/2 order"}},
		"text in thoughts":            {message(block(0, thoughts, textMore, signed)), []string{"/2/delta/type type"}},
		"no signature":                {message(block(0, thoughts, thinkMore)), []string{"/3 signature"}},
		"two signatures":              {message(block(0, thoughts, signed, signed)), []string{"/3 signature", "/4 signature"}},
		"signed from the start":       {message(block(0, strings.Replace(thoughts, `"signature":""`, `"signature":"s"`, 1), signed)), []string{"/1/content_block/signature signature"}},
		"thoughts without a text":     {message(block(0, `{"type":"thinking"}`, signed)), []string{"/1/content_block/thinking required"}},
		"thoughts after signature":    {message(block(0, thoughts, signed, thinkMore)), []string{"/3 order"}},
		"thoughts after the text":     {message(block(0, text, textMore), block(1, thoughts, signed)), []string{"/7 thinking"}},
		"no input":                    {message(block(0, call)), []string{"/2 input"}},
		"input twice":                 {message(block(0, strings.Replace(call, `{}`, `{"a":1}`, 1), input)), []string{"/3 input"}},
		"input that is not an object": {message(block(0, call, `{"type":"input_json_delta","partial_json":"{\"a\":"}`)), []string{"/3 input"}},
		"two objects":                 {message(block(0, call, input, input)), []string{"/4 input"}},
		"an id with other letters":    {message(block(0, strings.Replace(call, "toolu_1", "a+b", 1), input)), []string{"/1/content_block/id id"}},
		"an id twice":                 {message(block(0, call, input), block(1, call, input)), []string{"/4/content_block/id unique"}},
		"an error without an error":   {[]string{`{"type":"error"}`}, []string{"/0/error required"}},
	} {
		var found []string
		err := anthropic.CheckSequence(decodeAll(t, tt.events))
		if all, ok := errors.AsType[*validation.Error](err); ok {
			for _, v := range all.Violations {
				found = append(found, v.Pointer+" "+v.Rule)
			}
		}
		if diff := cmp.Diff(tt.want, found); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}
