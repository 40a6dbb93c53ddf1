package codexcatalog

import (
	"bytes"
	"errors"

	"github.com/go-json-experiment/json"
)

// Query is the query parameter by which codex asks for its catalogue. Its value is the version of
// codex.
const Query = "client_version"

// Append appends a list of models in OpenAI's form, with the entries as another member "models".
// The members of the list do not change.
func Append(dst, list []byte, entries []Entry) ([]byte, error) {
	list = bytes.TrimRight(list, " \n")
	if len(list) < 2 || list[len(list)-1] != '}' {
		return dst, errors.New("codexcatalog: the list is not a JSON object")
	}
	if entries == nil {
		entries = []Entry{}
	}
	encoded, err := json.Marshal(entries)
	if err != nil {
		return dst, err
	}
	dst = append(dst, list[:len(list)-1]...)
	if len(list) > len("{}") {
		dst = append(dst, ',')
	}
	dst = append(dst, `"models":`...)
	dst = append(dst, encoded...)
	return append(dst, '}'), nil
}
