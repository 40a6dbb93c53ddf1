package requestcheck

import (
	"strconv"
	"strings"

	"github.com/gemwire/gemwire/internal/codec"
	"github.com/gemwire/gemwire/pkg/validation"
	"github.com/go-json-experiment/json/jsontext"
)

// maxProblems prevents a hostile request from filling the memory with problems.
const maxProblems = 1000

func (v *checker) report(at *codec.Location, rule, value, message string) {
	if len(v.problems) < maxProblems {
		v.problems = append(v.problems,
			validation.Violation{Pointer: at.Pointer(), Rule: rule, Value: value, Want: message})
	}
}

func (v *checker) reportMember(at *codec.Location, name, rule, value, message string) {
	in := at.Member(name)
	v.report(&in, rule, value, message)
}

// shownLength is the maximum number of characters of a text in a message.
const shownLength = 40

// quote returns a text for a message: in quotation marks and shortened.
func quote(text string) string {
	if cut := cutText(text); cut != text {
		return strconv.Quote(cut + "...")
	}
	return strconv.Quote(text)
}

// shortString returns a shortened text as a JSON string for [validation.Violation.Value].
func shortString(text string) string {
	if cut := cutText(text); cut != text {
		text = cut + "..."
	}
	quoted, _ := jsontext.AppendQuote(nil, strings.ToValidUTF8(text, "\uFFFD"))
	return string(quoted)
}

// cutText returns the beginning of a text.
func cutText(text string) string {
	count := 0
	for i := range text {
		if count == shownLength {
			return text[:i]
		}
		count++
	}
	return text
}

// textOf returns the text of a member, or "" if the member is absent.
func textOf(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}

// optionalString returns a text for [validation.Violation.Value], or "".
func optionalString(text string) string {
	if text == "" {
		return ""
	}
	return shortString(text)
}

// shortValue shows a number, a boolean or null. Any other value could be a secret, or long.
func shortValue(value jsontext.Value) string {
	switch value.Kind() {
	case jsontext.KindString, jsontext.KindBeginObject, jsontext.KindBeginArray:
		return ""
	default:
		return cutText(string(value))
	}
}
