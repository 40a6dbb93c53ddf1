package openai

import (
	"cmp"
	"slices"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/pkg/normalize"
)

// streamChoice is what is told of a choice so far.
type streamChoice struct {
	index    int
	begun    bool // the role is told
	finished bool // the candidate has ended
	text     bool
	thinking bool
	images   int
	audio    bool
	calls    int // begun so far; the last of them is the one that goes on
	signed   string

	delta *openaiapi.ChunkChoice // the last one
	news  news                   // what it tells
	push  int                    // the push that it belongs to
}

// news is what a delta tells: clients often look for one kind of it in each.
type news int

const (
	someText news = iota + 1
	someThinking
	someCall
	someOther
)

// choice returns the state of a candidate's choice. They are kept in the order of their indexes.
func (s *Stream) choice(index int) *streamChoice {
	at, found := slices.BinarySearchFunc(s.choices, index, func(c *streamChoice, index int) int {
		return cmp.Compare(c.index, index)
	})
	if !found {
		s.choices = slices.Insert(s.choices, at, &streamChoice{index: index})
	}
	return s.choices[at]
}

// next begins a delta of a choice in a chunk of its own.
func (s *Stream) next(c *streamChoice, n news) *openaiapi.ChunkChoice {
	choices := []openaiapi.ChunkChoice{{Index: c.index}}
	c.delta, c.news, c.push = &choices[0], n, s.pushes
	if !c.begun {
		c.begun = true
		c.delta.Delta.Role = new(openaiapi.RoleAssistant)
	}
	out := s.frame
	out.Choices = choices
	s.out = append(s.out, out)
	return c.delta
}

// same returns the last delta of a choice if it tells the same kind of news and is not out yet, else
// a new one.
func (s *Stream) same(c *streamChoice, n news) *openaiapi.ChunkChoice {
	if c.push == s.pushes && c.news == n {
		return c.delta
	}
	return s.next(c, n)
}

func (s *Stream) text(e *normalize.Event) {
	c := s.choice(e.Candidate)
	if e.Text == "" {
		return
	}
	c.text = true
	add(&s.same(c, someText).Delta.Content, e.Text)
}

func (s *Stream) thinking(e *normalize.Event) {
	c := s.choice(e.Candidate)
	if e.Text == "" || s.plain {
		return
	}
	c.thinking = true
	add(&s.same(c, someThinking).Delta.ReasoningContent, e.Text)
}

func add(text **string, more string) {
	if *text != nil {
		more = **text + more
	}
	*text = &more
}

// startCall tells a call's id and name, which no other delta does.
func (s *Stream) startCall(e *normalize.Event) {
	c := s.choice(e.Candidate)
	id := e.ToolCallID
	if e.MadeID {
		id = s.madeID(id, s.responseID, e.Candidate, e.Part)
	}
	c.calls++
	c.signed = ""
	s.next(c, someCall).Delta.ToolCalls = []openaiapi.ToolCallChunk{{
		Index:    c.calls - 1,
		ID:       &id,
		Type:     new(openaiapi.ToolTypeFunction),
		Function: &openaiapi.FunctionCallChunk{Name: new(e.ToolName), Arguments: new("")},
	}}
	s.sign(c, e.Signature)
}

// continueCall tells more of the arguments of the choice's last call.
func (s *Stream) continueCall(e *normalize.Event) {
	add(&s.piece(s.choice(e.Candidate)).Function.Arguments, e.ArgumentsDelta)
}

// endCall tells the signature that a call got while it went on.
func (s *Stream) endCall(e *normalize.Event) { s.sign(s.choice(e.Candidate), e.Signature) }

// sign tells the signature of the choice's last call.
func (s *Stream) sign(c *streamChoice, signature string) {
	if s.plain || signature == c.signed {
		return
	}
	c.signed = signature
	s.piece(c).ExtraContent = callExtension(signature)
}

// piece returns a piece of the choice's last call. Clients look into its function unasked.
func (s *Stream) piece(c *streamChoice) *openaiapi.ToolCallChunk {
	delta := &s.same(c, someCall).Delta
	if delta.ToolCalls == nil {
		delta.ToolCalls = []openaiapi.ToolCallChunk{{
			Index:    max(c.calls-1, 0),
			Function: &openaiapi.FunctionCallChunk{Arguments: new("")},
		}}
	}
	return &delta.ToolCalls[0]
}

// block tells media that the message has a place for. What it returns is the event without their
// data, which need not be kept to the end.
func (s *Stream) block(e *normalize.Event) *normalize.Event {
	c, b := s.choice(e.Candidate), e.Block
	if b == nil || b.Type != normalize.BlockMedia || b.Media == nil {
		return e
	}
	switch s.mediaHome(b, c.audio) {
	case openaiapi.PartHomeImages:
		s.next(c, someOther).Delta.Images = []openaiapi.ContentPart{newImage(b.Media, c.images)}
		c.images++
	case openaiapi.PartHomeAudio:
		s.next(c, someOther).Delta.Audio = &openaiapi.MessageAudio{
			ID:         new(madeAudioID(s.responseID, e.Candidate, b.Part)),
			Data:       &b.Media.Data,
			ExpiresAt:  new(int64(0)),
			Transcript: new(""),
		}
		c.audio = true
	default:
		return e
	}
	media, block, event := *b.Media, *b, *e
	media.Data = ""
	block.Media, event.Block = &media, &block
	return &event
}

// logprobs puts log probabilities beside the text that came with them.
func (s *Stream) logprobs(e *normalize.Event) {
	c := s.choice(e.Candidate)
	if e.Logprobs == nil || len(e.Logprobs.Tokens) == 0 {
		return
	}
	delta := c.delta
	if c.push != s.pushes || c.news != someText && c.news != someThinking {
		delta = s.next(c, someOther)
	}
	more := choiceLogprobs(e.Logprobs.Tokens)
	if delta.Logprobs != nil {
		more.Content = append(delta.Logprobs.Content, more.Content...)
	}
	delta.Logprobs = more
}
