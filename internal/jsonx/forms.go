package jsonx

import (
	"errors"
	"strconv"

	"github.com/gemwire/gemwire/pkg/wiretype"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Forms are the alternative forms of values that the types of a package accept.
type Forms struct {
	// protoJSON accepts names in snake_case, and null for free-form members.
	protoJSON bool
	// nulls accepts null for free-form members, and no other alternative form.
	nulls json.Options
	// lenient also accepts values that the library refuses for their type.
	lenient json.Options
}

// OtherForms returns the forms for an API whose clients often write values in a wrong form. They
// are numbers in quotes, whole numbers with a fraction of zero or an exponent, and NaN and the
// infinities by name. The given functions accept more forms, such as [Lone] for each type that the
// package has lists of.
func OtherForms(functions ...*json.Unmarshalers) *Forms {
	numbers := json.JoinUnmarshalers(
		json.UnmarshalFromFunc(readWhole[int]), json.UnmarshalFromFunc(readWhole[int64]),
		LenientNonFiniteUnmarshalers)
	return &Forms{lenient: json.WithUnmarshalers(json.JoinUnmarshalers(append(functions,
		numbers)...))}
}

// ProtoJSON returns the forms that Google's servers accept for protocol buffers: the forms of
// [OtherForms], names in snake_case, and null for an absent member. Null is [Null] for the
// package's NullValue, or nil if the package has no such type.
func ProtoJSON(null *json.Unmarshalers, functions ...*json.Unmarshalers) *Forms {
	absent := json.JoinUnmarshalers(json.UnmarshalFromFunc(absentNull), null)
	forms := OtherForms(append(functions, absent)...)
	forms.protoJSON, forms.nulls = true, json.WithUnmarshalers(absent)
	return forms
}

// Unmarshal reads data into v, a pointer to a wire type, with the library. It accepts all forms of
// the type's package. It is the slow path of the generated method UnmarshalJSON. Clear sets v to
// zero. Clear is a function, because a type parameter would add a copy of Unmarshal for each type
// to every program.
//
// Unmarshal tries the unchanged types first, with the options that the data needs. If they refuse
// the type of a value, it reads the same bytes again with functions that accept the other forms.
// Both passes together take about twice as long as the first pass alone.
func (f *Forms) Unmarshal(data []byte, v any, clear func()) error {
	data = ReplaceHalfPairs(data)
	opts := append(make([]json.Options, 0, 3), ReadByMember)
	if f.protoJSON && hasSnakeCaseName(data) {
		opts = append(opts, json.MatchCaseInsensitiveNames(true))
	}
	fast := opts
	if f.protoJSON && hasNullMember(data) {
		fast = append(fast, f.nulls)
	}
	clear()
	err := json.Unmarshal(data, v, fast...)
	wrongType, ok := errors.AsType[*json.SemanticError](err)
	if !ok {
		return err
	}
	clear() // of the remains of the first pass
	err = json.Unmarshal(data, v, append(opts, f.lenient)...)
	if again, ok := errors.AsType[*json.SemanticError](err); ok &&
		again.JSONPointer == wrongType.JSONPointer {
		return wrongType // which knows more of the value than the functions do
	}
	return err
}

// absentNull makes a free-form member absent if it is null, like any other member. It does
// not change nulls inside a free-form value or in unknown members.
func absentNull(dec *jsontext.Decoder, v *jsontext.Value) error {
	if dec.PeekKind() != jsontext.KindNull {
		return errors.ErrUnsupported // the default takes over
	}
	*v = nil
	return dec.SkipValue()
}

// readWhole accepts 40.0, 4e1 and "40" for 40.
func readWhole[T int | int64](dec *jsontext.Decoder, v *T) error {
	var whole wiretype.Int64
	if err := json.UnmarshalDecode(dec, &whole); err != nil {
		return err
	}
	*v = T(whole.Int64())
	if int64(*v) != whole.Int64() {
		return strconv.ErrRange // where int has 32 bits
	}
	return nil
}

// Null reads null as a value for a pointer to a T. Protocol buffers write NullValue as null.
func Null[T any](value T) *json.Unmarshalers {
	return json.UnmarshalFromFunc(func(dec *jsontext.Decoder, v **T) error {
		if dec.PeekKind() != jsontext.KindNull {
			return errors.ErrUnsupported
		}
		*v = new(value)
		return dec.SkipValue()
	})
}

// Lone reads a single value of one of the kinds as a list with one element.
func Lone[T any](kinds ...jsontext.Kind) *json.Unmarshalers {
	return json.UnmarshalFromFunc(func(dec *jsontext.Decoder, list *[]T) error {
		kind := dec.PeekKind()
		for _, k := range kinds {
			if k == kind {
				*list = make([]T, 1)
				return json.UnmarshalDecode(dec, &(*list)[0])
			}
		}
		return errors.ErrUnsupported // a list, or the default's error
	})
}

// Alone reads a string as an object with only one member. member points to this member.
func Alone[T, M any](member func(*T) *M) *json.Unmarshalers {
	return json.UnmarshalFromFunc(func(dec *jsontext.Decoder, v *T) error {
		if dec.PeekKind() != jsontext.KindString {
			return errors.ErrUnsupported
		}
		return json.UnmarshalDecode(dec, member(v))
	})
}

// TextOfJSON is a string that contains JSON. It is read from a string, or from an object.
type TextOfJSON string

// UnmarshalJSONFrom keeps the bytes of an object.
func (t *TextOfJSON) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	if dec.PeekKind() != jsontext.KindBeginObject {
		return json.UnmarshalDecode(dec, (*string)(t))
	}
	object, err := dec.ReadValue()
	*t = TextOfJSON(object)
	return err
}
