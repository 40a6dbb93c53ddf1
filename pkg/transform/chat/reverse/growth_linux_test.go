package reverse_test

import (
	"fmt"
	"io"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/pkg/openai"
	"github.com/gemwire/gemwire/pkg/transform/chat/reverse"
)

// repeated returns a list of elements, each made from its number.
func repeated(n int, format string) string {
	out := make([]string, n)
	for i := range out {
		out[i] = strings.ReplaceAll(format, "%d", fmt.Sprint(i))
	}
	return strings.Join(out, ",")
}

const signed = `{"type":"reasoning.encrypted","format":"google-gemini-v1","data":"c2ln","id":"c%d"}`

// hostileAnswers are completions with a repeated part.
var hostileAnswers = map[string]func(n int) string{
	"choices of one index": func(n int) string {
		return repeated(n,
			`{"index":0,"message":{"role":"assistant","content":"x"},"finish_reason":"stop"}`)
	},
	"choices before all": func(n int) string {
		return repeated(n,
			`{"index":-%d,"message":{"role":"assistant","content":"x"},"finish_reason":"stop"}`)
	},
	"annotations from the last to the first": func(n int) string {
		list := make([]string, n)
		for i := range list {
			list[i] = fmt.Sprintf(`{"type":"url_citation","url_citation":{"url":"u","title":"t","start_index":%d,"end_index":%d}}`,
				2*(n-i)-1, 2*(n-i))
		}
		return `{"index":0,"message":{"role":"assistant","content":"` + strings.Repeat("é", 2*n) +
			`","annotations":[` + strings.Join(list, ",") + `]},"finish_reason":"stop"}`
	},
	"signatures of calls": func(n int) string {
		return `{"index":0,"message":{"role":"assistant","content":null,"tool_calls":[` +
			repeated(n, `{"id":"c%d","type":"function","function":{"name":"f","arguments":"{}"}}`) +
			`],"reasoning_details":[` + repeated(n, signed) + `]},"finish_reason":"stop"}`
	},
	"signatures of no calls": func(n int) string {
		return `{"index":0,"message":{"role":"assistant","content":"x","tool_calls":[` +
			repeated(n, `{"id":"d%d","type":"function","function":{"name":"f","arguments":"{}"}}`) +
			`],"reasoning_details":[` + repeated(n, signed) + `]},"finish_reason":"stop"}`
	},
}

// hostileStreams are the choices of chunks with a repeated part.
var hostileStreams = map[string]func(n int) []string{
	"choices of one index": func(n int) []string {
		return []string{repeated(n, `{"index":0,"delta":{"content":"x"},"finish_reason":null}`)}
	},
	"calls of one index, by their ids": func(n int) []string {
		begun := repeated(n, `{"index":0,"id":"c%d","function":{"name":"f","arguments":"{\"a\":"}}`)
		return []string{delta(`"tool_calls":[` + begun + `]`),
			delta(`"tool_calls":[` +
				repeated(n, `{"index":0,"id":"c%d","function":{"arguments":"1}"}}`) + `]`)}
	},
	"pieces that name no function": func(n int) []string {
		pieces := repeated(n, `{"index":%d,"id":"c%d","function":{"name":"","arguments":" "}}`)
		return []string{delta(`"tool_calls":[{"index":-1,"id":"c","function":{"name":"f"}}]`),
			delta(`"tool_calls":[` + pieces + `]`)}
	},
	"calls that a message repeats": func(n int) []string {
		calls := repeated(n,
			`{"index":%d,"id":"c%d","function":{"name":"f","arguments":"{\"a\":"}}`)
		return []string{delta(`"tool_calls":[` + calls + `]`),
			`{"index":0,"delta":{},"message":{"tool_calls":[` +
				repeated(n, `{"id":"c%d","function":{"name":"f","arguments":"{\"a\":1}"}}`) +
				`]},"finish_reason":null}`}
	},
	"signatures of calls": func(n int) []string {
		calls := repeated(n, `{"index":%d,"id":"d%d","function":{"name":"f","arguments":"{}"}}`)
		return []string{delta(`"reasoning_details":[` + repeated(n, signed) + `]`),
			delta(`"tool_calls":[` + calls + `]`)}
	},
	"deltas that repeat nothing": func(n int) []string {
		out := make([]string, n)
		for i := range out {
			out[i] = delta(`"content":"some words of the answer"`)
		}
		return out
	},
}

// An answer takes about as long as 64 answers of a 64th of its size. It would take 64 times as long
// if each part were compared with all others.
func TestTheTimeOfAHostileAnswerGrowsWithItsSize(t *testing.T) {
	if testing.Short() {
		t.Skip("it measures time")
	}
	for name, made := range hostileAnswers {
		t.Run(name, func(t *testing.T) {
			checkGrowth(t, timeOfAnswer(t, made(250), 128), timeOfAnswer(t, made(16_000), 2))
		})
	}
	for name, made := range hostileStreams {
		t.Run("streamed "+name, func(t *testing.T) {
			checkGrowth(t, timeOfStream(t, made(250), 128), timeOfStream(t, made(16_000), 2))
		})
	}
}

func checkGrowth(t *testing.T, short, long time.Duration) {
	t.Helper()
	if long > 6*short+100*time.Millisecond {
		t.Errorf("%v, and %v for as much at once", short, long)
	}
}

// timeOfAnswer returns the processor time to convert a completion several times.
func timeOfAnswer(t *testing.T, choices string, times int) time.Duration {
	t.Helper()
	in, _, err := openai.DecodeForeignResponse(
		[]byte(`{"id":"c1","object":"chat.completion","created":1,"model":"m","choices":[` +
			choices + `]}`))
	if err != nil {
		t.Fatal(err)
	}
	return timeOf(t, times, func() error {
		_, _, err := reverse.ToGemini(in)
		return err
	})
}

// timeOfStream returns the processor time for a stream of chunks with choices.
func timeOfStream(t *testing.T, choices []string, times int) time.Duration {
	t.Helper()
	var chunks []*openaiapi.CreateChatCompletionStreamResponse
	for _, list := range choices {
		chunk, err := openai.DecodeChunk(
			[]byte(`{"id":"c1","object":"chat.completion.chunk","created":1,"model":"m","choices":[` +
				list + `]}`))
		if err != nil {
			t.Fatal(err)
		}
		chunks = append(chunks, chunk)
	}
	return timeOf(t, times, func() error {
		s := reverse.NewStream(reverse.WithAccumulatedDeltas())
		for _, chunk := range chunks {
			if _, err := s.Push(chunk); err != nil {
				return err
			}
		}
		_, err := s.Close(io.EOF)
		return err
	})
}

// timeOf returns the thread's processor time for several conversions. It does not depend on other
// processes.
func timeOf(t *testing.T, times int, convert func() error) time.Duration {
	t.Helper()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	begin := processorTime(t)
	for range times {
		if err := convert(); err != nil {
			t.Fatal(err)
		}
	}
	return processorTime(t) - begin
}

func processorTime(t *testing.T) time.Duration {
	t.Helper()
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_THREAD, &usage); err != nil {
		t.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
