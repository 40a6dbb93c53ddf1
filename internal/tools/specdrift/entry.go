package main

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// entry is a new member of a mapping: a key and one of text, plain, items and members.
type entry struct {
	key     string
	text    string // a sentence
	plain   string // a word that needs no quotes
	items   []string
	members []entry
}

// lines writes the entry as block YAML.
func (e entry) lines(indent string) []string {
	head := indent + quote(e.key) + ":"
	switch {
	case e.members != nil && !isShort(e.members):
		out := []string{head}
		for _, m := range e.members {
			out = append(out, m.lines(indent+"  ")...)
		}
		return out
	case e.items != nil && e.key != "allOf":
		out := []string{head}
		for _, item := range e.items {
			out = append(out, indent+"  - "+item)
		}
		return out
	}
	return []string{indent + e.flow()}
}

// isShort reports whether members fit on a line: those of an unnamed schema without members of its own.
func isShort(members []entry) bool {
	return len(members) <= 2 && !slices.ContainsFunc(members, func(e entry) bool { return e.text != "" && e.key != "$ref" || e.members != nil })
}

// flow writes the entry on one line.
func (e entry) flow() string {
	head := quote(e.key) + ": "
	switch {
	case e.members != nil:
		return head + flowMapping(e.members)
	case e.items != nil:
		return head + "[" + strings.Join(e.items, ", ") + "]"
	case e.text != "":
		return head + strconv.Quote(e.text)
	}
	return head + e.plain
}

func flowMapping(members []entry) string {
	texts := make([]string, len(members))
	for i, m := range members {
		texts[i] = m.flow()
	}
	return "{ " + strings.Join(texts, ", ") + " }"
}

// word matches what needs no quotes in either style, unless it is a word for another type.
var word = regexp.MustCompile(`^[A-Za-z$_][A-Za-z0-9$_./-]*$`)

func quote(s string) string {
	if plain, err := yaml.Marshal(s); err == nil && word.MatchString(s) && string(plain) == s+"\n" {
		return s
	}
	return strconv.Quote(s)
}
