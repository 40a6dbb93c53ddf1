package messages

import (
	"github.com/gemwire/gemwire/internal/merge"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/report"
)

// waitingCall is a call in pieces of which nothing was sent. A signature has to stand before its call, and may come with a
// later piece of it.
type waitingCall struct {
	isWaiting bool
	id, name  string
	at        place
	arguments []byte // so far
}

// startCall begins a call with the first of the events that are left of a chunk. The first call of a message that is in
// pieces and not signed waits for its signature: of the calls that Gemini makes at once only the first has one, which comes
// with its first piece wherever it was seen, so that nothing of a usual stream is held back.
func (s *Stream) startCall(events []normalize.Event, at place) {
	e := &events[0]
	id := s.encoder.callID(e.ToolCallID, e.MadeID, e.Part, at)
	signature, isWhole := e.Signature, false
	for i := range events[1:] {
		next := &events[1+i]
		if next.Candidate != e.Candidate || next.Part != e.Part {
			continue
		}
		if next.Type == normalize.EventSignature && signature == "" {
			signature = next.Signature
		}
		isWhole = isWhole || next.Type == normalize.EventToolCallDone
	}
	s.made.some = true
	if signature == "" && !isWhole && !s.hasSigned {
		s.waiting = waitingCall{isWaiting: true, id: id, name: e.ToolName, at: at, arguments: s.waiting.arguments[:0]}
		return
	}
	s.sendCall(id, e.ToolName, signature, at)
}

// sendCall sends the beginning of a call.
func (s *Stream) sendCall(id, name, signature string, at place) {
	s.signature, s.hasSigned = signature, s.hasSigned || signature != ""
	s.encoder.startCall(id, name, signature, at)
}

// continueCall adds a piece of the arguments of a call.
func (s *Stream) continueCall(arguments string) {
	if s.waiting.isWaiting {
		s.waiting.arguments = append(s.waiting.arguments, arguments...)
		return
	}
	s.encoder.addInput(arguments)
}

// signCall takes a signature that came with a later piece of a call.
func (s *Stream) signCall(signature string, at place) {
	switch {
	case s.waiting.isWaiting:
		s.endWait(signature)
	case signature != s.signature:
		s.encoder.notes.add(report.Lost, at, "/thoughtSignature", detailLateSignature)
	}
}

// endWait sends what there is of the call that waits.
func (s *Stream) endWait(signature string) {
	w := &s.waiting
	w.isWaiting = false
	s.sendCall(w.id, w.name, signature, w.at)
	if len(w.arguments) > 0 {
		s.encoder.addInput(string(w.arguments))
	}
}

func (s *Stream) endCall(e *normalize.Event, at place) {
	if s.waiting.isWaiting {
		s.endWait("")
	}
	s.made.cut = s.made.cut || e.Incomplete
	s.encoder.end()
	if e.Extra != nil && merge.HasLeftOver(e.Extra.FunctionCall) {
		s.encoder.notes.add(report.Lost, at, "/functionCall", detailLeftOver)
	}
}

const detailLateSignature = "it came behind the beginning of its call"
