// Package errortext shortens the texts of errors for users: it removes the names of Go packages.
package errortext

import (
	"slices"
	"strings"
)

// WithoutPackage removes package names from the beginning of an error text, because they mean
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

// packages lists the packages of gemwire whose errors begin with the package name, in alphabetical
// order. It is never modified.
var packages = []string{
	"agent", "aisdk", "anthropic", "background", "batchapi", "batches", "blob", "budget",
	"bulk", "cassette", "chat", "chats", "chatupstream", "clientkey", "codexcatalog",
	"compaction", "config", "documents", "engine", "estimate", "fakegemini", "gateway",
	"gemini", "geminibatch", "history", "inspector", "interactions", "interactionsbridge",
	"keyfile", "kvledger", "limit", "line", "live", "messages", "normalize", "openai",
	"otelgateway", "otelgemini", "provider", "quota", "rangelog", "ratecard", "record",
	"response", "responses", "responsestore", "script", "socket", "store", "structured",
	"tally", "toolloop", "transform", "upload", "usage", "validation", "websearch",
}
