package openai_test

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/pkg/openai"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/wire"
	"github.com/google/go-cmp/cmp"
)

// readAll reads a stream to its end, and returns the ids of its chunks.
func readAll(s *openai.StreamReader) (ids []string, err error) {
	for chunk, err := range s.All() {
		if err != nil {
			return ids, err
		}
		ids = append(ids, chunk.ID)
	}
	return ids, nil
}

func TestChunksAreReadUpToTheEnd(t *testing.T) {
	t.Parallel()
	for name, body := range map[string]string{
		"as they are written":    "data: {\"id\":\"a\"}\n\ndata: {\"id\":\"b\"}\n\ndata: [DONE]\n\n",
		"with CRLF":              "data: {\"id\":\"a\"}\r\n\r\ndata: {\"id\":\"b\"}\r\n\r\ndata: [DONE]\r\n\r\n",
		"without spaces":         "data:{\"id\":\"a\"}\ndata:{\"id\":\"b\"}\ndata:[DONE]",
		"with other lines":       ": ping\nevent: x\ndata: {\"id\":\"a\"}\n\nid: 7\ndata: {\"id\":\"b\"}\n\ndata: [DONE]\n\n: bye\n",
		"with CR":                "data: {\"id\":\"a\"}\r\rdata: {\"id\":\"b\"}\r\rdata: [DONE]\r\r",
		"on several lines":       "data: {\ndata: \"id\":\"a\"}\n\ndata: {\"id\":\ndata: \"b\"}\n\ndata: [DONE]\n\n",
		"with a byte order mark": "\ufeffdata: {\"id\":\"a\"}\n\ndata: {\"id\":\"b\"}\n\ndata: [DONE]\n\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, in := range []io.Reader{strings.NewReader(body),
				oneByte{strings.NewReader(body)}} {
				s := openai.NewStreamReader(in)
				ids, err := readAll(s)
				if err != nil || strings.Join(ids, " ") != "a b" {
					t.Errorf("got %v, %v", ids, err)
				}
				if _, err := s.Next(); err != io.EOF {
					t.Errorf("after the end: %v", err)
				}
				if err := s.CheckEnd(); err != nil {
					t.Errorf("the end: %v", err)
				}
			}
		})
	}
}

// oneByte reads one byte at a time.
type oneByte struct{ io.Reader }

func (r oneByte) Read(p []byte) (int, error) { return r.Reader.Read(p[:min(len(p), 1)]) }

func TestTheBytesOfAStreamAreThoseOfItsEvents(t *testing.T) {
	t.Parallel()
	s := openai.NewStreamReader(strings.NewReader(": hi\n\ndata: {\"id\":\ndata: \"a\",\"choices\":[]}\n\ndata: [DONE]\n\n"))
	if s.Bytes() != nil {
		t.Errorf("before the first event: %q", s.Bytes())
	}
	for _, want := range []string{"{\"id\":\n\"a\",\"choices\":[]}", "[DONE]"} {
		if _, err := s.Next(); err != nil && err != io.EOF || string(s.Bytes()) != want {
			t.Errorf("got %q, %v, want %q", s.Bytes(), err, want)
		}
	}
	failed := openai.NewStreamReader(strings.NewReader("data: {\"error\":{\"message\":\"No.\"}}\n\n"),
		openai.WithForeignChunks())
	if _, err := failed.Next(); err == nil ||
		string(failed.Bytes()) != `{"error":{"message":"No."}}` {
		t.Errorf("an error: got %q, %v", failed.Bytes(), err)
	}
	cut := openai.NewStreamReader(strings.NewReader(""))
	if _, err := cut.Next(); err == nil || cut.Bytes() != nil {
		t.Errorf("a cut: got %q, %v", cut.Bytes(), err)
	}
}

func TestAStreamSaysWhereItFails(t *testing.T) {
	t.Parallel()
	const chunk = "data: {\"id\":\"a\"}\n\n"
	tests := map[string]struct {
		body, pointer string
		offset        int64
		reason        string
	}{
		"nothing":                   {"", "/0", 0, "the stream is truncated: neither [DONE] nor an error"},
		"truncated":                 {chunk, "/1", 18, "the stream is truncated: neither [DONE] nor an error"},
		"on several lines":          {chunk + "data: {\ndata: \"id\":7}\n\n", "/1/id", 24, "a string was expected, found a number"},
		"no JSON":                   {chunk + "data: {\"id\":x}\n\n", "/1/id", 30, "not JSON"},
		"another type":              {chunk + "data:  {\"choices\":{}}\n\n", "/1/choices", 36, "a list was expected, found an object"},
		"an event that is no error": {chunk + "data: {\"error\":7}\n\n", "/1/error", 33, "an object was expected, found a number"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := openai.NewStreamReader(strings.NewReader(test.body))
			_, err := readAll(s)
			failure, ok := errors.AsType[*wire.StreamError](err)
			if !ok {
				t.Fatalf("got %v", err)
			}
			pointer, offset := failure.Location()
			if pointer != test.pointer || offset != test.offset || failure.Reason() != test.reason {
				t.Errorf("got %s, %d, %s", pointer, offset, failure.Reason())
			}
			if _, again := s.Next(); again != err {
				t.Errorf("then %v", again)
			}
		})
	}
}

func TestBytesAfterTheEndAreReported(t *testing.T) {
	t.Parallel()
	const (
		answer = `data: {"id":"a","choices":[{"index":0,"delta":{"content":"x"},"finish_reason":"stop"}]}` +
			"\n\n"
		failed = `data: {"error":{"message":"busy","type":"server_error","param":null,"code":null}}` +
			"\n\n"
		done   = "data: [DONE]\n\n"
		counts = `data: {"id":"a","choices":[],"usage":{"prompt_tokens":1,"completion_tokens":1,"total_tokens":2}}` +
			"\n\n"
	)
	for name, test := range map[string]struct {
		body, pointer string
		err           error
	}{
		"nothing":                   {answer + done, "", nil},
		"two marks":                 {answer + done + done, "", nil},
		"counts":                    {answer + done + counts, "/2", nil},
		"an empty object":           {answer + done + "data: {}\n\n", "/2", nil},
		"an object that is cut":     {answer + done + `{"choices":[`, "/2", nil},
		"a damaged line":            {answer + done + "dta: {}\n", "/1", nil},
		"another answer":            {answer + done + answer, "", wire.ErrSecondStream},
		"counts and another answer": {answer + done + counts + answer, "/2", wire.ErrSecondStream},
		"counts after an error":     {answer + failed + counts, "/2", nil},
		"an answer after an error":  {answer + failed + answer, "", wire.ErrSecondStream},
		"a stream that is cut":      {answer, "", nil},
	} {
		s := openai.NewStreamReader(strings.NewReader(test.body))
		_, _ = readAll(s)
		if err := s.CheckEnd(); !errors.Is(err, test.err) {
			t.Errorf("%s: %v", name, err)
		}
		if report := s.Report(); len(report) > 1 || (len(report) == 1) != (test.pointer != "") ||
			report != nil && report[0].Pointer != test.pointer {
			t.Errorf("%s: %v", name, report)
		}
		if !cmp.Equal(s.Report(), s.Lost()) {
			t.Errorf("%s: %v is lost", name, s.Lost())
		}
	}
}

func TestAFailureOfTheServerEndsTheStream(t *testing.T) {
	t.Parallel()
	s := openai.NewStreamReader(strings.NewReader("data: {\"id\":\"a\"}\n\n" +
		`data: {"error":{"message":"try again later","type":"rate_limit_error","param":null,"code":"x"}}` +
		"\n\n"))
	ids, err := readAll(s)
	failure, ok := errors.AsType[*openai.Error](err)
	if !ok || len(ids) != 1 {
		t.Fatalf("got %v, %v", ids, err)
	}
	if got := failure.Error(); got != "openai: rate_limit_error: try again later" ||
		*failure.Response.Error.Code != "x" {
		t.Errorf("got %s, %+v", got, failure.Response)
	}
	if err := s.CheckEnd(); err != nil {
		t.Errorf("the end: %v", err)
	}
}

func TestAnErrorInPlaceOfTheStreamIsRead(t *testing.T) {
	t.Parallel()
	s := openai.NewStreamReader(strings.NewReader("{\n  \"error\": {\"message\": \"no such model\"}\n}\n"))
	ids, err := readAll(s)
	if failure, ok := errors.AsType[*openai.Error](err); !ok || ids != nil ||
		failure.Response.Error.Message != "no such model" {
		t.Errorf("got %v, %v", ids, err)
	}
}

func TestAnErrorOfTheReaderIsReturned(t *testing.T) {
	t.Parallel()
	s := openai.NewStreamReader(io.MultiReader(strings.NewReader("data: {\"id\":\"a\"}\n\ndata: {\"id"),
		broken{}))
	if ids, err := readAll(s); err != io.ErrClosedPipe || len(ids) != 1 {
		t.Errorf("got %v, %v", ids, err)
	}
}

type broken struct{}

func (broken) Read([]byte) (int, error) { return 0, io.ErrClosedPipe }

func TestAnEventAboveTheLimitEndsTheStream(t *testing.T) {
	t.Parallel()
	const head, large = ": ping\n\n", `{"id":"a"}`
	body := head + "data: " + large + "\r\n\r\ndata: [DONE]\n\n"
	for size, fits := range map[int64]bool{9: false, 10: true, 0: true, -1: true} {
		s := openai.NewStreamReader(strings.NewReader(body), openai.WithMaxEventSize(size))
		if ids, err := readAll(s); (err == nil) != fits {
			t.Errorf("limit %d: got %v, %v", size, ids, err)
		} else if failure,
			ok := errors.AsType[*wire.StreamError](err); !fits &&
			(!ok || !errors.Is(err, wire.ErrEventTooLarge) || failure.Offset != 14) {
			t.Errorf("limit %d: got %v", size, err)
		}
	}
}

func TestALineWithoutAnEndIsNotHeld(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		start string
		want  error
	}{
		"an event":  {"data: ", wire.ErrEventTooLarge},
		"a comment": {": ", io.ErrClosedPipe},
	} {
		in := io.MultiReader(strings.NewReader(test.start), io.LimitReader(endless{}, 1<<19),
			broken{})
		s := openai.NewStreamReader(in, openai.WithMaxEventSize(1<<10))
		if _, err := s.Next(); !errors.Is(err, test.want) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

func TestAnEventMayBeLongerThanAnyBuffer(t *testing.T) {
	t.Parallel()
	for _, size := range []int{4 << 10, 4<<10 - len("data: ") - 3, 1 << 20} {
		id := strings.Repeat("x", size)
		body := ":" + id + "\ndata: {\"id\":\"" + id + "\"}\n\ndata: [DONE]"
		for _, in := range []io.Reader{strings.NewReader(body), oneByte{strings.NewReader(body)}} {
			if ids, err := readAll(openai.NewStreamReader(in)); err != nil || len(ids) != 1 ||
				ids[0] != id {
				t.Errorf("%d: got %d chunks, %v", size, len(ids), err)
			}
		}
	}
}

// endless repeats the same letter without an end.
type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}

func TestALineThatIsNotOfAStreamIsReported(t *testing.T) {
	t.Parallel()
	for _, line := range []string{"dta: {\"id\":\"b\"}\n\n", "  data: {}\n", "text\r"} {
		s := openai.NewStreamReader(strings.NewReader("data: {\"id\":\"a\"}\n\n" + line +
			"data: [DONE]\n\n"))
		if ids, err := readAll(s); err != nil || len(ids) != 1 {
			t.Errorf("%s: got %v, %v", line, ids, err)
		}
		if entries := s.Report(); len(entries) != 1 || entries[0].Kind != report.Lost ||
			entries[0].Pointer != "/1" {
			t.Errorf("%s: %v", line, entries)
		}
	}
}

func TestASecondStreamIsAnError(t *testing.T) {
	t.Parallel()
	const start, end, other = "data: {\"id\":\"a\",\"choices\":[{\"delta\":{\"content\":\"x\"}}]}\n\n",
		"data: {\"id\":\"a\",\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n",
		"data: {\"id\":\"b\",\"choices\":[{\"delta\":{\"content\":\"y\"}}]}\n\n"
	for name, body := range map[string]string{
		"of another id":  start + end + other,
		"the same again": start + end + start + end + "data: [DONE]\n\n",
	} {
		s := openai.NewStreamReader(strings.NewReader(body))
		if ids, err := readAll(s); !errors.Is(err, wire.ErrSecondStream) || len(ids) != 2 {
			t.Errorf("%s: got %v, %v", name, ids, err)
		}
	}
	s := openai.NewStreamReader(strings.NewReader(start + other + end +
		"data: {\"id\":\"a\",\"choices\":[]}\n\ndata: [DONE]\n\n"))
	if ids, err := readAll(s); err != nil || len(ids) != 4 {
		t.Errorf("ids that change before the end: got %v, %v", ids, err)
	}
}

func TestANamedErrorEndsAStreamInAnyForm(t *testing.T) {
	t.Parallel()
	for name, event := range map[string]string{
		"the field of llama.cpp": `error: {"code":400,"message":"too long"}`,
		"a text":                 "event: error\ndata: too long",
		"an envelope":            "event: error\ndata: {\"error\":{\"message\":\"too long\"}}",
	} {
		for _, opts := range [][]openai.StreamOption{nil, {openai.WithForeignChunks()}} {
			s := openai.NewStreamReader(strings.NewReader("data: {\"id\":\"a\"}\n\n"+event+
				"\n\ndata: [DONE]\n\n"), opts...)
			ids, err := readAll(s)
			if e, ok := errors.AsType[*openai.Error](err); !ok ||
				e.Response.Error.Message != "too long" || len(ids) != 1 {
				t.Errorf("%s: %v, %v", name, ids, err)
			}
		}
	}
}

// After one choice has ended, another may continue with any content, also with ids of its own.
func TestAChoiceContinuesAfterTheEndOfAnother(t *testing.T) {
	t.Parallel()
	const piece = "data: {\"id\":\"a\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"x\"}}]}\n\n"
	const ended = "data: {\"id\":\"b\",\"choices\":[{\"index\":1,\"delta\":{\"content\":\"y\"},\"finish_reason\":\"stop\"}]}\n\n"
	const done = "data: {\"id\":\"a\",\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n"
	ids, err := readAll(openai.NewStreamReader(strings.NewReader(piece + ended + piece + done +
		"data: [DONE]\n\n")))
	if err != nil || len(ids) != 4 {
		t.Errorf("%v, %v", ids, err)
	}
	if _, err := readAll(openai.NewStreamReader(strings.NewReader(piece + done + piece + done +
		"data: [DONE]\n\n"))); !errors.Is(err, wire.ErrSecondStream) {
		t.Errorf("a second stream: %v", err)
	}
}

// A second stream may have choices with other indexes, or whole messages instead of deltas.
func TestASecondStreamOfAnotherChoiceIsAnError(t *testing.T) {
	t.Parallel()
	event := func(id string, index int, members string) string {
		return fmt.Sprintf("data: {\"id\":\"%s\",\"choices\":[{\"index\":%d,%s}]}\n\n", id, index,
			members)
	}
	const content, message, end = `"delta":{"content":"x"}`, `"message":{"content":"x"}`,
		`"delta":{},"finish_reason":"stop"`
	const null = `"delta":{"content":"x"},"finish_reason":"null"`
	for name, tt := range map[string]struct {
		events   []string
		isSecond bool
	}{
		"another choice and id":       {[]string{event("a", 0, content), event("a", 0, end), event("b", 1, content)}, true},
		"the first of two continues":  {[]string{event("a", 0, content), event("a", 1, content), event("a", 1, end), event("b", 2, content)}, false},
		"another choice of one id":    {[]string{event("a", 0, content), event("a", 0, end), event("a", 1, content), event("a", 1, end)}, false},
		"an id for each chunk":        {[]string{event("a", 0, content), event("b", 0, content), event("c", 0, end), event("d", 1, content)}, false},
		"no ids":                      {[]string{event("", 0, content), event("", 0, end), event("", 1, content)}, false},
		"a message of another id":     {[]string{event("a", 0, message+`,"finish_reason":"stop"`), event("b", 0, message)}, true},
		"a message of the same id":    {[]string{event("a", 0, content), event("a", 0, end), event("a", 0, message)}, false},
		"the word null is not an end": {[]string{event("a", 0, null), event("b", 0, null), event("b", 0, end)}, false},
		"nothing but an empty choice": {[]string{event("a", 0, content), event("a", 0, end), event("b", 1, `"delta":{}`)}, false},
	} {
		s := openai.NewStreamReader(strings.NewReader(strings.Join(tt.events, "")+
			"data: [DONE]\n\n"), openai.WithForeignChunks())
		if ids, err := readAll(s); errors.Is(err, wire.ErrSecondStream) != tt.isSecond {
			t.Errorf("%s: %v, %v", name, ids, err)
		}
	}
}
