package models

import "time"

// Warnings returns what the caller of a model should know after an answer, as texts: that another
// model answered, that the model is deprecated, or that it is shut down within some period. It
// returns nil for a model without warnings.
//
// answered is the modelVersion of the answer, or "". It decides: a route of the table is named only
// if its target answered, as in "gemini-3.5-flash → gemini-3.6-flash, routed by Google since
// 2026-10-08". Any other difference is named without a reason, as in "gemini-flash-latest →
// gemini-3.8-flash".
func (m *Model) Warnings(answered string, within time.Duration) []string {
	var out []string
	isExplained := answered == "" || idOf(answered) == m.Asked
	for _, notice := range m.Notices(within) {
		switch {
		case notice.Kind != NoticeRouted || answered == "":
			out = append(out, notice.String())
		case notice.Target == idOf(answered):
			isExplained = true
			out = append(out, notice.String())
		}
	}
	if !isExplained {
		out = append(out, m.Asked+" → "+idOf(answered))
	}
	return out
}
