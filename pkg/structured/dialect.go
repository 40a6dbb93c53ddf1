package structured

import (
	"strings"
	"unicode/utf8"
)

// lookAhead is how many bytes behind a bracket are searched for signs of a dialect, so that the time stays
// linear in the length of the text.
const lookAhead = 256

// isDialect reports whether the inside of an object or a list that is no JSON begins like that of JSON5,
// JavaScript or Python: with comments, with a member name in other quotes or in none, with an element in
// other quotes. Brackets in prose and code are often followed by words and quotes too: a name counts if
// it has a colon and a value, an element if it has a comma or a bracket behind it.
func isDialect(inside string, object bool) bool {
	inside = inside[:min(len(inside), lookAhead)]
	first := skipComments(inside)
	if object {
		rest, isName := skipName(first)
		rest, isMember := strings.CutPrefix(rest, ":")
		return isName && isMember && beginsDialectValue(rest)
	}
	rest, isString := skipQuoted(first)
	return isString && beginsWith(rest, ",]") || first != inside && beginsWith(first, "{[")
}

// skipComments returns what follows comments. Of a comment without an end nothing follows.
func skipComments(text string) string {
	for {
		text = strings.TrimLeft(text, whiteSpace)
		end := ""
		switch {
		case strings.HasPrefix(text, "//"):
			end = "\n"
		case strings.HasPrefix(text, "/*"):
			end = "*/"
		default:
			return text
		}
		_, text, _ = strings.Cut(text, end)
	}
}

// skipName returns what follows a member name, in quotes or not, and whether there is one.
func skipName(text string) (rest string, ok bool) {
	if rest, ok := skipQuoted(text); ok {
		return rest, true
	}
	rest = strings.TrimLeftFunc(text, isNameCharacter)
	return strings.TrimLeft(rest, whiteSpace), len(rest) < len(text)
}

func isNameCharacter(r rune) bool {
	return r == '_' || r == '$' || r == '-' || r < utf8.RuneSelf && (isLetter(byte(r)) || isDigit(byte(r)))
}

// dialectQuotes are the quotes that open a string or a name, with those that close it.
var dialectQuotes = [...][2]string{{`"`, `"`}, {`'`, `'`}, {"`", "`"}, {"“", "”"}, {"‘", "’"}}

// skipQuoted returns what follows a string in quotes of any kind, and whether there is one on the line.
func skipQuoted(text string) (rest string, ok bool) {
	for _, quotes := range dialectQuotes {
		if inside, opened := strings.CutPrefix(text, quotes[0]); opened {
			content, rest, closed := strings.Cut(inside, quotes[1])
			return strings.TrimLeft(rest, whiteSpace), closed && !strings.Contains(content, "\n")
		}
	}
	return text, false
}

// beginsDialectValue reports whether a value may begin here. The colons of addresses, formats and
// assignments have other characters behind them.
func beginsDialectValue(text string) bool {
	text = strings.TrimLeft(text, whiteSpace)
	return beginsWith(text, "{[\"'`") || text != "" && (text[0] >= utf8.RuneSelf || isNameCharacter(rune(text[0])))
}

func beginsWith(text, characters string) bool { return strings.IndexAny(text, characters) == 0 }
