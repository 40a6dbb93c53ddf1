package agent_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/aisdkapi"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/agent"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// agentEvents are events of every type with more members than the mapping uses.
var agentEvents = []string{
	`{"type":"message","role":"assistant","content":"Hi","delta":true,"timestamp":"2026-01-01T00:00:00Z","x":{"y":[1,{"z":null}]}}`,
	`{"type":"message","role":"assistant","content":"Hi","delta":false,"id":"m1"}`,
	`{"type":"message","role":"assistant","content":"Hi","delta":"yes"}`,
	`{"type":"message","role":"assistant","content":["Hi"],"delta":true}`,
	`{"type":"message","role":"user","content":"Hi","a/b~c":1}`,
	`{"type":"message","content":"Hi"}`,
	`{"type":"init","session_id":"s1","modelId":"m","model":"m","timestamp":1}`,
	`{"type":"init","session_id":7,"modelId":null}`,
	`{"type":"sandbox","sandbox_id":"sb","region":"eu"}`,
	`{"type":"sandbox","sandbox_id":["sb"]}`,
	`{"type":"relay.session","sessionId":"s","token":"t","relayUrl":"u","expiresAt":5}`,
	`{"type":"relay.session","sessionId":"s","token":"t"}`,
	`{"type":"snapshot_request","requestId":"r","instruction":"i","document":{"a":[1,2]},"actions":[3],"fields":4}`,
	`{"type":"execute_request","requestId":"r","actions":[{"a":1}],"fields":null,"document":1,"role":"x"}`,
	`{"type":"snapshot_request","requestId":5,"instruction":"i"}`,
	`{"type":"tool_use","tool_id":"t","tool_name":"n","parameters":{"a":1}}`,
	`{"type":"tool_result","tool_id":"t","status":"success","output":"o"}`,
	`{"type":"stderr","content":"line"}`,
	`{"type":"result","stats":{"total_tokens":9}}`,
	`{"type":"result","status":"success","stats":{"total_tokens":9}}`,
	`{"type":"result","status":"error","error":{"type":"FatalTurnLimitedError","message":"too many turns"},"stats":{"total_tokens":9}}`,
	`{"type":"result","status":"error","timestamp":"t"}`,
	`{"type":"error","severity":"warning","message":"loop detected"}`,
	`{"type":7,"content":"x"}`,
	`{"content":"x"}`,
	`{"type":"init","modelId":"first","modelId":"second"}`,
	`{"type":"message","role":"user","role":"assistant","content":"Hi"}`,
}

// Each value is visible in the result or reported: if a value changes and the result does not, the
// report must have its pointer or one above.
func TestTheReportCoversEveryLeafThatTheResultDoesNotShow(t *testing.T) {
	t.Parallel()
	lost, leaves := 0, 0
	for _, event := range agentEvents {
		for _, partsOnly := range []bool{false, true} {
			before, report := mapped(event, partsOnly)
			for _, leaf := range leavesOf(t, event) {
				leaves++
				changed := event[:leaf.start] + leaf.other + event[leaf.end:]
				after, _ := mapped(changed, partsOnly)
				if !cmp.Equal(before, after, cmpopts.EquateEmpty()) {
					continue
				}
				lost++
				if !report.Covers(string(leaf.pointer)) {
					t.Errorf("%s\n\t%s is not in the result (parts only: %t) and not in the report %v",
						event, leaf.pointer, partsOnly, report)
				}
			}
		}
	}
	if lost == 0 || leaves < 150 {
		t.Errorf("%d of %d leaves were invisible: the test tests nothing", lost, leaves)
	}
}

// mapped returns the visible result of an event, as results or as parts only, and the report.
func mapped(event string, partsOnly bool) (visible any, report report.Report) {
	if !partsOnly {
		c := agent.NewMapperContext(numbered())
		result := agent.MapNDJSONEvent(jsontext.Value(event), c)
		report, result.Report = result.Report, nil
		return result, report
	}
	var parts []aisdkapi.Part
	input := event + hello // which shows whether a block is open
	stream := agent.NewStream(strings.NewReader(input), numbered())
	for part := range stream.Parts() {
		parts = append(parts, part)
	}
	report = stream.Report()
	for i := range report {
		report[i].Pointer = strings.TrimPrefix(report[i].Pointer, "/0")
	}
	return parts, report
}

// leaf is a scalar in a JSON text, with another scalar of the same kind.
type leaf struct {
	pointer    jsontext.Pointer
	start, end int64
	other      string
}

func leavesOf(t *testing.T, event string) (out []leaf) {
	t.Helper()
	d := jsontext.NewDecoder(strings.NewReader(event), jsontext.AllowDuplicateNames(true))
	for d.PeekKind() != jsontext.KindInvalid {
		kind := d.PeekKind()
		parent, length := d.StackIndex(d.StackDepth())
		isName := parent == jsontext.KindBeginObject && length%2 == 0
		if kind == jsontext.KindBeginObject || kind == jsontext.KindBeginArray ||
			kind == jsontext.KindEndObject || kind == jsontext.KindEndArray || isName {
			if _, err := d.ReadToken(); err != nil {
				t.Fatal(err)
			}
			continue
		}
		value, err := d.ReadValue()
		if err != nil {
			t.Fatal(err)
		}
		end := d.InputOffset()
		other := map[jsontext.Kind]string{'"': `"other"`, '0': `98765`, 't': `false`, 'f': `true`,
			'n': `"other"`}[kind]
		out = append(out, leaf{d.StackPointer(), end - int64(len(value)), end, other})
	}
	return out
}

func TestTheReportSaysWhy(t *testing.T) {
	t.Parallel()
	lost := func(pointer, detail string) report.Report {
		return report.Report{{Pointer: pointer, Kind: report.Lost, Detail: detail}}
	}
	for event, want := range map[string]report.Report{
		hello:                          nil,
		snapshot:                       nil,
		sandbox:                        nil,
		`{"type":"sandbox","a/b~c":1}`: lost("/a~1b~0c", "no part has a member for it"),
		`{"type":"message"}`:           lost("", "a message that is not the assistant's"),
		`{"type":"relay.session"}`: lost("",
			"the relay session lacks sessionId, token or relayUrl"),
		`{"type":"execute_request"}`: lost("", "the request has no requestId"),
		`{"type":"tool_use"}`:        lost("", "a call of one of the agent's own tools"),
		`{"type":"tool_result"}`:     lost("", "a result of one of the agent's own tools"),
		`{"type":"stderr"}`:          lost("", "a line of the agent's error output"),
		`{"type":"error"}`:           lost("", "a warning of the agent"),
		`{"type":"result"}`:          lost("", "the outcome of the agent's run"),
		`{"type":"thought"}`:         lost("", "unknown type of event"),
		`{"type":true}`:              lost("", "the event has no type"),
		`[]`: lost("",
			"not a JSON object, at its byte 0: an object was expected"),
		`{} {}`: lost("",
			"not a JSON object, at its byte 0: something follows it"),
		`{"a":[}`: lost("", "not a JSON object, at its byte 6: not JSON"),
		`{"type":"message","role":"assistant","content":"\udc00"}`: {
			{Pointer: "/content", Kind: report.Approximated, Detail: "lone surrogates are replaced by U+FFFD"},
		},
		`{"a":` + strings.Repeat("[", 10_001) + strings.Repeat("]", 10_001) +
			`}`: lost("", "not a JSON object, at its byte 10004: it is nested too deeply"),
	} {
		got := agent.MapNDJSONEvent(jsontext.Value(event), agent.NewMapperContext()).Report
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%.100s (-want +got):\n%s", event, diff)
		}
	}
}

func TestAStreamOfPartsReportsWhatOnlyResultsHave(t *testing.T) {
	t.Parallel()
	const relay = `{"type":"relay.session","sessionId":"s","token":"t0psecret","relayUrl":"u"}`
	stream := agent.NewStream(strings.NewReader(relay +
		`{"type":"execute_request","requestId":"r","ttl":1}`))
	for _, err := range stream.Parts() {
		if err != nil {
			t.Fatal(err)
		}
	}
	second := fmt.Sprintf("event at byte %d: ", len(relay))
	want := report.Report{
		{Pointer: "/0", Kind: report.Approximated, Detail: "event at byte 0: not in a part; the session update has it"},
		{Pointer: "/1/ttl", Kind: report.Approximated, Detail: second + "not in a part; the relay request has it"},
	}
	if diff := cmp.Diff(want, stream.Report()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	session := agent.SessionUpdate{RelaySessionID: "s", RelayToken: "t0psecret", RelayURL: "u",
		PendingRequestID: "r"}
	if diff := cmp.Diff(session, stream.Session()); diff != "" {
		t.Errorf("session (-want +got):\n%s", diff)
	}
}
