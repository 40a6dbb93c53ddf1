package answer

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
)

// prompt is the last turn of a conversation.
type prompt struct {
	// text is the joined text of the user's last turn.
	text string
	// media are the MIME types in that turn.
	media []string
	// results are the answers to the calls of the previous turn, or nil after user input.
	results []*geminiapi.FunctionResponse
	// step counts the turns of results since the last user input.
	step int

	// What the directives in the text ask for. Without directives, blockReason and blockAnswer are
	// "" and words is 0.
	blockReason geminiapi.BlockReason
	blockAnswer geminiapi.FinishReason
	words       int
}

const roleModel = "model"

func promptOf(contents []geminiapi.Content) prompt {
	var p prompt
	for i := len(contents) - 1; i >= 0; i-- {
		content := &contents[i]
		if content.Role != nil && *content.Role == roleModel {
			continue
		}
		results := resultsIn(content.Parts)
		if len(results) > 0 && p.step == 0 {
			p.results = results
		}
		if len(results) == 0 {
			p.read(content.Parts)
			break
		}
		p.step++
	}
	p.direct()
	return p
}

func resultsIn(parts []geminiapi.Part) []*geminiapi.FunctionResponse {
	var results []*geminiapi.FunctionResponse
	for i := range parts {
		if parts[i].FunctionResponse != nil {
			results = append(results, parts[i].FunctionResponse)
		}
	}
	return results
}

func (p *prompt) read(parts []geminiapi.Part) {
	var texts []string
	for i := range parts {
		switch part := &parts[i]; {
		case part.Text != nil && *part.Text != "":
			texts = append(texts, *part.Text)
		case part.InlineData != nil:
			p.media = append(p.media, mediaType(part.InlineData.MIMEType))
		case part.FileData != nil:
			p.media = append(p.media, mediaType(part.FileData.MIMEType))
		}
	}
	p.text = strings.Join(texts, "\n")
}

func mediaType(mimeType *string) string {
	if mimeType == nil || *mimeType == "" {
		return "a file"
	}
	return *mimeType
}

// directive matches words in a prompt that control the fake server.
var directive = regexp.MustCompile(`(?i)\[(block prompt|block answer|words)(?:[: ]+([A-Za-z0-9_]+))?\]`)

// direct reads the directives in the text. An unknown reason becomes SAFETY.
func (p *prompt) direct() {
	for _, found := range directive.FindAllStringSubmatch(p.text, -1) {
		value := strings.ToUpper(found[2])
		switch strings.ToLower(found[1]) {
		case "block prompt":
			p.blockReason = geminiapi.BlockReasonSafety
			if reason := geminiapi.BlockReason(value); reason.Valid() {
				p.blockReason = reason
			}
		case "block answer":
			p.blockAnswer = geminiapi.FinishReasonSafety
			if reason := geminiapi.FinishReason(value); reason.Valid() {
				p.blockAnswer = reason
			}
		case "words":
			words, _ := strconv.Atoi(value)
			p.words = min(words, maxWords)
		}
	}
}

// maxWords is the maximum length of a requested answer, for all candidates together.
const maxWords = 20_000
