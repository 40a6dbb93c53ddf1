package request_test

import (
	"strings"
	"testing"

	"github.com/gemwire/gemwire/internal/test/openaitest"
	"github.com/gemwire/gemwire/pkg/report"
)

// pixel is a picture of one point, as base64.
const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="

// Clients that have media at hand put them into any member that takes an address, as other APIs allow it.
func TestDataURLsAreMedia(t *testing.T) {
	t.Parallel()
	for name, block := range map[string]string{
		"an image":             `{"type":"image","source":{"type":"url","url":"data:image/png;base64,` + pixel + `"}}`,
		"in capital letters":   `{"type":"image","source":{"type":"url","url":"DATA:image/png;BASE64,` + pixel + `"}}`,
		"in the place of data": `{"type":"image","source":{"type":"base64","media_type":"image/png","data":"data:image/png;base64,` + pixel + `"}}`,
		"a type that is wrong": `{"type":"image","source":{"type":"url","url":"data:image/jpeg;base64,` + pixel + `"}}`,
		"in a result":          `{"type":"tool_result","tool_use_id":"t","content":[{"type":"image","source":{"type":"url","url":"data:image/png;base64,` + pixel + `"}}]}`,
		"in a document":        `{"type":"document","source":{"type":"content","content":[{"type":"image","source":{"type":"url","url":"data:image/png;base64,` + pixel + `"}}]}}`,
	} {
		got, entries := converted(t, `{"model":"gemini-3.6-flash","max_tokens":9,"messages":[{"role":"user","content":[`+block+`]}]}`)
		if !strings.Contains(got, `{"inlineData":{"mimeType":"image/png","data":"`+pixel+`"}}`) || entries.Of(report.Lost) != nil {
			t.Errorf("%s: %s, %v", name, got, entries)
		}
	}
	got, _ := converted(t, `{"model":"gemini-3.6-flash","max_tokens":9,"messages":[{"role":"user","content":[{"type":"document","source":{"type":"url","url":"data:application/pdf;base64,JVBERi0xLjQK"}}]}]}`)
	openaitest.Subset(t, got, `{"contents":[{"parts":[{"inlineData":{"mimeType":"application/pdf","data":"JVBERi0xLjQK"}}]}]}`)
}

// converted returns the request for Gemini, and the report.
func converted(t testing.TB, document string) (string, report.Report) {
	t.Helper()
	out, report, err := geminiRequest([]byte(document))
	if err != nil {
		t.Fatalf("%v: %s", err, document)
	}
	return string(out), report
}
