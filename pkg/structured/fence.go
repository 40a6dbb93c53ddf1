package structured

import "strings"

// fence is a block of the text that backticks or tildes set off, as in Markdown.
type fence struct {
	info    string // what stands behind the opening marks, such as json
	content span   // without the white space around it
	end     int    // where the closing marks begin; where there are none, the next fence, or the text ends
	scalar  bool   // the content is a string, a number, true, false or null
}

// namesJSON reports whether the info string says that the content is JSON in some dialect.
func (f *fence) namesJSON() bool {
	language, _, _ := strings.Cut(f.info, " ")
	return strings.Contains(strings.ToLower(language), "json")
}

// findFences returns the fences of a text in order. Marks inside of the given values, which are in
// order too, are not taken for marks.
func findFences(text string, values []span) []fence {
	var fences []fence
	var open marks // count is 0 when no fence is open
	eachMarks(text, values, func(m marks) {
		switch {
		case open.count == 0:
			if m.mayOpen() {
				open = m
			}
		case m.char != open.char || m.count < open.count:
			// Part of the content.
		case m.ownLine && isWord(m.info):
			fences = append(fences, newFence(text, open, m.at)) // nobody closed it
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
	return fence{info: open.info, content: content, end: end, scalar: isScalar(text, content)}
}

// trim takes the white space off both ends of a span.
func trim(text string, s span) span {
	s.start = s.end - len(strings.TrimLeft(text[s.start:s.end], whiteSpace))
	s.end = s.start + len(strings.TrimRight(text[s.start:s.end], whiteSpace))
	return s
}

// marks are three or more backticks or tildes in a row.
type marks struct {
	at, count int
	char      byte
	ownLine   bool   // only white space stands before them on their line
	info      string // what stands behind them, as far as the line or the next value
	content   int    // where the content of a fence would begin that they open
}

// mayOpen reports whether the marks may open a fence. Within a line they also occur in prose.
func (m *marks) mayOpen() bool {
	return m.ownLine || m.char == '`' && (m.info == "" || isWord(m.info))
}

// isWord reports whether an info string is a language and nothing else.
func isWord(info string) bool {
	return info != "" && isLetter(info[0]) && !strings.ContainsAny(info, " \t")
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// fewestMarks make a fence.
const fewestMarks = 3

func beginsFence(text string) bool {
	return strings.HasPrefix(text, "```") || strings.HasPrefix(text, "~~~")
}

// eachMarks visits the marks of a text that are not inside of the given values.
func eachMarks(text string, values []span, visit func(marks)) {
	at := 0
	for _, value := range append(values[:len(values):len(values)], span{len(text), len(text)}) {
		for at < value.start {
			count := countMarks(text[at:value.start])
			if count >= fewestMarks {
				visit(newMarks(text, at, count, value.start))
			}
			at += max(count, 1)
		}
		at = value.end
	}
}

// countMarks returns how many equal marks a text begins with.
func countMarks(text string) int {
	count := 0
	for count < len(text) && text[count] == text[0] && (text[0] == '`' || text[0] == '~') {
		count++
	}
	return count
}

// newMarks looks at what is before and behind marks; limit is where the next value begins.
func newMarks(text string, at, count, limit int) marks {
	before := strings.TrimRight(text[:at], " \t")
	m := marks{at: at, count: count, char: text[at], content: at + count}
	m.ownLine = before == "" || before == byteOrderMark || strings.HasSuffix(before, "\n") || strings.HasSuffix(before, "\r")
	for end := m.content; ; end++ {
		switch {
		case end < limit && beginsFence(text[end:]):
			return m // what is between marks on one line is content
		case end == limit || text[end] == '\n' || text[end] == '\r':
			m.info, m.content = strings.Trim(text[m.content:end], whiteSpace), end
			return m
		}
	}
}

// byteOrderMark is U+FEFF in UTF-8, which some editors and shells put in front of a text.
const byteOrderMark = "\uFEFF"
