package framing_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/internal/test/corpustest"
	"github.com/gemwire/gemwire/pkg/fakegemini/internal/framing"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
)

const payload = `{"a":[1,{"b":"<x> & 'y'"}],"empty":{},"none":[]}`

func TestWholeAnswersHaveTwoSpacesALevel(t *testing.T) {
	t.Parallel()
	got, err := framing.AppendWhole(nil, jsontext.Value(payload))
	if err != nil {
		t.Fatal(err)
	}
	want := "{\n  \"a\": [\n    1,\n    {\n      \"b\": \"\\u003cx\\u003e & 'y'\"\n    }\n  ],\n  \"empty\": {},\n  \"none\": []\n}\n"
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Error(diff)
	}
}

func TestEventsAreOneLineAndABlankOne(t *testing.T) {
	t.Parallel()
	got, err := framing.AppendEvent([]byte("before"), jsontext.Value(payload))
	if err != nil {
		t.Fatal(err)
	}
	want := "beforedata: {\"a\": [1,{\"b\": \"\\u003cx\\u003e & 'y'\"}],\"empty\": {},\"none\": []}\r\n\r\n"
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Error(diff)
	}
}

func TestInvalidJSONIsNotFramed(t *testing.T) {
	t.Parallel()
	if got, err := framing.AppendEvent([]byte("before"), jsontext.Value(`{"a":`)); err == nil ||
		string(got) != "before" {
		t.Errorf("got %q, %v", got, err)
	}
	if got, err := framing.AppendElement([]byte("before"), jsontext.Value(`{"a":`),
		true); err == nil || string(got) != "before" {
		t.Errorf("got %q, %v", got, err)
	}
}

// Recorded bodies of servers are framed to the same bytes again.
func TestFramingIsThatOfRecordedAnswers(t *testing.T) {
	t.Parallel()
	counts := map[corpustest.Kind]int{}
	for _, kind := range []corpustest.Kind{corpustest.Response, corpustest.Stream} {
		for _, p := range corpustest.Payloads(t, kind) {
			body := p.Read(t)
			again, ok := reframed(t, body)
			if !ok {
				continue
			}
			if bytes.Equal(body, again) {
				counts[kind]++
			}
		}
	}
	if counts[corpustest.Response] < corpustest.AtLeast(450) ||
		counts[corpustest.Stream] < corpustest.AtLeast(160) {
		t.Errorf("framed alike: %v", counts)
	}
}

// reframed takes a body apart and writes it again. It returns false if the body is neither JSON nor
// an event stream.
func reframed(t *testing.T, body []byte) ([]byte, bool) {
	t.Helper()
	var out []byte
	if !bytes.HasPrefix(body, []byte("data: ")) {
		if !jsontext.Value(body).IsValid() {
			return nil, false
		}
		if body[0] == '[' {
			return reframedList(t, body), true
		}
		out, err := framing.AppendWhole(nil, body)
		return out, err == nil
	}
	for event := range bytes.SplitSeq(bytes.TrimSpace(body), []byte("\r\n\r\n")) {
		data := bytes.TrimPrefix(event, []byte("data: "))
		var err error
		if out, err = framing.AppendEvent(out, data); err != nil {
			return nil, false
		}
	}
	return out, true
}

func reframedList(t *testing.T, body []byte) []byte {
	t.Helper()
	var elements []json.RawMessage
	if err := json.Unmarshal(body, &elements); err != nil {
		t.Fatal(err)
	}
	var out []byte
	for i, element := range elements {
		var err error
		if out, err = framing.AppendElement(out, jsontext.Value(element), i == 0); err != nil {
			t.Fatal(err)
		}
	}
	return append(out, framing.ListEnd...)
}

func TestStreams(t *testing.T) {
	t.Parallel()
	failure := jsontext.Value(`{"error":{"code":503}}`)
	for name, test := range map[string]struct {
		form   framing.Form
		write  func(*framing.Stream) error
		status int
		kind   string
		body   string
	}{
		"events": {framing.Events, func(s *framing.Stream) error {
			return first(s.Chunk(jsontext.Value(`{"a":1}`)), s.Chunk(jsontext.Value(`{"a":2}`)),
				s.Close())
		}, 200, "text/event-stream", "data: {\"a\": 1}\r\n\r\ndata: {\"a\": 2}\r\n\r\n"},
		"a list": {framing.List, func(s *framing.Stream) error {
			return first(s.Chunk(jsontext.Value(`{"a":1}`)), s.Chunk(jsontext.Value(`{"a":2}`)),
				s.Close())
		}, 200, "application/json; charset=UTF-8", "[{\n  \"a\": 1\n}\n,\r\n{\n  \"a\": 2\n}\n]"},
		"an empty list": {framing.List, (*framing.Stream).Close, 200, "application/json; charset=UTF-8", "[]"},
		"an error in place of events": {framing.Events, func(s *framing.Stream) error { return s.Error(503, failure) },
			503, "text/event-stream", "{\n  \"error\": {\n    \"code\": 503\n  }\n}\n"},
		"an error among events": {framing.Events, func(s *framing.Stream) error {
			return first(s.Chunk(jsontext.Value(`{"a":1}`)), s.Error(503, failure))
		}, 200, "text/event-stream",
			"data: {\"a\": 1}\r\n\r\n{\n  \"error\": {\n    \"code\": 503\n  }\n}\n"},
		"an error in place of a list": {framing.List, func(s *framing.Stream) error { return s.Error(503, failure) },
			503, "application/json; charset=UTF-8",
			"[{\n  \"error\": {\n    \"code\": 503\n  }\n}\n]\n"},
		"an error in a list": {framing.List, func(s *framing.Stream) error {
			return first(s.Chunk(jsontext.Value(`{"a":1}`)), s.Error(503, failure))
		}, 200, "application/json; charset=UTF-8",
			"[{\n  \"a\": 1\n}\n,\r\n{\n  \"error\": {\n    \"code\": 503\n  }\n}\n]"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := httptest.NewRecorder()
			if err := test.write(framing.NewStream(w, test.form)); err != nil {
				t.Fatal(err)
			}
			body, _ := io.ReadAll(w.Result().Body)
			if w.Code != test.status || w.Header().Get("Content-Type") != test.kind {
				t.Errorf("got %d, %q", w.Code, w.Header().Get("Content-Type"))
			}
			if diff := cmp.Diff(test.body, string(body)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func first(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

func TestTheQueryDecidesTheForm(t *testing.T) {
	t.Parallel()
	for query, want := range map[string]framing.Form{"": framing.List, "?alt=json": framing.List,
		"?alt=sse": framing.Events, "?$alt=sse": framing.Events} {
		r := httptest.NewRequest(http.MethodPost, "/v1beta/models/m:streamGenerateContent"+query,
			strings.NewReader(""))
		if got := framing.FormOf(r); got != want {
			t.Errorf("%q: got %v", query, got)
		}
	}
}
