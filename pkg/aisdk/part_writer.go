package aisdk

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// partWriter writes the JSON of one part. Its methods append one member each, in the order of the
// calls; those named optional leave out what is absent. The first fault is kept in err.
type partWriter struct {
	buf  []byte
	of   PartType
	v4   bool
	path []string
	err  *PartError
}

func (w *partWriter) text(name, v string) {
	w.name(name)
	w.quote(v)
}

func (w *partWriter) optionalText(name, v string) {
	if v != "" {
		w.text(name, v)
	}
}

func (w *partWriter) optionalFlag(name string, v *bool) {
	if v != nil {
		w.name(name)
		w.buf = strconv.AppendBool(w.buf, *v)
	}
}

func (w *partWriter) optionalCount(name string, v *int) {
	if v != nil {
		w.name(name)
		w.buf = strconv.AppendInt(w.buf, int64(*v), 10)
	}
}

// optionalTime writes a time as JavaScript's Date does, in UTC.
func (w *partWriter) optionalTime(name string, v time.Time) {
	if v.IsZero() {
		return
	}
	v = v.UTC()
	if year := v.Year(); year < 0 || year > 9999 {
		w.fail(name, "a year of four digits was expected")
		return
	}
	w.name(name)
	w.buf = append(v.AppendFormat(append(w.buf, '"'), time.RFC3339Nano), '"')
}

// value writes any JSON; nil is null.
func (w *partWriter) value(name string, v jsontext.Value) {
	w.name(name)
	if v == nil {
		w.buf = append(w.buf, "null"...)
		return
	}
	out, err := jsontext.AppendFormat(w.buf, v, lenient, jsontext.PreserveRawStrings(true))
	if err != nil {
		w.fail(name, reasonNotJSON)
		w.err.Err = err
		return
	}
	w.buf = out
}

// nonNull writes any JSON but null.
func (w *partWriter) nonNull(name string, v jsontext.Value) {
	if v.Kind() == jsontext.KindNull || len(v) == 0 {
		w.fail(name, "a value other than null was expected")
		return
	}
	w.value(name, v)
}

func (w *partWriter) object(name string, v jsontext.Value) {
	if v.Kind() != jsontext.KindBeginObject {
		w.fail(name, reasonNoObject)
		return
	}
	w.value(name, v)
}

func (w *partWriter) optionalObject(name string, v jsontext.Value) {
	if v != nil {
		w.object(name, v)
	}
}

// metadata writes the member providerMetadata, sorted by provider.
func (w *partWriter) metadata(m ProviderMetadata) {
	if m == nil {
		return
	}
	w.beginObject("providerMetadata")
	for _, provider := range slices.Sorted(maps.Keys(m)) {
		w.object(provider, m[provider])
	}
	w.endObject()
}

// rejectText fails for a text that has no place in this variant of the part.
func (w *partWriter) rejectText(name, v string) {
	if v != "" {
		w.fail(name, "this variant does not have the member")
	}
}

// onlyV4 is called for what V3 cannot say; name is "" for the whole part.
func (w *partWriter) onlyV4(name string) {
	if !w.v4 {
		w.fail(name, "only version 4 of the specification has this")
	}
}

func (w *partWriter) beginObject(name string) {
	w.name(name)
	w.path = append(w.path, name)
	w.begin()
}

func (w *partWriter) endObject() {
	w.end()
	w.path = w.path[:len(w.path)-1]
}

// beginElement opens an object in a list.
func (w *partWriter) beginElement(i int) {
	w.comma()
	w.path = append(w.path, strconv.Itoa(i))
	w.begin()
}

func (w *partWriter) endElement() { w.endObject() }

func (w *partWriter) beginList(name string) {
	w.name(name)
	w.path = append(w.path, name)
	w.buf = append(w.buf, '[')
}

func (w *partWriter) endList() {
	w.buf = append(w.buf, ']')
	w.path = w.path[:len(w.path)-1]
}

func (w *partWriter) begin() { w.buf = append(w.buf, '{') }
func (w *partWriter) end()   { w.buf = append(w.buf, '}') }

func (w *partWriter) name(name string) {
	w.comma()
	w.quote(name)
	w.buf = append(w.buf, ':')
}

// comma separates a member or an element from one before it.
func (w *partWriter) comma() {
	if last := w.buf[len(w.buf)-1]; last != '{' && last != '[' {
		w.buf = append(w.buf, ',')
	}
}

func (w *partWriter) quote(v string) {
	// The error only tells of bytes that are not UTF-8; they have become U+FFFD.
	w.buf, _ = jsontext.AppendQuote(w.buf, v)
}

func (w *partWriter) fail(name, reason string) {
	if w.err == nil {
		w.err = &PartError{Type: w.of, Pointer: pointer(w.path, name), Reason: reason}
	}
}

// pointer returns the JSON pointer of a member below a path; "" is the place of the path itself.
func pointer(path []string, name string) string {
	var out strings.Builder
	for _, token := range path {
		out.WriteString("/" + pointerToken.Replace(token))
	}
	if name != "" {
		out.WriteString("/" + pointerToken.Replace(name))
	}
	return out.String()
}

// pointerToken escapes a name as a token of a JSON pointer (RFC 6901, section 3).
var pointerToken = strings.NewReplacer("~", "~0", "/", "~1")

const (
	reasonNotJSON  = "not JSON"
	reasonNoObject = "an object was expected"
)
