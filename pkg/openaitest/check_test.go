package openaitest_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/pkg/openaitest"
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

const good = `{"id":"c","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"Hi","refusal":null},"logprobs":null,"finish_reason":"stop"}]}`

func TestChecksSayWhereAndWhatWouldBeRight(t *testing.T) {
	t.Parallel()
	request := func(t testing.TB, body []byte) { openaitest.CheckRequest(t, body) }
	response := func(t testing.TB, body []byte) { openaitest.CheckResponse(t, body) }
	lenient := func(t testing.TB,
		body []byte) {
		openaitest.CheckResponse(t, body, openaitest.AllowUnknown())
	}
	stream := func(t testing.TB, body []byte) { openaitest.CheckStream(t, body) }
	unknown := strings.Replace(good, `"model":"m"`, `"model":"m","modle":1`, 1)
	for name, test := range map[string]struct {
		check func(testing.TB, []byte)
		body  string
		fails bool
		want  string
	}{
		"a request":                  {request, `{"model":"m","messages":[{"role":"user","content":"Hi"}]}`, false, ""},
		"a request without a model":  {request, strings.Replace(`{"model":"m","messages":[{"role":"user","content":"Hi"}]}`, `"model":"m",`, "", 1), true, "/model: "},
		"a request that is not JSON": {request, `{`, true, ""},
		"an answer":                  {response, good, false, ""},
		"a bad answer":               {response, strings.Replace(good, `"index":0`, `"index":-1`, 1), true, "/choices/0/index: must be at least 0, found -1"},
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

const stream1 = `data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"content":"Hi"},"finish_reason":"stop"}]}` +
	"\n\ndata: [DONE]\n\n"
