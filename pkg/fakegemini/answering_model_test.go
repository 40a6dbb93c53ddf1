package fakegemini_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/gemwire/gemwire/pkg/geminitest"
)

// The fake refuses what the answering model refuses on the day of its clock.
func TestTheDayDecidesWhatIsRefused(t *testing.T) {
	t.Parallel()
	const trailing = `{"contents":[{"role":"user","parts":[{"text":"Hi."}]},{"role":"model","parts":[{"text":"Once"}]}]}`
	const level = `{"contents":[{"role":"user","parts":[{"text":"Hi."}]}],"generationConfig":{"thinkingConfig":{"thinkingLevel":"LOW"}}}`
	tests := []struct {
		day, path, body string
		want            int
	}{
		{"2026-10-07", "/v1beta/models/gemini-3.5-flash:generateContent", trailing, http.StatusOK},
		{"2026-10-08", "/v1beta/models/gemini-3.5-flash:generateContent", trailing, http.StatusBadRequest},
		{"2026-10-08", "/v1/projects/p/locations/global/publishers/google/models/gemini-3.5-flash:generateContent", trailing, http.StatusOK},
		{"2026-11-30", "/v1beta/models/gemini-2.5-flash:generateContent", level, http.StatusBadRequest},
		{"2026-12-01", "/v1beta/models/gemini-2.5-flash:generateContent", level, http.StatusOK},
	}
	for _, tt := range tests {
		day, err := time.Parse(time.DateOnly, tt.day)
		if err != nil {
			t.Fatal(err)
		}
		srv := geminitest.NewServer(t, geminitest.WithClock(func() time.Time { return day }))
		header := http.Header{"Authorization": {"Bearer secret"}}
		if strings.HasPrefix(tt.path, "/v1beta") {
			header = http.Header{"X-Goog-Api-Key": {"secret"}}
		}
		if reply, body := send(t, srv, tt.path, header, tt.body); reply.StatusCode != tt.want {
			t.Errorf("%s on %s: got %d: %s", tt.path, tt.day, reply.StatusCode, body)
		}
	}
}
