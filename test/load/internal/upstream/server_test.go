package upstream_test

import (
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/test/load/internal/upstream"
)

func requestOf(wanted upstream.Wanted) *geminiapi.GenerateContentRequest {
	parts := []geminiapi.Part{{Text: new(wanted.Prompt())}}
	return &geminiapi.GenerateContentRequest{Model: new("gemini-load"),
		Contents: []geminiapi.Content{{Parts: parts}}}
}

func TestAnswersAreWhatGeminisClientReads(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	go func() { _ = upstream.Serve(listener) }()
	client, err := gemini.NewClient(gemini.WithBaseURL("http://"+listener.Addr().String()),
		gemini.WithAPIKey("load"))
	if err != nil {
		t.Fatal(err)
	}
	answer, err := client.GenerateContent(t.Context(), requestOf(upstream.Wanted{Size: 1024}))
	if err != nil {
		t.Fatal(err)
	}
	if text := *answer.Candidates[0].Content.Parts[0].Text; !strings.HasPrefix(text, "[0] lorem") {
		t.Errorf("answered %q", text)
	}
	start, chunks := time.Now(), 0
	wanted := upstream.Wanted{Chunks: 5, Pause: 10 * time.Millisecond}
	for chunk, err := range client.StreamGenerateContent(t.Context(), requestOf(wanted)) {
		if err != nil {
			t.Fatal(err)
		}
		if text := *chunk.Candidates[0].Content.Parts[0].Text; text[1] != '0'+byte(chunks) {
			t.Errorf("chunk %d is %q", chunks, text)
		}
		chunks++
	}
	if chunks != 5 || time.Since(start) < 40*time.Millisecond {
		t.Errorf("%d chunks came in %s", chunks, time.Since(start))
	}
}

func TestSizeAndStatusAreThoseOfThePrompt(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	go func() { _ = upstream.Serve(listener) }()
	for prompt, want := range map[string]struct{ status, size int }{
		upstream.Wanted{Size: 2000}.Prompt():  {200, 2000},
		upstream.Wanted{Status: 503}.Prompt(): {503, 81},
		"hello":                               {200, 1024},
	} {
		reply, err := http.Post("http://"+listener.Addr().String()+
			"/v1beta/models/m:generateContent", "application/json",
			io.NopCloser(strings.NewReader(prompt)))
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(reply.Body)
		_ = reply.Body.Close()
		if err != nil || reply.StatusCode != want.status || len(body) < want.size ||
			len(body) > want.size+10 {
			t.Errorf("%s: HTTP %d, %d bytes, %v", prompt, reply.StatusCode, len(body), err)
		}
	}
}
