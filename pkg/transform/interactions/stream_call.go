package interactions

import (
	"github.com/gemwire/gemwire/internal/merge"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/answer"
)

// startCall starts a call with the first of a chunk's remaining events. If the first call of the
// stream arrives in pieces and unsigned, it waits for its signature. Of parallel calls Gemini signs
// only the first, and in all recorded streams its first piece has the signature. So usual streams
// are not delayed.
func (s *Stream) startCall(events []normalize.Event, at answer.PartLocation) {
	e := &events[0]
	id := s.encoder.callID(e.ToolCallID, e.MadeID, e.Part, at)
	s.encoder.made.Some = true
	signature := e.Signature
	for i := range events[1:] {
		next := &events[1+i]
		if next.Candidate != e.Candidate || next.Part != e.Part {
			continue
		}
		if next.Type == normalize.EventSignature && signature == "" {
			signature = next.Signature
		}
		if next.Type == normalize.EventToolCallDone {
			s.whole = e.Part + 1
			s.calls.Sent(signature)
			s.encoder.wholeCall(&functionCall{id: id, name: e.ToolName, signature: signature,
				arguments: next.Arguments, rest: next.Extra, isThought: next.Thought}, at, e.Part)
			return
		}
	}
	if signature == "" && !s.calls.HasSigned {
		s.calls.Hold(&answer.HeldCall{ID: id, Name: e.ToolName, Part: e.Part, At: at})
		return
	}
	s.calls.Sent(signature)
	s.encoder.startCall(id, e.ToolName, signature)
}

// continueCall adds a piece of the arguments of a call.
func (s *Stream) continueCall(e *normalize.Event) {
	if s.whole != e.Part+1 && !s.calls.Continue(e.ArgumentsDelta) {
		s.encoder.sink.arguments(e.ArgumentsDelta)
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
	s.encoder.startCall(call.ID, call.Name, signature)
	if arguments != "" {
		s.encoder.sink.arguments(arguments)
	}
}

func (s *Stream) endCall(e *normalize.Event) {
	s.encoder.made.Cut = s.encoder.made.Cut || e.Incomplete
	if s.plain && e.Extra != nil && merge.HasLeftOver(e.Extra.FunctionCall) {
		s.encoder.entries.Add(report.Lost, answer.PartLocation{Source: e.Source, Part: e.Part},
			"/functionCall", answer.DetailLeftOver)
	}
	if s.whole == e.Part+1 {
		s.whole = 0
		return
	}
	if s.calls.IsHeld() {
		s.releaseCall("")
	}
	s.encoder.end()
	s.encoder.keepRest(e.Extra, e.Thought, e.Part)
}

const detailLateSignature = "it arrived after the start of its call"
