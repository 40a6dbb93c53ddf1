// Package signature makes thought signatures and checks whether one was returned unchanged. A
// signature is bound to its part: to a call's name and arguments, or to a part that is not a call.
package signature

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/go-json-experiment/json/jsontext"
)

// Dummies are the signatures that Google's documentation gives for calls that no Gemini model made.
// The servers accept them as they are and in base64.
var dummies = []string{"skip_thought_signature_validator", "context_engineering_is_the_way_to_go"}

// mark begins and ends the payload of our signatures, so that a signature that was changed at one
// end is still recognised.
const mark = "gemwire"

// The first bytes of signatures: the tag of a protocol buffer field, with another number since
// Gemini 3.
const (
	oldField = 0x0a
	newField = 0x12
)

// Make returns the signature of a part in standard base64. Equal parts of equal turns have equal
// signatures. turn identifies the turn.
func Make(part *geminiapi.Part, turn []byte, sinceGemini3 bool) string {
	salt := sha256.Sum256(turn)
	inside := append([]byte(mark), salt[:16]...)
	inside = append(inside, sum(part, salt[:16])...)
	inside = append(inside, mark...)
	out := []byte{oldField}
	if sinceGemini3 {
		out[0] = newField
	}
	out = binary.AppendUvarint(out, uint64(len(inside)))
	return base64.StdEncoding.EncodeToString(append(out, inside...))
}

// headLength is the number of bytes before the payload.
const headLength = 2

// IsIntact reports whether a part may have its signature. A signature of the real server may be on
// any part, because only Google can check it. Our own signature must be unchanged and on its part.
func IsIntact(part *geminiapi.Part) bool {
	if part.ThoughtSignature == nil || isDummy(*part.ThoughtSignature) {
		return true
	}
	raw, ok := decode(*part.ThoughtSignature)
	if !ok {
		return false
	}
	const length = len(mark) + 16 + sha256.Size + len(mark)
	if isOurs := bytes.Contains(raw, []byte(mark)); !isOurs {
		return true
	}
	if len(raw) != headLength+length || raw[0] != oldField && raw[0] != newField ||
		int(raw[1]) != length {
		return false
	}
	inside := raw[headLength:]
	salt, tag := inside[len(mark):][:16], inside[len(mark)+16:][:sha256.Size]
	return string(inside[:len(mark)]) == mark && string(inside[length-len(mark):]) == mark &&
		hmac.Equal(tag, sum(part, salt))
}

// sum binds a signature to a part.
func sum(part *geminiapi.Part, salt []byte) []byte {
	h := hmac.New(sha256.New, []byte("a fake server has no secrets"))
	h.Write(salt)
	if call := part.FunctionCall; call != nil {
		if call.Name != nil {
			h.Write([]byte(*call.Name))
		}
		h.Write([]byte{0})
		h.Write(canonical(call.Args))
	}
	return h.Sum(nil)
}

// canonical writes arguments in one form, because clients change their white space and the spelling
// of numbers. Absent arguments are an empty object.
func canonical(args jsontext.Value) []byte {
	if len(args) == 0 || args.Kind() == jsontext.KindNull {
		return []byte("{}")
	}
	out := args.Clone()
	if out.Canonicalize() != nil {
		return args
	}
	return out
}

func isDummy(text string) bool {
	for _, dummy := range dummies {
		if text == dummy ||
			strings.TrimRight(text, "=") == base64.RawStdEncoding.EncodeToString([]byte(dummy)) {
			return true
		}
	}
	return false
}

// decode reads base64 in either alphabet, padded or not, like the servers.
func decode(text string) ([]byte, bool) {
	text = strings.NewReplacer("-", "+", "_", "/").Replace(strings.TrimRight(text, "="))
	raw, err := base64.RawStdEncoding.DecodeString(text)
	return raw, err == nil
}
