package responses

import (
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/internal/merge"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/go-json-experiment/json/jsontext"
)

// loseChunk reports the candidates of a chunk that are not the answer, and of a response without extensions what it does
// not show of the chunk, by the rules for a whole answer. Texts and other parts are reported where they are converted,
// and the identity and the usage at the end.
func (s *Stream) loseChunk(chunk *geminiapi.GenerateContentResponse) {
	at := s.driver.Source.Location()
	for i, index := range merge.CandidateIndexes(chunk.Candidates) {
		if s.choice == nil {
			s.choice = new(index)
			s.encoder.index = index
		}
		switch candidate := &chunk.Candidates[i]; {
		case index != *s.choice:
			s.driver.Source.AddEntry(report.Lost, at.InCandidate(i), "", detailOtherCandidate)
		case s.plain:
			s.loseCandidate(at.InCandidate(i), candidate)
		}
	}
	if !s.plain || chunk.PromptFeedback == nil && chunk.ModelStatus == nil && chunk.TurnToken == nil && len(chunk.Unknown) == 0 {
		return
	}
	var lost report.Report
	isBlocked := chunk.PromptFeedback != nil && chunk.PromptFeedback.BlockReason != nil
	reportResponse(&lost, &geminiapi.GenerateContentResponse{
		PromptFeedback: chunk.PromptFeedback, ModelStatus: chunk.ModelStatus, TurnToken: chunk.TurnToken, Unknown: chunk.Unknown,
	}, isBlocked)
	s.driver.Source.AddReport(at, lost)
}

func (s *Stream) loseCandidate(at normalize.Location, wire *geminiapi.Candidate) {
	var lost report.Report
	reportCandidate(&lost, "", wire)
	s.driver.Source.AddReport(at, lost)
	if wire.Content == nil {
		return
	}
	for i := range wire.Content.Parts {
		if part := &wire.Content.Parts[i]; part.FunctionCall != nil {
			s.loseCall(at.InPart(i), merge.WithoutPieces(part))
		}
	}
}

// loseCall reports what of a function call, or of a piece of one, no item shows.
func (s *Stream) loseCall(at normalize.Location, part *geminiapi.Part) {
	rest := *part
	rest.ThoughtSignature = nil
	if !jsonx.Deref(rest.Thought) {
		rest.Thought = nil
	}
	call := *part.FunctionCall
	call.Name, call.ID = nil, nil
	var lost report.Report
	if call.Args = jsonx.NonNull(call.Args); call.Args.Kind() == jsontext.KindBeginArray {
		lost.Add(report.Lost, "/functionCall/args", detailNoCounterpart)
		call.Args = nil
	} else if call.Args.Kind() == jsontext.KindBeginObject {
		call.Args = nil
	}
	if rest.FunctionCall = &call; call.IsEmpty() {
		rest.FunctionCall = nil
	}
	if !rest.IsEmpty() {
		lost.AddUnshown("", &rest, report.Nothing, detailNoCounterpart)
	}
	s.driver.Source.AddReport(at, lost)
}
