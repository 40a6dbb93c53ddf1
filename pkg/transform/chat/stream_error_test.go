package chat_test

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/test/openaitest"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/transform/chat"
	"github.com/gemwire/gemwire/pkg/wire"
	"github.com/google/go-cmp/cmp"
)

func TestAnErrorInAStreamIsAnErrorAndNoEnd(t *testing.T) {
	t.Parallel()
	const recorded = "data: {\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"Well\"}]}}],\"responseId\":\"r\",\"modelVersion\":\"m\"}\n\n" +
		"{\"error\":{\"code\":503,\"message\":\"The model is overloaded.\",\"status\":\"UNAVAILABLE\"}}\n"
	var out strings.Builder
	_, err := chat.WriteStream(&out, gemini.NewStreamReader(strings.NewReader(recorded)).All(),
		chat.WithUsage())
	want := "data: " + `{"id":"r","object":"chat.completion.chunk","created":0,"model":"m","choices":[{"index":0,"delta":{"role":"assistant","content":"Well"},"finish_reason":null}]}` +
		"\n\n" +
		"data: " + `{"error":{"message":"The model is overloaded.","type":"server_error","param":null,"code":"server_error"}}` +
		"\n\n"
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Error(diff)
	}
	if e, ok := errors.AsType[*normalize.Error](err); !ok ||
		e.Category != normalize.CategoryServer {
		t.Errorf("the error is %v", err)
	}
	if e, ok := errors.AsType[*gemini.Error](err); !ok ||
		e.Status != geminiapi.ErrorStatusUnavailable {
		t.Errorf("the error is %v", err)
	}
}

func TestAStreamThatOnlyStopsHasNoEnd(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		bodies  []string
		failure error
		want    error
	}{
		"without a finish reason":    {[]string{`{"candidates":[{"content":{"parts":[{"text":"a"}]}}]}`}, nil, wire.ErrTruncated},
		"within a call":              {streamedCall[:2], nil, wire.ErrTruncated},
		"for the reader fails":       {[]string{`{"candidates":[{"content":{"parts":[{"text":"a"}]}}]}`}, io.ErrUnexpectedEOF, io.ErrUnexpectedEOF},
		"for the reader fails later": {[]string{`{"candidates":[{"content":{"parts":[{"text":"a"}]},"finishReason":"STOP"},{"index":1}]}`}, io.ErrUnexpectedEOF, io.ErrUnexpectedEOF},
		"before anything came":       {nil, nil, wire.ErrTruncated},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			wire := openaitest.DecodeAll(t, test.bodies)
			written, _, err := body(t, wire, test.failure)
			if !errors.Is(err, test.want) {
				t.Errorf("the error is %v", err)
			}
			if strings.Contains(written, "[DONE]") ||
				!strings.Contains(written, `data: {"error":{`) {
				t.Errorf("the body is %s", written)
			}
			convertStream(t, wire, test.failure)
		})
	}
}

// A candidate with a finish reason has ended, whatever happens to the others.
func TestACandidateThatEndedIsEndedBeforeTheError(t *testing.T) {
	t.Parallel()
	out := convertStream(t, openaitest.DecodeAll(t, []string{
		`{"candidates":[{"index":0,"content":{"parts":[{"text":"a"}]}},{"index":1,"content":{"parts":[{"text":"b"}]},"finishReason":"STOP"}]}`,
	}), io.ErrUnexpectedEOF)
	ends(t, out, "stop")
	if last := out.chunks[len(out.chunks)-1].Choices[0]; last.Index != 1 {
		t.Errorf("got %v", choicesOf(t, out.chunks))
	}
}

func TestACallThatCannotBeUnderstoodEndsTheStream(t *testing.T) {
	t.Parallel()
	out := convertStream(t, openaitest.DecodeAll(t, []string{
		`{"candidates":[{"content":{"parts":[{"text":"a"}]},"finishReason":"STOP"}]}`,
		`{"candidates":[{"content":{"parts":[{"text":"b"},{"functionCall":{"args":{}}}]}}]}`,
	}), nil)
	if e, ok := errors.AsType[*normalize.PartError](out.err); !ok ||
		e.Pointer != "/1/candidates/0/content/parts/1/functionCall" {
		t.Errorf("the error is %v", out.err)
	}
	if got := *openaitest.Accumulate(out.chunks).Choices[0].Message.Content; got != "ab" {
		t.Errorf("the content before it is %q", got)
	}
}

func TestNothingComesAfterTheEnd(t *testing.T) {
	t.Parallel()
	stop := openaitest.Decode(t, `{"candidates":[{"finishReason":"STOP"}]}`)
	s := chat.NewStream()
	for _, push := range []func() ([]chunk, error){
		func() ([]chunk, error) { return s.Push(stop) },
		func() ([]chunk, error) { return s.Close(nil) },
	} {
		if _, err := push(); err != nil {
			t.Fatal(err)
		}
	}
	if out, err := s.Push(stop); err == nil || out != nil {
		t.Errorf("a chunk after the end becomes %v, %v", out, err)
	}
	if out, err := s.Close(io.ErrUnexpectedEOF); err != nil || out != nil {
		t.Errorf("a second end becomes %v, %v", out, err)
	}

	s = chat.NewStream()
	_, failure := s.Close(io.ErrUnexpectedEOF)
	if out, err := s.Push(stop); failure == nil || err != failure || out != nil {
		t.Errorf("a chunk after an error becomes %v, %v", out, err)
	}
}

func TestALoopThatIsLeftEarlyReadsNoMore(t *testing.T) {
	t.Parallel()
	read := 0
	chunks := func(yield func(*geminiapi.GenerateContentResponse, error) bool) {
		for yield(openaitest.Decode(t, `{"candidates":[{"content":{"parts":[{"text":"a"}]}}]}`),
			nil) {
			read++
		}
	}
	for _, err := range chat.NewStream().Chunks(chunks) {
		if err != nil {
			t.Fatal(err)
		}
		break
	}
	if read != 0 {
		t.Errorf("%d chunks were read after it", read)
	}
}
