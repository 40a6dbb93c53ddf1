package responsestest_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/pkg/responsestest"
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

const good = `{"id":"resp_1","object":"response","created_at":1,"status":"completed","error":null,"incomplete_details":null,"model":"m","output":[]}`

func TestChecksSayWhereAndWhatWouldBeRight(t *testing.T) {
	t.Parallel()
	request := func(t testing.TB, body []byte) { responsestest.CheckRequest(t, body) }
	response := func(t testing.TB, body []byte) { responsestest.CheckResponse(t, body) }
	lenient := func(t testing.TB,
		body []byte) {
		responsestest.CheckResponse(t, body, responsestest.AllowUnknown())
	}
	stream := func(t testing.TB, body []byte) { responsestest.CheckStream(t, body) }
	unknown := strings.Replace(good, `"model":"m"`, `"model":"m","modle":1`, 1)
	for name, test := range map[string]struct {
		check func(testing.TB, []byte)
		body  string
		fails bool
		want  string
	}{
		"a request":                  {request, `{"model":"m","input":"Hi"}`, false, ""},
		"a request that is too hot":  {request, `{"model":"m","input":"Hi","temperature":9}`, true, "/temperature: "},
		"a request that is not JSON": {request, `{`, true, ""},
		"an answer":                  {response, good, false, ""},
		"a bad answer":               {response, strings.Replace(good, `"created_at":1`, `"created_at":-1`, 1), true, "/created_at: must be at least 0, found -1"},
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

const stream1 = `data: {"type":"response.created","sequence_number":0,"response":{"id":"resp_1","object":"response","created_at":1,"status":"in_progress","model":"m","output":[]}}

data: {"type":"response.completed","sequence_number":1,"response":{"id":"resp_1","object":"response","created_at":1,"status":"completed","model":"m","output":[],` + usage + "}}\n\n"

const usage = `"usage":{"input_tokens":1,"input_tokens_details":{"cached_tokens":0},"output_tokens":0,"output_tokens_details":{"reasoning_tokens":0},"total_tokens":1}`
