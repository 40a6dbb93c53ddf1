package inspector

import (
	"net/http"
	"strings"

	"github.com/gemwire/gemwire/server/inspector/internal/search"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// writeBlanked is writeJSON without the secrets in any text of the value. A text that was joined
// from recorded pieces may contain a secret that no piece contains.
func (i *Inspector) writeBlanked(w http.ResponseWriter, value any) {
	data, err := json.Marshal(value, json.Deterministic(true), json.WithMarshalers(
		json.JoinMarshalers(
			json.MarshalToFunc(func(e *jsontext.Encoder, text string) error {
				return e.WriteToken(jsontext.String(i.retain.joined(text)))
			}),
			json.MarshalToFunc(func(e *jsontext.Encoder, raw jsontext.Value) error {
				return e.WriteValue(jsontext.Value(i.retain.joined(string(raw))))
			}))))
	if err != nil {
		http.Error(w, "the answer cannot be encoded as JSON", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(data)
}

// joined removes secrets from a text that was joined from recorded pieces. If the text is JSON,
// secrets that are spelled with escapes are removed too.
func (r *retention) joined(text string) string {
	text = r.blank(text)
	if strings.Contains(text, `\`) {
		if blanked, ok := r.document(text); ok {
			return blanked
		}
	}
	return text
}

// document returns a JSON document without secrets. It reports false if the text is not JSON, or if
// it has no secret.
func (r *retention) document(text string) (string, bool) {
	decoder := jsontext.NewDecoder(strings.NewReader(text), jsontext.AllowDuplicateNames(true))
	var out strings.Builder
	encoder := jsontext.NewEncoder(&out, jsontext.AllowDuplicateNames(true))
	found := false
	for {
		token, err := decoder.ReadToken()
		if err != nil {
			return strings.TrimSuffix(out.String(), "\n"), found && decoder.StackDepth() == 0
		}
		if token.Kind() == jsontext.KindString {
			blanked := r.blank(token.String())
			found = found || blanked != token.String()
			token = jsontext.String(blanked)
		}
		if encoder.WriteToken(token) != nil {
			return "", false
		}
	}
}

// hits removes secrets from matches, also a secret of which a match shows pieces.
func (r *retention) hits(matches []search.Match) []search.Match {
	for n := range matches {
		m := &matches[n]
		whole := m.Before + m.Hit + m.After
		if blanked := r.joined(whole); blanked != whole {
			m.Before, m.Hit, m.After = "", blanked, ""
		}
	}
	return matches
}
