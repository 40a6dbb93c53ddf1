package chat

import (
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/media"
	"github.com/gemwire/gemwire/internal/merge"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/answer"
)

// streamChoice is the state of a choice: what was sent of it so far.
type streamChoice struct {
	index    int
	role     openaiapi.Role // "" until it is sent
	reason   openaiapi.FinishReason
	native   string
	end      normalize.Location // where the candidate ended; zero until then
	text     bool
	thinking bool
	images   int
	audioID  string
	heard    sounds
	cutter   media.Base64Cutter // of the sound's pieces
	calls    int                // number of calls so far; the last one may be open
	ids      callIDs
	renamed  bool // The last call has a different id than Gemini sent.
	signed   string

	last *piece // the last delta
	push int    // the push of the last delta

	turn       turn
	finish     normalize.FinishReason
	cited      bool // The candidate may have spans of its text.
	spans      spanRecords
	textPart   int                // of the last text
	textSource normalize.Location // of the last text, none before the first
	joined     bool               // The joining of texts was reported.
}

// piece is the only choice of a chunk, with its delta.
type piece struct {
	kind   deltaKind
	choice [1]openaiapi.ChunkChoice
	text   string // what the delta's content or reasoning points to
}

// delta returns the delta of the piece.
func (p *piece) delta() *openaiapi.Delta { return &p.choice[0].Delta }

// deltaKind is the kind of content that a delta has. Clients often look for only one in each delta.
type deltaKind int

const (
	someText deltaKind = iota + 1
	someThinking
	someCall
	someOther
)

// choice returns the state of a candidate's choice.
func (s *Stream) choice(index int) *streamChoice {
	c := s.choices.At(index)
	c.index, c.turn.plain = index, s.plain
	if s.keepsShape {
		c.turn.answer.KeepShape()
	}
	return c
}

// next starts a new delta of a choice.
func (s *Stream) next(c *streamChoice, kind deltaKind) *piece {
	p := s.piece()
	p.kind = kind
	p.choice[0].Index = c.index
	if c.role == "" {
		c.role = openaiapi.RoleAssistant
		p.delta().Role = &c.role
	}
	c.last, c.push = p, s.pushes
	s.add().Choices = p.choice[:]
	return p
}

// piece returns an empty piece. It reuses one if the caller does not keep the chunks. Each piece is
// sent in its own chunk.
func (s *Stream) piece() *piece {
	if !s.reusesEvents {
		return &piece{}
	}
	at := len(s.out)
	for at >= len(s.pieces) {
		s.pieces = append(s.pieces, &piece{})
	}
	*s.pieces[at] = piece{}
	return s.pieces[at]
}

// add adds a chunk without choices to the result of the push. Most pushes return at most two
// chunks.
func (s *Stream) add() *chunk {
	if s.out == nil {
		s.out = make([]chunk, 0, 2)
	}
	s.out = append(s.out, chunk{})
	c := &s.out[len(s.out)-1]
	c.ID, c.Created, c.Model = s.head.id, s.head.created, s.head.model
	c.Object = openaiapi.ObjectTypeChatCompletionChunk
	return c
}

// same returns the choice's last piece if it has the kind and belongs to this push, else a new
// piece.
func (s *Stream) same(c *streamChoice, kind deltaKind) *piece {
	if c.push == s.pushes && c.last.kind == kind {
		return c.last
	}
	return s.next(c, kind)
}

func (s *Stream) text(e *normalize.Event) {
	c := s.choice(e.Candidate)
	s.reportText(c, e)
	if s.plain && e.Extra != nil {
		s.losePart(e.Source, e.Extra, openaiapi.PartMemberContent)
	}
	c.turn.addText(e, normalize.BlockText, openaiapi.PartMemberContent)
	if e.Text == "" {
		return
	}
	c.text = true
	p := s.same(c, someText)
	p.text += e.Text
	p.delta().Content = &p.text
}

func (s *Stream) thinking(e *normalize.Event) {
	c := s.choice(e.Candidate)
	if s.plain {
		s.driver.Source.AddEntry(report.Lost, e.Source, "", detailNoCounterpart)
		return
	}
	c.turn.addText(e, normalize.BlockThinking, openaiapi.PartMemberReasoningContent)
	if e.Text == "" {
		return
	}
	c.thinking = true
	p := s.same(c, someThinking)
	p.text += e.Text
	p.delta().ReasoningContent = &p.text
}

// signature reports the signature of a part as lost if the completion has no extensions. The same
// holds for a part that has nothing but a signature. The extension has both, at the end.
func (s *Stream) signature(e *normalize.Event) {
	if e.BlockType == normalize.BlockToolCall {
		return
	}
	c := s.choice(e.Candidate)
	c.turn.sign(e, s.signedMember(e.BlockType))
	switch {
	case !s.plain:
	case e.BlockType == normalize.BlockText:
		s.reportText(c, e)
		s.driver.Source.AddEntry(report.Lost, e.Source, "/thoughtSignature", detailNoCounterpart)
	default:
		s.driver.Source.AddEntry(report.Lost, e.Source, "", detailNoCounterpart)
	}
}

// signedMember returns the message member that holds a signed part, or "" if no member does.
func (o *options) signedMember(typ normalize.BlockType) openaiapi.PartMember {
	switch {
	case typ == normalize.BlockText:
		return openaiapi.PartMemberContent
	case typ == normalize.BlockThinking && !o.plain:
		return openaiapi.PartMemberReasoningContent
	default:
		return ""
	}
}

// startCall sends the id and the name of a call. No other delta has them.
func (s *Stream) startCall(e *normalize.Event) {
	c := s.choice(e.Candidate)
	id := e.ToolCallID
	if e.MadeID {
		id = s.madeID(id, s.responseID, e.Candidate, e.Part)
	}
	id, isTaken := c.ids.take(id,
		func() string { return s.otherID(s.responseID, e.Candidate, e.Part) })
	c.renamed = isTaken && !e.MadeID
	if isTaken {
		s.driver.Source.AddEntry(report.Approximated, e.Source, "/functionCall/id", detailIDTaken)
	}
	id = s.signedID(id, e.Signature)
	c.calls++
	c.signed = ""
	s.next(c, someCall).delta().ToolCalls = []openaiapi.ToolCallChunk{{
		Index:    c.calls - 1,
		ID:       &id,
		Type:     new(openaiapi.ToolTypeFunction),
		Function: &openaiapi.FunctionCallChunk{Name: new(s.tools.of(e.ToolName)), Arguments: new("")},
	}}
	s.sign(c, e.Signature)
}

// endCall sends a signature that arrived after the start of its call.
func (s *Stream) endCall(e *normalize.Event) {
	c := s.choice(e.Candidate)
	if !s.plain && answer.HasOtherArguments(e.Extra) {
		s.driver.Source.AddEntry(report.Approximated, e.Source, "/functionCall/args",
			detailOtherArguments)
	}
	if s.plain && e.Extra != nil && merge.HasLeftOver(e.Extra.FunctionCall) {
		s.driver.Source.AddEntry(report.Lost, e.Source, "/functionCall", answer.DetailLeftOver)
	}
	c.turn.addCall(e, c.renamed)
	s.signedLate = s.signedLate || e.Signature != c.signed
	s.sign(c, e.Signature)
}

// sign sends the signature of the choice's last call.
func (s *Stream) sign(c *streamChoice, signature string) {
	if signature == c.signed {
		return
	}
	c.signed = signature
	if !s.plain {
		s.call(c).ExtraContent = callExtension(signature)
	}
}

// call returns a piece of the choice's last call. It always has a function, because clients read
// that without a check.
func (s *Stream) call(c *streamChoice) *openaiapi.ToolCallChunk {
	delta := s.same(c, someCall).delta()
	if delta.ToolCalls == nil {
		delta.ToolCalls = []openaiapi.ToolCallChunk{{
			Index:    max(c.calls-1, 0),
			Function: &openaiapi.FunctionCallChunk{Arguments: new("")},
		}}
	}
	return &delta.ToolCalls[0]
}

// block sends media that a member of the message can hold. Each piece of a sound is sent as it
// arrives. The data need not be kept until the end.
func (s *Stream) block(e *normalize.Event) {
	c, b := s.choice(e.Candidate), e.Block
	var member openaiapi.PartMember
	if b.Type == normalize.BlockMedia {
		member = s.mediaMember(b, &c.heard)
	}
	s.reportBlock(c, e, member)
	switch member {
	case openaiapi.PartMemberImages:
		s.next(c, someOther).delta().Images = []openaiapi.ContentPart{newImage(b.Media, c.images)}
		c.images++
		c.turn.add(withoutData(b), member)
	case openaiapi.PartMemberAudio:
		s.sound(c, e)
		length := 0
		if !c.heard.closed { // otherwise it is the only sound
			length, _ = media.Base64Length(b.Media.Data)
		}
		c.turn.addSound(withoutData(b), length)
	default:
		c.turn.add(b, member)
	}
}

// withoutData returns a copy of the media block without its data, which were already sent.
func withoutData(b *normalize.Block) *normalize.Block {
	sent, out := *b.Media, *b
	sent.Data, out.Media = "", &sent
	return &out
}

// sound sends the next piece of a choice's audio. The first piece has all members, later pieces
// only data. Clients join the texts, so base64 that would end in padding is held back until the
// next piece or the last delta.
func (s *Stream) sound(c *streamChoice, e *normalize.Event) {
	data := e.Block.Media.Data
	if !c.heard.closed {
		data = c.cutter.Next(data)
	}
	out := &openaiapi.MessageAudio{Data: &data}
	switch {
	case c.audioID == "":
		c.audioID = madeAudioID(s.responseID, e.Candidate, e.Block.Part)
		out.ID, out.ExpiresAt, out.Transcript = &c.audioID, new(int64(0)), new("")
	case data == "":
		return
	}
	s.next(c, someOther).delta().Audio = out
}

// logprobs adds log probabilities to the text that came with them, but not to the first chunk of a
// choice. OpenAI has none there, and the stream accumulator of npm openai 6.49 duplicates them.
func (s *Stream) logprobs(e *normalize.Event) {
	c := s.choice(e.Candidate)
	if len(e.Logprobs.Tokens) == 0 {
		return
	}
	if !areFinite(e.Logprobs.Tokens) {
		s.driver.Source.AddEntry(report.Approximated, e.Source, "/logprobsResult", detailNotFinite)
	}
	p := c.last
	if c.push != s.pushes || p.kind != someText && p.kind != someThinking {
		p = s.next(c, someOther)
	}
	if p.delta().Role != nil {
		p = s.next(c, someOther)
	}
	more := choiceLogprobs(e.Logprobs.Tokens)
	if before := p.choice[0].Logprobs; before != nil {
		more.Content = append(before.Content, more.Content...)
	}
	p.choice[0].Logprobs = more
}
