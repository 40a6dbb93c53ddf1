package messages

import (
	"github.com/gemwire/gemwire/internal/merge"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/answer"
)

// startCall starts a call with the first of a chunk's remaining events. If the message's first call
// arrives in pieces and unsigned, it waits for its signature. Of parallel calls Gemini signs only
// the first, and in all recorded streams its first piece has the signature. So usual streams are
// not delayed.
func (s *Stream) startCall(events []normalize.Event, at answer.PartLocation) {
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
	s.made.Some = true
	if signature == "" && !isWhole && !s.calls.HasSigned {
		s.calls.Hold(&answer.HeldCall{ID: id, Name: e.ToolName, At: at})
		return
	}
	s.calls.Sent(signature)
	s.encoder.startCall(id, e.ToolName, signature, at)
}

// continueCall adds a piece of the arguments of a call.
func (s *Stream) continueCall(arguments string) {
	if !s.calls.Continue(arguments) {
		s.encoder.addInput(arguments)
	}
}

// signCall takes a signature that arrived with a later piece of a call.
func (s *Stream) signCall(signature string, at answer.PartLocation) {
	switch {
	case s.calls.IsHeld():
		s.releaseCall(signature)
	case s.calls.IsLate(signature):
		s.encoder.entries.Add(report.Lost, at, "/thoughtSignature", detailLateSignature)
	}
}

// releaseCall sends the pieces that have arrived of the call that is held back.
func (s *Stream) releaseCall(signature string) {
	call, arguments := s.calls.Release(signature)
	s.encoder.startCall(call.ID, call.Name, signature, call.At)
	if arguments != "" {
		s.encoder.addInput(arguments)
	}
}

func (s *Stream) endCall(e *normalize.Event, at answer.PartLocation) {
	if s.calls.IsHeld() {
		s.releaseCall("")
	}
	s.made.Cut = s.made.Cut || e.Incomplete
	s.encoder.end()
	if e.Extra != nil && merge.HasLeftOver(e.Extra.FunctionCall) {
		s.encoder.entries.Add(report.Lost, at, "/functionCall", answer.DetailLeftOver)
	}
}

const detailLateSignature = "it arrived after the start of its call"
