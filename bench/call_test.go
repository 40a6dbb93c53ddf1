package bench_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"strings"
	"testing"

	"google.golang.org/genai"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/gemini"
)

// call is one call of the Gemini API: what is sent and what comes back.
type call struct {
	name string
	// inline is the base64 of the image in the request, "" for none.
	inline string
	stream bool
	// answer is the body that the server sends.
	answer []byte
	// size is the size in bytes to which the call's allocations are compared.
	size int
}

const megabyte = 1_000_000

// calls are the calls to measure.
var calls = []call{
	streamCall(),
	{name: "8 KB", answer: answerOf(textPart(8 << 10)), size: 8 << 10},
	{name: "5 MB image", answer: answerOf(imagePart(5 * megabyte)), size: 5 * megabyte},
	{name: "5 MB inline", inline: strings.Repeat("iVBORw0K", 5*megabyte/8), answer: answerOf(textPart(100)), size: 5 * megabyte},
}

func streamCall() call {
	body, _ := shapes[1].geminiStream()
	return call{name: "200 events", stream: true, answer: body, size: len(body)}
}

// answerOf returns an answer in the form in which the Gemini API sends it.
func answerOf(part string) []byte {
	return fmt.Appendf(nil, `{
  "candidates": [
    {
      "content": {
        "parts": [
          %s
        ],
        "role": "model"
      },
      "finishReason": "STOP",
      "index": 0
    }
  ],
  "usageMetadata": {
    "promptTokenCount": 31,
    "candidatesTokenCount": 1920,
    "totalTokenCount": 1951,
    "promptTokensDetails": [
      {
        "modality": "TEXT",
        "tokenCount": 31
      }
    ]
  },
  "modelVersion": "%s",
  "responseId": "v0R6abzuG9-Gz7IPkMfQ2Qg"
}
`, part, model)
}

func textPart(size int) string {
	return fmt.Sprintf(`{"text": %q}`, strings.Repeat(sentence, size/len(sentence)))
}

func imagePart(size int) string {
	return fmt.Sprintf(`{"inlineData": {"mimeType": "image/png", "data": "%s"}}`,
		strings.Repeat("iVBORw0K", size/8))
}

// caller is a way to make a call.
type caller struct {
	name string
	// prepare does once what a program does once. What an exchange writes is the answer's text, and
	// for an image how long its base64 is.
	prepare func(tb testing.TB, c call) exchange
}

// Each call is compared with the floors: what no client can do without.
var callers = []caller{
	{"gemwire", callGemwire},
	{"genai", callGenai},
	{floor, callFloor},
	{typedFloor, callTypedFloor},
}

const (
	// floor reads HTTP, lines and, by encoding/json, the types of genai.
	floor = "floor"
	// typedFloor reads gemwire's types by gemwire's own decoder, which leaves what the client
	// costs.
	typedFloor = "typed-floor"
)

func callGemwire(tb testing.TB, c call) exchange {
	client, err := gemini.NewClient(gemini.WithAPIKey("none"),
		gemini.WithHTTPClient(clientOf(c.answer)))
	check(tb, err)
	request := c.request()
	return func(ctx context.Context, w io.Writer) error {
		if !c.stream {
			answer, err := client.GenerateContent(ctx, request)
			if err != nil {
				return err
			}
			return writeOurs(w, answer)
		}
		for chunk, err := range client.StreamGenerateContent(ctx, request) {
			if err != nil {
				return err
			}
			if err := writeOurs(w, chunk); err != nil {
				return err
			}
		}
		return nil
	}
}

// request returns the request in gemwire's types.
func (c call) request() *geminiapi.GenerateContentRequest {
	content := gemini.UserText(question)
	if c.inline != "" {
		content.Parts = append(content.Parts,
			geminiapi.Part{InlineData: &geminiapi.Blob{MIMEType: new("image/png"),
				Data: new(c.inline)}})
	}
	return &geminiapi.GenerateContentRequest{Model: new(model),
		Contents: []geminiapi.Content{content}}
}

func writeOurs(w io.Writer, answer *geminiapi.GenerateContentResponse) error {
	for _, candidate := range answer.Candidates {
		for _, part := range candidate.Content.Parts {
			if part.InlineData != nil {
				if _, err := fmt.Fprint(w, len(*part.InlineData.Data)); err != nil {
					return err
				}
				continue
			}
			if _, err := io.WriteString(w, *part.Text); err != nil {
				return err
			}
		}
	}
	return nil
}

func callGenai(tb testing.TB, c call) exchange {
	client, err := genai.NewClient(tb.Context(),
		&genai.ClientConfig{APIKey: "none", Backend: genai.BackendGeminiAPI,
			HTTPClient: clientOf(c.answer)})
	check(tb, err)
	contents := c.contents(tb)
	return func(ctx context.Context, w io.Writer) error {
		if !c.stream {
			answer, err := client.Models.GenerateContent(ctx, model, contents, nil)
			if err != nil {
				return err
			}
			return writeTheirs(w, answer)
		}
		for chunk, err := range client.Models.GenerateContentStream(ctx, model, contents, nil) {
			if err != nil {
				return err
			}
			if err := writeTheirs(w, chunk); err != nil {
				return err
			}
		}
		return nil
	}
}

// contents returns the request in genai's types.
func (c call) contents(tb testing.TB) []*genai.Content {
	parts := []*genai.Part{genai.NewPartFromText(question)}
	if c.inline != "" {
		parts = append(parts, genai.NewPartFromBytes(decoded(tb, c.inline), "image/png"))
	}
	return []*genai.Content{genai.NewContentFromParts(parts, genai.RoleUser)}
}

func writeTheirs(w io.Writer, answer *genai.GenerateContentResponse) error {
	for _, candidate := range answer.Candidates {
		for _, part := range candidate.Content.Parts {
			text := part.Text
			if part.InlineData != nil {
				text = fmt.Sprint((len(part.InlineData.Data) + 2) / 3 * 4)
			}
			if _, err := io.WriteString(w, text); err != nil {
				return err
			}
		}
	}
	return nil
}

func callFloor(tb testing.TB, c call) exchange {
	request := map[string]any{"contents": c.contents(tb)}
	encode := func() ([]byte, error) { return json.Marshal(request) }
	return overHTTP(c, encode, func(w io.Writer, data []byte) error {
		var answer genai.GenerateContentResponse
		if err := json.Unmarshal(data, &answer); err != nil {
			return err
		}
		return writeTheirs(w, &answer)
	})
}

func callTypedFloor(_ testing.TB, c call) exchange {
	request := c.request()
	request.Model = nil // It is in the address.
	encode := func() ([]byte, error) { return gemini.EncodeRequest(request) }
	return overHTTP(c, encode, func(w io.Writer, data []byte) error {
		answer, err := gemini.DecodeResponse(data)
		if err != nil {
			return err
		}
		return writeOurs(w, answer)
	})
}

// overHTTP sends what encode gives, and has each line of a stream, or the whole body, read by
// decode.
func overHTTP(c call, encode func() ([]byte, error),
	decode func(io.Writer, []byte) error) exchange {
	client := clientOf(c.answer)
	return func(ctx context.Context, w io.Writer) error {
		data, err := encode()
		if err != nil {
			return err
		}
		request, err := http.NewRequestWithContext(ctx, http.MethodPost,
			baseURL+"models/"+model+":generateContent", bytes.NewReader(data))
		if err != nil {
			return err
		}
		request.Header.Set("Content-Type", "application/json")
		request.Header.Set("x-goog-api-key", "none")
		reply, err := client.Do(request)
		if err != nil {
			return err
		}
		defer reply.Body.Close()
		if c.stream {
			return readLines(reply.Body, func(line []byte) error { return decode(w, line) })
		}
		body, err := io.ReadAll(reply.Body)
		if err != nil {
			return err
		}
		return decode(w, body)
	}
}

func readLines(r io.Reader, decode func([]byte) error) error {
	lines := bufio.NewReader(r)
	for {
		line, err := lines.ReadSlice('\n')
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if data, ok := bytes.CutPrefix(line, []byte("data: ")); ok {
			if err := decode(data); err != nil {
				return err
			}
		}
	}
}

// BenchmarkCall gives each caller the same calls. x-floor and x-typed-floor are the caller's time
// divided by the times of the floors, which run alternately with it. x-size is the number of bytes
// that the caller allocates, divided by the size of the answer. If the request is the large part,
// its size is the divisor.
func BenchmarkCall(b *testing.B) {
	for _, c := range calls {
		for _, caller := range callers {
			b.Run(c.name+"/"+caller.name, func(b *testing.B) {
				b.ReportAllocs()
				run := caller.prepare(b, c)
				size := allocated(b, run) / float64(c.size)
				compare(b, run, &rival{unit: "x-" + floor, run: callFloor(b, c)},
					&rival{unit: "x-" + typedFloor, run: callTypedFloor(b, c)})
				b.ReportMetric(size, "x-size")
			})
		}
	}
}

// allocated returns the number of bytes that an exchange allocates once its reused state exists.
func allocated(b *testing.B, run exchange) float64 {
	b.Helper()
	const times = 20
	check(b, run(b.Context(), io.Discard))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range times {
		check(b, run(b.Context(), io.Discard))
	}
	runtime.ReadMemStats(&after)
	return float64(after.TotalAlloc-before.TotalAlloc) / times
}

func decoded(tb testing.TB, text string) []byte {
	data, err := base64.StdEncoding.DecodeString(text)
	check(tb, err)
	return data
}
