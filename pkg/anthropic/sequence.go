package anthropic

import (
	"strconv"

	"github.com/gemwire/gemwire/gen/anthropicapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/validation"
	"github.com/go-json-experiment/json/jsontext"
)

// Sequence checks that the events of a stream are in the order that Anthropic's clients need:
//
//   - There is one message_start with usage.
//   - Blocks are numbered from 0 and come one after the other. Each is begun, continued by events
//     of its type, and ended.
//   - Each block of thinking has one signature, and such a block does not end the message after a
//     text.
//   - Inputs are one JSON object.
//   - There is one message_delta with the reason and the usage, and then message_stop.
//
// An error may end the stream anywhere, and a ping may be anywhere before the end. Sequence allows
// events and blocks of unknown types. The recorded streams of Anthropic's servers pass.
//
// The zero value is ready to use. It is not safe for use by several goroutines.
type Sequence struct {
	events     int
	state      sequenceState
	blocks     int
	open       bool
	block      anthropicapi.ContentBlock // the open block, as it began
	signatures int                       // of the open block
	input      []byte                    // of the open block
	inputs     int                       // the number of pieces of input
	hasText    bool                      // some block is a text
	last       anthropicapi.BlockType    // of the last block
	ids        map[string]bool           // of calls
	found      []validation.Violation    // in the current event
}

// sequenceState is the state of a stream.
type sequenceState uint8

const (
	atBegin  sequenceState = iota // before message_start
	inBlocks                      // before message_delta
	inEnd                         // before message_stop
	afterEnd                      // after message_stop or an error
)

// CheckSequence checks the events of a whole stream, see [Sequence]. The error lists all
// violations; a pointer such as "/3/delta" is into the list of events.
func CheckSequence(events []anthropicapi.StreamEvent) error {
	var s Sequence
	var found []validation.Violation
	for i := range events {
		found = append(found, s.Push(&events[i])...)
	}
	if found = append(found, s.Close()...); found == nil {
		return nil
	}
	return &validation.Error{Prefix: "anthropic", Violations: found}
}

// Push checks the next event and returns its violations.
func (s *Sequence) Push(e *anthropicapi.StreamEvent) []validation.Violation {
	s.found = nil
	if s.state == afterEnd {
		s.report("", "order", "must not come after the end")
	}
	switch e.Type {
	case anthropicapi.EventTypeMessageStart:
		s.start(e)
	case anthropicapi.EventTypeContentBlockStart:
		s.beginBlock(e)
	case anthropicapi.EventTypeContentBlockDelta:
		s.extendBlock(e)
	case anthropicapi.EventTypeContentBlockStop:
		s.endBlock(e)
	case anthropicapi.EventTypeMessageDelta:
		s.end(e)
	case anthropicapi.EventTypeMessageStop:
		s.want(s.state == inEnd, "", "order", "must follow message_delta")
		s.state = afterEnd
	case anthropicapi.EventTypeError:
		s.want(e.Error != nil, "/error", "required", "must be set")
		s.state = afterEnd
	}
	s.events++
	return s.found
}

// Close returns the violations at the end of the stream, which must be message_stop or an error.
func (s *Sequence) Close() []validation.Violation {
	s.found = nil
	s.want(s.state == afterEnd, "", "order",
		"must be message_stop or an error, not the end of the stream")
	return s.found
}

func (s *Sequence) report(member, rule, want string) {
	pointer := "/" + strconv.Itoa(s.events) + member
	s.found = append(s.found, validation.Violation{Pointer: pointer, Rule: rule, Want: want})
}

func (s *Sequence) want(ok bool, member, rule, want string) {
	if !ok {
		s.report(member, rule, want)
	}
}

func (s *Sequence) start(e *anthropicapi.StreamEvent) {
	s.want(s.state == atBegin, "", "order",
		"must be the first event except pings, and the only one of its type")
	s.state = inBlocks
	if e.Message == nil {
		s.report("/message", "required", "must be set")
		return
	}
	if s.blocks = len(e.Message.Content); e.Message.StopReason != nil {
		// a whole message, of a turn that continues in the server's tool container
		s.state = inEnd
	}
	s.want(e.Message.Content != nil, "/message/content", "required", "must be a list")
	s.want(e.Message.Usage.InputTokens != nil, "/message/usage/input_tokens", "required",
		"must be set")
	s.want(e.Message.ID != "", "/message/id", "required", "must be set")
	s.want(e.Message.Model != "", "/message/model", "required", "must be set")
}

func (s *Sequence) beginBlock(e *anthropicapi.StreamEvent) {
	s.want(s.state == inBlocks, "", "order", "must come between message_start and message_delta")
	s.want(!s.open, "", "order", "must not be within another block")
	s.want(e.Index != nil && *e.Index == s.blocks, "/index", "index",
		"must be "+strconv.Itoa(s.blocks)+", the number of earlier blocks")
	s.blocks, s.open = s.blocks+1, true
	s.signatures, s.inputs, s.input = 0, 0, s.input[:0]
	if e.ContentBlock == nil {
		s.report("/content_block", "required", "must be set")
		s.block = anthropicapi.ContentBlock{}
		return
	}
	s.block = *e.ContentBlock
	s.last = s.block.Type
	s.checkBegun()
}

// checkBegun checks the members that a block needs from the start.
func (s *Sequence) checkBegun() {
	const at = "/content_block"
	switch s.block.Type {
	case anthropicapi.BlockTypeText:
		s.hasText = true
		s.want(s.block.Text != nil, at+"/text", "required", "must be set")
	case anthropicapi.BlockTypeThinking:
		s.want(s.block.Thinking != nil, at+"/thinking", "required", "must be set")
		s.want(jsonx.Deref(s.block.Signature) == "", at+"/signature", "signature",
			"must be empty, because a signature_delta follows")
	case anthropicapi.BlockTypeToolUse, anthropicapi.BlockTypeServerToolUse,
		anthropicapi.BlockTypeMCPToolUse:
		id := jsonx.Deref(s.block.ID)
		s.want(isCallID(id), at+"/id", "id",
			"must have letters, digits, underscores and dashes only")
		s.want(jsonx.Deref(s.block.Name) != "", at+"/name", "required", "must be set")
		s.want(!s.ids[id], at+"/id", "unique", "must differ from the id of any earlier call")
		if s.ids == nil {
			s.ids = map[string]bool{}
		}
		s.ids[id] = true
	}
}

// isCallID reports whether a text is a valid id of a call.
func isCallID(id string) bool {
	for i := range len(id) {
		c := id[i]
		if (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '_' &&
			c != '-' {
			return false
		}
	}
	return id != ""
}

// homes are the block types that a delta belongs to. It is never modified.
var homes = map[anthropicapi.DeltaType][]anthropicapi.BlockType{
	anthropicapi.DeltaTypeTextDelta:      {anthropicapi.BlockTypeText},
	anthropicapi.DeltaTypeCitationsDelta: {anthropicapi.BlockTypeText},
	anthropicapi.DeltaTypeInputJSONDelta: {anthropicapi.BlockTypeToolUse,
		anthropicapi.BlockTypeServerToolUse, anthropicapi.BlockTypeMCPToolUse},
	anthropicapi.DeltaTypeThinkingDelta:   {anthropicapi.BlockTypeThinking},
	anthropicapi.DeltaTypeSignatureDelta:  {anthropicapi.BlockTypeThinking},
	anthropicapi.DeltaTypeCompactionDelta: {anthropicapi.BlockTypeCompaction},
}

func (s *Sequence) extendBlock(e *anthropicapi.StreamEvent) {
	s.checkOpen(e)
	d := e.Delta
	if d == nil {
		s.report("/delta", "required", "must be set")
		return
	}
	if types := homes[d.Type]; types != nil {
		fits := false
		for _, t := range types {
			fits = fits || t == s.block.Type
		}
		s.want(fits, "/delta/type", "type", "must belong to a block of type "+string(s.block.Type))
	}
	switch d.Type {
	case anthropicapi.DeltaTypeTextDelta:
		s.want(d.Text != nil, "/delta/text", "required", "must be set")
	case anthropicapi.DeltaTypeInputJSONDelta:
		s.want(d.PartialJSON != nil, "/delta/partial_json", "required", "must be set")
		s.inputs++
		s.input = append(s.input, jsonx.Deref(d.PartialJSON)...)
	case anthropicapi.DeltaTypeThinkingDelta:
		s.want(d.Thinking != nil, "/delta/thinking", "required", "must be set")
		s.want(s.signatures == 0, "", "order", "must come before the signature")
	case anthropicapi.DeltaTypeSignatureDelta:
		s.want(d.Signature != nil, "/delta/signature", "required", "must be set")
		s.signatures++
		s.want(s.signatures == 1, "", "signature", "must be the only signature of its block")
	}
}

// checkOpen checks that an event belongs to the open block.
func (s *Sequence) checkOpen(e *anthropicapi.StreamEvent) {
	s.want(s.open, "", "order", "must be within a block")
	s.want(e.Index != nil && *e.Index == s.blocks-1, "/index", "index",
		"must be the index of the open block")
}

func (s *Sequence) endBlock(e *anthropicapi.StreamEvent) {
	s.checkOpen(e)
	s.open = false
	switch s.block.Type {
	case anthropicapi.BlockTypeThinking:
		s.want(s.signatures == 1, "", "signature", "must follow a signature_delta")
	case anthropicapi.BlockTypeToolUse:
		begunWith := isObject(s.block.Input) && len(s.block.Input) > len("{}")
		s.want(s.inputs > 0 != begunWith, "", "input",
			"must follow the input, either in the block or in deltas")
		s.want(len(s.input) == 0 || isObject(s.input), "", "input",
			"must follow deltas that are one JSON object")
	}
}

// isObject reports whether a text is a JSON object.
func isObject(text []byte) bool {
	value := jsontext.Value(text)
	return value.Kind() == jsontext.KindBeginObject &&
		value.IsValid(jsontext.AllowDuplicateNames(true))
}

func (s *Sequence) end(e *anthropicapi.StreamEvent) {
	s.want(s.state == inBlocks, "", "order", "must come after message_start, once")
	s.want(!s.open, "", "order", "must not be within a block")
	s.state = inEnd
	s.want(e.Usage != nil, "/usage", "required", "must be set")
	isThinking := s.last == anthropicapi.BlockTypeThinking ||
		s.last == anthropicapi.BlockTypeRedactedThinking
	s.want(!isThinking || !s.hasText, "", "thinking",
		"must not follow thinking that comes after a text")
	if e.Delta == nil {
		s.report("/delta", "required", "must be set")
		return
	}
	reason, ok := e.Delta.StopReason.Value()
	s.want(ok, "/delta/stop_reason", "required", "must be set")
	s.want(reason != anthropicapi.StopReasonToolUse || len(s.ids) > 0, "/delta/stop_reason",
		"tool_use", "must not be tool_use, because there is no call")
	text, _ := e.Delta.StopSequence.Value()
	s.want(reason != anthropicapi.StopReasonStopSequence || text != "", "/delta/stop_sequence",
		"required", "must be set, because stop_reason is stop_sequence")
}
