package history

import "strings"

// maxIDSize is the maximum length of an id in bytes.
const maxIDSize = 128

// IsID reports whether a text has only the characters of the ids that the gateway makes for files,
// batches, responses and conversations: letters, digits, "_" and "-".
func IsID(id string) bool {
	return id != "" && len(id) <= maxIDSize && !strings.ContainsFunc(id, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '_' &&
			r != '-'
	})
}
