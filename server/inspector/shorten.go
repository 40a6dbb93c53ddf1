package inspector

import (
	"bytes"
	"strings"
)

// stringEnd returns the index of the closing quote of a JSON string, or the end of the data.
func stringEnd(data []byte, begin int) int {
	for at := begin; ; at++ {
		next := bytes.IndexByte(data[at:], '"')
		if next < 0 {
			return len(data)
		}
		at += next
		before := data[begin:at]
		if escapes := len(before) - len(bytes.TrimRight(before, `\`)); escapes%2 == 0 {
			return at
		}
	}
}

// endOfWhole returns where a JSON string can be cut, at most at limit: not within a character or an
// escape.
func endOfWhole(text string, limit int) int {
	limit = min(limit, len(text))
	const longestEscape = len(`\u0000`)
	for at := max(0, limit-longestEscape+1); at < limit; at++ {
		if text[at] == '\\' && backslashes(text[:at])%2 == 0 {
			limit = at
		}
	}
	return len(prefix(text, limit))
}

// backslashes returns the number of backslashes at the end of a text.
func backslashes(text string) int { return len(text) - len(strings.TrimRight(text, `\`)) }
