package script_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gemwire/gemwire/pkg/fakegemini/internal/fault"
	"github.com/gemwire/gemwire/pkg/fakegemini/internal/received"
	"github.com/gemwire/gemwire/pkg/fakegemini/internal/script"
)

// requests are paths and bodies for the forms of an answer.
var requests = map[string]string{
	"/v1beta/models/gemini-2.5-flash:generateContent":                              `{"contents":[{"parts":[{"text":"Hi"}]}]}`,
	"/v1beta/models/gemini-3.6-flash:streamGenerateContent?alt=sse":                `{"contents":[{"parts":[{"text":"Hi"}]}]}`,
	"/v1beta/models/gemini-3.6-flash:streamGenerateContent":                        `{"contents":[{"parts":[{"text":"Hi"}]}]}`,
	"/v1/publishers/google/models/gemini-3.6-flash:generateContent":                `{"contents":[{"parts":[{"text":"Hi"}]}]}`,
	"/v1beta/models/gemini-2.5-flash:countTokens":                                  `{"contents":[]}`,
	"/v1beta/models/gemini-2.5-flash:generateContent?body=broken":                  `{"contents":`,
	"/v1beta/models/gemini-embedding-001:embedContent":                             `{"content":{"parts":[{"text":"Hi"}]}}`,
	"/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse&body=of a tool": `{"contents":[{"parts":[{"functionResponse":{"name":"f","response":{}}}]}]}`,
	"/v1beta/models": ``,
}

// play answers a request from a script, in a bubble in which the client waits for a day.
func play(t *testing.T, s *script.Script, path, body string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 24*time.Hour)
	defer cancel()
	r := httptest.NewRequestWithContext(ctx, http.MethodPost, strings.ReplaceAll(path, " ", "+"),
		strings.NewReader(body))
	r, _, err := received.Read(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if failure := recover(); failure != nil && failure != http.ErrAbortHandler {
			panic(failure)
		}
	}()
	handler := script.NewPlayer(*s, script.Fake{}).Wrap(http.NotFoundHandler())
	handler.ServeHTTP(httptest.NewRecorder(), r)
}

func FuzzPlay(f *testing.F) {
	f.Add(everything)
	for _, kind := range fault.Kinds() {
		for _, before := range []string{"", "{text: [a, b]}, ", "{chunk: {candidates: []}}, ",
			"{call: {name: f}}, {text: ''}, "} {
			f.Add([]byte("fixtures: [{reply: [" + before + "{fault: {kind: " + string(kind) +
				", contentType: a/b, bytes: 5}}]}]"))
			f.Add([]byte("fixtures: [{reply: [" + before + "{fault: {kind: " + string(kind) +
				"}}]}, {replies: [a, [{part: {}}, {grounding: {}}]]}]"))
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := script.Read(data)
		if err != nil {
			return
		}
		for i := range s.Fixtures {
			for _, answer := range s.Fixtures[i].Answers() {
				for _, block := range answer.Blocks {
					if block.Fault != nil && block.Fault.Bytes > 1_000_000 {
						return // It is as large as it says.
					}
				}
			}
		}
		synctest.Test(t, func(t *testing.T) {
			for path, body := range requests {
				play(t, s, path, body)
			}
		})
	})
}
