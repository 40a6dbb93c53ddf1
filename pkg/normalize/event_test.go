package normalize_test

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"reflect"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/gemwire/gemwire/internal/test/corpustest"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/wire"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// eventMembers has the members that the events of each type may have, in addition to Type,
// Candidate, Part and Source.
var eventMembers = map[normalize.EventType][]string{
	normalize.EventStart:         {"Model", "ID", "CreateTime"},
	normalize.EventTextDelta:     {"Text", "Extra"},
	normalize.EventThinkingDelta: {"Text", "Extra"},
	normalize.EventToolCallStart: {"ToolCallID", "ToolName", "MadeID", "Signature", "Thought"},
	normalize.EventToolCallDelta: {"ToolCallID", "ArgumentsDelta"},
	normalize.EventToolCallDone: {"ToolCallID", "ToolName", "MadeID", "Arguments", "Incomplete",
		"Signature", "Thought", "Extra", "Ignored"},
	normalize.EventBlock:          {"Block"},
	normalize.EventSignature:      {"Signature", "BlockType", "Extra", "Thought"},
	normalize.EventGrounding:      {"Grounding"},
	normalize.EventCitations:      {"Citations"},
	normalize.EventURLContext:     {"URLContext"},
	normalize.EventLogprobs:       {"Logprobs"},
	normalize.EventSafety:         {"SafetyRatings"},
	normalize.EventPromptFeedback: {"PromptFeedback"},
	normalize.EventCandidateExtra: {"CandidateExtra"},
	normalize.EventResponseExtra:  {"ResponseExtra"},
	normalize.EventUsage:          {"Usage"},
	normalize.EventFinish:         {"FinishReason", "NativeFinishReason", "FinishMessage", "Role"},
	normalize.EventDone:           {"Usage"},
	normalize.EventError:          {"Error", "Usage"},
}

func TestEveryEventTypeIsInTheTable(t *testing.T) {
	t.Parallel()
	file, err := parser.ParseFile(token.NewFileSet(), "event.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	count := 0
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok {
			return true
		}
		if typ, ok := spec.Type.(*ast.Ident); !ok || typ.Name != "EventType" {
			return true
		}
		value, err := strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value)
		if err != nil {
			t.Fatal(err)
		}
		if _, ok := eventMembers[normalize.EventType(value)]; !ok {
			t.Errorf("%s is missing", spec.Names[0].Name)
		}
		count++
		return true
	})
	if count != len(eventMembers) {
		t.Errorf("there are %d types of events, and %d in the table", count, len(eventMembers))
	}
}

// checkMembers fails when an event has a member that does not belong to its type.
func checkMembers(t testing.TB, e *normalize.Event) {
	t.Helper()
	allowed, ok := eventMembers[e.Type]
	if !ok {
		t.Errorf("an event of type %q", e.Type)
	}
	v := reflect.ValueOf(e).Elem()
	for i := range v.NumField() {
		name := v.Type().Field(i).Name
		if name == "Type" || name == "Candidate" || name == "Source" ||
			name == "Part" && (hasPart(e) || e.Part == 0) {
			continue
		}
		if !v.Field(i).IsZero() && !slices.Contains(allowed, name) {
			t.Errorf("%s has the member %s", e.Type, name)
		}
	}
}

func TestEveryRecordedEventSurvivesItsJSONForm(t *testing.T) {
	t.Parallel()
	seen := map[normalize.EventType]int{}
	for _, p := range corpustest.Payloads(t, corpustest.Stream) {
		t.Run(p.Name, func(t *testing.T) {
			events := readStream(p.Read(t)).events(t)
			checkJSONForm(t, events)
			for i := range events {
				seen[events[i].Type]++
			}
		})
	}
	t.Log(seen)
	for typ := range eventMembers {
		// never recorded in a stream
		if seen[typ] < corpustest.AtLeast(1) && typ != normalize.EventLogprobs {
			t.Errorf("there is no %s", typ)
		}
	}
}

// checkJSONForm checks that encoding and decoding does not change events.
func checkJSONForm(t testing.TB, events []normalize.Event) {
	t.Helper()
	decoded := make([]normalize.Event, len(events))
	for i := range events {
		e := &events[i]
		checkMembers(t, e)
		data, err := normalize.EncodeEvent(e)
		if err != nil {
			t.Fatal(err)
		}
		again, err := normalize.DecodeEvent(data)
		if err != nil {
			t.Fatalf("%v in %s", err, data)
		}
		if diff := cmp.Diff(e, again, sameResponse, cmpopts.IgnoreFields(normalize.Error{}, "Err"),
			cmpopts.IgnoreFields(normalize.Event{}, "Source"), wholeMilliseconds); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
		decoded[i] = *again
	}
	want, wantErr := normalize.Accumulate(slices.Values(events))
	got, gotErr := normalize.Accumulate(slices.Values(decoded))
	if diff := cmp.Diff(want, got, sameResponse); diff != "" ||
		(wantErr == nil) != (gotErr == nil) {
		t.Errorf("the decoded events make another response, %v:\n%s", gotErr, diff)
	}
}

// wholeMilliseconds compares times with the precision of the JSON form.
var wholeMilliseconds = cmp.Comparer(func(a,
	b time.Duration) bool {
	return a.Milliseconds() == b.Milliseconds()
})

func TestTheJSONFormOfAnError(t *testing.T) {
	t.Parallel()
	e := &normalize.Event{Type: normalize.EventError, Error: &normalize.Error{
		Category: normalize.CategoryRateLimit, HTTPStatus: 429, Message: "slow \xff down",
		ProviderCode: "RESOURCE_EXHAUSTED",
		RetryAfter:   1500 * time.Millisecond, Err: errors.New("secret"),
	}}
	data, err := normalize.EncodeEvent(e)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"type":"error","error":{"category":"rate_limit","http_status":429,"message":"slow ` +
		"\uFFFD" + ` down","provider_code":"RESOURCE_EXHAUSTED","retry_after_ms":1500}}`
	if string(data) != want {
		t.Errorf("got %s", data)
	}
	again, err := normalize.DecodeEvent(data)
	if err != nil || again.Error.RetryAfter != e.Error.RetryAfter || again.Error.Err != nil {
		t.Errorf("got %+v, %v", again, err)
	}
}

func TestAnInvalidEventIsNotDecoded(t *testing.T) {
	t.Parallel()
	for _, text := range []string{``, `[]`, `{"type":"start","candidates":[]}`, `{"type":1}`,
		`{"type":"error","error":"x"}`} {
		if e, err := normalize.DecodeEvent([]byte(text)); err == nil {
			t.Errorf("%s is %+v", text, e)
		}
	}
	if _, err := normalize.EncodeEvent(nil); err == nil {
		t.Error("no event was encoded")
	}
	if _, err := normalize.EncodeEvent(&normalize.Event{Type: normalize.EventToolCallDone,
		Arguments: []byte("{")}); err == nil {
		t.Error("arguments that are not JSON were encoded")
	}
}

func TestAStreamThatOnlyStopsIsANetworkFailure(t *testing.T) {
	t.Parallel()
	e := normalize.FromError(&wire.StreamError{Event: 2, Problem: "no finish reason",
		Err: wire.ErrTruncated})
	if e.Category != normalize.CategoryNetwork || !e.Retryable() {
		t.Errorf("got %+v", e)
	}
}
