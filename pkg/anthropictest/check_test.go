package anthropictest_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/pkg/anthropic"
	"github.com/gemwire/gemwire/pkg/anthropictest"
	"github.com/google/go-cmp/cmp"
)

// witness is a test that records its failures.
type witness struct {
	testing.TB
	errors []string
}

func (w *witness) Helper()           {}
func (w *witness) Log(...any)        {}
func (w *witness) Error(args ...any) { w.errors = append(w.errors, fmt.Sprint(args...)) }

const good = `{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[{"type":"text","text":"Hi"}],"stop_reason":"end_turn","stop_sequence":null,"usage":{"input_tokens":1,"output_tokens":2}}`

func TestChecksSayWhereAndWhatWouldBeRight(t *testing.T) {
	t.Parallel()
	request := func(t testing.TB,
		body []byte) {
		anthropictest.CheckRequest(t, body, anthropic.Version20230601)
	}
	response := func(t testing.TB, body []byte) { anthropictest.CheckResponse(t, body) }
	lenient := func(t testing.TB,
		body []byte) {
		anthropictest.CheckResponse(t, body, anthropictest.AllowUnknown())
	}
	stream := func(t testing.TB, body []byte) { anthropictest.CheckStream(t, body) }
	unknown := strings.Replace(good, `"model":"m"`, `"model":"m","modle":1`, 1)
	for name, test := range map[string]struct {
		check func(testing.TB, []byte)
		body  string
		fails bool
		want  string
	}{
		"a request":                  {request, `{"model":"m","max_tokens":5,"messages":[{"role":"user","content":"Hi"}]}`, false, ""},
		"a request without a model":  {request, strings.Replace(`{"model":"m","max_tokens":5,"messages":[{"role":"user","content":"Hi"}]}`, `"model":"m",`, "", 1), true, "/model: "},
		"a request that is not JSON": {request, `{`, true, ""},
		"an answer":                  {response, good, false, ""},
		"a bad answer":               {response, strings.Replace(good, `"input_tokens":1`, `"input_tokens":-1`, 1), true, "/usage/input_tokens: must be at least 0, found -1"},
		"an unknown member":          {response, unknown, true, "/modle: is not a known member of "},
		"an unknown one, allowed":    {lenient, unknown, false, ""},
		"a stream":                   {stream, stream1, false, ""},
		"a stream that is cut":       {stream, stream1[:len(stream1)/3], true, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := &witness{TB: t}
			test.check(w, []byte(test.body))
			if (len(w.errors) > 0) != test.fails ||
				test.fails && !strings.HasPrefix(w.errors[0], test.want) {
				t.Error(cmp.Diff(test.want, w.errors))
			}
		})
	}
}

const stream1 = `data: {"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":1,"output_tokens":1}}}

data: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}

data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hi"}}

data: {"type":"content_block_stop","index":0}

data: {"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null},"usage":{"output_tokens":2}}

data: {"type":"message_stop"}` + "\n\n"
