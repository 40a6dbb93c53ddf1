package genai_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"google.golang.org/genai"
)

// chatServer is a server of OpenAI's chat_completions, as its API is described. It refuses members
// that it does not know, and requires a result directly after each call. In streams it sends usage
// only on request.
type chatServer struct {
	mu   sync.Mutex
	last chatRequest
	left chan struct{} // closed when a client has left a stream that never ends
	once sync.Once
}

type chatRequest struct {
	Model    string        `json:"model"`
	Messages []chatMessage `json:"messages"`
	Tools    []struct {
		Type     string `json:"type"`
		Function struct {
			Name        string          `json:"name"`
			Description string          `json:"description"`
			Parameters  json.RawMessage `json:"parameters"`
		} `json:"function"`
	} `json:"tools"`
	ToolChoice     any             `json:"tool_choice"`
	ResponseFormat json.RawMessage `json:"response_format"`
	Effort         string          `json:"reasoning_effort"`
	Stream         bool            `json:"stream"`
	StreamOptions  *struct {
		IncludeUsage bool `json:"include_usage"`
	} `json:"stream_options"`
	MaxTokens   int             `json:"max_completion_tokens"`
	N           int             `json:"n"`
	Temperature *float64        `json:"temperature"`
	TopP        *float64        `json:"top_p"`
	Stop        json.RawMessage `json:"stop"`
	Seed        *int            `json:"seed"`
}

type chatMessage struct {
	Role      string          `json:"role"`
	Content   json.RawMessage `json:"content"`
	ToolCalls []struct {
		ID       string `json:"id"`
		Type     string `json:"type"`
		Function struct {
			Name      string `json:"name"`
			Arguments string `json:"arguments"`
		} `json:"function"`
	} `json:"tool_calls"`
	ToolCallID string `json:"tool_call_id"`
}

// chat starts such a server and a gateway in front of it, and returns a client of the gateway.
func chat(t *testing.T, flags ...string) (*chatServer, *genai.Client) {
	t.Helper()
	s := &chatServer{left: make(chan struct{})}
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	keyFile := t.TempDir() + "/key"
	check(t, os.WriteFile(keyFile, []byte("sk-chat"), 0o600))
	address := run(t, append([]string{"serve", "--upstream", "openai", "--base-url",
		server.URL + "/v1", "--api-key-file", keyFile}, flags...)...)
	return s, newClient(t, address, "any")
}

func (s *chatServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch {
	case r.Header.Get("Authorization") != "Bearer sk-chat" || r.URL.RawQuery != "":
		refuseChat(w, 401, "invalid_api_key", "Incorrect API key provided")
	case r.URL.Path == "/v1/models":
		_, _ = io.WriteString(w,
			`{"object":"list","data":[{"id":"gpt-chat","object":"model","created":1,"owned_by":"us"}]}`)
	case r.URL.Path == "/v1/embeddings":
		_, _ = io.WriteString(w,
			`{"object":"list","data":[{"object":"embedding","index":0,"embedding":[0.5,0.25]}],"model":"e","usage":{"prompt_tokens":2,"total_tokens":2}}`)
	case r.URL.Path == "/v1/chat/completions":
		s.complete(w, r)
	default:
		refuseChat(w, 404, "", "no such path")
	}
}

func refuseChat(w http.ResponseWriter, status int, code, message string) {
	w.Header().Set("Retry-After", "2")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]any{"error": map[string]any{"message": message,
		"type": "invalid_request_error", "param": nil, "code": code}})
}

func (s *chatServer) complete(w http.ResponseWriter, r *http.Request) {
	var in chatRequest
	decoder := json.NewDecoder(r.Body)
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&in); err != nil {
		refuseChat(w, 400, "", err.Error())
		return
	}
	if err := in.check(); err != nil {
		refuseChat(w, 400, "", err.Error())
		return
	}
	s.mu.Lock()
	s.last = in
	s.mu.Unlock()
	asked := in.asked()
	switch {
	case strings.Contains(asked, "limit"):
		refuseChat(w, 429, "rate_limit_exceeded", "Slow down")
	case strings.Contains(asked, "forever"):
		s.streamForever(w, r)
	case in.Stream:
		in.stream(w)
	default:
		in.answer(w)
	}
}

// check holds a request to what OpenAI demands of a conversation.
func (in *chatRequest) check() error {
	open := map[string]bool{}
	for i, m := range in.Messages {
		if m.Role == "tool" {
			if !open[m.ToolCallID] {
				return fmt.Errorf("messages.%d: no call waits for %q", i, m.ToolCallID)
			}
			delete(open, m.ToolCallID)
			continue
		}
		if len(open) > 0 {
			return fmt.Errorf("messages.%d: results are missing", i)
		}
		for _, call := range m.ToolCalls {
			open[call.ID] = true
		}
	}
	if len(open) > 0 {
		return errors.New("results are missing")
	}
	if in.StreamOptions != nil && !in.Stream {
		return errors.New("stream_options without stream")
	}
	return nil
}

// asked returns the last text of the user.
func (in *chatRequest) asked() string {
	for i := len(in.Messages) - 1; i >= 0; i-- {
		if in.Messages[i].Role == "user" {
			return string(in.Messages[i].Content)
		}
	}
	return ""
}

// results counts the results of functions.
func (in *chatRequest) results() (count int) {
	for _, m := range in.Messages {
		if m.Role == "tool" {
			count++
		}
	}
	return count
}

func (in *chatRequest) text() string {
	switch {
	case in.ResponseFormat != nil:
		return `{"city":"Porto"}`
	case in.results() > 0:
		return fmt.Sprintf("There are %d results.", in.results())
	default:
		return "The sky is blue, since 空 scatters light 😀."
	}
}

// calls returns the names of the cities that the model asks for, two calls in each of two turns.
func (in *chatRequest) calls() []string {
	if in.Tools == nil || in.results() >= 4 {
		return nil
	}
	return []string{"Porto", "Lima"}
}

func (in *chatRequest) callID(i int) string { return fmt.Sprintf("call_%d_%d", in.results(), i) }

func (in *chatRequest) answer(w io.Writer) {
	message := map[string]any{"role": "assistant", "content": nil, "refusal": nil,
		"annotations": []any{}}
	reason := "stop"
	if cities := in.calls(); cities != nil {
		var calls []any
		for i, city := range cities {
			calls = append(calls,
				map[string]any{"id": in.callID(i), "type": "function",
					"function": map[string]any{"name": in.Tools[0].Function.Name,
						"arguments": `{"city":"` + city + `"}`}})
		}
		message["tool_calls"], reason = calls, "tool_calls"
	} else {
		message["content"] = in.text()
		if in.Effort != "" {
			message["reasoning_content"] = "Let me think."
		}
	}
	_ = json.NewEncoder(w).Encode(map[string]any{
		"id": "chatcmpl-1", "object": "chat.completion", "created": 1700000000, "model": in.Model,
		"choices": []any{map[string]any{"index": 0, "message": message, "logprobs": nil,
			"finish_reason": reason}}, "usage": chatUsage,
	})
}

var chatUsage = map[string]any{"prompt_tokens": 10, "completion_tokens": 20, "total_tokens": 30,
	"completion_tokens_details": map[string]any{"reasoning_tokens": 5}}

// event writes a chunk with a delta.
func (in *chatRequest) event(w io.Writer, delta map[string]any, reason any) {
	data, _ := json.Marshal(map[string]any{
		"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1700000000,
		"model":   in.Model,
		"choices": []any{map[string]any{"index": 0, "delta": delta, "finish_reason": reason}},
	})
	fmt.Fprintf(w, "data: %s\n\n", data)
	if flusher, ok := w.(http.Flusher); ok {
		flusher.Flush()
	}
}

func (in *chatRequest) stream(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "text/event-stream")
	in.event(w, map[string]any{"role": "assistant", "content": ""}, nil)
	reason := "stop"
	if cities := in.calls(); cities != nil {
		reason = "tool_calls"
		for i, city := range cities {
			in.event(w, map[string]any{"tool_calls": []any{map[string]any{"index": i,
				"id": in.callID(i), "type": "function",
				"function": map[string]any{"name": in.Tools[0].Function.Name, "arguments": ""}}}},
				nil)
			for _, piece := range []string{`{"ci`, `ty":"`, city + `"}`} {
				in.event(w,
					map[string]any{"tool_calls": []any{map[string]any{"index": i,
						"function": map[string]any{"arguments": piece}}}}, nil)
			}
		}
	} else {
		for _, word := range strings.SplitAfter(in.text(), " ") {
			in.event(w, map[string]any{"content": word}, nil)
		}
	}
	in.event(w, map[string]any{}, reason)
	if in.StreamOptions != nil && in.StreamOptions.IncludeUsage {
		data, _ := json.Marshal(map[string]any{"id": "chatcmpl-1",
			"object": "chat.completion.chunk", "created": 1700000000, "model": in.Model, "choices": []any{}, "usage": chatUsage})
		fmt.Fprintf(w, "data: %s\n\n", data)
	}
	_, _ = io.WriteString(w, "data: [DONE]\n\n")
}

// streamForever begins a stream and waits until the client leaves, at most a minute.
func (s *chatServer) streamForever(w http.ResponseWriter, r *http.Request) {
	in := chatRequest{Model: "gpt-chat"}
	w.Header().Set("Content-Type", "text/event-stream")
	in.event(w, map[string]any{"content": "Once"}, nil)
	select {
	case <-r.Context().Done():
		s.once.Do(func() { close(s.left) })
	case <-time.After(time.Minute):
	}
}

func (s *chatServer) request() chatRequest {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.last
}

const gptChat = "gpt-chat"

func TestAServerOfChatCompletionsAnswersWholeAndStreamed(t *testing.T) {
	t.Parallel()
	_, client := chat(t)
	prompt := genai.Text("Why is the sky blue?")
	whole, err := client.Models.GenerateContent(t.Context(), gptChat, prompt, nil)
	check(t, err)
	checkAnswer(t, whole)
	text, chunks := "", 0
	var last *genai.GenerateContentResponse
	for chunk, err := range client.Models.GenerateContentStream(t.Context(), gptChat, prompt, nil) {
		check(t, err)
		text += chunk.Text()
		last = chunk
		chunks++
	}
	if chunks < 3 || text != whole.Text() {
		t.Errorf("%d chunks, %q in place of %q", chunks, text, whole.Text())
	}
	if last.Candidates[0].FinishReason != genai.FinishReasonStop ||
		last.UsageMetadata.TotalTokenCount != whole.UsageMetadata.TotalTokenCount {
		t.Errorf("the last chunk ends in %s with %+v", last.Candidates[0].FinishReason,
			last.UsageMetadata)
	}
}

func TestAServerOfChatCompletionsCallsToolsOverThreeTurns(t *testing.T) {
	t.Parallel()
	config := &genai.GenerateContentConfig{Tools: []*genai.Tool{{FunctionDeclarations: []*genai.FunctionDeclaration{{
		Name: "weather.now", Description: "The weather of a city.",
		Parameters: &genai.Schema{Type: genai.TypeObject,
			Properties: map[string]*genai.Schema{"city": {Type: genai.TypeString,
				Nullable: genai.Ptr(true)}}, Required: []string{"city"}},
	}}}}}
	for _, isStream := range []bool{false, true} {
		s, client := chat(t)
		contents := genai.Text("How is the weather in Porto and in Lima?")
		for turn := range 3 {
			answer := turnOf(t, client, contents, config, isStream)
			calls := answer.FunctionCalls()
			if turn == 2 {
				if len(calls) > 0 || answer.Text() != "There are 4 results." {
					t.Errorf("the last turn is %q with %d calls", answer.Text(), len(calls))
				}
				break
			}
			if len(calls) != 2 || calls[0].Name != "weather.now" ||
				calls[1].Args["city"] != "Lima" || calls[0].ID == calls[1].ID {
				t.Fatalf("stream %v, turn %d: %+v", isStream, turn, calls)
			}
			results := &genai.Content{Role: genai.RoleUser}
			for _, call := range calls {
				results.Parts = append(results.Parts,
					&genai.Part{FunctionResponse: &genai.FunctionResponse{ID: call.ID,
						Name: call.Name, Response: map[string]any{"degrees": 21}}})
			}
			contents = append(contents, answer.Candidates[0].Content, results)
		}
		sent := s.request().Tools[0].Function
		if strings.Contains(sent.Name, ".") ||
			!strings.Contains(string(sent.Parameters), `["string","null"]`) {
			t.Errorf("declared %s with %s", sent.Name, sent.Parameters)
		}
	}
}

// turnOf returns an answer, whole or put together of a stream.
func turnOf(t *testing.T, client *genai.Client, contents []*genai.Content,
	config *genai.GenerateContentConfig, isStream bool) *genai.GenerateContentResponse {
	t.Helper()
	if !isStream {
		answer, err := client.Models.GenerateContent(t.Context(), gptChat, contents, config)
		check(t, err)
		return answer
	}
	content := &genai.Content{Role: genai.RoleModel}
	for chunk, err := range client.Models.GenerateContentStream(t.Context(), gptChat, contents,
		config) {
		check(t, err)
		if len(chunk.Candidates) > 0 && chunk.Candidates[0].Content != nil {
			content.Parts = append(content.Parts, chunk.Candidates[0].Content.Parts...)
		}
	}
	return &genai.GenerateContentResponse{Candidates: []*genai.Candidate{{Content: content}}}
}

func TestAServerOfChatCompletionsTakesStructureMediaAndEffort(t *testing.T) {
	t.Parallel()
	s, client := chat(t)
	answer, err := client.Models.GenerateContent(t.Context(), gptChat,
		[]*genai.Content{{Role: genai.RoleUser, Parts: []*genai.Part{
			{Text: "What is this?"},
			{InlineData: &genai.Blob{MIMEType: "image/png", Data: []byte("\x89PNG\r\n\x1a\n")}},
			{InlineData: &genai.Blob{MIMEType: "application/pdf", Data: []byte("%PDF-1.7")}},
		}}}, &genai.GenerateContentConfig{
			SystemInstruction: genai.NewContentFromText("Be brief.", genai.RoleUser),
			Temperature:       genai.Ptr[float32](0), MaxOutputTokens: 100,
			ResponseMIMEType: "application/json",
			ResponseSchema: &genai.Schema{Type: genai.TypeObject,
				Properties: map[string]*genai.Schema{"city": {Type: genai.TypeString}}},
		})
	check(t, err)
	if answer.Text() != `{"city":"Porto"}` {
		t.Errorf("got %q", answer.Text())
	}
	sent := s.request()
	if content := string(sent.Messages[1].Content); sent.Messages[0].Role != "system" ||
		!strings.Contains(content, "data:image/png;base64,") ||
		!strings.Contains(content, "data:application/pdf;base64,") {
		t.Errorf("sent %s", content)
	}
	answer, err = client.Models.GenerateContent(t.Context(), gptChat, genai.Text("Think."),
		&genai.GenerateContentConfig{
			ThinkingConfig: &genai.ThinkingConfig{IncludeThoughts: true,
				ThinkingLevel: genai.ThinkingLevelHigh},
		})
	check(t, err)
	if parts := answer.Candidates[0].Content.Parts; len(parts) != 2 || !parts[0].Thought ||
		s.request().Effort != "high" {
		t.Errorf("%d parts, effort %q", len(parts), s.request().Effort)
	}
}

func TestErrorsOfAServerOfChatCompletionsReachTheClient(t *testing.T) {
	t.Parallel()
	_, client := chat(t)
	for _, err := range client.Models.GenerateContentStream(t.Context(), gptChat,
		[]*genai.Content{{Parts: []*genai.Part{{FileData: &genai.FileData{FileURI: "gs://b/o"}}}}},
		nil) {
		if refusal, ok := errors.AsType[genai.APIError](err); !ok || refusal.Code != 400 ||
			!strings.Contains(refusal.Message, "/contents/0/parts/0/fileData/fileUri") {
			t.Errorf("got %v", err)
		}
	}
	_, err := client.Models.GenerateContent(t.Context(), gptChat, genai.Text("limit"), nil)
	refusal, ok := errors.AsType[genai.APIError](err)
	if !ok || refusal.Code != 429 || refusal.Status != "RESOURCE_EXHAUSTED" ||
		!strings.Contains(fmt.Sprint(refusal.Details), "2s") {
		t.Errorf("got %v", err)
	}
	if _, err := client.Caches.Get(t.Context(), "cachedContents/a", nil); err == nil {
		t.Error("a cache is there")
	}
}

func TestAClientOfAServerOfChatCompletionsMayLeave(t *testing.T) {
	t.Parallel()
	s, client := chat(t)
	ctx, leave := context.WithCancel(t.Context())
	defer leave()
	for chunk, err := range client.Models.GenerateContentStream(ctx, gptChat, genai.Text("forever"),
		nil) {
		if err != nil {
			break
		}
		if chunk.Text() != "Once" {
			t.Errorf("got %q", chunk.Text())
		}
		leave()
	}
	select {
	case <-s.left:
	case <-time.After(10 * time.Second):
		t.Error("the server continues")
	}
}

func TestAServerOfChatCompletionsHasModelsEmbeddingsAndACount(t *testing.T) {
	t.Parallel()
	_, client := chat(t, "--count-tokens", "estimate")
	models, err := client.Models.List(t.Context(), nil)
	check(t, err)
	if len(models.Items) != 1 || models.Items[0].Name != "models/gpt-chat" {
		t.Errorf("got %+v", models.Items)
	}
	embedding, err := client.Models.EmbedContent(t.Context(), "e", genai.Text("Hello"), nil)
	check(t, err)
	if len(embedding.Embeddings) != 1 || len(embedding.Embeddings[0].Values) != 2 {
		t.Errorf("got %+v", embedding.Embeddings)
	}
	count, err := client.Models.CountTokens(t.Context(), gptChat,
		genai.Text("How many tokens are there?"), nil)
	check(t, err)
	if count.TotalTokens < 3 {
		t.Errorf("%d tokens", count.TotalTokens)
	}
}

// Signatures are kept by a server that knows the extensions, which another gateway is.
func TestSignaturesSurviveTwoGateways(t *testing.T) {
	t.Parallel()
	client := newClient(t,
		run(t, "serve", "--upstream", "openai", "--extensions", "--base-url",
			run(t, "serve")+"/v1"), "any")
	config := &genai.GenerateContentConfig{Tools: []*genai.Tool{{FunctionDeclarations: []*genai.FunctionDeclaration{{
		Name: "get_weather",
		Parameters: &genai.Schema{Type: genai.TypeObject,
			Properties: map[string]*genai.Schema{"city": {Type: genai.TypeString}},
			Required:   []string{"city"}},
	}}}}, ToolConfig: &genai.ToolConfig{FunctionCallingConfig: &genai.FunctionCallingConfig{Mode: genai.FunctionCallingConfigModeAny}}}
	contents := genai.Text("How is the weather in Porto and in Lima?")
	for range 2 {
		answer, err := client.Models.GenerateContent(t.Context(), model, contents, config)
		check(t, err)
		turn := answer.Candidates[0].Content
		results := &genai.Content{Role: genai.RoleUser}
		isSigned := false
		for _, part := range turn.Parts {
			isSigned = isSigned || len(part.ThoughtSignature) > 0
			if call := part.FunctionCall; call != nil {
				results.Parts = append(results.Parts,
					&genai.Part{FunctionResponse: &genai.FunctionResponse{ID: call.ID,
						Name: call.Name, Response: map[string]any{"degrees": 21}}})
			}
		}
		if !isSigned || len(results.Parts) == 0 {
			t.Fatalf("the turn has %d calls, signed %v", len(results.Parts), isSigned)
		}
		contents = append(contents, turn, results)
	}
	config.ToolConfig.FunctionCallingConfig.Mode = genai.FunctionCallingConfigModeAuto
	answer, err := client.Models.GenerateContent(t.Context(), model, contents, config)
	check(t, err)
	checkAnswer(t, answer)
}
