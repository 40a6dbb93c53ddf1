package codec

import (
	"errors"
	"strings"

	"github.com/gemwire/gemwire/internal/plainjson"
	"github.com/gemwire/gemwire/pkg/wire"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// NewEncodeError returns the error for a payload that the JSON library refused with err.
func NewEncodeError(payload Payload, err error) error {
	out := &wire.EncodeError{Wire: payload.Wire, Payload: payload.Name, Err: err}
	if semantic, ok := errors.AsType[*json.SemanticError](err); ok {
		out.Pointer = string(semantic.JSONPointer)
	}
	syntactic, ok := errors.AsType[*jsontext.SyntacticError](err)
	if ok && jsontext.Pointer(out.Pointer).Contains(syntactic.JSONPointer) { // more exact
		out.Pointer = string(syntactic.JSONPointer)
	}
	out.Message = encodeReason(out.Pointer, err)
	return out
}

// encodeReason describes why the JSON library refused the value at a pointer with err.
func encodeReason(pointer string, err error) string {
	switch {
	case errors.Is(err, ErrNothing):
		return ErrNothing.Error()
	case errors.Is(err, jsontext.ErrDuplicateName):
		return reasonDuplicate
	case isInvalidUTF8(err):
		return reasonUTF8
	case strings.Count(pointer, "/") >= plainjson.LibraryDepth:
		return ReasonDepth
	default:
		return reasonNotJSON
	}
}

// isInvalidUTF8 reports whether the JSON library refused a text that is not UTF-8. The library does
// not export its error for that.
func isInvalidUTF8(err error) bool {
	_, refused := jsontext.AppendQuote(nil, []byte{0xff})
	return errors.Is(err, errors.Unwrap(refused))
}

// ErrNothing is the cause of the error for a nil payload.
var ErrNothing = errors.New("nothing to encode")
