package cli

import (
	"errors"
	"slices"
	"strings"

	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/openai"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Servers send errors, counts of tokens, lists and vectors as JSON objects, too. Read as an answer,
// such an object has no member that the format knows, and would be written back with invented ones.

// geminiMembers are the members by which an answer of Gemini is recognised, spelt as
// [jsonx.FoldName] has them. Errors of Gemini's are read as answers are. It is never written to.
var geminiMembers = []string{"candidates", "promptfeedback", "usagemetadata", "responseid",
	"modelversion", "error"}

// countMembers are the members with the number of tokens in an answer to a question for it:
// Anthropic's and that of OpenAI's Responses API, Gemini's. It is never written to.
var countMembers = []string{"inputtokens", "totaltokens"}

// answers makes a decoder of a format refuse what servers send in place of an answer. The mark is a
// member that every answer has, "" for answers of Gemini.
func answers[T any](t *tables, mark string, decode decoder[T]) decoder[T] {
	return func(data []byte) (*T, report.Report, error) {
		if err := t.inPlaceOfAnswer(mark, data); err != nil {
			return nil, nil, err
		}
		return decode(data)
	}
}

// inPlaceOfAnswer returns the error for a document that a server has sent in place of an answer,
// nil for others.
func (t *tables) inPlaceOfAnswer(mark string, data []byte) error {
	members := []string{mark}
	if mark == "" {
		members = geminiMembers
	}
	count := ""
	for name, value := range jsonx.Members(data) {
		folded := jsonx.FoldName(name)
		switch isNull := value.Kind() == jsontext.KindNull; {
		case slices.Contains(members, folded) && !isNull:
			return nil
		case (name == "object" || name == "type") && slices.Contains(t.answerKinds, textIn(value)):
			return nil
		case slices.Contains(countMembers, folded) && value.Kind() == jsontext.KindNumber:
			count = value.String()
		}
	}
	if count != "" {
		return errors.New("not an answer but a count of tokens: " + count)
	}
	said := openai.DecodeForeignError(data)
	switch {
	case mark == "" && (said == nil ||
		isList(data)): // which the decoder of Gemini's answers reads itself
		return nil
	case said == nil && isObject(data):
		return errors.New("not an answer: it has no member " + members[0])
	case said == nil:
		return nil
	}
	words := said.Error.Message
	if said.Error.Type != "" {
		words = said.Error.Type + ": " + words
	}
	return errors.New(notAnAnswer + words)
}

// textIn returns a JSON string, "" for every other value.
func textIn(value jsontext.Value) (text string) {
	if value.Kind() != jsontext.KindString || json.Unmarshal(value, &text) != nil {
		return ""
	}
	return text
}

func isList(data []byte) bool { return beginsWith(data, "[") }

// isObject reports whether a document is an object without errors.
func isObject(data []byte) bool { return beginsWith(data, "{") && jsontext.Value(data).IsValid() }

func beginsWith(data []byte, mark string) bool {
	return strings.HasPrefix(strings.TrimLeft(string(data[:min(len(data), 64)]), " \t\r\n"), mark)
}
