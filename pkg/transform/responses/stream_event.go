package responses

import (
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/transform/internal/answer"
)

// event converts an event. It accumulates what is known only at the end, such as the sources.
func (s *Stream) event(e *normalize.Event) {
	switch e.Type {
	case normalize.EventStart:
		s.encoder.responseID = e.ID
		s.soFar.Add(*e)
	case normalize.EventTextDelta, normalize.EventThinkingDelta, normalize.EventSignature,
		normalize.EventToolCallStart,
		normalize.EventToolCallDelta, normalize.EventToolCallDone, normalize.EventBlock:
		s.content(e, "")
	default:
		s.accumulate(e)
	}
}

// isAnswer reports whether the candidate with an index is the answer. The first candidate that
// arrives is.
func (s *Stream) isAnswer(index int) bool {
	if s.choice == nil {
		s.choice = new(index)
		s.encoder.index = index
	}
	return *s.choice == index
}

// content converts an event of a part. A signature is given for a whole text or thought.
func (s *Stream) content(e *normalize.Event, signature string) {
	if !s.isAnswer(e.Candidate) {
		return
	}
	at := answer.PartLocation{Source: e.Source}
	if e.Type != normalize.EventBlock || e.Block.Type != normalize.BlockCodeResult {
		s.encoder.writeCode(openaiapi.ResponseItemStatusCompleted)
	}
	switch e.Type {
	case normalize.EventTextDelta:
		s.encoder.text(e.Text, signature, e.Part, at)
		s.keepRest(&normalize.Block{Type: normalize.BlockText, Thought: e.Thought, Extra: e.Extra},
			e.Part, at)
	case normalize.EventThinkingDelta:
		s.encoder.thought(e.Text, signature, e.Part)
		s.keepRest(&normalize.Block{Type: normalize.BlockThinking, Thought: e.Thought,
			Extra: e.Extra}, e.Part, at)
	case normalize.EventSignature:
		s.sign(e, at)
	case normalize.EventToolCallStart:
		s.startCall(e, at)
	case normalize.EventToolCallDelta:
		s.continueCall(e.ArgumentsDelta)
	case normalize.EventToolCallDone:
		s.endCall(e, at)
	case normalize.EventBlock:
		s.encoder.block(e.Block, e.Part, at)
	}
}

// keepRest skips most pieces of texts, which have nothing else to keep.
func (s *Stream) keepRest(b *normalize.Block, part int, at answer.PartLocation) {
	if b.Extra != nil || b.Thought {
		s.encoder.keepRest(b, part, at)
	}
}

// sign converts a signature without a text.
func (s *Stream) sign(e *normalize.Event, at answer.PartLocation) {
	switch e.BlockType {
	case normalize.BlockToolCall:
		s.signCall(e.Signature, at)
		return
	case normalize.BlockText:
		s.encoder.text("", e.Signature, e.Part, at)
	case normalize.BlockThinking:
		s.encoder.thought("", e.Signature, e.Part)
	case normalize.BlockSignature:
		s.encoder.carry(&normalize.Block{Type: e.BlockType, Signature: e.Signature,
			Thought: e.Thought, Extra: e.Extra}, e.Part, at)
		return
	default:
		return // sent with the block
	}
	s.keepRest(&normalize.Block{Type: e.BlockType, Thought: e.Thought, Extra: e.Extra}, e.Part, at)
}

// accumulate keeps an event that is not content until the end.
func (s *Stream) accumulate(e *normalize.Event) {
	switch e.Type {
	case normalize.EventGrounding, normalize.EventCitations:
		s.cited = s.cited || s.isAnswer(e.Candidate)
		s.sources = e.Source
	case normalize.EventLogprobs:
		if s.isAnswer(e.Candidate) && !s.encoder.addLogprobs(e.Logprobs.Tokens) {
			s.encoder.hasLostLogprobs = true
		}
	case normalize.EventFinish:
		if s.isAnswer(e.Candidate) {
			s.finish = new(*e)
		}
	}
	s.soFar.Add(*e)
	switch e.Type {
	case normalize.EventDone:
		s.end(nil)
	case normalize.EventError:
		s.end(e.Error)
	}
}
