// Package resourceid validates the ids that the gateway makes for files, batches, responses and
// conversations.
package resourceid

import "strings"

// maxSize is the maximum length of an id in bytes.
const maxSize = 128

// Valid reports whether a text has only the characters of ids: letters, digits, "_" and "-".
func Valid(id string) bool {
	return id != "" && len(id) <= maxSize && !strings.ContainsFunc(id, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '_' &&
			r != '-'
	})
}
