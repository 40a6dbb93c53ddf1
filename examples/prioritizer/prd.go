package main

import (
	"path/filepath"
	"strings"
)

// readPRDs reads documents. The id of each is the name of its file without .md.
func readPRDs(read func(name string) ([]byte, error), names []string) ([]PRD, error) {
	var prds []PRD
	for _, name := range names {
		text, err := read(name)
		if err != nil {
			return nil, err
		}
		prds = append(prds, parsePRD(strings.TrimSuffix(filepath.Base(name), ".md"), string(text)))
	}
	return prds, nil
}

// parsePRD takes the title from the first heading. Without a heading, the title is the id. It takes
// the features that this one needs from a line such as "Depends on: auth, charts".
func parsePRD(id, text string) PRD {
	prd := PRD{ID: id, Title: id, Content: text}
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if title, ok := strings.CutPrefix(line, "# "); ok && prd.Title == id {
			prd.Title = title
		}
		needs, ok := strings.CutPrefix(strings.ToLower(line), "depends on:")
		if !ok {
			continue
		}
		for _, need := range strings.Split(needs, ",") {
			prd.DependsOn = append(prd.DependsOn, strings.TrimSpace(need))
		}
	}
	return prd
}
