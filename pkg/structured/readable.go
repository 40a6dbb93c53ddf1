package structured

import (
	"regexp"
	"strings"
)

// readable returns a text of the same length. It puts spaces in place of text that hides an answer
// or only looks like one: the marks of quoted lines, and the drafts between <think> and </think>.
func readable(text string) string {
	if strings.IndexByte(text, '>') < 0 && !strings.Contains(text, "THINK]") {
		return text
	}
	text = blank(text, draftSpans(text))
	var marks []span
	for _, mark := range quotationMarks.FindAllStringIndex(text, -1) {
		marks = append(marks, span{mark[0], mark[1]})
	}
	return blank(text, marks)
}

// quotationMarks are Markdown's marks before a quoted line. No line of JSON begins with one,
// because its strings have no line breaks.
var quotationMarks = regexp.MustCompile(`(?m)^[ \t]*(?:>[ \t]?)+`)

// draftTag begins or ends the thoughts of a model before its answer: the tags of open models,
// Mistral's with brackets, and <thought> of Google's endpoint for OpenAI's clients. It must begin a
// line, so that a tag within a JSON string does not count.
var draftTag = regexp.MustCompile(`(?im)^[ \t>]*(?:<(/?)(?:think|thinking|thought|reasoning)>|(?-i:\[(/?)THINK\]))`)

// endOfDraft ends a draft.
var endOfDraft = regexp.MustCompile(`(?i)</(?:think|thinking|thought|reasoning)>|(?-i:\[/THINK\])`)

// draftSpans returns the drafts of a text, in order. A draft without an end reaches to the end of
// the text. The start of the first draft is missing if it was at the end of the prompt.
func draftSpans(text string) []span {
	var spans []span
	for at := 0; at < len(text); {
		tag := draftTag.FindStringSubmatchIndex(text[at:])
		if tag == nil {
			break
		}
		start, after := at+tag[0], at+tag[1]
		if closes := tag[3] > tag[2] || tag[5] > tag[4]; closes {
			if spans == nil {
				spans = append(spans, span{0, after})
			}
			at = after
			continue
		}
		end := len(text)
		if found := endOfDraft.FindStringIndex(text[after:]); found != nil {
			end = after + found[1]
		}
		spans = append(spans, span{start, end})
		at = end
	}
	return spans
}

// blank replaces some parts of a text by spaces, except their line breaks.
func blank(text string, parts []span) string {
	if len(parts) == 0 {
		return text
	}
	out := []byte(text)
	for _, part := range parts {
		for at := part.start; at < part.end; at++ {
			if out[at] != '\n' && out[at] != '\r' {
				out[at] = ' '
			}
		}
	}
	return string(out)
}
