package gemini_test

import (
	"bytes"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/gemini"
)

// replaying answers every request with the same bytes, read like from a connection, at the lowest
// possible cost.
func replaying(body []byte, announced bool) gemini.Doer {
	header := http.Header{"Content-Type": {"application/json"}}
	return gemini.DoerFunc(func(r *http.Request) (*http.Response, error) {
		if _, err := io.Copy(io.Discard, r.Body); err != nil {
			return nil, err
		}
		out := &http.Response{StatusCode: 200, Header: header, ContentLength: -1,
			Body: io.NopCloser(struct{ io.Reader }{bytes.NewReader(body)})}
		if announced {
			out.ContentLength = int64(len(body))
		}
		return out, nil
	})
}

// image returns an answer with a number of bytes of base64.
func image(size int) []byte {
	return []byte(`{"candidates":[{"content":{"role":"model","parts":[{"inlineData":{"mimeType":"image/png","data":"` +
		strings.Repeat("iVBORw0KGgoAAAANSUhEUg", size/22+1)[:size] +
		`"}}]},"finishReason":"STOP"}]}`)
}

func BenchmarkClient(b *testing.B) {
	const mega = 5 << 20
	text := []byte(strings.Replace(answer, "Hi", strings.Repeat("A sentence of some words. ", 320),
		1))
	drawing := prompt("m")
	drawing.Contents = []geminiapi.Content{gemini.UserParts(geminiapi.Part{InlineData: &geminiapi.Blob{MIMEType: new("image/png"),
		Data: new(strings.Repeat("iVBO", mega/4))}})}
	for _, tt := range []struct {
		name string
		do   gemini.Doer
		req  *geminiapi.GenerateContentRequest
	}{
		{"short answer", replaying([]byte(answer), true), prompt("m")},
		{"8 KB", replaying(text, true), prompt("m")},
		{"8 KB chunked", replaying(text, false), prompt("m")},
		{"5 MB image", replaying(image(mega), true), prompt("m")},
		{"5 MB image chunked", replaying(image(mega), false), prompt("m")},
		{"5 MB request", replaying([]byte(answer), true), drawing},
	} {
		b.Run(tt.name, func(b *testing.B) {
			client, err := gemini.NewClient(gemini.WithAPIKey("k"), gemini.WithHTTPClient(tt.do))
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				if _, err := client.GenerateContent(b.Context(), tt.req); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
