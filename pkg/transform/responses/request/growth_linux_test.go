package request_test

import (
	"fmt"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gemwire/gemwire/pkg/openai/responses"
	"github.com/gemwire/gemwire/pkg/transform/internal/envelope"
	"github.com/gemwire/gemwire/pkg/transform/responses/request"
)

// repeated returns a list of elements, each made from its number.
func repeated(n int, format string) string {
	out := make([]string, n)
	for i := range out {
		out[i] = strings.ReplaceAll(format, "%d", fmt.Sprint(i))
	}
	return strings.Join(out, ",")
}

// reasoningWith returns a reasoning item whose token has many entries about much later parts.
func reasoningWith(entries int) string {
	list := make([]envelope.Entry, entries)
	for i := range list {
		list[i] = envelope.Entry{Kind: envelope.Call, Ordinal: 1_000_000 + i, Signature: "AAAA"}
	}
	return `{"type":"reasoning","summary":[],"encrypted_content":"` +
		string(envelope.Append(nil, list...)) + `"}`
}

// hostile are requests with a repeated part.
var hostile = map[string]func(n int) string{
	"functions": func(n int) string {
		return `"input":"x","tools":[` + repeated(n, `{"type":"function","name":"f%d"}`) + `]`
	},
	"tools of items": func(n int) string {
		return `"input":[` +
			repeated(n, `{"type":"additional_tools","tools":[{"type":"custom","name":"f%d"}]}`) +
			`,` + hello + `]`
	},
	"allowed functions": func(n int) string {
		tools := repeated(n, `{"type":"function","name":"f%d"}`)
		return `"input":"x","tools":[` + tools +
			`],"tool_choice":{"type":"allowed_tools","mode":"auto","tools":[` + tools + `]}`
	},
	"calls in a turn": func(n int) string {
		return `"input":[` + hello + `,` +
			repeated(n, `{"type":"function_call","call_id":"c%d","name":"f","arguments":"{}"}`) +
			`,` + repeated(n, `{"type":"function_call_output","call_id":"c%d","output":"x"}`) + `]`
	},
	"calls of one id": func(n int) string {
		return `"input":[` + hello + `,` +
			repeated(n, `{"type":"function_call","call_id":"c","name":"f","arguments":"{}"}`) +
			`,` + repeated(n, `{"type":"function_call_output","call_id":"c","output":"x"}`) + `]`
	},
	"results without ids": func(n int) string {
		return `"input":[` + hello + `,` +
			repeated(n, `{"type":"function_call","name":"f%d","arguments":"{}"}`) +
			`,` + repeated(n, `{"type":"function_call_output","name":"f%d","output":"x"}`) + `]`
	},
	"signatures": func(n int) string {
		return `"input":[` + hello + `,` +
			repeated(n, reasoningWith(1)+`,{"role":"assistant","content":"x"}`) + `,` + hello + `]`
	},
	"signatures in a token": func(n int) string {
		return `"input":[` + hello + `,` + reasoningWith(n) + `,` +
			repeated(n, `{"role":"assistant","content":"x"}`) + `,` + hello + `]`
	},
	"namespaces in namespaces": func(n int) string {
		n = min(n/4, 4000) // JSON has a limit of its own
		const begin = `{"type":"namespace","name":"n","tools":[{"type":"function","name":"f"},`
		return `"input":"x","tools":[` + strings.Repeat(begin, n) +
			`{"type":"function","name":"g"}` + strings.Repeat("]}", n) + `]`
	},
	"filters in filters": func(n int) string {
		n = min(n/4, 4000)
		return `"input":"x","tools":[{"type":"file_search","vector_store_ids":["fileSearchStores/a"],"filters":` +
			strings.Repeat(`{"type":"and","filters":[`, n) + `{"type":"eq","key":"k","value":"` +
			strings.Repeat("v", 10*n) + `"}` + strings.Repeat("]}", n) + `}]`
	},
}

// A request takes about as long as 64 requests of a 64th of its size. It would take 64 times as
// long if each part were compared with all others.
func TestTheTimeOfAHostileRequestGrowsWithItsSize(t *testing.T) {
	if testing.Short() {
		t.Skip("it measures time")
	}
	for name, made := range hostile {
		if short, long := timeOf(t, made(250), 128),
			timeOf(t, made(16_000), 2); long > 6*short+100*time.Millisecond {
			t.Errorf("%s: %v, and %v for as much at once", name, short, long)
		}
	}
}

// timeOf returns the processor time to convert a request several times.
func timeOf(t *testing.T, members string, times int) time.Duration {
	t.Helper()
	in, err := responses.DecodeRequest([]byte(`{"model":"` + levelModel + `",` + members + `}`))
	if err != nil {
		t.Fatal(err)
	}
	runtime.LockOSThread() // whose time is measured
	defer runtime.UnlockOSThread()
	begin := processorTime(t)
	for range times {
		if _, _, err := request.ToGemini(in); err != nil {
			t.Fatal(err)
		}
	}
	return processorTime(t) - begin
}

// processorTime returns the thread's processor time, which does not depend on other processes.
func processorTime(t *testing.T) time.Duration {
	t.Helper()
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_THREAD, &usage); err != nil {
		t.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
