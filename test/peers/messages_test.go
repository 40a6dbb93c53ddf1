package peers_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	anthropicv1 "github.com/anthropics/anthropic-sdk-go"
	optionv1 "github.com/anthropics/anthropic-sdk-go/option"
	anthropicv2 "github.com/anthropics/anthropic-sdk-go/v2"
	optionv2 "github.com/anthropics/anthropic-sdk-go/v2/option"
	"github.com/google/go-cmp/cmp"

	"github.com/gemwire/gemwire/gen/anthropicapi"
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/test/corpustest"
	"github.com/gemwire/gemwire/pkg/anthropic"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/transform/messages"
	"github.com/gemwire/gemwire/pkg/transform/messages/request"
)

// majors are the majors of Anthropic's own client that are alive. Each reads a streamed message and
// returns what it would send back as the model's turn, in JSON.
var majors = map[string]func(context.Context, *http.Client) ([]byte, error){
	"anthropic-sdk-go v1": func(ctx context.Context, over *http.Client) ([]byte, error) {
		client := anthropicv1.NewClient(optionv1.WithAPIKey("none"), optionv1.WithHTTPClient(over),
			optionv1.WithMaxRetries(0))
		stream := client.Messages.NewStreaming(ctx, anthropicv1.MessageNewParams{
			Model: "gemini-3.6-flash", MaxTokens: 64,
			Messages: []anthropicv1.MessageParam{anthropicv1.NewUserMessage(anthropicv1.NewTextBlock("Hello"))},
		})
		var m anthropicv1.Message
		for stream.Next() {
			if err := m.Accumulate(stream.Current()); err != nil {
				return nil, err
			}
		}
		if stream.Err() != nil {
			return nil, stream.Err()
		}
		return json.Marshal(m.ToParam())
	},
	"anthropic-sdk-go v2": func(ctx context.Context, over *http.Client) ([]byte, error) {
		client := anthropicv2.NewClient(optionv2.WithAPIKey("none"), optionv2.WithHTTPClient(over),
			optionv2.WithMaxRetries(0))
		stream := client.Messages.NewStreaming(ctx, anthropicv2.MessageNewParams{
			Model: "gemini-3.6-flash", MaxTokens: 64,
			Messages: []anthropicv2.MessageParam{anthropicv2.NewUserMessage(anthropicv2.NewTextBlock("Hello"))},
		})
		var m anthropicv2.Message
		for stream.Next() {
			if err := m.Accumulate(stream.Current()); err != nil {
				return nil, err
			}
		}
		if stream.Err() != nil {
			return nil, stream.Err()
		}
		return json.Marshal(m.ToParam())
	},
}

// streamedMessage answers every request with one body.
type streamedMessage string

func (a streamedMessage) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{
		StatusCode: http.StatusOK, Request: r, Body: io.NopCloser(strings.NewReader(string(a))),
		Header: http.Header{"Content-Type": {"text/event-stream"}},
	}, nil
}

// Anthropic's own clients accumulate every recorded stream with the same result as our accumulator.
// The turn that they send back has Gemini's signatures on the same calls.
func TestAnthropicsClientsKeepWhatGeminiSigned(t *testing.T) {
	t.Parallel()
	signed := 0
	for _, p := range corpustest.Payloads(t, corpustest.Stream) {
		chunks, ok := chunksOf(p.Read(t))
		if !ok {
			continue // a recorded error
		}
		for mode, opts := range map[string][]messages.Option{
			"thinking blocks": nil, "ids": {messages.WithoutThinking()},
			"both": {messages.WithSignaturesInIDs()},
		} {
			body, want := converted(t, chunks, opts...)
			for name, read := range majors {
				turn, err := read(t.Context(), &http.Client{Transport: streamedMessage(body)})
				if err != nil {
					t.Errorf("%s: %s: %s: %v", p.Name, mode, name, err)
					continue
				}
				got := decodeTurn(t, turn)
				if diff := cmp.Diff(blocksOf(want.Content), blocksOf(got)); diff != "" {
					t.Errorf("%s: %s: %s: -ours +theirs: %s", p.Name, mode, name, diff)
				}
				wantSigned, gotSigned := signaturesOf(chunks), returnedSignatures(t, got)
				if diff := cmp.Diff(wantSigned, gotSigned); wantSigned != nil &&
					wantSigned[0] != "" && diff != "" {
					t.Errorf("%s: %s: %s: signatures %s", p.Name, mode, name, diff)
				}
				signed += len(wantSigned)
			}
		}
	}
	if signed < corpustest.AtLeast(100) {
		t.Errorf("only %d calls", signed)
	}
}

// chunksOf returns the chunks of a recorded stream, if it is complete.
func chunksOf(body []byte) (chunks []*geminiapi.GenerateContentResponse, ok bool) {
	for c, err := range gemini.NewStreamReader(bytes.NewReader(body)).All() {
		if err != nil {
			return nil, false
		}
		chunks = append(chunks, c)
	}
	_, err := messages.WriteStream(io.Discard, pairs(chunks))
	return chunks, err == nil
}

func pairs(chunks []*geminiapi.GenerateContentResponse) func(func(*geminiapi.GenerateContentResponse,
	error) bool) {
	return func(yield func(*geminiapi.GenerateContentResponse, error) bool) {
		for _, c := range chunks {
			if !yield(c, nil) {
				return
			}
		}
	}
}

// converted returns the body of a streamed message, and what our accumulator makes of it.
func converted(t *testing.T, chunks []*geminiapi.GenerateContentResponse,
	opts ...messages.Option) (string, *anthropicapi.Message) {
	t.Helper()
	var body strings.Builder
	if _, err := messages.WriteStream(&body, pairs(chunks), opts...); err != nil {
		t.Fatal(err)
	}
	var a anthropic.Accumulator
	for e, err := range anthropic.NewStreamReader(strings.NewReader(body.String())).All() {
		if err == nil {
			err = a.Push(e)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return body.String(), a.Message()
}

func decodeTurn(t *testing.T, turn []byte) []anthropicapi.ContentBlock {
	t.Helper()
	var m anthropicapi.InputMessage
	if err := json.Unmarshal(turn, &m); err != nil {
		t.Fatal(err)
	}
	content, _ := m.Content.AsValue()
	return content
}

// blocksOf returns what of blocks has to come back.
func blocksOf(content []anthropicapi.ContentBlock) (out []string) {
	for i := range content {
		b := &content[i]
		line := []string{string(b.Type), withoutEscapes(b.Input)}
		for _, member := range []*string{b.Text, b.Thinking, b.Signature, b.ID, b.Name} {
			if member != nil {
				line = append(line, *member)
			}
		}
		out = append(out, strings.Join(line, "|"))
	}
	return out
}

// withoutEscapes returns JSON in one form: encoding/json, by which they write, escapes for HTML.
func withoutEscapes(input []byte) string {
	if len(input) == 0 {
		return ""
	}
	var out bytes.Buffer
	json.HTMLEscape(&out, input)
	var compact bytes.Buffer
	if err := json.Compact(&compact, out.Bytes()); err != nil {
		return err.Error()
	}
	return compact.String()
}

// signaturesOf returns the signatures of the calls that chunks make together.
func signaturesOf(chunks []*geminiapi.GenerateContentResponse) []string {
	merged, _ := normalize.MergeChunks(chunks...)
	if len(merged.Candidates) == 0 || merged.Candidates[0].Content == nil {
		return nil
	}
	return callSignatures(merged.Candidates[0].Content.Parts)
}

func callSignatures(parts []geminiapi.Part) (out []string) {
	for _, p := range parts {
		if p.FunctionCall == nil {
			continue
		}
		signature := ""
		if p.ThoughtSignature != nil {
			signature = *p.ThoughtSignature
		}
		out = append(out, signature)
	}
	return out
}

// returnedSignatures returns the signatures that Gemini gets when a turn comes back with the
// results of its calls.
func returnedSignatures(t *testing.T, turn []anthropicapi.ContentBlock) []string {
	t.Helper()
	var results []anthropicapi.ContentBlock
	for i := range turn {
		if turn[i].Type == anthropicapi.BlockTypeToolUse {
			results = append(results, anthropic.ToolResult(*turn[i].ID, "ok"))
		}
	}
	next := &anthropicapi.CreateMessageRequest{Model: "gemini-3.6-flash", MaxTokens: new(64),
		Messages: []anthropicapi.InputMessage{
			anthropic.UserText("Hello"), anthropic.UserBlocks(turn...),
			anthropic.UserBlocks(append(results, anthropic.TextBlock("Go on."))...),
		}}
	next.Messages[1].Role = anthropicapi.RoleAssistant
	in, _, err := request.ToGemini(next, request.WithoutValidation())
	if err != nil {
		t.Fatal(err)
	}
	for i := range in.Contents {
		if role := in.Contents[i].Role; role != nil && *role == "model" {
			return callSignatures(in.Contents[i].Parts)
		}
	}
	return nil
}
