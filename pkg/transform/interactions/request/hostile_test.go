package request_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/gemwire/gemwire/pkg/transform/interactions/request"
)

// times returns n JSON values, each with its number in the place of %d.
func times(n int, format string) string {
	out := make([]string, n)
	for i := range out {
		out[i] = strings.ReplaceAll(format, "%d", fmt.Sprint(i))
	}
	return strings.Join(out, ",")
}

// The time for a request is linear in its size, whatever is repeated. The limit is far above the
// usual time, and far below quadratic time.
func TestTimeGrowsWithTheSizeOfARequest(t *testing.T) {
	t.Parallel()
	n := 100_000
	if testing.Short() {
		n = 40_000
	}
	for name, steps := range map[string]string{
		"calls in one turn": times(n, `{"type":"function_call","id":"a%d","name":"f"}`) + `,` +
			times(n, `{"type":"function_result","call_id":"a%d","result":"x"}`),
		"results in one step": times(n, `{"type":"function_call","id":"a%d","name":"f"}`) +
			`,{"type":"user_input","content":[` +
			times(n, `{"type":"function_result","call_id":"a%d","result":"x"}`) + `]}`,
		"thoughts":        times(n, `{"type":"thought","signature":"a%d"}`) + `,` + next,
		"blocks":          times(n, `{"type":"text","text":"a%d"}`),
		"steps of no use": times(n, `{"type":"dance","later":%d}`) + `,` + next,
		"turns": times(n, `{"type":"user_input","content":"a"},{"type":"model_output","content":"b"}`) +
			`,` + next,
	} {
		in := mustDecode(t, inputOf(asked, steps))
		begin := time.Now()
		if _, _, err := request.ToGemini(in, request.WithoutValidation()); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if took := time.Since(begin); took > 30*time.Second {
			t.Errorf("%s: %v", name, took)
		} else {
			t.Logf("%s: %v", name, took)
		}
	}
}
