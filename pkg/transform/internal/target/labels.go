package target

import (
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/report"
)

// SetLabels sends metadata as labels if wanted is true, within the limits of labels. Labels of
// extra_body go to the Gemini API too, as with Google's newer SDKs. Its description has no labels,
// and older SDKs refused them (github.com/googleapis/python-genai/issues/2296).
func (r *Request) SetLabels(pointer string, metadata map[string]string, wanted bool) {
	if len(r.Out.Labels) > 0 && !r.VertexAI {
		r.Report.Add(report.Approximated, r.ExtraBody["labels"],
			"sent unchanged, but only Vertex AI is known to use labels")
	}
	switch {
	case len(metadata) == 0:
	case !wanted:
		r.Report.Add(report.Lost, pointer,
			"Gemini has no metadata; send labels in extra_body.google, or in Go use WithMetadataAsLabels")
	case !r.VertexAI:
		r.Report.Add(report.Lost, pointer, "only Vertex AI accepts labels")
	case r.Out.Labels != nil:
		r.Report.Add(report.Lost, pointer, DetailInExtraBody)
	default:
		r.addLabels(pointer, metadata)
	}
}

func (r *Request) addLabels(pointer string, metadata map[string]string) {
	labels := make(map[string]string, len(metadata))
	for _, key := range slices.Sorted(maps.Keys(metadata)) {
		if value := metadata[key]; isLabelKey(key) && isLabelText(value) {
			labels[key] = value
		} else {
			r.Report.Add(report.Lost, jsonx.MemberPointer(pointer, key),
				"a label has up to 63 lower-case letters, digits, _ and -, and its key begins with a letter")
		}
	}
	if len(labels) > 0 {
		r.Out.Labels = labels
	}
}

func isLabelKey(key string) bool {
	first, _ := utf8.DecodeRuneInString(key)
	return unicode.IsLetter(first) && isLabelText(key)
}

// isLabelText reports whether Google Cloud accepts a text in a label.
func isLabelText(text string) bool {
	isOther := func(r rune) bool {
		isSmall := unicode.IsLetter(r) && !unicode.IsUpper(r)
		return !isSmall && !unicode.IsDigit(r) && r != '_' && r != '-'
	}
	return utf8.RuneCountInString(text) <= 63 && !strings.ContainsFunc(text, isOther)
}
