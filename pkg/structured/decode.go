package structured

import (
	"bytes"
	"errors"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// decode decodes a complete JSON value. known reports whether T knows a member of the value, if the
// value has members: an object that T knows nothing of decodes, too, into an empty T.
func decode[T any](text string, rejectUnknown bool) (out T, known bool, err error) {
	data := []byte(text)
	err = json.Unmarshal(data, &out, json.RejectUnknownMembers(true))
	if err == nil {
		return out, true, nil
	}
	out = *new(T) // parts of it may be set
	if rejectUnknown || !errors.Is(err, json.ErrUnknownName) {
		return out, false, err
	}
	if err := json.Unmarshal(data, &out); err != nil {
		return *new(T), false, err
	}
	return out, knowsMember[T](data), nil
}

// knowsMember reports whether T knows a member of an object. For other values it returns true.
//
// Only the JSON library can say which members a Go type knows, so each member is decoded alone.
func knowsMember[T any](data jsontext.Value) bool {
	if data.Kind() != jsontext.KindBeginObject {
		return true
	}
	members := jsontext.NewDecoder(bytes.NewReader(data)) // of what decoded, so without errors
	members.ReadToken()
	for members.PeekKind() == jsontext.KindString {
		name, _ := members.ReadValue()
		alone := "{" + string(name) + ":null}"
		if err := json.Unmarshal([]byte(alone), new(T),
			json.RejectUnknownMembers(true)); !errors.Is(err, json.ErrUnknownName) {
			return true
		}
		members.SkipValue()
	}
	return false
}

// isAnotherKind reports whether T accepts no value of the kind that failed to decode.
func isAnotherKind(err error) bool {
	e, ok := errors.AsType[*json.SemanticError](err)
	return ok && e.JSONPointer == "" && e.Err == nil
}

// isMalformedString reports whether a string failed to decode because of its content. The rest of
// the string may be missing.
func isMalformedString(err error) bool {
	e, ok := errors.AsType[*json.SemanticError](err)
	return ok && e.JSONKind == jsontext.KindString && e.Err != nil &&
		!errors.Is(e.Err, json.ErrUnknownName)
}
