package structured

import (
	"regexp"
	"strings"
)

// readable returns a text of the same length in which spaces stand for what hides an answer or only
// looks like one: the marks of lines that are quoted, and the drafts between <think> and </think>.
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

// quotationMarks are those of Markdown in front of a line. JSON has no line that begins with one,
// since its strings have no line breaks.
var quotationMarks = regexp.MustCompile(`(?m)^[ \t]*(?:>[ \t]?)+`)

// draftTag begins or ends what a model thinks before it answers, as open models write it, Mistral's
// with brackets, and as Google's endpoint for OpenAI's clients does (<thought>). It stands at the
// beginning of a line, so that a string of JSON that holds such a tag is none.
var draftTag = regexp.MustCompile(`(?im)^[ \t>]*(?:<(/?)(?:think|thinking|thought|reasoning)>|(?-i:\[(/?)THINK\]))`)

// endOfDraft is where a draft ends that began.
var endOfDraft = regexp.MustCompile(`(?i)</(?:think|thinking|thought|reasoning)>|(?-i:\[/THINK\])`)

// draftSpans returns the drafts of a text, in order. One that does not end is a draft to the end of
// the text; the beginning of the first is missing where it stood at the end of the prompt.
func draftSpans(text string) []span {
	var spans []span
	for at := 0; at < len(text); {
		tag := draftTag.FindStringSubmatchIndex(text[at:])
		if tag == nil {
			break
		}
		start, behind := at+tag[0], at+tag[1]
		if closes := tag[3] > tag[2] || tag[5] > tag[4]; closes {
			if spans == nil {
				spans = append(spans, span{0, behind})
			}
			at = behind
			continue
		}
		end := len(text)
		if found := endOfDraft.FindStringIndex(text[behind:]); found != nil {
			end = behind + found[1]
		}
		spans = append(spans, span{start, end})
		at = end
	}
	return spans
}

// blank returns a text with spaces in place of some parts of it, but for their line breaks.
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
