package structured

import (
	"strconv"

	"github.com/gemwire/gemwire/pkg/validation"
	"github.com/go-json-experiment/json/jsontext"
)

// locate finds the values that the pointers of violations point to in a JSON value: their offsets
// and their texts. A pointer to a missing value gets the offset of the enclosing value and no
// Value. The JSON is read once.
func locate(violations []validation.Violation, value string) {
	var root target
	for i := range violations {
		root.add(violations[i].Pointer, &violations[i])
	}
	l := locator{value: value, decoder: lenientDecoder(value)}
	l.visit(&root)
}

// target is a location in a value that violations are about, or that contains such locations.
type target struct {
	violations []*validation.Violation
	inner      map[string]*target // by the tokens of pointers
}

func (t *target) add(pointer string, v *validation.Violation) {
	for token := range jsontext.Pointer(pointer).Tokens() {
		if t.inner == nil {
			t.inner = map[string]*target{}
		}
		if t.inner[token] == nil {
			t.inner[token] = new(target)
		}
		t = t.inner[token]
	}
	t.violations = append(t.violations, v)
}

// miss sets the location of violations about missing values.
func (t *target) miss(offset int) {
	for _, v := range t.violations {
		v.Position.Offset = offset
	}
	for _, inner := range t.inner {
		inner.miss(offset)
	}
}

type locator struct {
	value   string
	decoder *jsontext.Decoder
}

// visit reads the next value, which is the target.
func (l *locator) visit(t *target) {
	start := valueStart(l.value, l.decoder.InputOffset())
	for _, v := range t.violations {
		v.Position.Offset, v.Value = start, found(l.value[start:])
	}
	if len(t.inner) > 0 && isBracket(l.value[start]) {
		l.visitInner(t, l.value[start] == '{')
	} else {
		l.decoder.SkipValue()
	}
	for _, inner := range t.inner {
		inner.miss(start)
	}
}

// visitInner reads an object or a list, and visits the targets in it.
func (l *locator) visitInner(t *target, object bool) {
	l.decoder.ReadToken()
	for i := 0; l.decoder.PeekKind() != jsontext.KindEndObject &&
		l.decoder.PeekKind() != jsontext.KindEndArray; i++ {
		token := strconv.Itoa(i)
		if object {
			name, _ := l.decoder.ReadToken()
			token = name.String()
		}
		if inner := t.inner[token]; inner != nil {
			delete(t.inner, token)
			l.visit(inner)
		} else {
			l.decoder.SkipValue()
		}
	}
	l.decoder.ReadToken()
}
