package plainjsontest

import (
	"bytes"
	"math/rand/v2"
	"reflect"
	"strings"
)

// Random returns a document for a struct type with some of its members in random order. It has
// random white space, and sometimes JSON that is not plain.
func Random(r *rand.Rand, t reflect.Type, enums map[string][]string) []byte {
	w := randomWriter{r: r, enums: enums}
	w.object(t, 5)
	return w.out.Bytes()
}

type randomWriter struct {
	r     *rand.Rand
	enums map[string][]string
	out   bytes.Buffer
}

// value writes a value with at most the given number of levels.
func (w *randomWriter) value(t reflect.Type, levels int) {
	switch f := formOf(t); {
	case f == formPointer:
		w.value(t.Elem(), levels)
	case f == formObject && levels > 0:
		w.object(t, levels)
	case (f == formList || f == formNullableList) && levels > 0:
		w.list(w.r.IntN(4), '[', ']', func() { w.value(elem(t), levels-1) })
	case f == formMap && levels > 0:
		w.list(w.r.IntN(4), '{', '}', func() {
			w.out.WriteString(`"key` + string(rune('a'+w.r.IntN(26))) + `":`)
			w.value(t.Elem(), levels-1)
		})
	case f == formOneOrList && w.r.IntN(2) == 0 && levels > 0:
		w.list(w.r.IntN(4), '[', ']', func() { w.value(elem(t), levels-1) })
	case (f == formStringOr || f == formOneOrList || f == formNullable) && w.r.IntN(2) == 0:
		w.value(elem(t), levels)
	default:
		choice := Samples(t, w.enums)
		w.out.WriteString(choice[w.r.IntN(len(choice))])
	}
}

func (w *randomWriter) object(t reflect.Type, levels int) {
	var fields []reflect.StructField
	for field := range t.Fields() {
		if jsonName(field) != "" && w.r.IntN(t.NumField()) < 4 {
			fields = append(fields, field)
		}
	}
	w.r.Shuffle(len(fields), func(i, j int) { fields[i], fields[j] = fields[j], fields[i] })
	i := 0
	w.list(len(fields), '{', '}', func() {
		name := jsonName(fields[i])
		switch w.r.IntN(200) {
		case 0:
			name = strings.ToUpper(name)
		case 1:
			name += "_"
		case 2:
			name = `x":null,"` + name
		}
		w.out.WriteString(`"` + name + `"`)
		w.space()
		w.out.WriteByte(':')
		w.space()
		if w.r.IntN(100) == 0 {
			w.out.WriteString("null")
		} else {
			w.value(fields[i].Type, levels-1)
		}
		i++
	})
}

func (w *randomWriter) list(n int, begin, end byte, element func()) {
	w.out.WriteByte(begin)
	for i := range n {
		if i > 0 {
			w.out.WriteByte(',')
		}
		w.space()
		element()
		w.space()
	}
	w.out.WriteByte(end)
}

func (w *randomWriter) space() {
	if w.r.IntN(4) == 0 {
		w.out.WriteString([]string{" ", "\n", "\n          ", "\r\n\t"}[w.r.IntN(4)])
	}
}

// Mutate returns data with one small change. The result is usually invalid JSON or another
// document.
func Mutate(r *rand.Rand, data []byte) []byte {
	out := bytes.Clone(data)
	at := r.IntN(len(out))
	scrap := scraps[r.IntN(len(scraps))]
	switch r.IntN(4) {
	case 0: // insert
		return append(out[:at:at], append([]byte(scrap), out[at:]...)...)
	case 1: // replace
		copy(out[at:], scrap)
		return out
	case 2: // remove
		return append(out[:at], out[min(len(out), at+1+r.IntN(8)):]...)
	default: // truncate
		return out[:at]
	}
}

// scraps is never modified.
var scraps = []string{
	`"`, `\`, `{`, `}`, `[`, `]`, `,`, `:`, ` `, `0`, `.0`, `e1`, `-`, `null`, `true`, `"a":1,`,
	`{"a":1,"a":2}`,
	`\u0000`, `\ud800`, `\ude00`, `\ud83d\ude00`, `\u00`, `\/`, `\x`, "\xff", "\xc3", "é", "\x00",
	"\n", "\u2028", "_", "1e999", "99999999999999999999",
}
