package request

import (
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// encodeMembers returns the members of a record as JSON. Their names have the spelling of the
// extensions.
func encodeMembers(of any) ([]member, error) {
	data, err := json.Marshal(of, jsonx.Canonical)
	if err != nil {
		return nil, &Error{Problem: "not JSON", Err: err}
	}
	var out []member
	for name, value := range jsonx.Members(data) {
		out = append(out, member{snakeCase(name), value})
	}
	return out, nil
}

// decodeMembers sets the members of a record. If a name appears twice, the last value counts.
func decodeMembers(members []member, into any) error {
	var object jsontext.Value
	for _, m := range members {
		object = jsonx.MergeObjects(object, jsonx.Object(m.name, m.value))
	}
	if err := json.Unmarshal(object, into); err != nil {
		return &Error{Problem: "cannot be put into extra_body", Err: err}
	}
	return nil
}
