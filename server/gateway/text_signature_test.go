package gateway_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/anthropicapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/anthropic"
	"github.com/gemwire/gemwire/pkg/geminitest"
	"github.com/gemwire/gemwire/pkg/openai/responses"
	"github.com/gemwire/gemwire/server/gateway"
)

// signedAnswers are answers of Gemini 3 with a signed text, in the forms of whole answers and of
// streams.
var signedAnswers = map[string][]geminitest.Block{
	"signed text": {geminitest.Chunk(`{"responseId":"r","candidates":[{"content":{"parts":[{"text":"Hi there.","thoughtSignature":"EjQ+BB/d"}]},"finishReason":"STOP"}]}`)},
	"signed end": {
		geminitest.Chunk(`{"responseId":"r","candidates":[{"content":{"parts":[{"text":"Hi "}]}}]}`),
		geminitest.Chunk(`{"responseId":"r","candidates":[{"content":{"parts":[{"text":"there."}]}}]}`),
		geminitest.Chunk(`{"responseId":"r","candidates":[{"content":{"parts":[{"text":"","thoughtSignature":"EjQ+BB/d"}]},"finishReason":"STOP"}]}`),
	},
}

// textSignaturesBack returns the signatures in the model turns of the last request.
func textSignaturesBack(server *geminitest.Server) (said string, signatures []string) {
	requests := server.Requests()
	for _, content := range requests[len(requests)-1].Content.Contents {
		if jsonx.Deref(content.Role) != "model" {
			continue
		}
		for _, part := range content.Parts {
			said += jsonx.Deref(part.Text)
			if s := jsonx.Deref(part.ThoughtSignature); s != "" {
				signatures = append(signatures, s)
			}
		}
	}
	return said, signatures
}

func checkTextSignatures(t *testing.T, name string, server *geminitest.Server, turns int) {
	t.Helper()
	said, signatures := textSignaturesBack(server)
	if said != strings.Repeat("Hi there.", turns) ||
		!slices.Equal(signatures, slices.Repeat([]string{"EjQ+BB/d"}, turns)) {
		t.Errorf("%s: %q came back with %q", name, said, signatures)
	}
}

// messageClients are the ways in which clients send a message back.
var messageClients = map[string]func(*anthropicapi.Message) anthropicapi.InputMessage{
	"all members": func(m *anthropicapi.Message) anthropicapi.InputMessage { return anthropic.AssistantTurn(m) },
	"known members": func(m *anthropicapi.Message) anthropicapi.InputMessage {
		known := *m
		known.Content = nil
		for _, b := range m.Content {
			known.Content = append(known.Content,
				anthropicapi.ContentBlock{Type: b.Type, Text: b.Text})
		}
		return anthropic.AssistantTurn(&known)
	},
	"the first text": func(m *anthropicapi.Message) anthropicapi.InputMessage {
		return anthropic.AssistantText(*m.Content[0].Text)
	},
}

func TestSignatureOfATextOfAMessageComesBack(t *testing.T) {
	t.Parallel()
	for answer, blocks := range signedAnswers {
		for client, sends := range messageClients {
			for _, mode := range []gateway.SignatureMode{gateway.SignaturesInBoth,
				gateway.SignaturesInIDs, gateway.SignaturesInExtension} {
				for _, streams := range []bool{false, true} {
					name := fmt.Sprintf("%s, client keeps %s, %s, streamed %t", answer, client,
						mode, streams)
					server := geminitest.NewServer(t,
						geminitest.WithScript(
							geminitest.On().Reply(blocks...).Unchecked().Times(9)))
					handler := gatewayOf(t, server, gateway.WithSignatures(mode))
					var history []anthropicapi.InputMessage
					for range 3 {
						history = append(history, anthropic.UserText("Hello"))
						body, err := anthropic.EncodeRequest(
							&anthropicapi.CreateMessageRequest{Model: "gemini-3.6-flash",
								MaxTokens: new(1000), Messages: history})
						if err != nil {
							t.Fatal(err)
						}
						var message *anthropicapi.Message
						if streams {
							message = streamedMessage(t,
								post(handler, messagesPath, streamed(string(body))).Body.Bytes())
						} else {
							message = messageOf(t, post(handler, messagesPath, string(body)))
						}
						if len(message.Content) != 1 ||
							jsonx.Deref(message.Content[0].Text) != "Hi there." {
							t.Fatalf("%s: answered %+v", name, message.Content)
						}
						if isExtended := message.Content[0].Unknown != nil; isExtended != (mode != gateway.SignaturesInIDs) {
							t.Errorf("%s: in an extension: %t", name, isExtended)
						}
						history = append(history, sends(message))
					}
					checkTextSignatures(t, name, server, 2)
				}
			}
		}
	}
}

func TestSignatureOfATextOfAResponseComesBack(t *testing.T) {
	t.Parallel()
	for answer, blocks := range signedAnswers {
		for _, streams := range []bool{false, true} {
			name := fmt.Sprintf("%s, streamed %t", answer, streams)
			server := geminitest.NewServer(t,
				geminitest.WithScript(geminitest.On().Reply(blocks...).Unchecked().Times(9)))
			handler := gatewayOf(t, server)
			var input []json.RawMessage
			for range 3 {
				input = append(input, json.RawMessage(`{"role":"user","content":"Hello"}`))
				items, err := json.Marshal(input)
				if err != nil {
					t.Fatal(err)
				}
				body := `{"model":"gemini-3.6-flash","store":false,"input":` + string(items) + `}`
				if streams {
					body = streamed(body)
				}
				out := outputOf(t, post(handler, responsesPath, body).Body.Bytes(), streams)
				if len(out) != 2 || out[0].Type != openaiapi.ResponseItemTypeMessage ||
					out[1].Type != openaiapi.ResponseItemTypeReasoning {
					t.Fatalf("%s: answered %+v", name, out)
				}
				for i := range out {
					out[i].ID = ""
					data, err := responses.EncodeRequest(
						&openaiapi.CreateResponseRequest{Input: responses.Input(out[i])})
					if err != nil {
						t.Fatal(err)
					}
					var item struct{ Input []json.RawMessage }
					if err := json.Unmarshal(data, &item); err != nil {
						t.Fatal(err)
					}
					input = append(input, item.Input...)
				}
			}
			checkTextSignatures(t, name, server, 2)
		}
	}
}

// outputOf returns the items of a response, whole or streamed.
func outputOf(t *testing.T, body []byte, streams bool) []openaiapi.ResponseItem {
	t.Helper()
	if !streams {
		out, err := responses.DecodeResponse(body)
		if err != nil {
			t.Fatalf("%v: %s", err, body)
		}
		return out.Output
	}
	var a responses.Accumulator
	for event, err := range responses.NewStreamReader(strings.NewReader(string(body))).All() {
		if err != nil {
			t.Fatal(err)
		}
		if err := a.Push(event); err != nil {
			t.Fatal(err)
		}
	}
	return a.Response().Output
}

// For a client that drops extensions, the gateway restores only signatures of the client's own
// conversation.
func TestSignatureOfATextIsNotThatOfAnotherConversation(t *testing.T) {
	t.Parallel()
	const (
		image  = `{"role":"user","content":[{"type":"text","text":"A cat?"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"%s"}}]}`
		answer = `{"role":"assistant","content":"Hi there."}`
	)
	turns := func(first string) string {
		return `{"role":"user","content":"` + first +
			`"},{"role":"assistant","content":"Well."},{"role":"user","content":"And?"}`
	}
	for name, asked := range map[string][2]string{
		"another image":    {fmt.Sprintf(image, "AAAA"), fmt.Sprintf(image, "BBBB")},
		"another question": {turns("One"), turns("Two")},
	} {
		for i, want := range [][]string{{"EjQ+BB/d"}, nil} {
			server := geminitest.NewServer(t,
				geminitest.WithScript(geminitest.On().Reply(signedAnswers["signed text"]...).Unchecked().Times(9)))
			handler := gatewayOf(t, server)
			ask := func(messages string) {
				post(handler, messagesPath,
					`{"model":"gemini-3.6-flash","max_tokens":9,"messages":[`+messages+`]}`)
			}
			ask(asked[0])
			ask(asked[i] + "," + answer + `,{"role":"user","content":"Sure?"}`)
			if _, got := textSignaturesBack(server); !slices.Equal(got, want) {
				t.Errorf("%s: %q came back in conversation %d, want %q", name, got, i, want)
			}
		}
	}
}
