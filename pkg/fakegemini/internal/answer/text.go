package answer

import (
	"strings"
	"unicode/utf8"

	"github.com/gemwire/gemwire/gen/geminiapi"
)

// maxQuoted is the maximum number of characters of a prompt that an answer repeats.
const maxQuoted = 400

// text returns the model's text, which quotes the results of functions or the user.
func (a *author) text() string {
	switch p := &a.prompt; {
	case p.words > 0:
		return words(min(p.words, maxWords/a.candidateCount()))
	case p.results != nil:
		return quotedResults(p.results)
	case p.text == "" && len(p.media) == 0:
		return "You said nothing."
	case p.text == "":
		return "You sent " + strings.Join(p.media, ", ") + "."
	case len(p.media) > 0:
		return "You said: " + quoted(p.text) + "\nWith it came " + strings.Join(p.media, ", ") + "."
	default:
		return "You said: " + quoted(p.text)
	}
}

func quoted(text string) string {
	if utf8.RuneCountInString(text) <= maxQuoted {
		return text
	}
	return string([]rune(text)[:maxQuoted]) + "..."
}

func quotedResults(results []*geminiapi.FunctionResponse) string {
	sentences := make([]string, len(results))
	for i, result := range results {
		name, response := "The function", "nothing"
		if result.Name != nil {
			name = *result.Name
		}
		if len(result.Response) > 0 {
			compact := result.Response.Clone()
			if compact.Compact() == nil {
				response = string(compact)
			}
		}
		sentences[i] = name + " returned " + quoted(response) + "."
	}
	return strings.Join(sentences, "\n")
}

// vocabulary has the words of long answers.
var vocabulary = strings.Fields("one answer of many words that mean nothing and are here to be read in chunks by a program under test")

// words returns a text with a number of words, in sentences.
func words(count int) string {
	var b strings.Builder
	for i := range count {
		word := vocabulary[i%len(vocabulary)]
		if i%len(vocabulary) == 0 {
			word = strings.ToUpper(word[:1]) + word[1:]
		}
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(word)
		if i%len(vocabulary) == len(vocabulary)-1 || i == count-1 {
			b.WriteByte('.')
		}
	}
	return b.String()
}

// cut ends a text where the configuration ends it, and returns the reason.
func (a *author) cut(text string) (string, geminiapi.FinishReason) {
	for _, stop := range a.config.StopSequences {
		if i := strings.Index(text, stop); stop != "" && i >= 0 {
			text = text[:i]
		}
	}
	if most := a.config.MaxOutputTokens; most != nil && *most > 0 {
		if pieces, room := tokens(text), a.textTokens(*most); len(pieces) > room {
			return strings.Join(pieces[:room], ""), geminiapi.FinishReasonMaxTokens
		}
	}
	return text, geminiapi.FinishReasonStop
}
