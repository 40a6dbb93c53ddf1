package answercheck

import (
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/go-json-experiment/json"
)

// text is the text of an answer, or of one of its alternatives.
type text struct {
	text     string
	isCutOff bool // at the maximum number of tokens
}

// Text returns the text of an answer by the path of its request, without thoughts. It is "" for an
// answer without text. Of several alternatives it is the first.
func Text(url string, answer []byte) string {
	for _, found := range textsOf(url, answer) {
		return found.text
	}
	return ""
}

// textsOf returns the text of each alternative of an answer. It returns none for another answer,
// such as vectors.
func textsOf(url string, answer []byte) []text {
	switch {
	case strings.HasSuffix(url, ":generateContent"):
		return geminiTexts(answer)
	case url == "/v1/chat/completions":
		return chatTexts(answer)
	case url == "/v1/responses":
		return responseTexts(answer)
	case url == "/v1/messages":
		return messageTexts(answer)
	default:
		return nil
	}
}

func geminiTexts(answer []byte) (all []text) {
	response, err := gemini.DecodeResponse(answer)
	if err != nil {
		return nil
	}
	for _, candidate := range response.Candidates {
		var b strings.Builder
		for _, part := range jsonx.Deref(candidate.Content).Parts {
			if !jsonx.Deref(part.Thought) {
				b.WriteString(jsonx.Deref(part.Text))
			}
		}
		all = append(all, text{b.String(),
			jsonx.Deref(candidate.FinishReason) == geminiapi.FinishReasonMaxTokens})
	}
	return all
}

func chatTexts(answer []byte) (all []text) {
	var read struct {
		Choices []struct {
			FinishReason string `json:"finish_reason"`
			Message      struct {
				Content string `json:"content"`
			} `json:"message"`
		} `json:"choices"`
	}
	if json.Unmarshal(answer, &read) != nil {
		return nil
	}
	for _, choice := range read.Choices {
		all = append(all, text{choice.Message.Content, choice.FinishReason == "length"})
	}
	return all
}

// block is a block of content.
type block struct {
	Type    string  `json:"type"`
	Text    string  `json:"text"`
	Content []block `json:"content"`
}

func responseTexts(answer []byte) []text {
	var read struct {
		Output     []block `json:"output"`
		Incomplete struct {
			Reason string `json:"reason"`
		} `json:"incomplete_details"`
	}
	if json.Unmarshal(answer, &read) != nil {
		return nil
	}
	var b strings.Builder
	for _, item := range read.Output {
		if item.Type != "message" {
			continue
		}
		for _, part := range item.Content {
			if part.Type == "output_text" {
				b.WriteString(part.Text)
			}
		}
	}
	return []text{{b.String(), read.Incomplete.Reason == "max_output_tokens"}}
}

func messageTexts(answer []byte) []text {
	var read struct {
		Content    []block `json:"content"`
		StopReason string  `json:"stop_reason"`
	}
	if json.Unmarshal(answer, &read) != nil {
		return nil
	}
	var b strings.Builder
	for _, part := range read.Content {
		if part.Type == "text" {
			b.WriteString(part.Text)
		}
	}
	return []text{{b.String(), read.StopReason == "max_tokens"}}
}
