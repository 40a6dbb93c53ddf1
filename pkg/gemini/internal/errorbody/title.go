package errorbody

import (
	"bytes"
	"html"
)

// pageTitle returns the title of an HTML page as plain text, or "".
func pageTitle(page []byte) string {
	_, page, found := cutFold(page, "<title")
	if !found {
		return ""
	}
	_, page, _ = bytes.Cut(page, []byte(">"))
	title, _, found := cutFold(page, "</title>")
	if !found {
		return ""
	}
	return html.UnescapeString(beginning(bytes.TrimSpace(title)))
}

// cutFold cuts text around the first tag in any letter case, like [bytes.Cut].
func cutFold(text []byte, tag string) (before, after []byte, found bool) {
	for start := range len(text) - len(tag) + 1 {
		if end := start + len(tag); bytes.EqualFold(text[start:end], []byte(tag)) {
			return text[:start], text[end:], true
		}
	}
	return text, nil, false
}
