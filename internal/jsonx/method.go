package jsonx

import (
	"errors"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// MarshalTo implements the method MarshalJSONTo of a wire type. Fields is v as a type without
// methods.
func MarshalTo(enc *jsontext.Encoder, v json.Marshaler, fields any) error {
	if mark, _ := json.GetOption(enc.Options(), json.WithUnmarshalers); mark == writeMark {
		return json.MarshalEncode(enc, fields)
	}
	data, err := v.MarshalJSON()
	if err != nil {
		return moved(err, enc.StackPointer(), enc.OutputOffset())
	}
	return enc.WriteValue(data)
}

// UnmarshalFrom implements the method UnmarshalJSONFrom of a wire type, with the same arguments as
// [MarshalTo]. Strict are names that equal another name if letter case and underscores are ignored.
func UnmarshalFrom(dec *jsontext.Decoder, v json.Unmarshaler, fields any, strict ...string) error {
	if mark, _ := json.GetOption(dec.Options(), json.WithMarshalers); mark == readMark {
		return unmarshalMembers(dec, fields, strict)
	}
	data, err := dec.ReadValue()
	if err != nil {
		return err
	}
	return moved(v.UnmarshalJSON(data), dec.StackPointer(), dec.InputOffset()-int64(len(data)))
}

// unmarshalMembers reads the members of an object by the struct tags. If the library ignores
// underscores, unmarshalMembers first restores the spelling of strict names.
func unmarshalMembers(dec *jsontext.Decoder, fields any, strict []string) error {
	ignoresCase, _ := json.GetOption(dec.Options(), json.MatchCaseInsensitiveNames)
	if len(strict) == 0 || !ignoresCase || dec.PeekKind() != jsontext.KindBeginObject {
		return json.UnmarshalDecode(dec, fields)
	}
	data, err := dec.ReadValue()
	if err != nil {
		return err
	}
	pointer, offset := dec.StackPointer(), dec.InputOffset()-int64(len(data))
	return moved(json.Unmarshal(respell(data, strict), fields, dec.Options()), pointer, offset)
}

// moved returns the error of a value with its location in the whole text.
func moved(err error, pointer jsontext.Pointer, offset int64) error {
	if semantic, ok := errors.AsType[*json.SemanticError](err); ok {
		semantic.JSONPointer = pointer + semantic.JSONPointer
		semantic.ByteOffset += offset
	} else if syntactic, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		syntactic.JSONPointer = pointer + syntactic.JSONPointer
		syntactic.ByteOffset += offset
	}
	return err
}

// The marks are options that the library ignores: functions for writing in the options of a
// decoder, and functions for reading in the options of an encoder. This package recognises the
// marks by their addresses. They are never called.
var (
	readMark = json.MarshalToFunc(func(*jsontext.Encoder,
		struct{}) error {
		return errors.ErrUnsupported
	})
	writeMark = json.UnmarshalFromFunc(func(*jsontext.Decoder,
		*struct{}) error {
		return errors.ErrUnsupported
	})
)

var (
	// ReadByMember makes the library read wire types by their struct tags and the other options.
	ReadByMember = json.WithMarshalers(readMark)
	// WriteByMember makes the library write wire types by their struct tags and the other options.
	WriteByMember = json.WithUnmarshalers(writeMark)

	// Canonical are the options with which the library writes the same bytes as the generated
	// codecs. The codecs also use them for the values that they do not write themselves. The
	// options sort maps, so that equal values are equal bytes. They keep the escapes of strings in
	// free-form values. They write NaN and the infinities by their names.
	Canonical = json.JoinOptions(WriteByMember, json.Deterministic(true),
		jsontext.PreserveRawStrings(true),
		json.WithMarshalers(NonFiniteMarshalers))
)
