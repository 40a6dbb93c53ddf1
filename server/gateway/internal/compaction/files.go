package compaction

import (
	"regexp"
	"slices"
	"strings"

	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// maxFiles and maxFileName limit the names of files that a content keeps.
const (
	maxFiles    = 100
	maxFileName = 512
)

// fileMembers are the names that agents give to arguments with a file. It is never modified.
var fileMembers = []string{"path", "paths", "file", "files", "file_path", "filePath", "filepath",
	"filename", "absolute_path", "target_file", "notebook_path"}

// patched finds the names of files in a patch. The patch may be quoted within JSON.
var patched = regexp.MustCompile(`\*\*\* (?:(?:Add|Update|Delete) File|Move to): ([^\n\r"\\]+)`)

// filesOf returns the names of files in the arguments of calls, each once, the latest last.
func filesOf(items []Item) []string {
	var out []string
	add := func(names ...string) {
		for _, name := range names {
			name = strings.TrimSpace(name)
			if name == "" || len(name) > maxFileName || strings.ContainsAny(name, "\n\r") {
				continue
			}
			if i := slices.Index(out, name); i >= 0 {
				out = slices.Delete(out, i, i+1)
			}
			out = append(out, name)
			if len(out) > maxFiles {
				out = slices.Delete(out, 0, 1)
			}
		}
	}
	for i := range items {
		if summary := items[i].summary; summary != nil {
			add(summary.Files...)
		}
		if isCall(&items[i].ResponseItem) {
			add(filesOfCall(&items[i])...)
		}
	}
	return out
}

// filesOfCall returns the names of files in the arguments of a call.
func filesOfCall(call *Item) (out []string) {
	text, isText := call.Arguments.AsString()
	if !isText {
		value, _ := call.Arguments.AsValue()
		text = string(value)
	}
	if arguments := jsontext.Value(text); arguments.Kind() == '{' && arguments.IsValid() {
		for _, name := range fileMembers {
			out = append(out, names(jsonx.Member(arguments, name))...)
		}
	}
	for _, source := range []string{text, jsonx.Deref(call.Input)} {
		for _, found := range patched.FindAllStringSubmatch(source, -1) {
			out = append(out, found[1])
		}
	}
	return out
}

// names returns a text, or the texts of a list.
func names(value jsontext.Value) []string {
	var one string
	if json.Unmarshal(value, &one) == nil {
		return []string{one}
	}
	var all []string
	if json.Unmarshal(value, &all) != nil {
		return nil
	}
	return all
}
