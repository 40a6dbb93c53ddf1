package aisdk

import (
	"github.com/gemwire/gemwire/gen/aisdkapi"
	"github.com/gemwire/gemwire/pkg/normalize"
)

// waiting has the parts from a function call on, as long as it is not known who runs it. A tool of
// an MCP server that the server calls itself looks like any other call until its result comes, in
// the same stream, and the SDK must know it with the call. Its zero value is for nothing that
// waits.
type waiting struct {
	parts []aisdkapi.Part
	calls map[string]bool // that wait, by id; true for those with a result
	open  int             // calls without a result
}

// hold lets a part of a function call wait.
func (s *Stream) hold(p aisdkapi.Part) { s.waiting.parts = append(s.waiting.parts, p) }

// holdCall lets a function call wait for its result.
func (s *Stream) holdCall(p aisdkapi.ToolCall) {
	s.hold(p)
	if s.waiting.calls == nil {
		s.waiting.calls = map[string]bool{}
	}
	s.waiting.calls[p.ToolCallID] = false
	s.waiting.open++
}

// answer takes note of a call's result. It reports whether the call waits, and so was the server's.
func (w *waiting) answer(id string) bool {
	answered, waits := w.calls[id]
	if waits && !answered {
		w.calls[id] = true
		w.open--
	}
	return waits
}

// maxWaiting is how many calls may wait, so that the memory does not grow with the stream. It is
// far more than servers run at once.
const maxWaiting = 100

// settle sends what waits if there is nothing left to wait for.
func (s *Stream) settle() {
	if s.waiting.open == 0 {
		s.release()
	}
}

// release sends what waits. A call that has no result by now is the client's to run.
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

// decided returns a part with what is known now. Calls of the server are dynamic for clients that
// have not declared the tool, and the start of their input says the same: the SDK's user interface
// takes them for two calls else.
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

// showInput sends the input of a call that goes on in a later chunk as far as it has come, and
// those of the calls before it. The rest of it is sent as it comes; the calls themselves wait on.
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

// endsWaiting reports whether an event is of a part behind which no result is to be expected:
// neither a call nor a result.
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
