package chat_test

import (
	"strings"

	"github.com/gemwire/gemwire/pkg/report"
)

// ofIndex returns the entries about candidates' indices.
func ofIndex(entries report.Report) report.Report {
	var out report.Report
	for _, e := range entries {
		if strings.HasSuffix(e.Pointer, "/index") {
			out = append(out, e)
		}
	}
	return out
}
