package messages

import (
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/report"
)

// loseChunk reports what a message does not show of a chunk, by the rules for a whole answer. Texts and other blocks are
// reported where they are converted, and the identity and the usage at the end.
func (s *Stream) loseChunk(chunk *geminiapi.GenerateContentResponse) {
	at := s.driver.Source.Location()
	if chunk.PromptFeedback != nil || chunk.ModelStatus != nil || chunk.TurnToken != nil || len(chunk.Unknown) > 0 {
		s.loseResponse(at, chunk)
	}
	for i, index := range normalize.CandidateIndexes(chunk.Candidates) {
		in := at.InCandidate(i)
		if index != s.candidate {
			s.driver.Source.AddEntry(report.Lost, in, "", detailOtherCandidate)
			continue
		}
		s.lost = s.lost[:0]
		s.loseCandidate(&s.lost, "", &chunk.Candidates[i])
		s.driver.Source.AddReport(in, s.lost)
		s.loseCalls(in, &chunk.Candidates[i])
	}
}

func (s *Stream) loseCalls(at normalize.Location, wire *geminiapi.Candidate) {
	if wire.Content == nil {
		return
	}
	for i := range wire.Content.Parts {
		if part := &wire.Content.Parts[i]; part.FunctionCall != nil {
			s.encoder.unshownCall(normalize.WithoutPieces(part), place{source: at.InPart(i)})
		}
	}
}

func (s *Stream) loseResponse(at normalize.Location, wire *geminiapi.GenerateContentResponse) {
	feedback := wire.PromptFeedback
	if feedback != nil && jsonx.Deref(feedback.BlockReason) == "" && jsonx.Deref(feedback.BlockReasonMessage) != "" {
		s.loseMessage(true) // of the chunk before, which this one replaces
		s.message, feedback = blockMessage{at: at, feedback: feedback}, nil
	}
	var lost report.Report
	loseResponse(&lost, &geminiapi.GenerateContentResponse{
		PromptFeedback: feedback, ModelStatus: wire.ModelStatus, TurnToken: wire.TurnToken, Unknown: wire.Unknown,
	}, feedback != nil && feedback.BlockReason != nil)
	s.driver.Source.AddReport(at, lost)
}

// blockMessage is the feedback of a chunk that has a message without a reason: only a refusal shows it, and
// whether there is one, or an answer beside it, is known at the end.
type blockMessage struct {
	at       normalize.Location
	feedback *geminiapi.PromptFeedback // nil where there is none
}

// loseMessage reports what a message, which is a refusal or not, does not show of the last such feedback.
func (s *Stream) loseMessage(blocked bool) {
	if s.message.feedback == nil {
		return
	}
	var lost report.Report
	loseResponse(&lost, &geminiapi.GenerateContentResponse{PromptFeedback: s.message.feedback}, blocked)
	s.driver.Source.AddReport(s.message.at, lost)
	s.message = blockMessage{}
}
