package requestcheck

import (
	"strings"
	"time"

	"github.com/gemwire/gemwire/internal/codec"
)

// duration checks a duration, which the wire writes in seconds.
func (v *checker) duration(at *codec.Location, name string, value *string) {
	if value != nil && !isDuration(*value) {
		v.reportMember(at, name, ruleFormat, shortString(*value),
			quote(*value)+` is not a duration; must be seconds followed by s, such as "3.5s"`)
	}
}

func isDuration(text string) bool {
	text, ok := strings.CutSuffix(strings.TrimPrefix(text, "-"), "s")
	seconds, fraction, _ := strings.Cut(text, ".")
	return ok && isDigits(seconds) &&
		(fraction == "" && !strings.HasSuffix(text, ".") ||
			isDigits(fraction) && len(fraction) <= 9)
}

// timestamp checks a time, which the wire writes in the form of RFC 3339.
func (v *checker) timestamp(at *codec.Location, name string, value *string) {
	if value == nil {
		return
	}
	if _, err := time.Parse(time.RFC3339Nano, *value); err != nil {
		v.reportMember(at, name, ruleFormat, shortString(*value),
			quote(*value)+` is not a time; must be in the form of RFC 3339, such as "2026-08-22T10:00:00Z"`)
	}
}
