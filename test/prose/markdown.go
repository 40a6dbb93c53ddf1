package main

import "strings"

// markdown returns a Markdown file in which each paragraph and each item of a list is one line.
func markdown(path string, content []byte) *document {
	d := &document{path: path, ext: ".md"}
	fence := ""
	open := false // the last line is text that the next line may continue
	for i, l := range strings.Split(string(content), "\n") {
		trimmed := strings.TrimSpace(l)
		switch {
		case fence != "":
			if strings.HasPrefix(trimmed, fence) && strings.Trim(trimmed, fence[:1]) == "" {
				fence = ""
			}
			open = false
		case strings.HasPrefix(trimmed, "```") || strings.HasPrefix(trimmed, "~~~"):
			fence = trimmed[:3]
			open = false
		case open && trimmed != "" && continues(trimmed):
			d.add(trimmed, i+1)
			continue
		default:
			open = trimmed != "" && !strings.HasPrefix(trimmed, "#") && !strings.HasPrefix(trimmed, "|")
		}
		d.begin()
		d.add(l, i+1)
	}
	return d
}

// continues reports whether a line continues the paragraph of the line before it.
func continues(trimmed string) bool {
	return !isListItem(trimmed) && !strings.ContainsAny(trimmed[:1], "#|><") &&
		strings.Trim(trimmed, "-=") != ""
}
