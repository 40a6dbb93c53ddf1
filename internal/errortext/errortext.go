// Package errortext makes texts for people out of the errors of packages.
package errortext

import (
	"slices"
	"strings"
)

// WithoutPackage takes off the names of packages that the text of an error begins with, which say
// nothing to users.
func WithoutPackage(text string) string {
	for {
		name, rest, found := strings.Cut(text, ": ")
		if _, isKnown := slices.BinarySearch(packages, name); !found || !isKnown {
			return text
		}
		text = rest
	}
}

// packages are the prefixes of errors from packages of gemwire, in alphabetical order. It is never
// written to.
var packages = []string{
	"agent", "aisdk", "anthropic", "background", "batchapi", "batches", "blob", "bulk", "cassette",
	"chat", "chats", "chatupstream",
	"clientkey", "config", "engine", "estimate", "fakegemini", "filestore", "gateway", "gemini",
	"geminibatch",
	"history", "inspector", "interactions", "interactionsbridge", "kvledger", "limit", "line", "live", "messages", "normalize", "openai",
	"otelgateway",
	"otelgemini", "provider", "rangelog", "ratecard", "record", "responses", "responsestore",
	"script", "structured",
	"tally", "toolloop", "transform", "upload", "validation", "websearch",
}
