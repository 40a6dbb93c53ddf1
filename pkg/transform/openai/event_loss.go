package openai

import (
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/optional"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/transform"
	"github.com/go-json-experiment/json/jsontext"
)

// addReport adds a report about what stands at a location.
func (s *Stream) addReport(at normalize.Location, report transform.Report) {
	for _, e := range report {
		s.source.AddEntry(e.Kind, at, e.Pointer, e.Detail)
	}
}

// lose reports the leaves of a record that a completion does not show, by loseRecord.
func (s *Stream) lose(at normalize.Location, pointer string, record any, shows shown) {
	var lost transform.Report
	loseRecord(&lost, pointer, record, shows)
	s.addReport(at, lost)
}

// loseEvent reports what a completion without extensions does not show of an event. What it does not show
// of text, calls and media is reported where they are converted.
func (s *Stream) loseEvent(e *normalize.Event) {
	shows := shownMembers{}
	var candidate geminiapi.Candidate
	switch e.Type {
	case normalize.EventGrounding:
		candidate.GroundingMetadata = e.Grounding
		if shows.counted = e.Grounding.GroundingChunks; normalize.CountsBeyond(e.Grounding) {
			shows.counted = s.source.Sources(e.Candidate)
		}
	case normalize.EventCitations:
		candidate.CitationMetadata = e.Citations
	case normalize.EventURLContext:
		candidate.URLContextMetadata = e.URLContext
	case normalize.EventLogprobs:
		candidate.AvgLogprobs, candidate.LogprobsResult = e.Logprobs.Average, moreLogprobs(e.Logprobs)
	case normalize.EventSafety:
		candidate.SafetyRatings = e.SafetyRatings
	case normalize.EventCandidateExtra:
		candidate = *e.CandidateExtra
	default:
		s.loseResponseEvent(e)
		return
	}
	shows.candidate = &candidate
	if content := candidate.Content; content != nil {
		candidate.Content = nil
		s.lose(e.Source, "/content", content, nothing)
	}
	s.lose(e.Source, "", &candidate, shows.shows)
}

// loseResponseEvent does the same for an event about the response as a whole.
func (s *Stream) loseResponseEvent(e *normalize.Event) {
	switch e.Type {
	case normalize.EventPromptFeedback:
		c := converter{refused: e.PromptFeedback.BlockReason != nil}
		s.lose(e.Source, "", &geminiapi.GenerateContentResponse{PromptFeedback: e.PromptFeedback}, c.showsResponse)
	case normalize.EventResponseExtra:
		rest := geminiapi.GenerateContentResponse{ModelStatus: e.ResponseExtra.ModelStatus, Unknown: e.ResponseExtra.Unknown}
		s.lose(e.Source, "", &rest, nothing)
	}
}

// loseWithoutEvent reports what a completion without extensions does not show of those members of a chunk
// that have no event for each chunk: pieces of calls, the author, and the message about the end.
func (s *Stream) loseWithoutEvent(chunk *geminiapi.GenerateContentResponse) {
	for i := range chunk.Candidates {
		candidate, at := &chunk.Candidates[i], s.source.Location().InCandidate(i)
		if candidate.FinishMessage != nil {
			s.source.AddEntry(transform.Lost, at, "/finishMessage", detailNoCounterpart)
		}
		if candidate.Content == nil {
			continue
		}
		if role := optional.Value(candidate.Content.Role); role != "" && role != modelRole {
			s.source.AddEntry(transform.Lost, at, "/content/role", detailNoCounterpart)
		}
		for j := range candidate.Content.Parts {
			if part := &candidate.Content.Parts[j]; part.FunctionCall != nil {
				s.loseCall(at.InPart(j), *part)
			}
		}
	}
}

// loseCall reports what a completion does not show of a function call, or of a piece of one. Arguments in
// pieces are reported by the normalised stream.
func (s *Stream) loseCall(at normalize.Location, rest geminiapi.Part) {
	call := *rest.FunctionCall
	callRest := geminiapi.FunctionCall{Unknown: call.Unknown}
	if call.Args.Kind() != jsontext.KindBeginObject {
		callRest.Args = call.Args
	}
	begins := optional.Value(call.Name) != ""
	if begins && !optional.Value(call.WillContinue) && len(call.PartialArgs) == 0 {
		callRest.WillContinue = call.WillContinue
	}
	rest.FunctionCall = nil
	if !optional.Value(rest.Thought) {
		rest.Thought = nil
	}
	if optional.Value(rest.ThoughtSignature) == "" || begins && s.carriesIn(optional.Value(call.ID)) {
		rest.ThoughtSignature = nil
	}
	s.lose(at, "", &rest, nothing)
	s.lose(at, "/functionCall", &callRest, nothing)
}

// reportBlock reports what the completion has in another form, or not at all, of a block. The member is the one
// of the message that has the block, "" for none.
func (s *Stream) reportBlock(c *streamChoice, e *normalize.Event, member openaiapi.PartMember) {
	if member == openaiapi.PartMemberAudio {
		if c.audioID == "" {
			s.source.AddEntry(transform.Added, e.Source, "", detailSoundAdded)
		} else if s.plain && !c.heard.joined {
			c.heard.joined = true
			s.source.AddEntry(transform.Approximated, e.Source, "/inlineData/data", detailSoundsJoined)
		}
	}
	switch {
	case !s.plain:
	case member == "":
		s.source.AddEntry(transform.Lost, e.Source, "", detailNoCounterpart)
	default:
		var lost transform.Report
		s.losePart(&lost, "", e.Block, member)
		s.addReport(e.Source, lost)
	}
}

// reportText reports that the text of a part is joined with that of another one, or comes after a call,
// which only the extension shows.
func (s *Stream) reportText(c *streamChoice, e *normalize.Event) {
	if !s.plain {
		return
	}
	isNewPart := e.Part != c.textPart || e.Source.Part() != c.textSource.Part() && e.Source.Chunk() == c.textSource.Chunk()
	if isNewPart && (!c.textSource.IsZero() || c.calls > 0) && !c.joined {
		c.joined = true
		s.source.AddEntry(transform.Approximated, e.Source.InCandidate(e.Source.Candidate()), "/content/parts", detailJoined)
	}
	c.textPart, c.textSource = e.Part, e.Source
}
