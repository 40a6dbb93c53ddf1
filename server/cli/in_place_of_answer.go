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

// Servers also send errors, token counts, lists and vectors as JSON objects. Read as an answer,
// such an object has no known member, and would be written back with invented members.

// geminiMembers are the members that identify an answer of Gemini, in the form of [jsonx.FoldName].
// Errors of Gemini are read like answers. It is read-only.
var geminiMembers = []string{"candidates", "promptfeedback", "usagemetadata", "responseid",
	"modelversion", "error"}

// countMembers are the members with the number of tokens in a token count: Anthropic's and OpenAI
// Responses', and Gemini's. It is read-only.
var countMembers = []string{"inputtokens", "totaltokens"}

// answers wraps a decoder so that it refuses what servers send instead of an answer. The mark is a
// member that every answer has, or "" for answers of Gemini.
func answers[T any](t *tables, mark string, decode decoder[T]) decoder[T] {
	return func(data []byte) (*T, report.Report, error) {
		if err := t.inPlaceOfAnswer(mark, data); err != nil {
			return nil, nil, err
		}
		return decode(data)
	}
}

// inPlaceOfAnswer returns an error for a document that a server has sent instead of an answer. It
// returns nil for an answer.
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

// textIn returns a JSON string, or "" for any other value.
func textIn(value jsontext.Value) (text string) {
	if value.Kind() != jsontext.KindString || json.Unmarshal(value, &text) != nil {
		return ""
	}
	return text
}

func isList(data []byte) bool { return beginsWith(data, "[") }

// isObject reports whether a document is a valid JSON object.
func isObject(data []byte) bool { return beginsWith(data, "{") && jsontext.Value(data).IsValid() }

func beginsWith(data []byte, mark string) bool {
	return strings.HasPrefix(strings.TrimLeft(string(data[:min(len(data), 64)]), " \t\r\n"), mark)
}
