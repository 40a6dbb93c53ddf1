package answer

import (
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/report"
)

// ReportResponse reports what a form does not show of a response's members. The last argument
// reports whether the answer is a refusal.
type ReportResponse func(entries *report.Report, r *geminiapi.GenerateContentResponse,
	isRefusal bool)

// HeldFeedback is the feedback of a chunk that has a message without a reason. Only a refusal shows
// the message, and only the end of a stream shows whether it is a refusal. The zero value is empty.
type HeldFeedback struct {
	at       normalize.Location
	feedback *geminiapi.PromptFeedback
}

// ReportChunk reports what a form does not show of a chunk's members, except its candidates,
// counts, id and model. It holds the feedback back if needed.
func (h *HeldFeedback) ReportChunk(s *normalize.Stream, c *geminiapi.GenerateContentResponse,
	of ReportResponse) {
	if c.PromptFeedback == nil && c.ModelStatus == nil && c.TurnToken == nil &&
		len(c.Unknown) == 0 {
		return
	}
	at, feedback := s.Location(), c.PromptFeedback
	if feedback != nil && jsonx.Deref(feedback.BlockReason) == "" &&
		jsonx.Deref(feedback.BlockReasonMessage) != "" {
		h.Release(s, true, of) // replaces the feedback of the chunk before
		*h, feedback = HeldFeedback{at: at, feedback: feedback}, nil
	}
	var lost report.Report
	of(&lost, &geminiapi.GenerateContentResponse{
		PromptFeedback: feedback, ModelStatus: c.ModelStatus, TurnToken: c.TurnToken,
		Unknown: c.Unknown,
	}, feedback != nil && feedback.BlockReason != nil)
	AddReport(s, at, lost)
}

// Release reports the held feedback, if any. isRefusal reports whether the answer is a refusal.
func (h *HeldFeedback) Release(s *normalize.Stream, isRefusal bool, of ReportResponse) {
	if h.feedback == nil {
		return
	}
	var lost report.Report
	of(&lost, &geminiapi.GenerateContentResponse{PromptFeedback: h.feedback}, isRefusal)
	AddReport(s, h.at, lost)
	*h = HeldFeedback{}
}
