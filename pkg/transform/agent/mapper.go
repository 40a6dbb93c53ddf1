package agent

import (
	"bytes"
	"fmt"

	"github.com/gemwire/gemwire/gen/aisdkapi"
	"github.com/gemwire/gemwire/internal/option"
	"github.com/gemwire/gemwire/internal/plainjson"
	"github.com/gemwire/gemwire/pkg/aisdk"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/go-json-experiment/json/jsontext"
)

// MapNDJSONEvent maps one event of an agent, a JSON object, to its parts. The context carries the
// state from earlier events, and is changed.
//
//	message           text: a delta opens or continues a text block, a whole message is a block
//	init              response-metadata, with modelId or else model; the id of the agent's session
//	sandbox           response-metadata; the id of the sandbox
//	relay.session     no parts; where to answer requests
//	snapshot_request  a call of the tool getFormSnapshot, and the finish; the request
//	execute_request   a call of the tool executeFormActions, and the finish; the request
//	result            an error part if the run of the agent failed, else no parts
//
// All other events have no parts. These include tool_use, tool_result and stderr, and messages
// whose author is not the assistant. The names and rules follow giselle-provider's TypeScript
// mapper. If its types and the SDK's disagree, the SDK's apply.
//
// An event that is not a JSON object has no parts; the report has an entry. Nothing in the result
// is a slice of event.
func MapNDJSONEvent(event jsontext.Value, c *MapperContext) Result {
	m := c.mapEvent(event)
	m.out.Report = m.report(false)
	return m.out
}

// FinishStream returns the parts for the end of the input: the end of an open text block, and the
// finish. Call it once. Do not call it if a relay request ended the stream, because that has its
// own finish. [Stream] handles both cases.
func FinishStream(c *MapperContext) []aisdkapi.Part {
	reason := aisdkapi.UnifiedFinishReasonStop
	if c.failed {
		reason = aisdkapi.UnifiedFinishReasonError
	}
	return append(c.closeText(nil), c.finish(reason))
}

// Result is the result of mapping one event.
type Result struct {
	// Parts are the parts to send, in order.
	Parts []aisdkapi.Part
	// SessionUpdate is data for the host to store before it sends the parts.
	SessionUpdate SessionUpdate
	// RelayRequest is the event if the agent now waits for an answer through the relay, else nil.
	// The parts then end with a finish. The host closes its output, keeps the input, and continues
	// with it after the answer.
	RelayRequest jsontext.Value
	// Report lists what of the event is not in the other fields. Pointers are relative to the
	// event; "" is the whole event.
	Report report.Report
}

// MapperContext is the state of a mapper between events. The zero value is ready to use with the
// default options. It belongs to one stream, is not safe for concurrent use, and must not be
// copied.
type MapperContext struct {
	options options
	textID  string // of the open text block, else ""
	content []byte
	failed  bool               // the agent reported that its run failed
	split   []plainjson.Member // memory for the members of an event
	members []member
}

// NewMapperContext returns a context for one stream. It uses only the options [WithTextIDs] and
// [WithFinishUsage].
func NewMapperContext(opts ...Option) *MapperContext {
	return &MapperContext{options: option.New[options](opts)}
}

// TextBlockOpen reports whether a text block has started and not ended.
func (c *MapperContext) TextBlockOpen() bool { return c.textID != "" }

// LastAssistantContent returns the text of the open text block so far, or "" if none is open.
func (c *MapperContext) LastAssistantContent() string { return string(c.content) }

// openText opens a text block and returns its start.
func (c *MapperContext) openText() aisdkapi.Part {
	c.textID = c.options.newTextID()
	return aisdkapi.TextStart{ID: c.textID}
}

// closeText appends the end of the text block to parts, if one is open.
func (c *MapperContext) closeText(parts []aisdkapi.Part) []aisdkapi.Part {
	if !c.TextBlockOpen() {
		return parts
	}
	parts = append(parts, aisdkapi.TextEnd{ID: c.textID})
	c.textID, c.content = "", c.content[:0]
	return parts
}

func (c *MapperContext) finish(reason aisdkapi.UnifiedFinishReason) aisdkapi.Part {
	return aisdkapi.Finish{Usage: c.options.usage(),
		FinishReason: aisdkapi.FinishReason{Unified: reason}}
}

// mapEvent maps an event without a report. The caller makes the report if needed.
func (c *MapperContext) mapEvent(event jsontext.Value) *eventMapper {
	m := &eventMapper{c: c, event: plainjson.ValidUTF8(event)}
	if len(m.event) != len(event) {
		m.entries.Add(report.Approximated, "", "bytes that are not UTF-8 are replaced by U+FFFD")
	}
	split, fault := plainjson.AppendMembers(c.split[:0], m.event)
	if fault != nil {
		m.malformed = true
		m.drop(fmt.Sprintf("not a JSON object, at its byte %d: %s", fault.Offset, fault.Reason))
		return m
	}
	c.split, c.members = split, c.members[:0]
	for i := range split {
		c.members = append(c.members, member{Member: split[i]})
	}
	m.members = c.members
	kind := m.text("type")
	rule, known := eventRules[kind]
	m.known = known
	switch {
	case kind == "":
		m.drop("the event has no type")
	case !known:
		m.drop("unknown type of event")
	case rule.apply == nil:
		m.drop(rule.ignored)
	default:
		rule.apply(m)
	}
	return m
}

// eventRules maps event types to rules.
var eventRules = map[string]eventRule{
	"message":          {apply: (*eventMapper).message},
	"init":             {apply: (*eventMapper).init},
	"sandbox":          {apply: (*eventMapper).sandbox},
	"relay.session":    {apply: (*eventMapper).relaySession},
	"snapshot_request": {apply: relayRequest("getFormSnapshot", "instruction", "document")},
	"execute_request":  {apply: relayRequest("executeFormActions", "actions", "fields")},
	"tool_use":         {ignored: "a call of one of the agent's own tools"},
	"tool_result":      {ignored: "a result of one of the agent's own tools"},
	"stderr":           {ignored: "a line of the agent's error output"},
	"error":            {ignored: "a warning of the agent"},
	"result":           {apply: (*eventMapper).result},
}

// eventRule maps the events of one type. If they have no parts, it says what they are.
type eventRule struct {
	apply   func(*eventMapper)
	ignored string
}

// eventMapper maps one event.
type eventMapper struct {
	c         *MapperContext
	event     jsontext.Value
	members   []member
	out       Result
	entries   report.Report // what is in out in a changed form
	dropped   string        // why the event is not in out, or ""
	malformed bool
	known     bool // the event is of a known type
}

func (m *eventMapper) message() {
	if m.text("role") != "assistant" {
		m.drop("a message that is not the assistant's")
		return
	}
	content := m.text("content")
	if m.flag("delta") {
		if !m.c.TextBlockOpen() {
			m.emit(m.c.openText())
		}
		m.c.content = append(m.c.content, content...)
		m.emit(aisdkapi.TextDelta{ID: m.c.textID, Delta: content})
		return
	}
	m.out.Parts = m.c.closeText(m.out.Parts)
	if content == "" {
		return
	}
	m.emit(m.c.openText())
	m.emit(aisdkapi.TextDelta{ID: m.c.textID, Delta: content})
	m.out.Parts = m.c.closeText(m.out.Parts)
}

func (m *eventMapper) init() {
	model := m.text("modelId")
	if model == "" {
		model = m.text("model") // as Gemini CLI names it
	}
	m.emit(aisdkapi.ResponseMetadata{ModelID: model})
	m.out.SessionUpdate.GeminiSessionID = m.sessionText("session_id")
}

func (m *eventMapper) sandbox() {
	m.emit(aisdkapi.ResponseMetadata{})
	m.out.SessionUpdate.SandboxID = m.sessionText("sandbox_id")
}

func (m *eventMapper) relaySession() {
	update := SessionUpdate{
		RelaySessionID: m.sessionText("sessionId"),
		RelayToken:     m.sessionText("token"),
		RelayURL:       m.sessionText("relayUrl"),
	}
	if update.RelaySessionID == "" || update.RelayToken == "" || update.RelayURL == "" {
		m.drop("the relay session lacks sessionId, token or relayUrl")
		return
	}
	m.out.SessionUpdate = update
}

// result maps how the run of the agent ended. Gemini CLI sends this last. A failed run is an error.
func (m *eventMapper) result() {
	if m.text("status") != "error" {
		m.drop("the outcome of the agent's run")
		return
	}
	m.out.Parts = m.c.closeText(m.out.Parts)
	m.c.failed = true
	failure := m.lookup("error")
	if failure == nil {
		m.emit(aisdk.NewErrorPart("the run of the agent failed"))
		return
	}
	failure.used = true
	m.emit(aisdkapi.ErrorPart{Error: appendCompact(nil, failure.Value)})
}

// relayRequest returns the rule for a request that the client answers by running a tool. The tool's
// input has the named members of the event, in this order.
func relayRequest(tool string, arguments ...string) func(*eventMapper) {
	return func(m *eventMapper) {
		m.out.Parts = m.c.closeText(m.out.Parts)
		id := m.text("requestId")
		if id == "" {
			m.drop("the request has no requestId")
			return
		}
		m.emit(aisdkapi.ToolCall{ToolCallID: id, ToolName: tool, Input: m.input(arguments)})
		m.emit(m.c.finish(aisdkapi.UnifiedFinishReasonToolCalls))
		m.out.SessionUpdate.PendingRequestID = id
		m.out.RelayRequest = bytes.TrimSpace(bytes.Clone(m.event))
	}
}

// input returns a JSON object with the named members. Values lose their white space and are
// otherwise unchanged. Absent members stay absent.
func (m *eventMapper) input(names []string) string {
	out := []byte{'{'}
	for _, name := range names {
		member := m.lookup(name)
		if member == nil {
			continue
		}
		member.used = true
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(out, `"`+name+`":`...)
		out = appendCompact(out, member.Value)
	}
	return string(append(out, '}'))
}

// appendCompact appends a value without its white space. It cannot fail, because the value was read
// before.
func appendCompact(out []byte, value jsontext.Value) []byte {
	out, _ = jsontext.AppendFormat(out, value, plainjson.Lenient, jsontext.PreserveRawStrings(true))
	return out
}

func (m *eventMapper) emit(p aisdkapi.Part) { m.out.Parts = append(m.out.Parts, p) }

func (m *eventMapper) lookup(name string) *member { return lookup(m.members, name) }

// text returns a string member. Any other value counts as absent.
func (m *eventMapper) text(name string) string {
	found := m.lookup(name)
	if found == nil || found.Value.Kind() != jsontext.KindString {
		return ""
	}
	text, exact := found.text()
	found.used = true
	if !exact {
		m.entries.Add(report.Approximated, pointerTo(name), "lone surrogates are replaced by U+FFFD")
	}
	return text
}

// sessionText returns a member for the session update.
func (m *eventMapper) sessionText(name string) string {
	text := m.text(name)
	if text != "" {
		m.lookup(name).inSession = true
	}
	return text
}

// flag reports whether a member is exactly true.
func (m *eventMapper) flag(name string) bool {
	found := m.lookup(name)
	if found == nil {
		return false
	}
	kind := found.Value.Kind()
	found.used = kind == jsontext.KindTrue || kind == jsontext.KindFalse
	return kind == jsontext.KindTrue
}

// drop records why the event is not in the result.
func (m *eventMapper) drop(reason string) { m.dropped = reason }

// report lists what of the event is not in the result. With partsOnly it lists what is not in the
// parts.
func (m *eventMapper) report(partsOnly bool) report.Report {
	if m.dropped != "" {
		return report.Report{{Kind: report.Lost, Detail: m.dropped}}
	}
	if partsOnly && m.out.Parts == nil && m.out.SessionUpdate != (SessionUpdate{}) {
		return report.Report{{Kind: report.Approximated, Detail: inSessionOnly}}
	}
	for i := range m.members {
		m.note(&m.members[i], partsOnly)
	}
	return m.entries
}

// note reports a member that is not in the output.
func (m *eventMapper) note(of *member, partsOnly bool) {
	pointer := pointerTo(string(of.Name))
	switch {
	case of.inSession && partsOnly:
		m.entries.Add(report.Approximated, pointer, inSessionOnly)
	case !of.used && m.out.RelayRequest == nil:
		m.entries.Add(report.Lost, pointer, "no part has a member for it")
	case !of.used && partsOnly:
		m.entries.Add(report.Approximated, pointer, "not in a part; the relay request has it")
	}
}

const inSessionOnly = "not in a part; the session update has it"
