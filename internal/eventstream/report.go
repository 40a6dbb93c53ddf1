package eventstream

import (
	"fmt"
	"strconv"

	"github.com/gemwire/gemwire/pkg/report"
)

// Report lists the skipped lines as lost. The pointer is the pointer of the event after them, in a
// list of all events.
func (s *Scanner) Report() report.Report {
	var entries report.Report
	for _, skipped := range s.Skipped {
		detail := fmt.Sprintf("the line before it, at byte %d, belongs to no event and was skipped",
			skipped.Offset)
		if skipped.Lines > 1 {
			detail = fmt.Sprintf("the %d lines before it, the first at byte %d, belong to no event and were skipped",
				skipped.Lines, skipped.Offset)
		}
		entries.Add(report.Lost, "/"+strconv.Itoa(skipped.Before), detail)
	}
	return entries
}
