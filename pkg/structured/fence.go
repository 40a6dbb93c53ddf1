package structured

import "strings"

// fence is a block of the text between backticks, as in Markdown.
type fence struct {
	info    string // the text after the opening marks, such as json
	content span   // without the white space around it
	scalar  bool   // the content is a string, a number, true, false or null
}

// namesJSON reports whether the info string names JSON or one of its dialects.
func (f *fence) namesJSON() bool {
	language, _, _ := strings.Cut(f.info, " ")
	return strings.Contains(strings.ToLower(language), "json")
}

// findFences returns the fences of a text in order. It ignores backticks inside the given values,
// which must be in order, too.
func findFences(text string, values []span) []fence {
	var fences []fence
	var open marks // count is 0 when no fence is open
	eachMarks(text, values, func(m marks) {
		switch {
		case open.count == 0:
			open = m
		case m.count < open.count:
			// Part of the content.
		case m.ownLine && isLanguage(m.info):
			// not closed, or one fence is inside the other
			fences = append(fences, newFence(text, open, m.at))
			open = m
		default:
			fences = append(fences, newFence(text, open, m.at))
			open.count = 0
		}
	})
	if open.count > 0 {
		fences = append(fences, newFence(text, open, len(text)))
	}
	return fences
}

func newFence(text string, open marks, end int) fence {
	content := trim(text, span{open.content, end})
	return fence{info: open.info, content: content, scalar: isScalar(text, content)}
}

// isLanguage reports whether an info string is only the name of a language.
func isLanguage(info string) bool {
	return info != "" && isLetter(info[0]) && !strings.ContainsAny(info, " \t")
}

// marks are three or more backticks in a row.
type marks struct {
	at, count int
	ownLine   bool   // only white space stands before them on their line
	info      string // the text after them, up to the end of the line or the next value
	content   int    // where the content of a fence would begin that they open
}

const fewestMarks = "```"

// eachMarks visits the marks of a text that are not inside the given values.
func eachMarks(text string, values []span, visit func(marks)) {
	at := 0
	for _, value := range append(values[:len(values):len(values)], span{len(text), len(text)}) {
		for at < value.start {
			next := strings.Index(text[at:value.start], fewestMarks)
			if next < 0 {
				break
			}
			at += next
			count := len(text[at:value.start]) - len(strings.TrimLeft(text[at:value.start], "`"))
			visit(newMarks(text, at, count, value.start))
			at += count
		}
		at = value.end
	}
}

// newMarks looks at the text before and after marks; limit is the start of the next value.
func newMarks(text string, at, count, limit int) marks {
	before := strings.TrimRight(text[:at], " \t")
	m := marks{at: at, count: count, content: at + count}
	m.ownLine = before == "" || before == byteOrderMark || strings.HasSuffix(before, "\n") ||
		strings.HasSuffix(before, "\r")
	for end := m.content; ; end++ {
		switch {
		case strings.HasPrefix(text[end:limit], fewestMarks):
			return m // what is between marks on one line is content
		case end == limit || text[end] == '\n' || text[end] == '\r':
			m.info, m.content = strings.Trim(text[m.content:end], whiteSpace), end
			return m
		}
	}
}
