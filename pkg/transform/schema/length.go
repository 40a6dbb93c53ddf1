package schema

import (
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/wiretype"
	"github.com/go-json-experiment/json/jsontext"
)

// lengthKind is one of the length keywords.
type lengthKind int

const (
	minLength lengthKind = iota
	maxLength
	minItems
	maxItems
	minProperties
	maxProperties
	lengthKinds
)

func (k lengthKind) isMaximum() bool {
	return k == maxLength || k == maxItems || k == maxProperties
}

// length is a number of characters, elements or properties.
type length struct {
	at    *value // or nil
	count int64
}

// readLength returns the function that reads one of the keywords.
func readLength(kind lengthKind) func(*converter, *shape, *value, *jump) {
	return func(c *converter, s *shape, v *value, _ *jump) {
		count, err := wiretype.ParseInt64(jsontext.Value(v.raw))
		if err != nil || count.Int64() < 0 {
			c.report(report.Lost, v, "not a whole number from 0 to 2^63-1")
			return
		}
		c.limit(&s.lengths[kind], length{v, count.Int64()}, kind.isMaximum())
	}
}

// limit replaces a length by a stricter length.
func (c *converter) limit(old *length, l length, isMaximum bool) {
	switch {
	case old.at == nil:
		*old = l
	case (l.count < old.count) == isMaximum && l.count != old.count:
		c.reportLooser(old.at)
		*old = l
	default:
		c.reportLooser(l.at)
	}
}

// measure sets the lengths of a result for its type.
func measure(out *geminiapi.Schema, s *shape, t typeSet) {
	switch t {
	case typeString:
		out.MinLength, out.MaxLength = s.lengths[minLength].wire(), s.lengths[maxLength].wire()
	case typeArray:
		out.MinItems, out.MaxItems = s.lengths[minItems].wire(), s.lengths[maxItems].wire()
	case typeObject:
		out.MinProperties, out.MaxProperties = s.lengths[minProperties].wire(),
			s.lengths[maxProperties].wire()
	}
}

func (l length) wire() *wiretype.Int64 {
	if l.at == nil {
		return nil
	}
	return new(wiretype.NewInt64(l.count))
}
