package responses_test

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/pkg/openai/responses"
	"github.com/gemwire/gemwire/pkg/wire"
)

// The events in the bodies.
const (
	created   = `{"type":"response.created","sequence_number":0,"response":{"id":"resp_1"}}`
	completed = `{"type":"response.completed","sequence_number":1,"response":{"id":"resp_1","status":"completed"}}`
	failure   = `{"type":"error","sequence_number":1,"error":{"type":"tokens","code":"rate_limit_exceeded","message":"slow down","param":null}}`
)

// readAll reads a stream to its end, and returns the types of its events.
func readAll(s *responses.StreamReader) (types []string, err error) {
	for e, err := range s.All() {
		if err != nil {
			return types, err
		}
		types = append(types, string(e.Type))
	}
	return types, nil
}

func TestEventsAreReadUpToTheEnd(t *testing.T) {
	t.Parallel()
	for name, body := range map[string]string{
		"as they are written": "event: response.created\ndata: " + created +
			"\n\nevent: response.completed\ndata: " + completed + "\n\n",
		"without names": "data: " + created + "\n\ndata: " + completed + "\n\n",
		"with CRLF":     "data: " + created + "\r\n\r\ndata: " + completed + "\r\n\r\n",
		"with the mark": "data: " + created + "\n\ndata: " + completed +
			"\n\ndata: [DONE]\n\n",
		"without the last break": "data:" + created + "\n\ndata:" + completed,
		"with comments": ": hello\ndata: " + created + "\n\n: still there\n\ndata: " +
			completed + "\n\n: bye\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, in := range []io.Reader{strings.NewReader(body),
				oneByte{strings.NewReader(body)}} {
				s := responses.NewStreamReader(in)
				types, err := readAll(s)
				if err != nil || strings.Join(types, " ") != "response.created response.completed" {
					t.Errorf("got %v, %v", types, err)
				}
				if _, err := s.Next(); err != io.EOF {
					t.Errorf("after the end: %v", err)
				}
				if err := s.CheckEnd(); err != nil || len(s.Report()) > 0 || len(s.Lost()) > 0 {
					t.Errorf("the end: %v, %v", err, s.Report())
				}
			}
		})
	}
}

// oneByte reads one byte at a time.
type oneByte struct{ io.Reader }

func (r oneByte) Read(p []byte) (int, error) { return r.Reader.Read(p[:min(len(p), 1)]) }

func TestAStreamSaysWhereItFails(t *testing.T) {
	t.Parallel()
	const first = "data: " + created + "\n\n"
	for name, test := range map[string]struct{ body, pointer, reason string }{
		"nothing":             {"", "/0", "the stream is truncated: no response.completed, response.incomplete or response.failed"},
		"only begun":          {first, "/1", "the stream is truncated: no response.completed, response.incomplete or response.failed"},
		"the mark alone":      {first + "data: [DONE]\n\n", "/1", "the stream is truncated: no response.completed, response.incomplete or response.failed"},
		"cut":                 {first + `data: {"type":"respo`, "/1/type", "the input ends too early"},
		"another type":        {first + "data: {\"type\":7}\n\n", "/1/type", "an enum name was expected, found a number"},
		"begun again":         {first + first, "/1", "a second stream begins after the first"},
		"larger than allowed": {"data: " + strings.Repeat("x", 300) + "\n\n", "/0", "larger than the limit of 256 bytes"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := responses.NewStreamReader(strings.NewReader(test.body),
				responses.WithMaxEventSize(256))
			_, err := readAll(s)
			fault, ok := errors.AsType[*wire.StreamError](err)
			if !ok {
				t.Fatalf("got %v", err)
			}
			if pointer, _ := fault.Location(); pointer != test.pointer ||
				fault.Reason() != test.reason {
				t.Errorf("at %s: %s", pointer, fault.Reason())
			}
			if _, again := s.Next(); again != err {
				t.Errorf("and then %v", again)
			}
		})
	}
}

func TestAReportedFailureEndsTheStream(t *testing.T) {
	t.Parallel()
	for name, body := range map[string]string{
		"as an event": "data: " + created + "\n\nevent: error\ndata: " + failure +
			"\n\n",
		"as a flat event": `data: {"type":"error","sequence_number":0,"code":"rate_limit_exceeded","message":"slow down","param":null}` +
			"\n\n",
		"in place of a stream": `{"error":{"message":"slow down","type":"tokens","param":null,"code":"rate_limit_exceeded"}}`,
		"in an event of its own": "data: " + created + "\n\n" +
			`data: {"error":{"message":"slow down","code":"rate_limit_exceeded"}}` + "\n\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := responses.NewStreamReader(strings.NewReader(body))
			_, err := readAll(s)
			failed, ok := errors.AsType[*responses.Error](err)
			if !ok {
				t.Fatalf("got %v", err)
			}
			if got := failed.Response.Error; got.Message != "slow down" ||
				*got.Code != "rate_limit_exceeded" {
				t.Errorf("got %+v", got)
			}
			if err := s.CheckEnd(); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestAFailedResponseAfterAnErrorIsRead(t *testing.T) {
	t.Parallel()
	failed := strings.ReplaceAll(completed, "completed", "failed")
	s := responses.NewStreamReader(strings.NewReader("data: " + created + "\n\ndata: " + failure +
		"\n\ndata: " + failed + "\n\n"))
	types, err := readAll(s)
	if err != nil || strings.Join(types, " ") != "response.created error response.failed" {
		t.Errorf("got %v, %v", types, err)
	}
}

func TestEventsAfterTheEndAreReported(t *testing.T) {
	t.Parallel()
	s := responses.NewStreamReader(strings.NewReader("data: " + completed +
		"\n\ndata: {\"x\":1}\n\n"))
	if _, err := readAll(s); err != nil {
		t.Fatal(err)
	}
	if err := s.CheckEnd(); err != nil || len(s.Lost()) != 1 || s.Lost()[0].Pointer != "/1" {
		t.Errorf("got %v, %v", err, s.Lost())
	}
	second := responses.NewStreamReader(strings.NewReader("data: " + completed + "\n\ndata: " +
		created + "\n\n"))
	if _, err := readAll(second); err != nil {
		t.Fatal(err)
	}
	if err := second.CheckEnd(); !errors.Is(err, wire.ErrSecondStream) {
		t.Errorf("got %v", err)
	}
}

func TestEventsAreFramed(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	w := responses.NewStreamWriter(&out)
	err := w.Write(
		openaiapi.ResponseEvent{Type: openaiapi.ResponseEventTypeOutputTextDone,
			Text: new("a\nb\r\u2028\u2029\u0085\x00é")},
		openaiapi.ResponseEvent{Type: openaiapi.ResponseEventTypeKeepalive, SequenceNumber: 1},
	)
	want := "event: response.output_text.done\n" +
		`data: {"type":"response.output_text.done","sequence_number":0,"text":"a\nb\r\u2028\u2029\u0085\u0000é"}` +
		"\n\n" +
		"event: keepalive\ndata: {\"type\":\"keepalive\",\"sequence_number\":1}\n\n"
	if err != nil || out.String() != want {
		t.Errorf("got %q, %v", out.String(), err)
	}
}

func TestThereIsNoMarkUnlessItIsAskedFor(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		options []responses.WriterOption
		marks   int
	}{{nil, 0}, {[]responses.WriterOption{responses.WithDoneMark()}, 1}} {
		var out bytes.Buffer
		w := responses.NewStreamWriter(&out, test.options...)
		if err := w.Write(openaiapi.ResponseEvent{Type: openaiapi.ResponseEventTypeCompleted}); err != nil {
			t.Fatal(err)
		}
		if got := strings.Count(out.String(), "\n\ndata: [DONE]\n\n"); got != test.marks {
			t.Errorf("%d marks in %q", got, out.String())
		}
		if err := w.Write(openaiapi.ResponseEvent{Type: openaiapi.ResponseEventTypeKeepalive}); err == nil {
			t.Error("an event is written after the end")
		}
	}
}

func TestAStreamThatFailedBeforeItBegan(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	event := responses.ErrorEvent(0,
		openaiapi.ResponseError{Type: "server_error", Code: openaiapi.ResponseErrorCodeServerError,
			Message: "no"})
	if err := responses.NewStreamWriter(&out).Fail(event); err != nil {
		t.Fatal(err)
	}
	_, err := readAll(responses.NewStreamReader(&out))
	if failed, ok := errors.AsType[*responses.Error](err); !ok ||
		failed.Response.Error.Type != "server_error" || failed.Response.Error.Message != "no" {
		t.Errorf("got %v", err)
	}
}

func TestAnEventThatCannotBeWrittenIsLeftOut(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	w := responses.NewStreamWriter(&out)
	err := w.Write(
		openaiapi.ResponseEvent{Type: openaiapi.ResponseEventTypeKeepalive},
		openaiapi.ResponseEvent{Type: openaiapi.ResponseEventTypeKeepalive, Unknown: []byte("{")},
	)
	if _, ok := errors.AsType[*wire.EncodeError](err); !ok ||
		strings.Count(out.String(), "event:") != 1 {
		t.Errorf("got %q, %v", out.String(), err)
	}
	if err := responses.NewStreamWriter(broken{}).Write(openaiapi.ResponseEvent{}); !errors.Is(err,
		io.ErrClosedPipe) {
		t.Errorf("got %v", err)
	}
}

// broken is a writer that is closed.
type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }
