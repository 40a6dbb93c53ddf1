package answer

import (
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/report"
)

// ReportResponse adds what a form does not show of the members of a response, whose answer is a
// refusal or not.
type ReportResponse func(entries *report.Report, r *geminiapi.GenerateContentResponse,
	isRefusal bool)

// HeldFeedback is the feedback of a chunk that has a message without a reason. Only a refusal shows
// it, and whether the stream is one is known at its end. The zero value holds none.
type HeldFeedback struct {
	at       normalize.Location
	feedback *geminiapi.PromptFeedback
}

// ReportChunk reports what a form does not show of the members of a chunk, but its candidates,
// counts and identity. It holds the feedback back if need be.
func (h *HeldFeedback) ReportChunk(s *normalize.Stream, c *geminiapi.GenerateContentResponse,
	of ReportResponse) {
	if c.PromptFeedback == nil && c.ModelStatus == nil && c.TurnToken == nil &&
		len(c.Unknown) == 0 {
		return
	}
	at, feedback := s.Location(), c.PromptFeedback
	if feedback != nil && jsonx.Deref(feedback.BlockReason) == "" &&
		jsonx.Deref(feedback.BlockReasonMessage) != "" {
		h.Release(s, true, of) // of the chunk before, which this one replaces
		*h, feedback = HeldFeedback{at: at, feedback: feedback}, nil
	}
	var lost report.Report
	of(&lost, &geminiapi.GenerateContentResponse{
		PromptFeedback: feedback, ModelStatus: c.ModelStatus, TurnToken: c.TurnToken,
		Unknown: c.Unknown,
	}, feedback != nil && feedback.BlockReason != nil)
	s.AddReport(at, lost)
}

// Release reports the feedback that is held, of an answer that is a refusal or not.
func (h *HeldFeedback) Release(s *normalize.Stream, isRefusal bool, of ReportResponse) {
	if h.feedback == nil {
		return
	}
	var lost report.Report
	of(&lost, &geminiapi.GenerateContentResponse{PromptFeedback: h.feedback}, isRefusal)
	s.AddReport(h.at, lost)
	*h = HeldFeedback{}
}
