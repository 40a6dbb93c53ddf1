package gemini

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/rawobject"
	"github.com/gemwire/gemwire/internal/surrogate"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// DecodeForgiving decodes the body of an answer, or one chunk of a stream, like [DecodeResponse], and forgives
// more: a member of a type that makes no sense counts as absent, and its JSON pointer is in ignored. Only a
// text or a function's name that is not a string is an error, as passing over it would falsify the answer; so
// is what is no JSON object. A blockReason that is null is an empty one where no candidate is: that there is
// one tells that the prompt was refused.
//
// Every [StreamReader] decodes like this, and has what is ignored in its report.
func DecodeForgiving(data []byte) (r *geminiapi.GenerateContentResponse, ignored []string, err error) {
	data = surrogate.ReplaceLone(data)
	r, err = DecodeResponse(data)
	for err != nil {
		fault := mistyped(err)
		if fault == "" || fatalTypes[memberPath(fault)] {
			return nil, nil, err
		}
		if len(ignored) == maxIgnored {
			return nil, nil, fmt.Errorf("gemini: %d members are of a wrong type: %w", maxIgnored, err)
		}
		data, ignored = ignore(data, fault, ignored)
		r, err = DecodeResponse(data)
	}
	fillBlockReason(data, r)
	return r, ignored, nil
}

// maxIgnored bounds the members that are ignored, each of which costs another pass over the bytes.
const maxIgnored = 64

// mistyped returns the pointer of a value that the codec refused for its type, "" when the error is
// another one, or about the response as a whole.
func mistyped(err error) jsontext.Pointer {
	if _, ok := errors.AsType[*json.SemanticError](err); !ok {
		return ""
	}
	malformed, ok := errors.AsType[*MalformedError](err)
	if !ok {
		return ""
	}
	return jsontext.Pointer(malformed.Pointer)
}

// fatalTypes are the members, by [memberPath], whose wrong type is an error.
var fatalTypes = map[string]bool{
	"candidates/content/parts/text":              true,
	"candidates/content/parts/functioncall/name": true,
}

// memberPath is a pointer without the positions in lists, of names without letter case and separators.
func memberPath(pointer jsontext.Pointer) string {
	var names []string
	for token := range pointer.Tokens() {
		if !isPosition(token) {
			names = append(names, foldName(token))
		}
	}
	return strings.Join(names, "/")
}

func isPosition(token string) bool { return strings.Trim(token, "0123456789") == "" }

// ignore takes the value at a pointer out of data, by writing null for it: that is what absent looks
// like everywhere but in a list, where {} keeps the positions of the other elements. Where {} was
// refused too, because the elements are no objects, the whole list goes.
func ignore(data []byte, fault jsontext.Pointer, ignored []string) ([]byte, []string) {
	instead := "null"
	if isPosition(fault.LastToken()) {
		instead = "{}"
		if n := len(ignored); n > 0 && ignored[n-1] == string(fault) {
			ignored, fault, instead = ignored[:n-1], fault.Parent(), "null"
		}
	}
	start, end := rawobject.Find(data, fault)
	return slices.Concat(data[:start], []byte(instead), data[end:]), append(ignored, string(fault))
}

// fillBlockReason gives the prompt's feedback an empty reason where it is null, in any spelling of the names.
func fillBlockReason(data []byte, r *geminiapi.GenerateContentResponse) {
	if r.PromptFeedback == nil || r.PromptFeedback.BlockReason != nil || len(r.Candidates) > 0 || !bytes.Contains(data, []byte("null")) {
		return
	}
	for name, feedback := range rawobject.Members(data) {
		if foldName(name) != "promptfeedback" {
			continue
		}
		for name := range rawobject.Members(feedback) {
			if foldName(name) == "blockreason" { // of a value it would be set
				r.PromptFeedback.BlockReason = new(geminiapi.BlockReason(""))
			}
		}
	}
}

// foldName returns a name in lower case without the separators that the codec does not care about either.
func foldName(name string) string {
	return strings.NewReplacer("_", "", "-", "").Replace(strings.ToLower(name))
}
