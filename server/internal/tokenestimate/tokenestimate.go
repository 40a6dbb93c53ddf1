// Package tokenestimate estimates the number of prompt tokens of a request without calling the
// model. Only the model's tokenizer is exact. The estimate is for clients that watch the size of a
// conversation.
package tokenestimate

import (
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/gemini"
)

// Tokens of media, from Google's documentation: 258 for an image or a page of a document, 32 for a
// second of audio, 263 for a second of video.
const (
	imageTokens       = 258
	audioTokensSecond = 32
	videoTokensSecond = 263
)

// The approximate size in bytes of a document page, and of a second of audio or video.
const (
	pageSize        = 40_000
	audioSecondSize = 16_000
	videoSecondSize = 250_000
)

// turnTokens is the number of tokens of a turn without its parts.
const turnTokens = 4

// Of returns the estimate for a request.
func Of(r *geminiapi.GenerateContentRequest) int {
	tokens := contentTokens(r.SystemInstruction)
	for i := range r.Contents {
		tokens += turnTokens + contentTokens(&r.Contents[i])
	}
	return tokens + toolTokens(r.Tools)
}

func contentTokens(c *geminiapi.Content) (tokens int) {
	if c == nil {
		return 0
	}
	for i := range c.Parts {
		tokens += partTokens(&c.Parts[i])
	}
	return tokens
}

// partTokens counts everything in a part that the model reads. Signatures do not count.
func partTokens(p *geminiapi.Part) int {
	switch {
	case p.Text != nil:
		return Text(*p.Text)
	case p.FunctionCall != nil:
		return Text(jsonx.Deref(p.FunctionCall.Name)) + textOf(p.FunctionCall.Args)
	case p.FunctionResponse != nil:
		tokens := Text(jsonx.Deref(p.FunctionResponse.Name)) + textOf(p.FunctionResponse.Response)
		for i := range p.FunctionResponse.Parts {
			if blob := p.FunctionResponse.Parts[i].InlineData; blob != nil {
				tokens += mediaTokens(jsonx.Deref(blob.MIMEType), len(jsonx.Deref(blob.Data)))
			}
		}
		return tokens
	case p.InlineData != nil:
		return mediaTokens(jsonx.Deref(p.InlineData.MIMEType), len(jsonx.Deref(p.InlineData.Data)))
	case p.FileData != nil:
		return mediaTokens(jsonx.Deref(p.FileData.MIMEType), 0)
	case p.ExecutableCode != nil:
		return Text(jsonx.Deref(p.ExecutableCode.Code))
	case p.CodeExecutionResult != nil:
		return Text(jsonx.Deref(p.CodeExecutionResult.Output))
	default:
		return 0
	}
}

// mediaTokens estimates the tokens of media from the length of its base64. It returns 0 if they are
// unknown.
func mediaTokens(mimeType string, base64Size int) int {
	size := base64Size / 4 * 3
	switch kind, _, _ := strings.Cut(mimeType, "/"); kind {
	case "image":
		return imageTokens
	case "audio":
		return (size/audioSecondSize + 1) * audioTokensSecond
	case "video":
		return (size/videoSecondSize + 1) * videoTokensSecond
	case "text":
		return (size + bytesPerToken - 1) / bytesPerToken
	default:
		return (size/pageSize + 1) * imageTokens
	}
}

// toolTokens estimates the tokens of tool declarations in their wire format.
func toolTokens(tools []geminiapi.Tool) int {
	if len(tools) == 0 {
		return 0
	}
	declared, err := gemini.EncodeRequest(&geminiapi.GenerateContentRequest{Tools: tools})
	if err != nil { // of what no model would read either
		return 0
	}
	return textOf(declared)
}

func textOf(json []byte) int { return Text(string(json)) }

// bytesPerToken is the approximate size of a token of English text.
const bytesPerToken = 4

// Text returns the estimate for a text. A token has about four characters of English, two of other
// alphabets, and one of East Asian scripts.
func Text(text string) int {
	var quarters int
	for _, r := range text {
		switch {
		case r < 0x80:
			quarters++
		case r < 0x800:
			quarters += 2
		default:
			quarters += 4
		}
	}
	return (quarters + bytesPerToken - 1) / bytesPerToken
}
