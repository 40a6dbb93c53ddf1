package plainjson

import (
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// Fault returns why the encoder failed. Its offset is an offset into the appended bytes.
func (e *Encoder) Fault() Fault { return e.fault }

// Fail appends null in place of a value that cannot be written, for a reason.
func (e *Encoder) Fail(dst []byte, reason string) []byte {
	e.failAt(dst, reason)
	return append(dst, "null"...)
}

func (e *Encoder) failAt(dst []byte, reason string) {
	if e.fault.Reason == "" {
		e.fault = Fault{Offset: len(dst), Reason: reason}
	}
	e.fail = true
}

// Since fails if the written version is older than the named version, in which the next value first
// appears.
func (e *Encoder) Since(dst []byte, version string) {
	e.met = max(e.met, version)
	if e.Version != "" && e.Version < version {
		e.failAt(dst, VersionTooOld)
	}
}

// Has reports whether the written version is the given version or a later one.
func (e *Encoder) Has(version string) bool { return max(e.Version, e.met) >= version }

// Enum appends a value of an enum. It fails if the value is not known.
func (e *Encoder) Enum(dst []byte, value string, known bool) []byte {
	if !known {
		e.failAt(dst, ValueUnknown)
	}
	return e.String(dst, value)
}

// Object appends a free-form object.
func (e *Encoder) Object(dst []byte, value jsontext.Value) []byte {
	if value.Kind() != jsontext.KindBeginObject {
		return e.Fail(dst, ObjectExpected)
	}
	return e.Value(dst, value)
}

// NonNull appends a free-form value that is not null.
func (e *Encoder) NonNull(dst []byte, value jsontext.Value) []byte {
	if len(value) == 0 || value.Kind() == jsontext.KindNull {
		return e.Fail(dst, NullValue)
	}
	return e.Value(dst, value)
}

// Time appends a time as JavaScript's Date does, in UTC.
func (e *Encoder) Time(dst []byte, v time.Time) []byte {
	v = v.UTC()
	if year := v.Year(); year < 0 || year > 9999 {
		return e.Fail(dst, ShortYearExpected)
	}
	return append(v.AppendFormat(append(dst, '"'), time.RFC3339Nano), '"')
}

// lenientValue appends a free-form value of any kind.
func (e *Encoder) lenientValue(dst []byte, value jsontext.Value) []byte {
	out, err := jsontext.AppendFormat(dst, value, Lenient, jsontext.PreserveRawStrings(true))
	if err != nil {
		return e.Fail(dst, NotJSON)
	}
	return out
}
