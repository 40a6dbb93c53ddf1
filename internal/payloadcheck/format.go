package payloadcheck

import (
	"encoding/base64"
	"strconv"
	"strings"
	"time"

	"github.com/gemwire/gemwire/pkg/validation"
	"github.com/go-json-experiment/json/jsontext"
)

// check returns the expected format of an invalid text, and the severity. Base64 of another
// alphabet is only a warning, because recorders replace signatures and cut media.
func (f Format) check(text string) (want string, severity validation.Severity, ok bool) {
	switch f {
	case FormatTime:
		_, err := time.Parse(time.RFC3339, text)
		return "must be a time such as 2026-01-31T12:00:00Z", validation.SeverityError, err == nil
	case FormatDuration:
		return "must be a number of seconds such as 3.5s", validation.SeverityError,
			isDuration(text)
	case FormatInt64:
		_, err := strconv.ParseInt(text, 10, 64)
		return "must be an integer of 64 bits", validation.SeverityError, err == nil
	case FormatBase64:
		_, err := base64.StdEncoding.Strict().DecodeString(text)
		return "must be standard base64 with padding", validation.SeverityWarning, err == nil
	default:
		return "", validation.SeverityError, true
	}
}

// isDuration reports whether a text is a number of seconds such as "3.5s", with at most nine digits
// after the point.
func isDuration(text string) bool {
	number, hasUnit := strings.CutSuffix(text, "s")
	whole, fraction, hasPoint := strings.Cut(strings.TrimPrefix(number, "-"), ".")
	isFraction := !hasPoint || isDigits(fraction) && len(fraction) <= 9
	return hasUnit && isDigits(whole) && isFraction
}

// isDigits reports whether a text consists of digits.
func isDigits(text string) bool { return text != "" && strings.Trim(text, "0123456789") == "" }

// maxShown is the maximum number of bytes of a value that a finding shows.
const maxShown = 40

// shown returns a value for a finding: a scalar unchanged or cut short, or the name of the value's
// kind.
func shown(value jsontext.Value) string {
	switch value.Kind() {
	case jsontext.KindBeginObject:
		return "an object"
	case jsontext.KindBeginArray:
		return "a list"
	}
	if len(value) <= maxShown {
		return string(value)
	}
	text, err := jsontext.AppendUnquote(nil, value)
	if err != nil {
		return string(value[:maxShown]) + "..."
	}
	cut := 0
	for i := range string(text) {
		if i > maxShown-len(`"..."`) {
			break
		}
		cut = i
	}
	return strconv.Quote(string(text[:cut]) + "...")
}

// scalar returns a number, a boolean or null for a finding. It returns no text, because a text
// under an unknown name may be a secret.
func scalar(value jsontext.Value) string {
	switch value.Kind() {
	case jsontext.KindString, jsontext.KindBeginObject, jsontext.KindBeginArray:
		return ""
	default:
		return shown(value)
	}
}
