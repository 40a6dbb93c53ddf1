package answercheck

import (
	"fmt"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/validation"
)

// Stream checks the chunks of a stream in order. The zero value is ready to use.
type Stream struct {
	count      int
	id, model  string
	created    string
	candidates map[int]*streamed
	isRefused  bool
}

// streamed has the content of earlier chunks for a candidate.
type streamed struct {
	sources  int             // groundingChunks
	text     int             // bytes that are not thoughts
	parts    int             // of all chunks; a whole answer joins some of them
	inCall   bool            // a call is being sent in pieces
	call     string          // the location of its last piece
	ids      map[string]bool // of calls
	finished bool
	reason   geminiapi.FinishReason // the first reason other than STOP
	last     int                    // the last chunk with the candidate
	at       int                    // its index in that chunk
}

// Push checks the next chunk by itself and against earlier chunks. Pointers and positions are
// relative to the chunk.
func (s *Stream) Push(data []byte, r *geminiapi.GenerateContentResponse) []validation.Violation {
	var c checker
	c.response(r)
	s.identity(&c, r)
	if s.isRefused && len(r.Candidates) > 0 {
		c.report("/candidates", ruleRefusal, "must be absent, because the prompt was refused")
	}
	for i := range r.Candidates {
		s.candidate(&c, element("/candidates", i), i, &r.Candidates[i])
	}
	if r.PromptFeedback != nil && r.PromptFeedback.BlockReason != nil {
		s.isRefused = true
	}
	s.count++
	return c.locate(data)
}

// Close reports what is missing at the end of the stream.
func (s *Stream) Close() []validation.Violation {
	var c checker
	if len(s.candidates) == 0 && !s.isRefused {
		c.report("", ruleRequired, "must hold a candidate, or promptFeedback a blockReason")
	}
	for chunk := range s.count { // in the order of the stream
		for _, candidate := range s.candidates {
			if candidate.last == chunk && !candidate.finished {
				c.report(element("", chunk)+element("/candidates", candidate.at)+"/finishReason",
					ruleRequired, "must say why the candidate ended")
			}
			if candidate.last == chunk && candidate.finished && candidate.inCall {
				c.report(candidate.call+"/willContinue", ruleContinues,
					"must be absent, because no piece of the call follows")
			}
		}
	}
	return c.found
}

// identity checks that all chunks belong to one answer.
func (s *Stream) identity(c *checker, r *geminiapi.GenerateContentResponse) {
	for _, member := range []struct {
		name  string
		first *string
		value *string
	}{{"responseId", &s.id, r.ResponseID}, {"modelVersion", &s.model,
		r.ModelVersion}, {"createTime", &s.created, r.CreateTime}} {
		switch value := jsonx.Deref(member.value); {
		case value == "":
		case *member.first == "":
			*member.first = value
		case *member.first != value:
			c.report("/"+member.name, ruleIdentity,
				fmt.Sprintf("must be %q, as in earlier chunks", *member.first))
		}
	}
}

// candidate checks a candidate against its earlier chunks.
func (s *Stream) candidate(c *checker, at string, place int, candidate *geminiapi.Candidate) {
	so := s.candidates[indexOf(candidate)]
	if so == nil {
		if s.candidates == nil {
			s.candidates = map[int]*streamed{}
		}
		so = &streamed{ids: map[string]bool{}}
		s.candidates[indexOf(candidate)] = so
	}
	if so.reason != "" && candidate.Content != nil && len(candidate.Content.Parts) > 0 {
		c.report(at+"/content", ruleOrder, "must not follow the finishReason "+string(so.reason))
	}
	so.last, so.at = s.count, place
	if reason := jsonx.Deref(candidate.FinishReason); so.reason == "" &&
		reason != geminiapi.FinishReasonStop {
		so.reason = reason
	}
	so.finished = so.finished || candidate.FinishReason != nil
	if candidate.Content != nil {
		so.parts += len(candidate.Content.Parts)
		for i := range candidate.Content.Parts {
			in := element(at+"/content/parts", i)
			so.part(c, in, &candidate.Content.Parts[i])
			so.call = element("", s.count) + in + "/functionCall"
		}
	}
	g := candidate.GroundingMetadata
	if g == nil {
		return
	}
	so.sources += len(g.GroundingChunks)
	for i := range g.GroundingSupports {
		support, in := &g.GroundingSupports[i],
			element(at+"/groundingMetadata/groundingSupports", i)
		c.cited(in, support, so.sources)
		if support.Segment == nil {
			continue
		}
		switch part := jsonx.Deref(support.Segment.PartIndex); {
		case part == 0:
			c.endWithin(in+"/segment", jsonx.Deref(support.Segment.EndIndex), so.text)
		case part >= so.parts:
			c.partWithin(in+"/segment", part, so.parts)
		}
	}
}

// part counts the text, and checks that a call without a name continues another call.
func (so *streamed) part(c *checker, at string, p *geminiapi.Part) {
	if !jsonx.Deref(p.Thought) {
		so.text += len(jsonx.Deref(p.Text))
	}
	call := p.FunctionCall
	if call == nil {
		return
	}
	c.callID(at, p, so.ids)
	if jsonx.Deref(call.Name) == "" && !so.inCall {
		c.report(at+"/functionCall/name", ruleContinues,
			"must be set, because no earlier call is open")
	}
	so.inCall = jsonx.Deref(call.WillContinue)
}
