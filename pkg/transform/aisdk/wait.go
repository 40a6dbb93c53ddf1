package aisdk

import (
	"github.com/gemwire/gemwire/gen/aisdkapi"
	"github.com/gemwire/gemwire/pkg/normalize"
)

// waiting holds the parts from a function call on, while it is unknown who runs the call. A tool of
// an MCP server that Google calls looks like any other call until its result arrives in the same
// stream. The SDK requires this information with the call. The zero value holds nothing.
type waiting struct {
	parts []aisdkapi.Part
	calls map[string]bool // waiting calls by id; true for those with a result
	open  int             // calls without a result
}

// hold makes a part of a function call wait.
func (s *Stream) hold(p aisdkapi.Part) { s.waiting.parts = append(s.waiting.parts, p) }

// holdCall makes a function call wait for its result.
func (s *Stream) holdCall(p aisdkapi.ToolCall) {
	s.hold(p)
	if s.waiting.calls == nil {
		s.waiting.calls = map[string]bool{}
	}
	s.waiting.calls[p.ToolCallID] = false
	s.waiting.open++
}

// answer records the result of a call. It reports whether the call waits, which means that the
// server has run it.
func (w *waiting) answer(id string) bool {
	answered, waits := w.calls[id]
	if waits && !answered {
		w.calls[id] = true
		w.open--
	}
	return waits
}

// maxWaiting is the maximum number of waiting calls, which bounds the memory of a stream. Servers
// run far fewer calls at once.
const maxWaiting = 100

// settle sends the waiting parts if there is nothing left to wait for.
func (s *Stream) settle() {
	if s.waiting.open == 0 {
		s.release()
	}
}

// release sends the waiting parts. The client must run a call that has no result by now.
func (s *Stream) release() {
	if len(s.waiting.parts) == 0 {
		return
	}
	for _, part := range s.waiting.parts {
		s.send(s.waiting.decided(part))
	}
	clear(s.waiting.parts)
	s.waiting.parts = s.waiting.parts[:0]
	clear(s.waiting.calls)
	s.waiting.open = 0
}

// decided returns a part with the values known now. Calls of the server are dynamic, for clients
// that have not declared the tool. The start of their input says so too, because otherwise the
// SDK's user interface shows two calls.
func (w *waiting) decided(part aisdkapi.Part) aisdkapi.Part {
	switch p := part.(type) {
	case aisdkapi.ToolInputStart:
		if w.calls[p.ID] {
			p.ProviderExecuted, p.Dynamic = new(true), new(true)
			return p
		}
	case aisdkapi.ToolCall:
		if w.calls[p.ToolCallID] {
			p.ProviderExecuted, p.Dynamic = new(true), new(true)
			return p
		}
	}
	return part
}

// showInput sends the input so far of a call that continues in a later chunk, and the inputs of
// earlier calls. The remaining input is sent as it arrives. The calls themselves still wait.
func (s *Stream) showInput() {
	if !s.input.open || s.input.live {
		return
	}
	s.input.live = true
	kept := s.waiting.parts[:0]
	for _, part := range s.waiting.parts {
		switch part.(type) {
		case aisdkapi.ToolInputStart, aisdkapi.ToolInputDelta, aisdkapi.ToolInputEnd:
			s.send(part)
		default:
			kept = append(kept, part)
		}
	}
	clear(s.waiting.parts[len(kept):])
	s.waiting.parts = kept
}

// endsWaiting reports whether an event belongs to a part that is neither a call nor a result. No
// result is expected after such a part.
func endsWaiting(e *normalize.Event) bool {
	switch e.Type {
	case normalize.EventTextDelta, normalize.EventThinkingDelta:
		return true
	case normalize.EventSignature:
		return e.BlockType != normalize.BlockToolCall
	case normalize.EventBlock:
		return !callBlocks[e.Block.Type]
	default:
		return false
	}
}

// callBlocks are the blocks that are calls or results.
var callBlocks = map[normalize.BlockType]bool{
	normalize.BlockToolResult:       true,
	normalize.BlockCode:             true,
	normalize.BlockCodeResult:       true,
	normalize.BlockServerToolCall:   true,
	normalize.BlockServerToolResult: true,
}
