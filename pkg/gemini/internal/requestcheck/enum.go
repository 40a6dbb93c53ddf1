package requestcheck

import (
	"strings"

	"github.com/gemwire/gemwire/internal/codec"
)

// enum is a type of the wire that lists its values.
type enum interface {
	~string
	Valid() bool
}

// checkEnum reports an invalid value of an enum; values are those that a request may use. The
// backends refuse unknown names. They accept any letter case, and numbers, which only they can
// check.
func checkEnum[E enum](v *checker, up *codec.Location, name string, value *E, values string) {
	if value != nil && !(*value).Valid() {
		at := up.Member(name)
		reportEnum(v, &at, *value, values)
	}
}

// checkEnums is checkEnum for a list.
func checkEnums[E enum](v *checker, up *codec.Location, name string, list []E, values string) {
	for i := range list {
		if !list[i].Valid() {
			all := up.Member(name)
			at := all.Element(i)
			reportEnum(v, &at, list[i], values)
		}
	}
}

func reportEnum[E enum](v *checker, at *codec.Location, value E, values string) {
	text := string(value)
	if E(strings.ToUpper(text)).Valid() || E(strings.ToLower(text)).Valid() || isDigits(text) ||
		v.isReturned(at) {
		return
	}
	v.report(at, ruleOneOf, shortString(text),
		quote(text)+" is not a value of this enum; must be one of "+values)
}

func isDigits(text string) bool {
	return text != "" && strings.Trim(text, "0123456789") == ""
}

// isEnum reports whether a member has a value, in any letter case.
func isEnum[E ~string](value *E, want E) bool {
	return value != nil && (*value == want || strings.EqualFold(string(*value), string(want)))
}
