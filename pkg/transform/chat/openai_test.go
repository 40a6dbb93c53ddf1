package chat_test

import (
	"strings"

	"github.com/gemwire/gemwire/pkg/transform"
)

// ofIndex returns the entries about candidates' indices.
func ofIndex(report transform.Report) transform.Report {
	var out transform.Report
	for _, e := range report {
		if strings.HasSuffix(e.Pointer, "/index") {
			out = append(out, e)
		}
	}
	return out
}
