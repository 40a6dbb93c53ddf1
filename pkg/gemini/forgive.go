package gemini

import (
	"bytes"
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/codec"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/internal/surrogate"
	"github.com/go-json-experiment/json/jsontext"
)

// DecodeForgiving decodes the body of an answer, or one chunk of a stream, like [DecodeResponse], and forgives
// more: a member of a type that makes no sense counts as absent, and its JSON pointer is in ignored. Only a
// text or a function's name that is not a string is an error, as passing over it would falsify the answer; so
// is what is no JSON object.
//
// Every [StreamReader] decodes like this, and has what is ignored in its report.
func DecodeForgiving(data []byte) (r *geminiapi.GenerateContentResponse, ignored []string, err error) {
	data = surrogate.ReplaceLone(data)
	return codec.Forgive("gemini", data, DecodeResponse, func(at jsontext.Pointer, _ jsontext.Value) (jsontext.Value, bool) {
		return nil, !fatalTypes[memberPath(at)]
	})
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
		if !codec.IsPosition(token) {
			names = append(names, foldName(token))
		}
	}
	return strings.Join(names, "/")
}

// fillBlockReason gives the prompt's feedback an empty reason where it is null, in any spelling of the names. Its
// presence says that the prompt was refused, as in the origin of package normalize. With an answer it
// does not.
func fillBlockReason(data []byte, r *geminiapi.GenerateContentResponse) {
	if r.PromptFeedback == nil || r.PromptFeedback.BlockReason != nil || len(r.Candidates) > 0 {
		return
	}
	if !bytes.Contains(data, []byte("null")) {
		return
	}
	for name, feedback := range jsonx.Members(data) {
		if foldName(name) != "promptfeedback" {
			continue
		}
		for name := range jsonx.Members(feedback) {
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
