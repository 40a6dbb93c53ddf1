package normalize

import (
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/internal/merge"
	"github.com/gemwire/gemwire/internal/merge/callargs"
	"github.com/gemwire/gemwire/pkg/report"
)

// part emits the events of a part.
func (s *Stream) part(c *candidateStream, p *geminiapi.Part) error {
	step := c.Join(p)
	if step == merge.LeaveOut {
		c.merged.LeaveOut(p, &s.merged.Log, s.at)
		return nil
	}
	if step == merge.BeginPart {
		s.endCall(c, c.callMayEnd())
	}
	at := partPosition{candidate: c.index, index: c.index, part: c.Last(), joined: c.Last()}
	switch {
	case c.call != nil || merge.IsStreamed(p):
		return s.piece(c, p, at)
	case c.Run == merge.InText:
		s.emit(EventTextDelta, c.index, at.part).Text = *p.Text
	case c.Run == merge.InThought:
		s.emit(EventThinkingDelta, c.index, at.part).Text = *p.Text
	default:
		return s.whole(c, p, at)
	}
	return nil
}

// whole emits the events of a part that is a block by itself.
func (s *Stream) whole(c *candidateStream, p *geminiapi.Part, at partPosition) error {
	b, err := s.block(p, at)
	if err != nil {
		return err
	}
	switch b.Type {
	case BlockText, BlockThinking:
		s.text(c, &b)
	case BlockSignature:
		e := s.signature(c, &b)
		e.Thought, e.Extra = b.Thought, b.Extra
	case BlockToolCall:
		s.startCall(c, &b)
		s.callDelta(c, b.Part, b.ToolCall.ID, string(b.ToolCall.Arguments))
		s.callDone(c, &b)
	default:
		s.emit(EventBlock, c.index, b.Part).Block = &b
	}
	return nil
}

// text emits a text with a signature or other members.
func (s *Stream) text(c *candidateStream, b *Block) {
	typ := EventTextDelta
	if b.Type == BlockThinking {
		typ = EventThinkingDelta
	}
	if b.Text != "" || b.Extra != nil {
		e := s.emit(typ, c.index, b.Part)
		e.Text, e.Extra = b.Text, b.Extra
	}
	if b.Signature != "" {
		s.signature(c, b)
	}
}

func (s *Stream) signature(c *candidateStream, b *Block) *Event {
	e := s.emit(EventSignature, c.index, b.Part)
	e.Signature, e.BlockType = b.Signature, b.Type
	return e
}

// piece emits the events of a piece of a function call.
func (s *Stream) piece(c *candidateStream, p *geminiapi.Part, at partPosition) error {
	if c.call == nil {
		if err := s.openCall(c, p, at); err != nil {
			return err
		}
	} else if signature := jsonx.Deref(p.ThoughtSignature); signature != "" {
		s.signature(c, &Block{Type: BlockToolCall, Part: at.part, Signature: signature})
	}
	c.call.Add(p, &s.merged.Log, s.at)
	c.call.source = s.at
	if c.call.Args.Broken != nil {
		_, err := callargs.Compact(c.call.Args.Broken)
		return &PartError{Pointer: at.pointer("/functionCall/args"), Problem: problemArgs, Err: err}
	}
	s.callDelta(c, at.part, c.call.id, c.call.Args.Take())
	if c.Run != merge.InCall {
		s.endCall(c, true)
	}
	return nil
}

func (s *Stream) openCall(c *candidateStream, p *geminiapi.Part, at partPosition) error {
	call, err := s.toolCall(&geminiapi.FunctionCall{Name: p.FunctionCall.Name,
		ID: p.FunctionCall.ID}, at)
	if err != nil {
		return err
	}
	c.call = &openCall{position: at, id: call.ID, madeID: call.MadeID}
	s.startCall(c, &Block{
		Type: BlockToolCall, Part: at.part, ToolCall: call,
		Signature: jsonx.Deref(p.ThoughtSignature), Thought: jsonx.Deref(p.Thought),
	})
	return nil
}

// endCall emits the end of the incomplete call, if there is one. The event comes from the call's
// last piece.
func (s *Stream) endCall(c *candidateStream, complete bool) {
	if c.call == nil {
		return
	}
	after := s.at
	s.at = c.call.source
	s.emitCallEnd(c, complete)
	s.at = after
}

func (s *Stream) emitCallEnd(c *candidateStream, complete bool) {
	call := c.call
	c.call = nil
	whole := call.Finish(complete)
	delta := call.Args.Take()
	whole.FunctionCall.ID = &call.id         // lest another one be made
	whole.FunctionCall.Args = call.Args.Text // other arguments do not matter
	b, err := s.block(whole, call.position)
	if err != nil {
		return // never: the call was opened with a name, and its arguments are our own
	}
	b.ToolCall.MadeID = call.madeID
	s.callDelta(c, b.Part, call.id, delta)
	s.callDone(c, &b)
}

func (s *Stream) startCall(c *candidateStream, b *Block) {
	c.hasCall = true
	e := s.emit(EventToolCallStart, c.index, b.Part)
	e.ToolCallID, e.ToolName, e.MadeID = b.ToolCall.ID, b.ToolCall.Name, b.ToolCall.MadeID
	e.Signature, e.Thought = b.Signature, b.Thought
	if e.MadeID {
		s.merged.Log.Add(s.at, report.Added, "/functionCall/id", "the call has no id", merge.ForAll)
	}
}

func (s *Stream) callDelta(c *candidateStream, part int, id, delta string) {
	if delta != "" {
		e := s.emit(EventToolCallDelta, c.index, part)
		e.ToolCallID, e.ArgumentsDelta = id, delta
	}
}

func (s *Stream) callDone(c *candidateStream, b *Block) {
	e := s.emit(EventToolCallDone, c.index, b.Part)
	e.ToolCallID, e.ToolName, e.MadeID = b.ToolCall.ID, b.ToolCall.Name, b.ToolCall.MadeID
	e.Arguments, e.Incomplete = b.ToolCall.Arguments, b.ToolCall.Incomplete
	e.Signature, e.Thought, e.Extra = b.Signature, b.Thought, b.Extra
	if s.out.Ignored != nil { // with a pointer into the content that is made of the chunks
		e.Ignored, s.out.Ignored = []string{s.at.Pointer("/functionCall/args")}, nil
	}
}
