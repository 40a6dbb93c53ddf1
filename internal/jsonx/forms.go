package jsonx

import (
	"errors"
	"strconv"

	"github.com/gemwire/gemwire/pkg/wiretype"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Forms says in which forms besides the canonical one the types of a package are read.
type Forms struct {
	// protoJSON allows names in snake_case, and null for free-form members.
	protoJSON bool
	// nulls reads null for free-form members, but no other form.
	nulls json.Options
	// lenient also reads the values that the library refuses by type.
	lenient json.Options
}

// OtherForms returns the forms of a wire whose clients are known to get values wrong: numbers in
// quotes, a whole number with a fraction of zero or an exponent, NaN and the infinities by name,
// and what the given functions read, such as [Lone] for each type that the package has lists of.
func OtherForms(functions ...*json.Unmarshalers) *Forms {
	numbers := json.JoinUnmarshalers(
		json.UnmarshalFromFunc(readWhole[int]), json.UnmarshalFromFunc(readWhole[int64]),
		LenientNonFiniteUnmarshalers)
	return &Forms{lenient: json.WithUnmarshalers(json.JoinUnmarshalers(append(functions,
		numbers)...))}
}

// ProtoJSON returns the forms that Google's servers accept for messages of protocol buffers: the
// forms of [OtherForms], names in snake_case, and null for a member that is absent. Null is [Null]
// for the package's NullValue, nil if it has none.
func ProtoJSON(null *json.Unmarshalers, functions ...*json.Unmarshalers) *Forms {
	absent := json.JoinUnmarshalers(json.UnmarshalFromFunc(absentNull), null)
	forms := OtherForms(append(functions, absent)...)
	forms.protoJSON, forms.nulls = true, json.WithUnmarshalers(absent)
	return forms
}

// Unmarshal reads data into v, a pointer to a wire type, by the library, in all forms of the type's
// package. It is the slow way of the generated method UnmarshalJSON. Clear makes v zero; a function
// does that in place of a type parameter, because each type would bring its copy of this function,
// and its name with all fields, into a program.
//
// It tries the types as they are first, with the options that the data needs. Only when a value has
// a type that they refuse are the same bytes read again, by functions that accept the other forms
// of a value; both passes together take about twice as long as the first alone.
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

// absentNull makes a free-form member absent that is given as null, as null makes every other
// member absent. It leaves alone the nulls inside a free-form value and in unknown members.
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

// Null reads null as a value, where a pointer to a T stands: protocol buffers write NullValue so.
func Null[T any](value T) *json.Unmarshalers {
	return json.UnmarshalFromFunc(func(dec *jsontext.Decoder, v **T) error {
		if dec.PeekKind() != jsontext.KindNull {
			return errors.ErrUnsupported
		}
		*v = new(value)
		return dec.SkipValue()
	})
}

// Lone reads a value of one of the kinds as a list that holds only it.
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

// Alone reads a string as an object of which only one member is set, to which member points.
func Alone[T, M any](member func(*T) *M) *json.Unmarshalers {
	return json.UnmarshalFromFunc(func(dec *jsontext.Decoder, v *T) error {
		if dec.PeekKind() != jsontext.KindString {
			return errors.ErrUnsupported
		}
		return json.UnmarshalDecode(dec, member(v))
	})
}

// TextOfJSON is a string that holds JSON. It is read from the string, or from an object instead of
// it.
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
