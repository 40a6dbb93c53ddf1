package responses

import (
	"github.com/gemwire/gemwire/internal/merge"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/report"
)

// waitingCall is a call of which nothing was told. A signature has to stand before its call, and may come with a later piece
// of it.
type waitingCall struct {
	isWaiting bool
	id, name  string
	part      int
	at        place
	arguments []byte // so far
}

// startCall begins a call. The first call of a response that is not signed waits for its signature, up to its end: of the
// calls that Gemini makes at once only the first has one, which comes with its first piece wherever it was seen, so that
// nothing of a usual stream is held back.
func (s *Stream) startCall(e *normalize.Event, at place) {
	id := s.encoder.callID(e.ToolCallID, e.MadeID, e.Part, at)
	if e.Signature == "" && !s.hasSigned {
		s.waiting = waitingCall{isWaiting: true, id: id, name: e.ToolName, part: e.Part, at: at, arguments: s.waiting.arguments[:0]}
		return
	}
	s.tellCall(id, e.ToolName, e.Signature, e.Part, at)
}

// tellCall tells the beginning of a call.
func (s *Stream) tellCall(id, name, signature string, part int, at place) {
	s.signature, s.hasSigned = signature, s.hasSigned || signature != ""
	s.encoder.startCall(id, name, signature, part, at)
}

// continueCall adds a piece of the arguments of a call.
func (s *Stream) continueCall(arguments string) {
	if s.waiting.isWaiting {
		s.waiting.arguments = append(s.waiting.arguments, arguments...)
		return
	}
	s.encoder.continueCall(arguments)
}

// signCall takes a signature that came with a later piece of a call. One that comes too late is never told for another call.
func (s *Stream) signCall(signature string, at place) {
	switch {
	case s.waiting.isWaiting:
		s.endWait(signature)
	case signature != s.signature:
		s.encoder.notes.add(report.Lost, at, "/thoughtSignature", detailLateSignature)
	}
}

// endWait tells what there is of the call that waits.
func (s *Stream) endWait(signature string) {
	w := &s.waiting
	w.isWaiting = false
	s.tellCall(w.id, w.name, signature, w.part, w.at)
	s.encoder.continueCall(string(w.arguments))
}

func (s *Stream) endCall(e *normalize.Event, at place) {
	if s.waiting.isWaiting {
		s.endWait("")
	}
	s.encoder.endCall(e.Incomplete)
	s.cutCall = s.cutCall || e.Incomplete
	if s.plain && e.Extra != nil && merge.HasLeftOver(e.Extra.FunctionCall) {
		s.driver.Source.AddEntry(report.Lost, e.Source, "/functionCall", detailLeftOver)
	}
	call := &normalize.ToolCall{ID: e.ToolCallID, MadeID: e.MadeID}
	s.keepRest(&normalize.Block{Type: normalize.BlockToolCall, ToolCall: call, Thought: e.Thought, Extra: e.Extra}, e.Part, at)
}

const detailLateSignature = "it came behind the beginning of its call"
