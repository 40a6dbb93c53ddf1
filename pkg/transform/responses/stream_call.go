package responses

import (
	"github.com/gemwire/gemwire/internal/merge"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/answer"
)

// startCall starts a call. If the first call of a response is unsigned, it waits for its signature
// until it ends. Of parallel calls Gemini signs only the first, and in all recorded streams its
// first piece has the signature. So usual streams are not delayed.
func (s *Stream) startCall(e *normalize.Event, at answer.PartLocation) {
	id := s.encoder.callID(e.ToolCallID, e.MadeID, e.Part, at)
	if e.Signature == "" && !s.calls.HasSigned {
		s.calls.Hold(&answer.HeldCall{ID: id, Name: e.ToolName, Part: e.Part, At: at})
		return
	}
	s.calls.Sent(e.Signature)
	s.encoder.startCall(id, e.ToolName, e.Signature, e.Part, at)
}

// continueCall adds a piece of the arguments of a call.
func (s *Stream) continueCall(arguments string) {
	if !s.calls.Continue(arguments) {
		s.encoder.continueCall(arguments)
	}
}

// signCall takes a signature that arrived with a later piece of a call. A late signature is never
// used for another call.
func (s *Stream) signCall(signature string, at answer.PartLocation) {
	switch {
	case s.calls.IsHeld():
		s.releaseCall(signature)
	case s.calls.IsLate(signature):
		s.encoder.entries.Add(report.Lost, at, "/thoughtSignature", detailLateSignature)
	}
}

// releaseCall sends the call that is held back.
func (s *Stream) releaseCall(signature string) {
	call, arguments := s.calls.Release(signature)
	s.encoder.startCall(call.ID, call.Name, signature, call.Part, call.At)
	s.encoder.continueCall(arguments)
}

func (s *Stream) endCall(e *normalize.Event, at answer.PartLocation) {
	if s.calls.IsHeld() {
		s.releaseCall("")
	}
	s.encoder.endCall(e.Incomplete)
	s.cutCall = s.cutCall || e.Incomplete
	if s.plain && e.Extra != nil && merge.HasLeftOver(e.Extra.FunctionCall) {
		s.driver.Source.AddEntry(report.Lost, e.Source, "/functionCall", answer.DetailLeftOver)
	}
	call := &normalize.ToolCall{ID: e.ToolCallID, MadeID: e.MadeID}
	s.keepRest(&normalize.Block{Type: normalize.BlockToolCall, ToolCall: call, Thought: e.Thought,
		Extra: e.Extra}, e.Part, at)
}

const detailLateSignature = "it arrived after the start of its call"
