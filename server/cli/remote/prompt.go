package remote

import (
	"errors"
	"io"
	"strings"
)

// promptOf joins the words of a prompt. A word "-" stands for standard input, as a separate
// paragraph. Its errors are usage errors, except errors of reading.
func promptOf(words []string, stdin io.Reader) (string, error) {
	if len(words) == 0 {
		return "", usageError{errors.New("a prompt is missing; use - to read it from standard input")}
	}
	var paragraphs, line []string
	isRead := false
	for _, word := range words {
		if word != "-" {
			line = append(line, word)
			continue
		}
		if isRead {
			return "", usageError{errors.New("standard input (-) can be read only once")}
		}
		isRead = true
		text, err := io.ReadAll(stdin)
		if err != nil {
			return "", &fileError{"-", err}
		}
		paragraphs = append(paragraphs, strings.Join(line, " "), strings.TrimSpace(string(text)))
		line = nil
	}
	paragraphs = append(paragraphs, strings.Join(line, " "))
	prompt := joinParagraphs(paragraphs)
	if prompt == "" {
		return "", usageError{errors.New("the prompt is empty")}
	}
	return prompt, nil
}

// joinParagraphs joins the non-empty paragraphs.
func joinParagraphs(paragraphs []string) string {
	var texts []string
	for _, text := range paragraphs {
		if text != "" {
			texts = append(texts, text)
		}
	}
	return strings.Join(texts, "\n\n")
}
