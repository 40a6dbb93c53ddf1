package fakegemini_test

import (
	"fmt"
	"net/http"
	"runtime"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/geminitest"
)

// list repeats an element n times, with its number instead of %d.
func list(n int, element string) string {
	elements := make([]string, n)
	for i := range elements {
		elements[i] = strings.ReplaceAll(element, "%d", fmt.Sprint(i))
	}
	return strings.Join(elements, ",")
}

// The memory for a request with many turns is linear in its size, not quadratic. The test is not
// parallel, because it counts all allocations.
func TestManyTurnsTakeMemoryByTheirNumber(t *testing.T) {
	const turnsOfUser, most = 20_000, 100 << 20
	body := []byte(turns(list(turnsOfUser, `{"parts":[{"text":"a"}]}`)))
	handler := newHandler(t, geminitest.WithoutRequestLog())
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	reply := do(t, handler, oldPath, body)
	runtime.ReadMemStats(&after)
	if reply.Code != http.StatusOK {
		t.Fatalf("%d %s", reply.Code, reply.Body)
	}
	if took := after.TotalAlloc - before.TotalAlloc; took > most {
		t.Errorf("%d bytes for a request of %d", took, len(body))
	}
}

// Of very many errors the first hundred are reported.
func TestAtMostAHundredFaultsAreReported(t *testing.T) {
	t.Parallel()
	for name, body := range map[string]string{
		"unknown names": `{"contents":[{"parts":[{"text":"a"}]}],` +
			list(5000, `"x%d":1`) + `}`,
		"unknown names in many turns": turns(list(5000, `{"x":1,"parts":[{"text":"a"}]}`)),
		"unknown names in model turns": turns(list(2500,
			question+`,{"role":"model","x":1,"parts":[{"text":"a"}]}`), question),
		"equal functions": ask(`"tools":[{"functionDeclarations":[` +
			list(3000, `{"name":"f","description":"d"}`) + `]}]`),
		"values of another type": turns(list(5000, `"x"`)),
	} {
		reply := do(t, newHandler(t), oldPath, []byte(body))
		err := gemini.DecodeError(reply.Code, reply.Header(), reply.Body.Bytes())
		if lines := strings.Count(err.Message, "\n"); reply.Code != http.StatusBadRequest ||
			lines > 100 {
			t.Errorf("%s: %d, %d lines", name, reply.Code, lines)
		}
	}
}

// Arguments and values of schemas with very many properties are made quickly, although properties
// are looked up one by one.
func TestASchemaMayHaveManyProperties(t *testing.T) {
	t.Parallel()
	const n = 5000
	for name, schema := range map[string]string{
		"optional": `{"type":"OBJECT","properties":{` + list(n, `"p%d":{"type":"STRING"}`) + `}}`,
		"required": `{"type":"OBJECT","properties":{` + list(n, `"p%d":{"type":"STRING"}`) +
			`},"required":[` + list(n, `"p%d"`) + `]}`,
	} {
		reply := do(t, newHandler(t), oldPath, []byte(withSchema(schema)))
		if has := strings.Contains(reply.Body.String(), `p4999`); reply.Code != http.StatusOK ||
			!has {
			t.Errorf("%s: %d %.300s", name, reply.Code, reply.Body)
		}
	}
}
