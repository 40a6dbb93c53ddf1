package main

import (
	"regexp"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// entry is a new member of a mapping: a key, and either text, items or members.
type entry struct {
	key     string
	text    string // as it is written
	items   []string
	members []entry
}

// lines writes the entry as block YAML. An entry that needs no review is written on one line.
func (e entry) lines(indent string) []string {
	if e.items == nil && (e.members == nil || !strings.Contains(e.flow(), reviewMark)) {
		return []string{indent + e.flow()}
	}
	out := []string{indent + quote(e.key) + ":"}
	for _, item := range e.items {
		out = append(out, indent+"  - "+item)
	}
	for _, m := range e.members {
		out = append(out, m.lines(indent+"  ")...)
	}
	return out
}

// flow writes the entry on one line.
func (e entry) flow() string {
	head := quote(e.key) + ": "
	switch {
	case e.members != nil:
		return head + flowMapping(e.members)
	case e.items != nil:
		return head + "[" + strings.Join(e.items, ", ") + "]"
	}
	return head + e.text
}

func flowMapping(members []entry) string {
	texts := make([]string, len(members))
	for i, m := range members {
		texts[i] = m.flow()
	}
	return "{ " + strings.Join(texts, ", ") + " }"
}

// word matches a text that needs no quotes in either style, unless it is a word for another type.
var word = regexp.MustCompile(`^[A-Za-z$_][A-Za-z0-9$_./-]*$`)

func quote(s string) string {
	if plain, err := yaml.Marshal(s); err == nil && word.MatchString(s) && string(plain) == s+"\n" {
		return s
	}
	return strconv.Quote(s)
}
