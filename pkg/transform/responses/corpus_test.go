package responses_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/test/corpustest"
	"github.com/gemwire/gemwire/internal/test/openaitest"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/openai/responses"
	toresponses "github.com/gemwire/gemwire/pkg/transform/responses"
	"github.com/google/go-cmp/cmp"
)

// modes are the forms of the output.
var modes = map[string][]toresponses.Option{
	"with extensions":    nil,
	"without extensions": {toresponses.WithoutExtensions()},
}

func TestEveryRecordedAnswerBecomesAValidResponse(t *testing.T) {
	t.Parallel()
	converted := 0
	for _, p := range corpustest.Payloads(t, corpustest.Response) {
		in, err := gemini.DecodeResponse(p.Read(t))
		if err != nil {
			continue // other tests are about what cannot be decoded
		}
		for name, opts := range modes {
			out, _, err := toresponses.FromGemini(in, opts...)
			if _, isEnvelope := errors.AsType[*gemini.Error](err); isEnvelope ||
				errors.Is(err, normalize.ErrNoCandidates) {
				continue
			}
			if err == nil {
				err = responses.ValidateResponse(out)
			}
			if err != nil {
				t.Errorf("%s, %s: %v", p.Name, name, err)
			}
			converted++
		}
	}
	if converted < corpustest.AtLeast(500) {
		t.Errorf("only %d answers", converted)
	}
}

// events converts a stream in one piece.
func events(t testing.TB, wire []*geminiapi.GenerateContentResponse, failure error,
	opts ...toresponses.Option) ([]openaiapi.ResponseEvent, error) {
	t.Helper()
	s := toresponses.NewStream(opts...)
	var all []openaiapi.ResponseEvent
	for e, err := range s.Events(openaitest.Pairs(wire, failure)) {
		if err != nil {
			return all, err
		}
		all = append(all, e)
	}
	return all, nil
}

func TestTheEventsOfEveryRecordedStreamAreInOrderAndMakeTheWhole(t *testing.T) {
	t.Parallel()
	for _, p := range corpustest.Payloads(t, corpustest.Stream) {
		wire, failure := openaitest.ReadStream(p.Read(t))
		for name, opts := range modes {
			all, err := events(t, wire, failure, opts...)
			if faults := responses.CheckSequence(all); faults != nil {
				t.Errorf("%s, %s: %v", p.Name, name, faults)
			}
			for i := range all {
				if fault := responses.ValidateEvent(&all[i]); fault != nil {
					t.Errorf("%s, %s: %s: %v", p.Name, name, all[i].Type, fault)
				}
			}
			if err != nil || failure != nil {
				continue // a failed stream has no whole response
			}
			compareWhole(t, p.Name+", "+name, wire, all, opts...)
		}
	}
}

// compareWhole compares two responses of a stream with the response of the merged chunks: the one
// in its last event, and the one accumulated from its items.
func compareWhole(t testing.TB, name string, wire []*geminiapi.GenerateContentResponse,
	all []openaiapi.ResponseEvent, opts ...toresponses.Option) {
	t.Helper()
	merged, _ := normalize.MergeChunks(wire...)
	whole, _, err := toresponses.FromGemini(merged, opts...)
	if errors.Is(err, normalize.ErrNoCandidates) {
		return
	}
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	var a responses.Accumulator
	for i := range all {
		if err := a.Push(&all[i]); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if diff := cmp.Diff(encoded(t, whole), encoded(t, a.Response())); diff != "" {
		t.Errorf("%s: the last event differs (-whole +stream):\n%s", name, diff)
	}
	fromItems := *a.Response()
	fromItems.Output = a.Items()
	if diff := cmp.Diff(encoded(t, whole), encoded(t, &fromItems)); diff != "" {
		t.Errorf("%s: the items differ (-whole +stream):\n%s", name, diff)
	}
}

func encoded(t testing.TB, r *openaiapi.Response) string {
	t.Helper()
	data, err := responses.EncodeResponse(r)
	if err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(string(data), `,"`, ",\n\"")
}

func TestInputAndOutputAreTheTotalOfEveryRecordedUsage(t *testing.T) {
	t.Parallel()
	for _, p := range corpustest.Payloads(t, corpustest.Response) {
		in, err := gemini.DecodeResponse(p.Read(t))
		if err != nil || in.UsageMetadata == nil {
			continue
		}
		out, _, err := toresponses.FromGemini(in)
		if err != nil {
			continue
		}
		u := out.Usage
		if u.InputTokens+u.OutputTokens != u.TotalTokens ||
			u.OutputTokensDetails.ReasoningTokens > u.OutputTokens {
			t.Errorf("%s: %+v", p.Name, u)
		}
	}
}

func TestEveryRecordedStreamIsWritten(t *testing.T) {
	t.Parallel()
	for _, p := range corpustest.Payloads(t, corpustest.Stream) {
		wire, failure := openaitest.ReadStream(p.Read(t))
		var body bytes.Buffer
		_, failed := toresponses.WriteStream(&body, openaitest.Pairs(wire, failure))
		r := responses.NewStreamReader(&body)
		last := openaiapi.ResponseEventType("")
		for e, err := range r.All() {
			if err != nil {
				t.Errorf("%s: %v", p.Name, err)
				break
			}
			last = e.Type
		}
		if !responses.IsTerminal(last) ||
			(failed != nil) && last != openaiapi.ResponseEventTypeFailed {
			t.Errorf("%s: the last event is %s, the error %v", p.Name, last, failed)
		}
	}
}
