package normalize

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/rawobject"
	"github.com/gemwire/gemwire/internal/surrogate"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Parse decodes and normalises the body of a generateContent answer. It reads whatever
// [gemini.DecodeResponse] reads, and forgives more: a member of a type that makes no sense counts
// as absent and is listed in [Response.Ignored]. Only a text or a function's name that is not a
// string is a *[PartError], as passing over it would falsify the answer.
//
// It returns an error with [ErrInvalidJSON] or [ErrNotObject] in its chain when there is no JSON
// object, beside the errors of [FromResponse]. The result shares no memory with data.
func Parse(data []byte, opts ...Option) (*Response, error) {
	r, ignored, err := decode(data)
	if err != nil {
		return nil, err
	}
	if ignored != nil {
		opts = append(slices.Clone(opts), withIgnored(ignored))
	}
	return FromResponse(r, opts...)
}

// maxIgnored bounds the members that are ignored, each of which costs another pass over the bytes.
const maxIgnored = 64

// decode decodes data without the members that the codec refuses for their type, and returns their
// JSON pointers.
func decode(data []byte) (r *geminiapi.GenerateContentResponse, ignored []string, err error) {
	data = surrogate.ReplaceLone(data)
	r, err = gemini.DecodeResponse(data)
	for err != nil {
		fault := mistyped(err)
		if fault == "" {
			return nil, nil, rootError(data, err)
		}
		if problem := fatalTypes[memberPath(fault)]; problem != "" {
			return nil, nil, &PartError{Pointer: string(fault), Problem: problem, Err: err}
		}
		if len(ignored) == maxIgnored {
			return nil, nil, fmt.Errorf("normalize: %d members are of a wrong type: %w", maxIgnored, err)
		}
		data, ignored = ignore(data, fault, ignored)
		r, err = gemini.DecodeResponse(data)
	}
	if blockReasonIsNull(data, r) {
		r.PromptFeedback.BlockReason = new(geminiapi.BlockReason(""))
	}
	return r, ignored, nil
}

// mistyped returns the pointer of a value that the codec refused for its type, "" when the error is
// another one, or about the response as a whole.
func mistyped(err error) jsontext.Pointer {
	if _, ok := errors.AsType[*json.SemanticError](err); !ok {
		return ""
	}
	malformed, ok := errors.AsType[*gemini.MalformedError](err)
	if !ok {
		return ""
	}
	return jsontext.Pointer(malformed.Pointer)
}

// rootError reports what is wrong with bytes that cannot be decoded at all. A list may hold an error
// envelope: so does a stream that is no event stream report that it failed.
func rootError(data []byte, err error) error {
	value := jsontext.Value(data)
	if value.Kind() == jsontext.KindBeginObject || !value.IsValid() {
		return fmt.Errorf("%w: %w", ErrInvalidJSON, err)
	}
	if e := gemini.DecodeError(0, nil, data); e.FromAPI() {
		return &errorEnvelope{e}
	}
	return fmt.Errorf("%w: %w", ErrNotObject, err)
}

// fatalTypes are the members, by [memberPath], whose wrong type is an error.
var fatalTypes = map[string]string{
	"candidates/content/parts/text":              problemNotText,
	"candidates/content/parts/functioncall/name": problemName,
}

// memberPath is a pointer without the positions in lists, its names in lower case without the
// separators that the codec does not care about either.
func memberPath(pointer jsontext.Pointer) string {
	var names []string
	for token := range pointer.Tokens() {
		if !isPosition(token) {
			names = append(names, strings.NewReplacer("_", "", "-", "").Replace(strings.ToLower(token)))
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

// blockReasonIsNull reports whether the prompt's feedback has a reason that does not say anything:
// that there is one is enough to tell that the prompt was refused.
func blockReasonIsNull(data []byte, r *geminiapi.GenerateContentResponse) bool {
	if r.PromptFeedback == nil || r.PromptFeedback.BlockReason != nil {
		return false
	}
	for _, pointer := range []jsontext.Pointer{"/promptFeedback/blockReason", "/prompt_feedback/block_reason"} {
		if start, end := rawobject.Find(data, pointer); start < end {
			return true
		}
	}
	return false
}
