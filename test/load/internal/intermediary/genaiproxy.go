package intermediary

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"google.golang.org/genai"
)

// GenAIProxy is the least that somebody would write who needs chat_completions and has Google's
// SDK: texts in, texts out, no more. It keeps as many connections to the upstream as the gateway
// does.
func GenAIProxy(upstream string) (http.Handler, error) {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxIdleConns, transport.MaxIdleConnsPerHost = 0, 1024
	client, err := genai.NewClient(context.Background(), &genai.ClientConfig{
		APIKey: "load", Backend: genai.BackendGeminiAPI,
		HTTPClient:  &http.Client{Transport: transport},
		HTTPOptions: genai.HTTPOptions{BaseURL: "http://" + upstream},
	})
	if err != nil {
		return nil, err
	}
	p := &genAIProxy{client}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/chat/completions", p.complete)
	return mux, nil
}

type genAIProxy struct{ client *genai.Client }

// The members that it knows.
type (
	completionRequest struct {
		Model       string    `json:"model"`
		Messages    []message `json:"messages"`
		Stream      bool      `json:"stream"`
		Temperature *float32  `json:"temperature"`
	}
	message struct {
		Role    string `json:"role"`
		Content string `json:"content"`
	}
	completion struct {
		ID      string   `json:"id"`
		Object  string   `json:"object"`
		Created int64    `json:"created"`
		Model   string   `json:"model"`
		Choices []choice `json:"choices"`
		Usage   *usage   `json:"usage,omitempty"`
	}
	choice struct {
		Index        int      `json:"index"`
		Message      *message `json:"message,omitempty"`
		Delta        *message `json:"delta,omitempty"`
		FinishReason *string  `json:"finish_reason"`
	}
	usage struct {
		PromptTokens     int32 `json:"prompt_tokens"`
		CompletionTokens int32 `json:"completion_tokens"`
		TotalTokens      int32 `json:"total_tokens"`
	}
)

func (p *genAIProxy) complete(w http.ResponseWriter, r *http.Request) {
	var in completionRequest
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	config := &genai.GenerateContentConfig{Temperature: in.Temperature}
	var contents []*genai.Content
	for _, m := range in.Messages {
		switch m.Role {
		case "system":
			config.SystemInstruction = genai.NewContentFromText(m.Content, "")
		case "assistant":
			contents = append(contents, genai.NewContentFromText(m.Content, genai.RoleModel))
		default:
			contents = append(contents, genai.NewContentFromText(m.Content, genai.RoleUser))
		}
	}
	if in.Stream {
		p.stream(w, r, in.Model, contents, config)
		return
	}
	answer, err := p.client.Models.GenerateContent(r.Context(), in.Model, contents, config)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	out := completionOf(in.Model, "chat.completion", answer)
	out.Choices[0].Message = &message{"assistant", answer.Text()}
	out.Usage = &usage{answer.UsageMetadata.PromptTokenCount,
		answer.UsageMetadata.CandidatesTokenCount, answer.UsageMetadata.TotalTokenCount}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(out) // or the client is gone
}

func (p *genAIProxy) stream(w http.ResponseWriter, r *http.Request, model string,
	contents []*genai.Content, config *genai.GenerateContentConfig) {
	w.Header().Set("Content-Type", "text/event-stream")
	for answer, err := range p.client.Models.GenerateContentStream(r.Context(), model, contents,
		config) {
		if err != nil {
			return
		}
		out := completionOf(model, "chat.completion.chunk", answer)
		out.Choices[0].Delta = &message{"assistant", answer.Text()}
		data, err := json.Marshal(out)
		if err != nil {
			return
		}
		fmt.Fprintf(w, "data: %s\n\n", data)
		_ = http.NewResponseController(w).Flush()
	}
	fmt.Fprint(w, "data: [DONE]\n\n")
}

func completionOf(model, object string, answer *genai.GenerateContentResponse) *completion {
	out := &completion{ID: answer.ResponseID, Object: object, Created: time.Now().Unix(),
		Model: model, Choices: make([]choice, 1)}
	if answer.Candidates[0].FinishReason == genai.FinishReasonStop {
		out.Choices[0].FinishReason = new("stop")
	}
	return out
}
