package openai

import (
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/optional"
	"github.com/gemwire/gemwire/internal/rawobject"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/transform"
	"github.com/go-json-experiment/json/jsontext"
)

// Report returns what was added, approximated or lost, with JSON pointers into the stream, seen as a
// list of its chunks: /3/candidates/0/safetyRatings. It grows with the stream and is complete after
// its end, unless that was an error.
//
// It has the entries of [normalize.Stream.Report], about what a later chunk replaced, and those of a
// streamed completion, which are about each chunk what those of [FromGemini] would be about it.
func (s *Stream) Report() transform.Report { return s.source.Report() }

// Lost returns the losses in what [Stream.Report] has so far, nil when there are none. As long as there
// are none it costs nothing, so it can be asked before each chunk is sent, by a caller that rather ends
// a stream than loses anything.
func (s *Stream) Lost() transform.Report { return s.source.Lost() }

// addReport adds a report about what stands at a location.
func (s *Stream) addReport(at normalize.Location, report transform.Report) {
	for _, e := range report {
		s.source.AddEntry(e.Kind, at, e.Pointer, e.Detail)
	}
}

// lose reports what a completion does not show of a record that stands at a pointer, like loseRecord.
func (s *Stream) lose(at normalize.Location, pointer string, record any, shows shown) {
	var lost transform.Report
	loseRecord(&lost, pointer, record, shows)
	s.addReport(at, lost)
}

// loseEvent reports what a completion without extensions does not show of an event. The content is noted
// where it is converted.
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

// loseWithoutEvent reports what a completion without extensions does not show of a chunk and what no event has:
// pieces of calls do not each have one, nor have an author and a message about the end.
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

// loseCall reports what a call of a completion does not show of a function call, or of a piece of one. The
// arguments in pieces are in the report of the events.
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

// reportBlock reports what becomes of a block that the message has in a member, "" for none.
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

// reportText reports that a text is joined with another part's, or stands behind a call, if clients are not
// told by the extension.
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

// origins are the chunks that were the first to say which response it is, or would have been: the first.
type origins struct {
	responseID, model, createTime normalize.Location
	isLate                        struct{ responseID, model, createTime bool } // The first chunk does not say it.
	feedback                      normalize.Location                           // what was last said of the prompt
}

func newOrigins(start *normalize.Event) origins {
	o := origins{responseID: start.Source, model: start.Source, createTime: start.Source}
	o.isLate.responseID, o.isLate.model, o.isLate.createTime = start.ID == "", start.Model == "", start.CreateTime == ""
	return o
}

// add takes over what a chunk has and the first one has not.
func (o *origins) add(late *geminiapi.GenerateContentResponse, source normalize.Location) {
	take := func(origin *normalize.Location, isLate *bool, value *string) {
		if *isLate && value != nil {
			*origin, *isLate = source, false
		}
	}
	take(&o.responseID, &o.isLate.responseID, late.ResponseID)
	take(&o.model, &o.isLate.model, late.ModelVersion)
	take(&o.createTime, &o.isLate.createTime, late.CreateTime)
}

// reportIdentity adds a report about which response it is.
func (s *Stream) reportIdentity(report transform.Report) {
	for _, e := range report {
		at := s.origin.createTime
		switch e.Pointer {
		case "/responseId":
			at = s.origin.responseID
		case "/modelVersion":
			at = s.origin.model
		}
		s.source.AddEntry(e.Kind, at, e.Pointer, e.Detail)
	}
}

// reportUsage adds a report about the usage, each entry where a chunk has last said what it is about.
func (s *Stream) reportUsage(report transform.Report) {
	records := s.source.UsageRecords()
	for _, e := range report {
		at := s.source.Location()
		for _, record := range records {
			switch {
			case hasMember(record.Wire, e.Pointer):
				at = record.Location()
			case e.Pointer == usagePointer:
				s.reportRecord(&record, e)
			}
		}
		if e.Pointer != usagePointer || len(records) == 0 {
			s.source.AddEntry(e.Kind, at, e.Pointer, e.Detail)
		}
	}
}

// reportRecord adds an entry wherever a record of the usage was said.
func (s *Stream) reportRecord(record *normalize.UsageRecord, e transform.Entry) {
	for _, at := range record.Locations() {
		s.source.AddEntry(e.Kind, at, e.Pointer, e.Detail)
	}
}

// hasMember reports whether a record has the member that a pointer leads to, or into.
func hasMember(usage *geminiapi.UsageMetadata, pointer string) bool {
	for name := range rawobject.Members(encoded(usage)) {
		if jsontext.Pointer(usagePointer).AppendToken(name).Contains(jsontext.Pointer(pointer)) {
			return true
		}
	}
	return false
}
